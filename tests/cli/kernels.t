# A circle: no line separates it, a kernel does. The model keeps what it needs of the training rows.
$ seq 0 399 | awk '{x=($1*7%40)/10-2; y=($1*3%50)/12.5-2; print (x*x+y*y<2 ? "in" : "out") "," x "," y}' | sed '1i class,x,y' >ring.csv
$ lazylogit train ring.csv --target class -q -o line; lazylogit evaluate line ring.csv --json 2>/dev/null | grep '^  "accuracy"'
  "accuracy": 0.62,
$ lazylogit train ring.csv --target class --kernel polynomial -o ring 2>&1 >out | grep kernel
kernel: 6 of 400 rows span all others
$ lazylogit evaluate ring ring.csv --json 2>/dev/null | grep '^  "accuracy"'
  "accuracy": 1.0,
$ lazylogit inspect ring | grep '^kernel'
kernel        polynomial of degree 2 with 6 training rows; 2 features
$ lazylogit inspect ring --json | grep -o '"kernel":{'
"kernel":{
$ lazylogit check ring ring.csv 2>/dev/null | grep '^optimum'
optimum      yes: the asked relative gap is 1e-06
$ lazylogit predict ring ring.csv --explain 2>/dev/null | head -2 | tail -1 | grep -c 'row [0-9]'
1
$ lazylogit outliers ring ring.csv 2>/dev/null | head -1
row,label,probability,in_sample,rival,features
# Random waves and some rows only; held-out rows and tuning see the same features.
$ lazylogit train ring.csv --target class --kernel gaussian --kernel-map fourier --kernel-size 80 --holdout 0.2 --posterior diagonal -q -o waves; lazylogit predict waves ring.csv --intervals 2>/dev/null | head -1
prediction,probability,lower,upper
$ lazylogit tune ring.csv --target class --kernel gaussian --kernel-map nystroem --kernel-size 30 --values 1,100 --folds 3 -o some 2>/dev/null | grep -c chosen
1
$ lazylogit compare ring.csv --target class --kernel gaussian --kernel-width 1 --optimizers newton,lbfgs --json 2>/dev/null | grep -c '"optimizer"'
2
# What means nothing is said before anything is read.
$ lazylogit train missing.csv --kernel-degree 3 -o m
! error: option --kernel-degree: belongs to --kernel polynomial
[2]
$ lazylogit train missing.csv --kernel linear --kernel-map fourier -o m
! error: option --kernel-map: random waves stand for the gaussian kernel; this one is linear; take nystroem
[2]
$ lazylogit train missing.csv --kernel linear --stream -o m
! error: option --kernel: it has no meaning in a stream, which is read once; leave it out, or --stream
[2]
$ lazylogit train missing.csv --kernel linear --warm-start m -o n
! error: option --warm-start: a kernel's coefficients belong to the rows of one training set; leave it out
[2]
$ lazylogit tune missing.csv --kernel linear --by evidence --groups column -o n
! error: option --groups: with --kernel coefficients belong to training rows, not to features
[2]
# A large mean costs no digits.
$ awk -F, 'NR==1 {print; next} {printf "%s,%.10g,%s\n", $1, $2+1e9, $3}' ring.csv >far.csv; lazylogit train far.csv --target class --kernel gaussian --kernel-width 1 -q -o far; lazylogit train ring.csv --target class --kernel gaussian --kernel-width 1 -q -o near; lazylogit evaluate far far.csv 2>/dev/null | grep -m1 'log loss' >a; lazylogit evaluate near ring.csv 2>/dev/null | grep -m1 'log loss' >b; cut -c1-30 a b | uniq | wc -l
1
$ printf '0\n1\n0\n' >none.svm; lazylogit train none.svm --kernel gaussian -o m
! none.svm: error: rows have no features that a kernel could compare
[1]
$ printf 'y,x\n0,1e308\n1,2\n' >huge.csv; lazylogit train huge.csv --target y --kernel gaussian -o m
! huge.csv: error: row 1 has values so large that kernels overflow; divide the column by a power of ten
[1]
$ lazylogit train ring.csv --target class --stream --warm-start ring -o m
! error: option --warm-start: a stream learns no kernels, as the model does
[2]
$ python3 -c "
> print('a,y')
> for j in range(3000): print(f'{j * 0.37 % 1},{j % 2}')" >many.csv; lazylogit train many.csv --kernel gaussian --max-memory 50M -q -o m
! error: option --max-memory: 3,000 rows mapped by the kernel need about 180 MB of memory, more than the limit of 52 MB; --kernel-map nystroem or fourier with a smaller --kernel-size need less
[3]
