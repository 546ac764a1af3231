# The number of threads changes no byte.
$ for t in 1 2 5; do lazylogit train $DATA/pets.csv --ignore name --threads $t -q -o m$t; done; cmp m1 m2 && cmp m2 m5
$ for t in 1 2 5; do lazylogit train $DATA/pets.svm --optimizer sgd --epochs 3 --threads $t -q -o s$t; done; cmp s1 s2 && cmp s2 s5
