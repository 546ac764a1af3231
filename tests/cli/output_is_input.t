# An output that is an input is refused, through links too.
$ cp $DATA/pets.svm data.svm; ln -s data.svm link.svm; ln data.svm hard.svm
$ lazylogit train data.svm -o data.svm
! error: option --out: "data.svm" is the same file as the input "data.svm"; choose another name for the output
[2]
$ lazylogit train data.svm -o link.svm
! error: option --out: "link.svm" is the same file as the input "data.svm"; choose another name for the output
[2]
$ lazylogit train data.svm -o hard.svm
! error: option --out: "hard.svm" is the same file as the input "data.svm"; choose another name for the output
[2]
$ lazylogit train '*.svm' -o data.svm
! error: option --out: "data.svm" is the same file as the input "data.svm"; choose another name for the output
[2]
$ lazylogit convert data.svm link.svm
! error: "link.svm" is the same file as the input "data.svm"; choose another name for the output
[2]
$ cmp data.svm $DATA/pets.svm
