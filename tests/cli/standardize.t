# center without a free intercept: implicit in exact optimizers, refused where it would fill columns.
$ printf 'x,z,y\n101,3,a\n102,1,b\n99,2,a\n104,2,b\n100,9,a\n103,4,b\n100,1,b\n103,5,a\n' >d.csv; lazylogit train d.csv --standardize center --no-intercept -q -o m --gap 1e-10; lazylogit inspect m --coefficients | cut -d, -f2; lazylogit check m d.csv -q | tail -1
feature
x
z
(intercept)
optimum      yes: the asked relative gap is 1e-06
# A constant added to a column changes no prediction.
$ printf 'x,z,y\n1,3,a\n2,1,b\n-1,2,a\n4,2,b\n0,9,a\n3,4,b\n0,1,b\n3,5,a\n' >e.csv; lazylogit train e.csv --standardize center --no-intercept -q -o n --gap 1e-10; lazylogit predict m d.csv -q | cut -c1-10 >p; lazylogit predict n e.csv -q | cut -c1-10 | diff p -
$ lazylogit train d.csv --standardize center --prior-intercept --prior laplace --optimizer coordinate -q -o m; lazylogit check m d.csv -q | tail -1
optimum      yes: the asked relative gap is 1e-06
$ lazylogit train d.csv --standardize center --no-intercept --optimizer sgd --epochs 3 -q -o m
! error: option --optimizer: optimizer "sgd" needs columns that are not centered; without a free intercept --standardize center fills columns, scale does not. Use lbfgs, newton, coordinate, irls, lm, bfgs, cg or gd
[2]
$ lazylogit train d.csv --standardize center --prior-intercept --posterior diagonal -q -o m; lazylogit predict m d.csv --intervals -q | head -1; lazylogit train e.csv --standardize center --prior-intercept --posterior diagonal -q -o n; lazylogit predict m d.csv --intervals -q | sed 's/\(\.[0-9]\{5\}\)[0-9]*/\1/g' >p; lazylogit predict n e.csv --intervals -q | sed 's/\(\.[0-9]\{5\}\)[0-9]*/\1/g' | diff p -
prediction,probability,lower,upper
$ lazylogit train d.csv --standardize center --prior-intercept --posterior samples -q -o m
! error: option --posterior: with centred columns and a prior on the intercept the posterior is a Gaussian around the optimum; take full, diagonal or low-rank, or --standardize scale
[2]
# Each is the model's own remedy: collinear columns without a prior.
$ printf 'euro,cent,z,y\n1,100,3,a\n2,200,1,b\n3,300,2,a\n4,400,2,b\n5,500,9,a\n2,200,4,b\n3,300,1,b\n1,100,5,b\n4,400,6,a\n' >f.csv; lazylogit train f.csv --prior uniform -o m 2>&1 >/dev/null | grep collinear
collinear features: "[..]" is a multiple of "[..]"; without a prior their coefficients are not determined: drop some with --ignore, or use --prior gaussian
# Numbers so small that their squares vanish have no deviation to divide by.
$ printf 'x,y\n1e-170,a\n2e-170,b\n3e-170,a\n4e-170,b\n' >small.csv; lazylogit train small.csv --standardize scale -q -o m9
! small.csv: error: no value of feature "x" is larger than 4e-170: their squares vanish, and with them the deviation to divide by; multiply the column by a power of ten
[1]
$ lazylogit train small.csv -q -o m9
