# The width of the prior by cross-validation; the model is the one train makes with it.
$ lazylogit tune $DATA/pets.csv --ignore name --values 0.1,10,1 --folds 3 -o m 2>/dev/null | head -5
    variance      held-out log loss           accuracy
         0.1     [..] ± [..]  [..] ± [..] %
           1     [..] ± [..]  [..] ± [..] %
          10     [..] ± [..]  [..] ± [..] %  <- chosen
3 of 3 values shown
$ lazylogit train $DATA/pets.csv --ignore name --variance 10 -q -o m2; lazylogit inspect m --coefficients >a; lazylogit inspect m2 --coefficients >b; cmp a b && echo same
same
$ lazylogit tune $DATA/pets.csv --ignore name --path 6 --folds 2 --json --trace t.csv -q -o m | grep -c fold_log_loss; head -1 t.csv; grep -c ',mean,' t.csv
6
variance,fold,log_loss,accuracy,log_evidence,features,chosen
6
$ lazylogit tune $DATA/pets.csv --ignore name --by evidence -o m 2>/dev/null | head -1
    variance    log evidence  features
# A width for each group of features, which the model keeps.
$ lazylogit tune $DATA/pets.csv --ignore name --by evidence --groups column --standardize scale -o m 2>/dev/null | grep -A1 ^group
group [..]  features      variance   effective
[..]
$ lazylogit check m $DATA/pets.csv 2>/dev/null | tail -1; lazylogit inspect m | grep -c 'per coefficient, variance .* to '
optimum      yes: the asked relative gap is 1e-06
1
$ printf 'feature,group\nwieght,body\n' >g; lazylogit tune $DATA/pets.csv --ignore name --by evidence --groups g --json -q -o m | grep -c '"group":'
! g:2:1: warning: the data has no feature "wieght"; the line has no effect[..]
1
$ lazylogit tune missing.csv --groups column -o m
! error: option --groups: a width for each group is chosen by the evidence; add --by evidence
[2]
$ lazylogit tune missing.csv --by evidence --groups nowhere.csv -o m
! nowhere.csv: error: [..]
[3]
$ lazylogit tune $DATA/pets.csv --ignore name --by evidence --groups namespace -q -o m
! error: option --groups: the data has no namespaces, which vw files have; list the features in a csv file: feature,group
[2]
# What cannot be tuned is said before anything is read.
$ lazylogit tune missing.csv --prior uniform -o m
! error: option --prior: the uniform prior has no number to tune; use gaussian, laplace, cauchy or elastic-net
[2]
$ lazylogit tune missing.csv --optimizer sgd -o m
! error: option --optimizer: the path is fitted exactly; leave it to auto, or name an exact optimizer
[2]
$ lazylogit tune missing.csv --by evidence --folds 3 -o m
! error: option --folds: the evidence needs no folds; leave it out
[2]
$ lazylogit tune missing.csv --values 1,x -o m
! error: option --values: found "x", expected positive numbers with commas between them
[2]
$ lazylogit tune missing.csv --max-features 3 -o m
! error: option --max-features: the gaussian prior leaves no coefficient at 0; use --prior laplace or elastic-net
[2]
$ lazylogit tune missing.csv --prior elastic-net --by evidence -o m
! error: option --by: the elastic-net prior has no normalising constant, so no evidence; choose by log-loss
[2]
$ lazylogit tune $DATA/pets.csv --ignore name --folds 50 -q -o m
! error: option --folds: 50 folds need as many rows; there are 10
[2]
$ printf 'x,y\n1,a\n2,b\n3,a\n' >few.csv; lazylogit tune few.csv -q -o m
! error: option --folds: 5 folds need as many rows; there are 2 in classes of more than one row
[2]
