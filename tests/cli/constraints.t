# Bounds, balls, exact steps at the end, and schedules that are warned about.
$ printf 'feature,class,lower,upper\n*,*,0,\nage,*,0,0.25\n' > bounds.csv
$ lazylogit train $DATA/pets.csv --ignore name --bounds bounds.csv --no-intercept --quiet -o m
$ lazylogit inspect m --coefficients | grep -c ',-'
0
[1]
$ printf 'feature,class,lower,upper\nagee,*,0,1\n' > bounds.csv
$ lazylogit train $DATA/pets.csv --ignore name --optimizer adagrad --bounds bounds.csv --quiet -o m
! bounds.csv:2:1: warning: the data has no feature "agee"; the line has no effect; did you mean [..]
$ printf 'feature,class,lower,upper\nage,*,2,1\n' > bounds.csv
$ lazylogit train $DATA/pets.csv --ignore name --optimizer sgd --bounds bounds.csv --quiet -o m
! bounds.csv:2:7: error: the lower bound 2 is above the upper bound 1
[1]
$ printf 'feature,class,lower,upper\nage,*,nan,1\n' > bounds.csv
$ lazylogit train $DATA/pets.csv --ignore name --optimizer sgd --bounds bounds.csv --quiet -o m
! bounds.csv:2:7: error: lower "nan" is not a number; expected a number or inf
[1]
$ printf 'feature,lower,upper\n' > bounds.csv
$ lazylogit train $DATA/pets.csv --ignore name --optimizer sgd --bounds bounds.csv --quiet -o m
! bounds.csv:1:1: error: the header does not fit; expected "feature,class,lower,upper"
[1]
$ lazylogit train $DATA/pets.csv --ignore name --optimizer newton --bounds bounds.csv -o m
! error: option --bounds: it has no meaning for the optimizer newton; it is for sgd, momentum, adagrad, adadelta, rmsprop, adam, adamax, ftrl, saga
[2]
$ lazylogit train $DATA/pets.csv --ignore name --optimizer adam --max-norm 1 -o m
! error: option --max-norm: it has no meaning for the optimizer adam; it is for sgd, momentum
[2]
$ lazylogit train $DATA/pets.csv --ignore name --optimizer sgd --max-norm 1 --finish 2 -o m
! error: option --finish: exact steps know nothing of --bounds and --max-norm; leave it out
[2]
$ lazylogit train $DATA/pets.csv --ignore name --optimizer adam --rho 0.5 -o m
! error: option --rho: it has no meaning for the optimizer adam; it is for adadelta, rmsprop
[2]
$ lazylogit train $DATA/pets.csv --ignore name --optimizer ftrl --prior cauchy --quiet -o m
! error: option --optimizer: optimizer "ftrl" needs a convex prior; "cauchy" is not. Use sgd, momentum, adagrad, adadelta, rmsprop, adam, adamax or saga
[2]
$ lazylogit train $DATA/pets.csv --ignore name --optimizer adagrad --finish 30 --require-convergence --quiet -o m
$ lazylogit train $DATA/pets.csv --ignore name --optimizer sgd --schedule constant --epochs 2 --quiet -o m
! warning: schedule constant: the rates do not fall, so the coefficients go on moving about the optimum; the inverse schedule has neither trouble
$ lazylogit train $DATA/pets.csv --ignore name --optimizer adagrad --schedule exponential --epochs 2 --quiet -o m
! warning: schedule exponential: the rates have a finite sum, so training may stop short of the optimum; without --schedule adagrad's rates fall as they should
$ lazylogit train $DATA/pets.csv --ignore name --stream --optimizer sgd --learning-rate 0.1 --schedule constant --quiet -o m
! warning: schedule constant: the rates do not fall, so the coefficients go on moving about the optimum; the inverse schedule has neither trouble
$ lazylogit compare $DATA/pets.csv --ignore name --optimizers newton,sgd,adam,adagrad --schedule constant --epochs 2 --quiet -o c
! warning: schedule constant: the rates do not fall, so the coefficients go on moving about the optimum; the inverse schedule has neither trouble
# A rate that does not fall with time has no use for a time or its unit.
$ lazylogit train none.csv --optimizer sgd --schedule constant --decay-per example --quiet -o m
! error: option --decay-per: a constant learning rate does not fall; choose another --schedule
[2]
$ lazylogit train none.csv --optimizer sgd --schedule adaptive --decay-per example --quiet -o m
! error: option --decay-per: an adaptive learning rate follows the error, not a time; choose another --schedule
[2]
$ lazylogit train none.csv --optimizer adagrad --decay-per example --quiet -o m
! error: option --decay-per: it has no meaning for the optimizer adagrad; it is for sgd, momentum, adadelta, rmsprop, adam, adamax; adagrad's own rate is constant but for what it divides by; add --schedule
[2]
$ lazylogit train none.csv --stream --optimizer sgd --learning-rate 0.1 --schedule constant --decay-per example --quiet -o m
! error: option --decay-per: a constant learning rate does not fall; choose another --schedule
[2]
