# A row whose score is beyond the range of a double has no probability: it is refused and counted, never printed as nan.
$ printf 'x,w,y\n1e-100,1e-100,a\n2e-100,-1e-100,b\n3e-100,5e-100,a\n4e-100,3e-100,b\n2e-100,2e-100,a\n1e-100,3e-100,b\n' >tiny.csv
$ lazylogit train tiny.csv --target y --prior uniform -q -o m; (cat tiny.csv; printf '1e300,1e300,b\n') >far.csv
$ lazylogit predict m far.csv -q
! far.csv: error: row 7: the products of its values and the model's coefficients overflow a double, expected values like those of the training data
[1]
$ for c in 'predict m far.csv --proba' 'predict m far.csv --explain' 'evaluate m far.csv' 'evaluate m far.csv --json'; do timeout 60 lazylogit $c -q 2>/dev/null; echo $?; done
1
1
1
1
$ lazylogit check m far.csv -q
! far.csv: error: the model's error on these rows overflows a double, expected values like those of the training data
[1]
# The row is counted from the first one of all, whatever the number of threads.
$ (cat tiny.csv; yes 1e-100,1e-100,a | head -200000; tail -1 far.csv; tail -1 far.csv) >long.csv; for t in 1 2 5; do lazylogit evaluate m long.csv -q -j $t; done
! long.csv: error: row 200007: [..]
! long.csv: error: row 200007: [..]
! long.csv: error: row 200007: [..]
[1]
# Numbers and several classes.
$ for f in tiny far; do sed 's/a$/1/; s/b$/2/' $f.csv >$f-numbers.csv; done; lazylogit train tiny-numbers.csv --target y --loss squared --prior uniform -q -o n; lazylogit predict n far-numbers.csv -q
! far-numbers.csv: error: row 7: [..]
[1]
$ (cat tiny.csv; printf '7e-100,-2e-100,c\n2e-100,4e-100,c\n1e-100,2e-100,c\n') >three.csv; lazylogit train three.csv --target y --prior uniform -q -o three 2>/dev/null; lazylogit predict three far.csv -q
! far.csv: error: row 7: [..]
[1]
# Derived features that overflow name the file at fault, whoever reads it.
$ printf 'x,y\n1,a\n2,b\n3,a\n5,b\n' >small.csv; (cat small.csv; printf '1e200,a\n') >square.csv; lazylogit train small.csv --target y --polynomial 2 -q -o p
$ for c in 'predict p' 'evaluate p' 'check p' 'outliers p' 'train small.csv --target y --polynomial 2 -o q --holdout'; do lazylogit $c square.csv -q 2>&1 | cut -d: -f1-3; done
square.csv: error: row 5
square.csv: error: row 5
square.csv: error: row 5
square.csv: error: row 5
square.csv: error: row 5
# Nor do streams end with a model whose losses are no numbers: no command would load it.
$ printf '1 1 1e308 |f a\n-1 1 1e308 |f a\n-1 1 1e308 |f b\n' >offsets.vw; lazylogit train offsets.vw --stream -q -o s; ls s 2>&1 | wc -l; lazylogit check s 2>&1 | grep -c 'cannot open'
! offsets.vw: error: the losses or weights of the first 3 rows sum to more than a number can hold; the model is not written; divide labels, offsets and weights of large values by a power of ten
1
1
$ printf 'x,y\n1,1e200\n2,-1e200\n3,1\n' >labels.csv; for l in adf adagrad; do lazylogit train labels.csv --target y --loss squared --stream --optimizer $l -q -o s; done
! labels.csv: error: [..]
! labels.csv: error: [..]
[1]
# Nor can variances: a posterior says nothing about such a row.
$ (echo x,y; for i in 1 2 3 4 5 6; do echo $i,a; echo $((i+2)),b; done) >some.csv; (cat some.csv; echo -1e307,b) >wild.csv; for p in samples diagonal; do lazylogit train some.csv --target y --posterior $p -q -o $p.m; done
$ for m in samples diagonal; do for c in 'predict --predictive probit' evaluate; do timeout 60 lazylogit $(echo $c | sed "s,^[a-z]*,& $m.m wild.csv,") -q 2>&1 >/dev/null | cut -d: -f1-3; done; done
wild.csv: error: row 13
wild.csv: error: row 13
wild.csv: error: row 13
wild.csv: error: row 13
$ timeout 60 lazylogit predict diagonal.m wild.csv --intervals -q | tail -1
! wild.csv: error: row 13: [..]
# Quantiles of samples need no squares.
$ timeout 60 lazylogit predict samples.m wild.csv --intervals -q | tail -1
a,1,1,1
