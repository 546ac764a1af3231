# Files, globs, standard input, pipes and compression give the same model.
$ lazylogit train $DATA/pets.svm -q -o m
$ lazylogit train - --format libsvm -q -o m1 <$DATA/pets.svm; cmp m m1
$ gzip -c $DATA/pets.svm >p.svm.gz; lazylogit train p.svm.gz -q -o m2; cmp m m2
$ mkfifo pipe; cat $DATA/pets.svm >pipe & lazylogit train pipe --format libsvm -q -o m3; cmp m m3
$ head -5 $DATA/pets.svm >part-1.svm; tail -5 $DATA/pets.svm >part-2.svm; lazylogit train 'part-*.svm' -q -o m4; cmp m m4
$ lazylogit train -q -o m5 -- $DATA/pets.svm; cmp m m5
