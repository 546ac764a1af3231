# One class of three keeps to z = 0: quasi-complete, with columns as they are or centered, whatever the other rows have.
$ printf '%s\n' u,v,z,y 1,-1,0,a 2,-1,0,b 3,2,5,c 3,2,6,a 2,1,0,b -3,3,0,c 0,3,5,a -2,2,0,b -3,-2,3,c -3,-1,4,a 0,3,0,b -2,0,6,c 1,-3,3,a 1,-2,0,b -3,2,5,c -2,0,0,a -1,-2,0,b 3,3,4,c 0,-2,5,a 3,3,0,b -3,-2,0,c 1,1,4,a 0,-2,0,b -2,-3,6,c >three.csv; for how in none scale center; do lazylogit train three.csv --prior uniform --standardize $how -o m -q; done
! warning: the classes are quasi-completely separated (class "b" by "z"): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
! warning: the classes are quasi-completely separated (class "b" by "z"): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
! warning: the classes are quasi-completely separated (class "b" by "z"): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
# A column that is twice another separates nothing, also where some rows have 0 in both: the optimum is proved.
$ printf '%s\n' u,v,w,y 0,-0.2,0,a 3,-0.1,6,a 3,-0.1,6,b 0,0.0,0,a 1,-0.1,2,a 2,-0.1,4,b 0,0.0,0,a -1,0.1,-2,a -2,0.0,-4,a 0,0.0,0,b 3,0.2,6,c -3,0.2,-6,c 0,0.0,0,a -1,0.0,-2,b 0,0.0,0,a 0,0.1,0,b 2,-0.1,4,a -1,-0.2,-2,c 0,0.0,0,b -3,0.2,-6,b -1,0.1,-2,c 0,-0.2,0,b -3,-0.1,-6,c -2,-0.2,-4,a >twice.csv; lazylogit train twice.csv --prior uniform -o m -q; lazylogit inspect m --json | python3 -c "import json, sys; j = json.load(sys.stdin); print(j['termination'], j['certificate']['kind'], j['certificate']['relative_gap'] < 1e-9)"
converged newton-decrement True
# Some six hundred coefficients, too, where a gradient that is gone proves nothing.
$ python3 -c "for i in range(1, 601): print(1, f'{i}:1'); print(int(i == 1), f'{i}:1')" >wide.svm; lazylogit train wide.svm --prior uniform -q -o m; lazylogit inspect m --json | python3 -c "import json, sys; print(json.load(sys.stdin)['termination'])"
separation
! warning: the classes are quasi-completely separated (class "1" by [..]): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
# The class that is named is the one that stands apart, also when it is the reference, and when it is the one that never has the feature.
$ awk 'BEGIN { srand(1); print "x,own,never,y"; for (j = 0; j < 90; ++j) { c = substr("abc", j % 3 + 1, 1); printf "%d,%d,%d,%s\n", (j * 7) % 10, c == "a" && j < 30, c != "b" && j % 4 == 0, c } }' >three.csv
$ for how in "" --symmetric "--reference c"; do lazylogit train three.csv --ignore never --prior uniform $how -q -o m 2>&1; done | grep -o 'quasi.*)'
quasi-completely separated (class "a" by "own")
quasi-completely separated (class "a" by "own")
quasi-completely separated (class "a" by "own")
$ for how in "" --symmetric "--reference c"; do lazylogit train three.csv --ignore own --prior uniform $how -q -o m 2>&1; done | grep -o 'quasi.*)'
quasi-completely separated (class "b" by "never")
quasi-completely separated (class "b" by "never")
quasi-completely separated (class "b" by "never")
# Of more than a thousand coefficients, features that separate by themselves are found.
$ awk 'BEGIN { for (j = 0; j < 4000; ++j) { y = (j * 7919) % 11 < 5; printf "%d", y; f = (j * 31) % 1100 + 1; g = (j * 57 + 13) % 1100 + 1; if (f > g) { t = f; f = g; g = t } if (f == g) printf " %d:1", f; else printf " %d:1 %d:1", f, g; if (y && j % 100 == 0) printf " 1200:1"; print "" } }' >many.svm
$ lazylogit train many.svm --prior uniform -q --require-convergence -o m
! warning: the classes are quasi-completely separated (class "1" by [..]"1200"[..]): without a prior the error has no finite optimum; [..]
[4]
# Columns whose means are a thousand deviations: what no step of the optimizer shows is decided at the end.
$ python3 -c "print('u,v,y'); [print(f'{1e3 + u:.9g},{1e3 + v:.9g},' + ('abcd'[(j * 31 + 2) % 3] if v < 0.3 else 'd' if j % 2 else 'c')) for j in range(40) for u in [((j * 7919 + 62) % 1009) / 1009 - 0.5] for v in [((j * 104729 + 34) % 997) / 997 - 0.5]]" >far.csv; lazylogit train far.csv --prior uniform -q -o m
! warning: the classes are quasi-completely separated (class "d" by [..]): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
# Nearer to 0, and as separated: what rounding leaves of slopes and curvatures proves no optimum, wherever the columns are.
$ for m in 0 90 900 2000; do python3 -c "print('u,v,y'); [print(f'{$m + int(u) / 10:.1f},{$m + int(v) / 10:.1f},{c}') for u, v, c in (row.split(',') for row in '4,4,c2 5,0,c2 4,11,c2 18,-2,c2 -8,-14,c0 3,-2,c0 16,-13,c0 -5,-9,c0 2,-2,c0 -8,-6,c0 10,13,c2 6,7,c2 6,-6,c1 0,-10,c0 7,-6,c0 -5,4,c2 4,-3,c1 -11,-7,c0 -6,2,c0 6,-3,c0 5,-21,c0 0,-2,c0 -18,10,c2 1,17,c2 7,-2,c2 -24,-11,c0 8,17,c2 3,-9,c0 7,-3,c0 -13,8,c2'.split())]" >far.csv; lazylogit train far.csv --prior uniform -q --require-convergence -o m 2>&1 | grep -c 'quasi-completely separated (class "c2" by "[uv]", "[uv]")'; done | uniq -c | awk '{print $1, $2}'
4 1
# Features that are not needed are not named: w is told apart from u and v, which separate together alone.
$ python3 -c "print('u,v,w,y'); [print(u, v, (j * 17) % 60, 'b' if u + v > 0 else 'a', sep=',') for j in range(60) for u in [(j * 37) % 60 - 29.5] for v in [(j * 23) % 59 - 29]]" >both.csv; lazylogit train both.csv --prior uniform -q -o m
! warning: the classes are completely separated (class "b" by "v", "u"): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
# Without an intercept one feature has no threshold: what stands in for the intercept is needed, too, and named.
$ printf '%s\n' x,one,y 1,1,a 2,1,a 3,1,b 4,1,b >one.csv; for how in "" --no-intercept; do lazylogit train one.csv --prior uniform $how -q -o m 2>&1 | grep -o 'completely.*)'; done
completely separated (class "b" by "x")
completely separated (class "b" by "x", "one")
# Four classes that are separated by a hair: what it takes is settled in many rounds, and one category is not needed.
$ printf '%s\n' x0,x1,x2,x3,x4,x5,c0,c1,c2,y 2,-2,1,3,-1,1,p,q,q,a -1,3,-2,2,1,0,p,p,p,b 0,-1,2,1,3,-2,p,q,q,c 0,2,-3,-3,0,-3,q,q,r,a 1,3,2,2,1,-2,r,q,q,c 1,-1,-1,2,1,-3,r,q,p,b 2,-1,-1,0,0,0,q,p,r,d 1,2,2,2,-2,-3,q,q,p,c 3,1,2,1,-2,-2,q,p,p,c 2,-1,1,1,-1,-1,p,q,r,c 0,2,2,-2,-3,-1,s,p,p,d 2,0,3,2,-3,0,p,q,q,c 3,0,2,-3,-3,-3,q,q,q,c -2,-3,-2,-3,-1,-1,p,p,r,a -3,2,1,-2,3,3,p,p,r,a 0,2,-2,-2,2,1,p,q,p,b -2,-2,-2,-1,2,3,s,q,q,c -3,2,1,3,-1,-2,p,q,p,a -1,-3,0,-2,3,-2,r,q,q,b -3,1,2,3,-3,1,r,p,q,a 2,0,3,0,3,-1,s,q,p,b -1,2,3,-3,-3,2,p,p,r,d 1,3,2,2,0,-1,q,q,q,c -1,-1,1,1,2,1,s,q,r,b 0,1,-2,1,2,0,p,p,p,b 2,0,2,-3,1,-3,r,p,p,c 1,2,-2,2,-3,-2,s,q,q,d 2,-3,-2,1,2,0,s,q,p,b 0,-2,3,1,0,-1,s,q,p,c -1,-1,-2,-2,2,-1,s,q,q,b -3,3,1,-3,3,0,p,p,q,b -3,1,-3,-1,-3,0,r,p,q,d 3,-3,-3,-2,-2,-3,p,p,p,a 3,-3,0,1,-2,-3,p,p,r,c 1,-3,3,1,-3,3,p,p,p,a 3,-3,3,-2,2,-3,r,q,p,c -1,3,1,-1,-1,1,r,q,q,d 2,3,-3,3,-1,-1,r,p,r,d 1,3,0,-2,2,2,p,p,p,d 2,2,1,-1,1,-3,r,p,r,c 0,-1,2,2,-3,2,s,p,q,d 2,-1,0,2,2,3,r,q,q,c 0,-3,2,-2,1,-1,p,q,q,d 2,0,-1,1,-1,0,p,p,p,d 3,-1,1,-1,2,-1,q,p,r,c 0,-3,-1,-1,1,3,r,q,r,d 0,3,1,0,-1,0,r,p,q,d -3,-2,-1,-2,1,-3,r,p,p,d 2,3,3,-3,1,3,s,p,r,d 2,0,3,-1,-2,-2,r,q,r,c >hair.csv; lazylogit train hair.csv --prior uniform --standardize scale --symmetric -q -o m
! warning: the classes are completely separated (class "c" by [..] and 7 more): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
# Classes that overlap by a second in most of a year are not separated, though that is next to nothing of the seconds since 1970.
$ python3 -c "print('t,y'); [print(1700000000 + j * 790001, 'ab'[j > 19], sep=',') for j in range(40)]; print(1700000001 + 20 * 790001, 'a', sep=',')" >seconds.csv; lazylogit train seconds.csv --prior uniform -o m 2>&1 | grep -c separated
0
[1]
# Coefficients so large that every probability is 0 or 1: no gap is certified, `check` says why, and no optimizer that starts there finds an optimum.
$ printf 'x,y\n-3,a\n-2,a\n-1,a\n1,b\n2,b\n3,b\n' >apart.csv; lazylogit train apart.csv --prior uniform --optimizer sgd --learning-rate 1000 -q -o far 2>/dev/null; lazylogit check far apart.csv -q --require-convergence
...
certificate  stationarity only: [..]
optimum      none: the classes are completely separated (class "b" by "x"): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
[4]
$ lazylogit check far apart.csv -q --json | python3 -c "import json, sys; j = json.load(sys.stdin); print(j['optimal'], j['certificate']['relative_gap'], 'separated' in j['separation'])"
False None True
$ for o in auto newton lbfgs irls lm bfgs cg gd coordinate; do lazylogit train apart.csv --prior uniform --optimizer $o --warm-start far -q --require-convergence -o m 2>&1; echo $?; done | cut -d '(' -f 1 | sort | uniq -c | sed "s/^ *//; s/ $//"
9 4
9 warning: the classes are completely separated
$ lazylogit train apart.csv --prior uniform --optimizer sgd --learning-rate 1000 --finish 20 -q --require-convergence -o m
! warning: the classes are completely separated (class "b" by "x"): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
[4]
# Of more than 512 coefficients, too.
$ awk 'BEGIN { for (j = 0; j < 1400; ++j) printf "%d %d:%d 700:1\n", j % 2, j % 600 + 1, j % 2 ? 3 : -3 }' >wide.svm; lazylogit train wide.svm --prior uniform --optimizer sgd --learning-rate 1000 -q -o far 2>/dev/null; lazylogit check far wide.svm -q --require-convergence | tail -1
optimum      none: the classes are completely separated (class "1" by [..]
$ for o in newton lbfgs; do lazylogit train wide.svm --prior uniform --optimizer $o --warm-start far -q -o m; done
! warning: the classes are completely separated [..]
! warning: the classes are completely separated [..]
# Stochastic optimizers do not watch for it, but look at the end: completely separated, quasi-completely, and where a prior
# leaves a single feature free.
$ awk 'BEGIN { print "x,z,u,y"; for (j = 0; j < 90; ++j) printf "%d,%d,%d,%s\n", j % 2 ? 3 + j % 7 : -3 - j % 5, j % 6 == 1, (j * 7) % 11, j % 2 ? "b" : "a" }' >apart.csv
$ for o in sgd adam ftrl saga; do for x in u x; do lazylogit train apart.csv --ignore $x --prior uniform --optimizer $o --epochs 200 --require-convergence -q -o m; echo $?; lazylogit inspect m --json | grep -o '"termination":"[a-z]*"'; done; done 2>&1 | grep -v "alone tells" | LC_ALL=C sort | uniq -c | awk '{$1 = $1; print}'
8 "termination":"separation"
8 4
4 warning: the classes are completely separated (class "b" by "x"): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
4 warning: the classes are quasi-completely separated (class "b" by "z"): without a prior the error has no finite optimum; use --prior gaussian or --prior cauchy
$ printf 'feature,class,mean,variance\nz,*,0,inf\n' >free.csv; lazylogit train apart.csv --ignore x --prior-file free.csv --optimizer sgd -q -o m
! warning: the classes are quasi-completely separated (class "b" by "z"): the gaussian prior leaves these free, and the error has no finite optimum; give them a finite variance in the prior file
# Where they overlap nothing of the kind is said.
$ for o in sgd adam saga; do lazylogit train apart.csv --ignore x,z --prior uniform --optimizer $o -o m 2>&1 | grep -c separated; done
0
0
0
[1]
