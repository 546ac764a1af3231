# A prior file for another vocabulary: the first unknown features are named, the others counted.
$ (echo feature,class,mean,variance; seq -f 'word%g,2,0,1' 6) >words.csv; printf '1 1:2\n2 1:3 2:1\n1 2:1\n' >t.svm
$ lazylogit train t.svm --prior-file words.csv -q -o m
! words.csv:2:1: warning: the data has no feature "word1"; the line has no effect[..]
! words.csv:3:1: warning: the data has no feature "word2"; the line has no effect[..]
! words.csv:4:1: warning: the data has no feature "word3"; the line has no effect[..]
! words.csv: warning: 3 more lines name features that the data has not; they have no effect
# Widths whose inverse is no number.
$ printf 'feature,class,mean,variance\n1,2,0,1e-320\n' >narrow.csv; lazylogit train t.svm --prior-file narrow.csv -q -o m2
! narrow.csv:2:7: error: "1e-320" is too small; 0 pins the coefficient
[1]
$ lazylogit train t.svm --variance 1e-320 -q -o m2
! error: option --variance: 1e-320 is too small
[2]
$ lazylogit train t.svm --prior cauchy --scale 1e-200 -q -o m2
! error: option --scale: 1e-200 is too small
[2]
$ lazylogit train t.svm --prior uniform --prior-file words.csv -q -o m2
! error: option --prior-file: the uniform prior has no parameters that a file could set; use --prior gaussian with a file whose first line is *,*,0,inf
[2]
$ ls m2
! ls: [..]
[2]
# Nothing else is called like the intercept.
$ printf '1 | a\n2 | (intercept)\n' >named.vw; lazylogit train named.vw -q -o m2
! named.vw: error: a feature is called "(intercept)", the name of the coefficient that every row has; rename it
[1]
# Names of classes and words that come close.
$ printf 'feature,class,mean,variance\n1,3,0,1\n' >class.csv; lazylogit train t.svm --prior-file class.csv -q -o m2
! class.csv:2:3: error: the data has no class "3", expected "1" or "2"
[1]
$ lazylogit train t.svm --class-weights balancd -q -o m2
! balancd: error: cannot be opened: No such file or directory; did you mean "balanced"?
[3]
# What a file says wrong is found before data is read.
$ printf 'feature,class,mean,variance\n1,2,0,-1\n' >wrong.csv; printf 'no data\n' >no.svm; lazylogit train no.svm --prior-file wrong.csv -q -o m2
! wrong.csv:2:7: error: variance "-1" is negative; expected a number of at least 0 or inf
[1]
$ printf 'class,weight\n1,x\n' >weights.csv; lazylogit train no.svm --class-weights weights.csv -q -o m2
! weights.csv:2:3: error: weight "x" is not a number; expected a number of at least 0
[1]
$ printf 'class,weight\n1,2\n+1,3\n' >weights.csv; lazylogit train no.svm --class-weights weights.csv -q -o m2
! weights.csv:3:1: error: the class "+1" has a weight already; expected one
[1]
$ printf 'class,weight\n' >weights.csv; lazylogit train no.svm --class-weights weights.csv -q -o m2
! weights.csv:1:1: error: no class is named; expected a line for one or more
[1]
$ printf 'feature,class,mean,variance\n1\xff,*,0,1\n' >wrong.csv; lazylogit train no.svm --prior-file wrong.csv -q -o m2
! wrong.csv:2:2: error: found "\xff", which is not valid UTF-8; expected UTF-8 text
[1]
$ printf '1 1:1\n2 1:2\n' >two.svm; lazylogit train two.svm --prior-file /dev/zero -q -o m2
! /dev/zero:1:1: error: a line is longer than 1048576 bytes, which is the limit
[3]
$ mkdir folder; lazylogit train two.svm --prior-file folder -q -o m2
! folder: error: cannot be read
[3]
# Hashed features are named as in the data, or by their slot, as models call them.
$ printf 'x,z,job,y\n1,2,p,a\n2,1,q,b\n3,1,p,a\n1,4,q,b\n2,2,p,b\n' >h.csv; printf 'feature,class,mean,variance\nx,b,0,0\njob=q,b,0.25,0\n' >pin.csv
$ lazylogit train h.csv --hash-bits 12 -q -o free; lazylogit inspect free --coefficients | grep -c ',0$'
0
[1]
$ lazylogit train h.csv --hash-bits 12 --prior-file pin.csv -q -o m; lazylogit inspect m --coefficients | grep -c ',0$\|,0.25$'
2
$ slot=$(lazylogit inspect m --coefficients | grep ',0$' | cut -d, -f2); printf "feature,class,mean,variance\n$slot,*,0.5,0\n" >slot.csv; lazylogit train h.csv --hash-bits 12 --prior-file slot.csv -q -o m; lazylogit inspect m --coefficients | grep -c "$slot,0.5$"
1
$ printf 'feature,class,lower,upper\nx,*,0.125,0.125\n' >bounds.csv; lazylogit train h.csv --hash-bits 12 --bounds bounds.csv --optimizer sgd -q -o m; lazylogit inspect m --coefficients | grep -c "$slot,0.125$"
1
$ printf '1 |n x:1 y:2\n2 |n x:2 z:1\n1 |n z:3\n' >h.vw; printf 'feature,class,mean,variance\nn^x,*,0.5,0\n' >vw.csv; lazylogit train h.vw --hash-bits 18 --prior-file vw.csv -q -o m; lazylogit inspect m --coefficients | grep -c ',0.5$'
1
$ printf 'feature,class,mean,variance\nnone,*,0,1\n#4000,*,0,1\n' >none.csv; lazylogit train h.csv --hash-bits 20 --prior-file none.csv -q -o m
! none.csv:2:1: warning: no row of the data has a feature in the slot #[..] of "none"; the line has no effect
! none.csv:3:1: warning: no row of the data has a feature in the slot #4000; the line has no effect
# Without an intercept a line for it is said to have no effect, also where centred columns have one that only takes up their means.
$ printf 'feature,class,mean,variance\n(intercept),b,0,1\n' >constant.csv; for how in none center; do lazylogit train h.csv --no-intercept --prior-file constant.csv --standardize $how -q -o m; done
! constant.csv:2:1: warning: the model has no intercept; the line has no effect
! constant.csv:2:1: warning: the model has no intercept; the line has no effect
# A width that is not finite is no prior: inf is for files.
$ lazylogit train t.svm --variance inf -q -o m2
! error: option --variance: found "inf", expected a finite number above 0; --prior uniform leaves every coefficient free
[2]
$ lazylogit train t.svm --prior cauchy --scale inf -q -o m2
! error: option --scale: found "inf", expected a finite number above 0; --prior uniform leaves every coefficient free
[2]
$ lazylogit train t.svm --optimizer sgd --learning-rate inf -q -o m2
! error: option --learning-rate: found "inf", expected a finite number above 0 or auto
[2]
# Features that a file leaves free may separate the classes; what helps is said of the prior in use.
$ printf 'x,z,y\n1,2,a\n2,1,a\n3,1,b\n4,4,b\n' >apart.csv; printf 'feature,class,mean,variance\nx,*,0,inf\n' >inf.csv; lazylogit train apart.csv --prior-file inf.csv -q -o m; lazylogit check m apart.csv -q | tail -1
optimum      none: the classes are completely separated (class "b" by "x"): the gaussian prior leaves these free, and the error has no finite optimum; give them a finite variance in the prior file
! warning: the classes are completely separated (class "b" by "x"): the gaussian prior leaves these free, and the error has no finite optimum; give them a finite variance in the prior file
$ lazylogit train apart.csv --prior elastic-net --l1 0 --l2 0 -q -o m
! warning: the classes are completely separated (class "b" by "x"): the elastic-net prior leaves these free, and the error has no finite optimum; give them an l1 or l2 above 0
