# Data that no model can be made of: exit 1 and what was counted.
$ printf '1 1:2\n1 1:3\n' >one.svm; lazylogit train one.svm -o m
! error: only one class: all 2 rows are of class "1"; expected two or more
[1]
$ : >empty.svm; lazylogit train empty.svm -o m
! empty.svm: error: found no rows; expected at least one
[1]
$ printf 'a,b\n1,2\n' >t.csv; lazylogit train t.csv --target c -o m
! t.csv:1:1: error: no column is called "c" (--target); the columns are "a", "b"
[1]
$ lazylogit predict $DATA/pets.csv $DATA/pets.csv
! [..]pets.csv: byte 0: error: a header of 7306915763740041582 bytes exceeds the limit of 67108864; this is not a model file or it is damaged
[1]
$ ls
empty.svm
one.svm
t.csv
