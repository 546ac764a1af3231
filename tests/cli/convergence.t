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
# Constant steps that are too long end at the lowest error there was, and are told; without a size they are short enough.
$ printf '%s\n' u,v,y 1,2,a 2,9,b 3,1,a 1,7,b 2,2,a 5,6,b 4,4,b 2,5,a >bends.csv
$ for step in 0.3 3 1e200; do lazylogit train bends.csv --optimizer gd --line-search none --step-size $step --require-convergence -q -o m; lazylogit inspect m --json | python3 -c "import json, sys; j = json.load(sys.stdin); print(j['error'] < 5.5452, j['passes'] < 100)"; done
True True
True True
True True
! warning: steps of --step-size 0.3 are too long: the error rises; the lowest, [..], is kept: take a shorter one, or a line search
! warning: steps of --step-size 3 are too long: the error rises; the lowest, [..], is kept: take a shorter one, or a line search
! warning: steps of --step-size 1e+200 are too long: the error rises; the lowest, [..], is kept: take a shorter one, or a line search
$ lazylogit train bends.csv --optimizer gd --line-search none --require-convergence -q -o m
# Steps so long that the error only rose look like standing still; they are told.
$ lazylogit train $DATA/pets.svm --optimizer sgd --learning-rate 1e9 --require-convergence -q -o long
! warning: the error [..] is above that of the start, [..]: the steps were too long; change --learning-rate, or leave it to auto
[4]
# One row in ten thousand is of another class: whatever the seed, the rate is not one at which it is not learned; a rate of
# that kind is no success, though the error is half of that at the start.
$ python3 -c "
> import random
> random.seed(6)
> print('a,b,c,y')
> for i in range(10001):
>   print(*(round(random.gauss(1.5 * (i == 7000), 1), 3) for _ in range(3)), 'r' if i == 7000 else 'n', sep=',')
> " >rare.csv
$ for o in sgd adam adagrad; do for seed in 1 2 3; do lazylogit train rare.csv --optimizer $o --seed $seed -q -o m; lazylogit inspect m --json | python3 -c "import json, sys; print(json.load(sys.stdin)['error'] < 10.3)"; done; done | uniq -c | awk '{print $1, $2}'
9 True
$ lazylogit train rare.csv --optimizer sgd --learning-rate 2674 --require-convergence -q -o m
! warning: the error [..] is above 10.21, that of the frequencies of classes alone: the steps were too long, or too few; change --learning-rate, or leave it to auto
[4]
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
# Also where rounding hides the slope before it is as small as the gap asks for: none is left at the saddle.
$ for o in auto newton lm cg gd bfgs lbfgs coordinate; do lazylogit train one.csv --prior cauchy --scale 0.3 --symmetric --gap 1e-13 --optimizer $o -q -o m 2>/dev/null; lazylogit inspect m --json | python3 -c "import json, sys; j = json.load(sys.stdin); print(round(j['error'], 4), j['certificate']['min_curvature'] >= 0)"; done | uniq -c | awk '{print $1, $2, $3}'
8 5.6239 True
# Where a fit begins so far out that every probability is 0 or 1, Newton's steps have no curvature to go by; auto gets there all the same, under a prior with kinks too.
$ awk 'BEGIN { print "x,u,z,y"; for (j = 0; j < 30; ++j) printf "%.1f,%.1f,%.1f,%s\n", 1e4 + (j * 37) % 19 / 4, 1e4 + (j * j) % 23 / 5, 1e3 + (j * 11) % 17 / 3, ((j * 37) % 19 > 6 + (j * 5) % 7 ? "a" : "b") }' >out.csv; printf 'feature,class,mean,variance\nu,*,-0.34,2.5\nz,*,-1.05,0\n' >far.prior; for o in auto coordinate; do lazylogit train out.csv --prior laplace --variance 12 --no-intercept --prior-file far.prior --optimizer $o --require-convergence -q -o m; echo $?; done
0
0
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
# The limit on passes holds within steps too.
$ awk 'BEGIN { srand(7); for (j = 0; j < 200; ++j) { printf "%d", rand() < 0.5; for (i = 1; i < 900; i += 1 + int(rand() * 40)) printf " %d:%d", i, 1 + int(rand() * 9); print "" } }' >many.svm; for o in newton irls lm cg gd bfgs lbfgs coordinate; do for n in 1 3 10; do lazylogit train many.svm --optimizer $o --max-passes $n -q -o m 2>&1 | grep -o 'stopped after [0-9]* pass[es]* ' | awk -v n=$n '{ print $3 <= n + 2 ? "within" : "beyond", $3 == 1 ? $4 == "pass" : $4 == "passes" }'; done; done | sort | uniq -c | awk '{ print $2, $3 }'
within 1
