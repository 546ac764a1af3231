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
