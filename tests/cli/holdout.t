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
