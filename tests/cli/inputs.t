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
# A pipe without an end is read as far as its first error.
$ (echo 'x,y'; echo '1,a'; echo '2,b'; yes '3,c,d') | lazylogit train - --format csv -q -o m
! <stdin>:4:5: error: found 3 fields, expected 2; a field that holds comma is put in quotes
[1]
$ yes '{"x":1' | lazylogit train - --format jsonl -q -o m 2>&1 | cut -c1-18
<stdin>:1:7: error
