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
