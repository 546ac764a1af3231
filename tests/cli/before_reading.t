# What options alone show to be impossible is refused before any data is opened: there is no such file.
$ lazylogit train none.csv --optimizer irls --prior laplace -q -o m
! error: option --optimizer: optimizer "irls" needs a smooth prior; "laplace" has a kink at its mean. Use lbfgs, newton, coordinate, lm or gd
[2]
$ lazylogit train none.csv --optimizer ftrl --prior cauchy -q -o m
! error: option --optimizer: optimizer "ftrl" needs a convex prior; "cauchy" is not. Use sgd, momentum, adagrad, adadelta, rmsprop, adam, adamax or saga
[2]
$ lazylogit train none.csv --optimizer bfgs --prior elastic-net -q -o m
! error: option --optimizer: optimizer "bfgs" needs a smooth prior; "elastic-net" has a kink at its mean. Use lbfgs, newton, coordinate, lm or gd
[2]
$ lazylogit train none.csv --optimizer sgd --standardize center --no-intercept -q -o m
! error: option --optimizer: optimizer "sgd" needs columns that are not centered; without a free intercept --standardize center fills columns, scale does not. Use lbfgs, newton, coordinate, irls, lm, bfgs, cg or gd
[2]
$ lazylogit train none.csv --optimizer auto --average -q -o m
! error: option --average: it has no meaning for newton, lbfgs or coordinate, which auto may take; name an optimizer that it is for with --optimizer: sgd, momentum, adagrad, adadelta, rmsprop, adam, adamax, ftrl
[2]
$ lazylogit train none.csv --choices trip --prior-step linear --optimizer sgd -q -o m
! error: option --prior-step: choices take the exact flow of the prior; leave it out
[2]
# An elastic net without a kink is smooth, and a file of priors may make one so.
$ lazylogit train none.csv --optimizer cg --prior elastic-net --l1 0 -q -o m
! none.csv: error: cannot open: No such file or directory
[3]
$ printf 'x,y\n1,a\n2,b\n3,a\n4,b\n' >t.csv; printf 'feature,class,mean,variance\n*,*,0,inf\n' >free.csv; lazylogit train t.csv --optimizer cg --prior laplace --prior-file free.csv -q -o m; lazylogit inspect m --json | grep -c '"converged"'
1
# What a posterior has no room for is refused before the fit.
$ awk 'BEGIN { for (j = 0; j < 4; ++j) { printf "%d", j % 2; for (i = 1; i <= 4100; ++i) printf " %d:%d", i, (i * j) % 3 + 1; print "" } }' >wide.svm
$ lazylogit train wide.svm --posterior full --log json -o m 2>&1 | grep -o '"event":"pass"\|a full covariance of [0-9]* coefficients is too large' | sort -u
a full covariance of 4101 coefficients is too large
# What auto may take depends on the data: an option that some of those ignore is refused for all data.
$ lazylogit train none.csv --memory 20 -q -o m
! error: option --memory: it has no meaning for newton or coordinate, which auto may take; name an optimizer that it is for with --optimizer: lbfgs
[2]
$ lazylogit train none.csv --optimizer auto --bounds none.csv -q -o m
! error: option --bounds: it has no meaning for newton, lbfgs or coordinate, which auto may take; name an optimizer that it is for with --optimizer: sgd, momentum, adagrad, adadelta, rmsprop, adam, adamax, ftrl, saga
[2]
# Sentences name what would do, of what the prior leaves.
$ lazylogit train none.csv --optimizer sgd --max-passes 5 -q -o m
! error: option --max-passes: it has no meaning for the optimizer sgd; it is for lbfgs, newton, coordinate, irls, lm, bfgs, cg, gd; --epochs limits stochastic ones
[2]
$ lazylogit train none.csv --optimizer sgd --prior cauchy --restarts 2 -q -o m
! error: option --restarts: it has no meaning for the optimizer sgd; it is for lbfgs, newton, coordinate, lm, bfgs, cg, gd
[2]
# An option of stochastic training is a wish for it, and for the optimizer that knows it.
$ lazylogit train $DATA/pets.svm --rho 0.8 -o m 2>&1 | grep '^optimizer:'
optimizer: adadelta, because --rho was given
