# What the file system refuses: exit 3.
$ lazylogit train missing.csv -o m
! missing.csv: error: cannot open: No such file or directory
[3]
$ lazylogit train 'none-*.csv' -o m
! none-*.csv: error: no file matches this pattern
[3]
$ lazylogit train $DATA/pets.csv -o no/such/folder/m
! no/such/folder/m: error: cannot open its directory: No such file or directory
[3]
$ lazylogit train $DATA/pets.csv -o .
! .: error: cannot write: Is a directory
[3]
$ lazylogit train . -o m
! .: error: is a directory, expected a file; name its files, for example with a pattern
[3]
$ lazylogit train $DATA/pets.svm -o /dev/full
! optimizer: newton, because [..]
! /dev/full: error: cannot write: No space left on device
[3]
$ lazylogit --help >/dev/full
! <stdout>: error: cannot write: No space left on device
[3]
$ lazylogit --help >&-
! <stdout>: error: cannot write: Bad file descriptor
[3]
# A name that no file can have is found before any work.
$ echo no data >no.svm; lazylogit train no.svm -q -o $(printf 'n%.0s' $(seq 300))
! nnn[..]: error: cannot create: File name too long
[3]
