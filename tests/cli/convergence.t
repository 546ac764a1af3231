# --require-convergence: exit 4 when the precision was not reached; the model is written all the same.
$ lazylogit train $DATA/pets.svm --max-passes 1 --optimizer lbfgs -q --require-convergence -o m
! warning: [..]
[4]
$ lazylogit train $DATA/pets.svm --warm-start m -q --require-convergence -o m2
$ lazylogit check m $DATA/pets.svm --require-convergence -q
...
optimum      not shown: the asked relative gap is 1e-06
[4]
$ lazylogit check m2 $DATA/pets.svm --require-convergence -q
...
optimum      yes: the asked relative gap is 1e-06
# Where rounding is larger than the error nothing is proved, and that is said. The error is never negative, so
# no relative gap exceeds 1.
$ printf '1 1:1e39\n0 1:-1e30\n' >huge.svm; lazylogit train huge.svm --precision float64 -q --require-convergence -o m3
! warning: rounding prevents further descent; the certified relative gap is 1; [..]
[4]
# What slows a fit is named with a remedy that was not taken already.
$ printf 'x,z,y\n1e6,1e-3,a\n2e6,2e-3,b\n3e6,1e-3,a\n5e6,4e-3,b\n' >wide.csv; lazylogit train wide.csv --optimizer gd --max-passes 3 -o m 2>&1 | grep -o 'try --standardize scale'
try --standardize scale
$ lazylogit train wide.csv --optimizer gd --max-passes 3 --standardize scale -o m 2>&1 | grep -o 'try --standardize scale\|divide wide columns by a power of ten'
divide wide columns by a power of ten
# Steps so long that the error only rose look like standing still; they are told.
$ lazylogit train $DATA/pets.svm --optimizer sgd --learning-rate 1e9 -q -o long
! [..]pets.svm: warning: the error [..] is above that of coefficients that are all 0, [..]: the steps were too long; lower --learning-rate, or leave it to auto
# Free intercepts, one for each class, may move together: curvature that is 0 but for rounding is no maximum.
$ python3 -c "
> import random
> random.seed(4)
> print('y,a,b,c')
> for i in range(60):
>   a, b, c = (round(random.gauss(0, 1), 2) for _ in range(3))
>   print(f'{\"uv\"[int(a - b + random.gauss(0, 1) > 0)]},{a},{b},{c}')
> " >both.csv
$ lazylogit train both.csv --prior cauchy --symmetric -q --require-convergence -o cauchy; lazylogit check cauchy both.csv -q --require-convergence | tail -1
optimum      yes: the asked relative gap is 1e-06
# Under a Cauchy prior opposite vectors of two classes may be a saddle; every optimizer goes on to where the error is lower.
$ printf '%s\n' x,y -2,a -1,a -1.5,a 0.2,a -0.3,b 1,b 2,b 1.5,b -3,a 3,b -2.5,a 2.2,b >one.csv; for o in auto newton lm cg gd bfgs lbfgs coordinate; do lazylogit train one.csv --prior cauchy --scale 0.3 --symmetric --optimizer $o -q -o m; lazylogit inspect m --json | python3 -c "import json, sys; j = json.load(sys.stdin); print(j['termination'], round(j['error'], 4), j['certificate']['min_curvature'] >= 0)"; done | uniq -c | awk '{print $1, $2, $3, $4}'
8 converged 5.6239 True
# Probabilities that have vanished still have logarithms, so that the bound is finite: the error is 1.9, the optimum 1.38.
$ printf 'x,y\n2000,b\n-2000,a\n0.1,b\n0.2,a\n' >far.csv; lazylogit train far.csv --optimizer sgd --epochs 3 --learning-rate 0.001 -q -o far; lazylogit check far far.csv -q | grep certificate
certificate  relative gap 1: error - optimum <= 1.94 (duality gap); worst expectation constraint off by 1.1 (x, b)
# The seconds are those of all starts together.
$ lazylogit train far.csv --prior cauchy --max-seconds 1e-9 --restarts 2 -o far 2>&1 | grep restart
--max-seconds ended the restarts: 0 of 2 are done
# Small fits under an L1 prior have more digits than the gap asks for, too: rounds beyond its proof cost nothing.
$ awk 'BEGIN { print "u,v,w,y"; for (j = 0; j < 60; ++j) printf "%.1f,%.1f,%.1f,%s\n", (j * 37) % 19 / 4, (j * j) % 23 / 5, (j * 11) % 17 / 3, substr("abc", int(((j * 37) % 19 / 6 + (j * 7) % 5) / 3) + 1, 1) }' >l1.csv
$ for gap in 1e-6 1e-14; do lazylogit train l1.csv --prior laplace --gap $gap -q -o m; lazylogit inspect m --coefficients | cut -d, -f3 >c.$gap; done; paste c.1e-6 c.1e-14 | awk 'NR > 1 { d = $1 - $2; if (d * d > worst) worst = d * d } END { print (worst < 1e-18) }'
1
