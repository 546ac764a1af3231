# Held-out rows are scored but not trained on.
$ lazylogit train $DATA/pets.csv --ignore name --holdout 0.3 -o m 2>/dev/null | grep -E '^(rows|held)'
rows         7
held out     3 rows, log loss 0.01[..], accuracy 100.00 %
$ lazylogit train $DATA/pets.svm --holdout $DATA/pets.svm -o m 2>/dev/null | grep -E '^(rows|held)'
rows         10
held out     10 rows, log loss 0.01[..], accuracy 100.00 %
# Labels that training did not see count as wrong, and are counted.
$ printf 'x,y\n1,a\n2,b\n3,a\n' >seen.csv; printf 'x,y\n1,a\n2,new\n' >unseen.csv; lazylogit train seen.csv --holdout unseen.csv -o m9 2>messages | grep '^held'
held out     2 rows, log loss 0.405465, accuracy 50.00 %; 1 with a label that training did not see, counted as wrong
$ lazylogit check m9 unseen.csv -q | grep rows
! warning: 1 row is left out, whose label the model does not know
rows         1
# Training ends when the held-out loss no longer falls, with the best coefficients it has seen.
$ lazylogit train $DATA/pets.svm --holdout $DATA/pets.svm --early-stopping 1 --optimizer sgd --learning-rate 100 --tolerance 0 --epochs 50 -o m 2>/dev/null | grep '^optimizer'
optimizer    sgd: the held-out loss has not fallen in the last step; kept are the coefficients after pass [..], whose held-out loss is [..]
$ lazylogit train $DATA/pets.svm --early-stopping 3 -o m
! error: option --early-stopping: there are no held-out rows to watch; add --holdout 0.2
[2]
# Every evaluation goes to a file for plotting.
$ lazylogit train $DATA/pets.svm --optimizer gd --line-search backtracking --trace t.csv -o m >/dev/null 2>&1; head -1 t.csv; grep -q '^gd,.*,0$' t.csv && grep -q '^gd,.*,1$' t.csv && echo steps and trials
optimizer,passes,seconds,cpu_seconds,error,relative_gap,gradient_norm,step,learning_rate,holdout_log_loss,accepted
steps and trials
$ lazylogit train $DATA/pets.svm --trace m -o m
! error: option --trace: the same file as --out
[2]
# A class keeps a row to learn from, whatever the seed: held out are as many fewer.
$ printf 'x,y\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,rare\n' >rare.csv; for seed in 1 2 3 4 5 6; do lazylogit train rare.csv --holdout 0.5 --seed $seed -q --require-convergence -o m; done
$ printf 'x,y\n1,a\n2,b\n3,c\n' >single.csv; lazylogit train single.csv --holdout 0.5 -q -o m
! error: option --holdout: no row can be held out: each is the only one of its class
[2]
# A class whose rows have all weight 0 is named, and the bound is that of the model without it.
$ printf 'class,weight\nrare,0\n' >weights.csv; lazylogit train rare.csv --class-weights weights.csv --require-convergence -o m | grep -c '^certificate  relative gap [0-9.]*e-'
! label column: "y" (--target chooses another)
! classes without a row of positive weight, whose probability goes to 0: "rare"
! optimizer: newton, because [..]
1
$ lazylogit train rare.csv --class-weights weights.csv --reference rare --require-convergence -q -o m
$ lazylogit train rare.csv --class-weights weights.csv --prior laplace --require-convergence -q -o m; lazylogit predict m rare.csv --proba -q | cut -d, -f5 | tail -1 | grep -c e-
1
# Held-out rows that are none.
$ printf 'x,y\n' >none.csv; lazylogit train rare.csv --holdout none.csv -q -o m
! none.csv: error: no rows to hold out, expected one or more
[1]
# What columns become is learned from all rows before a fraction is cut off (docs/explanation/features.md); a file of held-out rows has no part in it.
$ printf 'x,z,y\n1,3,a\n2,4,b\n3,1,a\n4,9,b\n,1,a\n' >d.csv; lazylogit train d.csv --holdout 0.4 -q -o h; lazylogit inspect h --json | grep -oE '"(num_examples|impute_number)":[0-9.]+' | head -3
"impute_number":2.5
"impute_number":3.6
"num_examples":3
$ head -3 d.csv >kept.csv; tail -1 d.csv >>kept.csv; (echo x,z,y; tail -3 d.csv) >rest.csv; lazylogit train kept.csv --holdout rest.csv -q -o h; lazylogit inspect h --json | grep -o '"impute_number":1.5'
"impute_number":1.5
