# --strict takes warnings as errors.
$ printf 'feature,class,mean,variance\nage,*,0,2\nnosuch,*,0,1\n' >prior.csv
$ lazylogit train $DATA/pets.csv --prior-file prior.csv -q -o m
! [..]pets.csv: warning: column "name" has a different value in each of its 10 cells, like an identifier; --ignore or --id keeps it out of the model
! prior.csv:3:1: warning: the data has no feature "nosuch"; the line has no effect
$ lazylogit train $DATA/pets.csv --prior-file prior.csv -q --strict -o m2
! [..]pets.csv: error: column "name" has a different value in each of its 10 cells, like an identifier; --ignore or --id keeps it out of the model
[1]
$ ls
m
prior.csv
# A word among numbers makes the column one of names: not to be missed, even quietly. Numbers among words are no surprise.
$ printf 'x,y\n1,a\n2,b\n3,a\nfoo,b\n' >mixed.csv; lazylogit train mixed.csv -q -o m
! mixed.csv: warning: column "x" mixes numbers and text (line 5: "foo"); its values are read as names; --categorical says that they are; what is missing is an empty cell, NA, NaN, null or ?
$ lazylogit train mixed.csv --categorical x --strict -q -o m
$ printf 'x,y\nu,a\nv,b\nw,a\n7,b\n' >words.csv; lazylogit train words.csv --strict -q -o m
