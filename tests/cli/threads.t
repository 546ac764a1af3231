# The number of threads changes no byte.
$ for t in 1 2 5; do lazylogit train $DATA/pets.csv --ignore name --threads $t -q -o m$t; done; cmp m1 m2 && cmp m2 m5
$ for t in 1 2 5; do lazylogit train $DATA/pets.svm --optimizer sgd --epochs 3 --threads $t -q -o s$t; done; cmp s1 s2 && cmp s2 s5

# Shards: the same bytes whatever the threads; one shard is plain training.
$ for t in 1 2 3; do lazylogit train $DATA/pets.svm --optimizer sgd --epochs 3 --shards 3 --threads $t -o s$t.m -q; done; cmp s1.m s2.m && cmp s1.m s3.m
$ lazylogit train $DATA/pets.svm --optimizer adam --shards 2 -o none.m
! error: option --shards: it has no meaning for the optimizer adam; it is for sgd
[2]
$ lazylogit train $DATA/pets.svm --optimizer sgd --shards 2 --average -o none.m
! error: option --shards: shards are merged into one model, not averaged over time; leave it or --average out
[2]
# Each shard has coefficients of its own, which count as memory.
$ lazylogit train $DATA/pets.svm --optimizer sgd --shards 1000 --max-memory 50K -o none.m
! error: option --max-memory: 2 features and 2 classes need about 64 kB of memory, more than the limit of 51 kB; each of the --shards has coefficients of its own: fewer of them need less
[3]
