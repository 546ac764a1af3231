# Files, globs, standard input, pipes and compression give the same model.
$ lazylogit train $DATA/pets.svm -q -o m
$ lazylogit train - --format libsvm -q -o m1 <$DATA/pets.svm; cmp m m1
$ gzip -c $DATA/pets.svm >p.svm.gz; lazylogit train p.svm.gz -q -o m2; cmp m m2
$ mkfifo pipe; cat $DATA/pets.svm >pipe & lazylogit train pipe --format libsvm -q -o m3; cmp m m3
$ head -5 $DATA/pets.svm >part-1.svm; tail -5 $DATA/pets.svm >part-2.svm; lazylogit train 'part-*.svm' -q -o m4; cmp m m4
$ lazylogit train -q -o m5 -- $DATA/pets.svm; cmp m m5
# Standard input is read once, standard output holds the model alone.
$ printf '1 1:2\n2 1:3\n' | lazylogit train - --holdout - -q -o twice
! error: standard input (-) is named twice, expected it once
[2]
$ printf '1 1:2\n2 1:3\n' | lazylogit train - --format libsvm -o /dev/stdout 2>messages | cat >piped; lazylogit check piped | grep -c whole; grep -c '^rows' messages
1
1
# "-" is standard input wherever a file is read: the model, the files beside the data.
$ printf 'x,z,y\n1,3,a\n2,4,b\n3,1,a\n4,9,b\n' >d.csv; lazylogit train d.csv -q -o model; lazylogit train d.csv -q -o - | cmp - model
$ lazylogit predict model d.csv -q >p1; lazylogit train d.csv -q -o - | lazylogit predict - d.csv -q | cmp - p1
$ lazylogit evaluate - d.csv -q <model | head -1; lazylogit check - <model | head -1; lazylogit inspect - <model | head -1; lazylogit outliers - d.csv -q --top 1 <model | wc -l
rows                        4
model        <stdin>
classes       2: a, b
2
$ lazylogit train d.csv --warm-start - -q -o warm <model
$ printf 'feature,class,mean,variance\nx,*,0,0\n' | lazylogit train d.csv --prior-file - -q -o m; lazylogit inspect m --coefficients | grep ',x,'
b,x,0
$ printf 'feature,class,mean,variance\nx,*,0,0\n' | lazylogit tune d.csv --folds 2 --prior-file - -q -o m; lazylogit inspect m --coefficients | grep ',x,'
b,x,0
$ lazylogit tune d.csv --folds 2 --prior-file <(printf 'feature,class,mean,variance\nx,*,0,0\n') -q -o m; lazylogit inspect m --coefficients | grep ',x,'
b,x,0
$ printf 'feature,class,lower,upper\nx,*,,0\n' | lazylogit train d.csv --bounds - --optimizer saga -q -o m
$ printf 'class,weight\na,2\n' | lazylogit train d.csv --class-weights - -q -o m
$ printf 'feature,x,z\nx,1,.5\nz,.5,1\n' | lazylogit train d.csv --prior-covariance - -q -o m
$ printf 'feature,class,mean,variance\nx,*,0,-1\n' | lazylogit train d.csv --prior-file - -q -o m
! <stdin>:2:7: error: variance "-1" is negative; expected a number of at least 0 or inf
[1]
$ printf 'no model' | lazylogit predict - d.csv
! <stdin>: byte 0: error: [..]
[1]
$ printf '' | lazylogit check -
! <stdin>: byte 0: error: [..]
[1]
# It can be one input alone, which is told before anything is read.
$ lazylogit predict - - <model
! error: standard input (-) is named twice, expected it once
[2]
$ lazylogit check - /dev/stdin <model
! error: standard input (-) is named twice, expected it once
[2]
$ lazylogit train - --prior-file - -o m <d.csv
! error: standard input (-) is named twice, expected it once
[2]
$ lazylogit train d.csv --class-weights - --warm-start - -o m <d.csv
! error: standard input (-) is named twice, expected it once
[2]
$ lazylogit tune d.csv --by evidence --groups - --prior-file - -o m <d.csv
! error: standard input (-) is named twice, expected it once
[2]
$ lazylogit convert - out.svm --labels - <d.csv
! error: standard input (-) is named twice, expected it once
[2]
$ lazylogit predict model d.csv --set 0.9 --calibrate - --labels - <d.csv
! error: option --calibrate: standard input (-) is named twice, expected it once
[2]
# A pipe without an end is read as far as its first error.
$ (echo 'x,y'; echo '1,a'; echo '2,b'; yes '3,c,d') | lazylogit train - --format csv -q -o m
! <stdin>:4:5: error: found 3 fields, expected 2; a field that holds comma is put in quotes
[1]
$ yes '{"x":1' | lazylogit train - --format jsonl -q -o m 2>&1 | cut -c1-18
<stdin>:1:7: error
