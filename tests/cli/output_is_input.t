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
# Standard output that is appended to an input, files beside the data, two outputs in one place.
$ cp data.svm grown.svm; lazylogit train data.svm -q -o model; cp model copy
$ lazylogit predict model grown.svm >>grown.svm
! error: standard output is the same file as the input "grown.svm"; choose another name for the output
[2]
$ lazylogit inspect model >>model
! error: standard output is the same file as the input "model"; choose another name for the output
[2]
$ cmp grown.svm data.svm; cmp model copy
$ printf 'feature,class,mean,variance\n*,*,0,2\n' >prior.csv
$ lazylogit tune data.svm --prior-file prior.csv --trace prior.csv -q -o m
! error: option --trace: "prior.csv" is the same file as the input "prior.csv"; choose another name for the output
[2]
$ lazylogit train data.svm --prior-file prior.csv --checkpoint prior.csv -q -o m
! error: option --checkpoint: "prior.csv" is the same file as the input "prior.csv"; choose another name for the output
[2]
$ lazylogit compare data.svm --prior-file prior.csv -q -o prior.csv
! error: option --out: "prior.csv" is the same file as the input "prior.csv"; choose another name for the output
[2]
$ lazylogit train data.svm -q -o m --trace ./m
! error: option --trace: the same file as --out
[2]
$ lazylogit train data.svm -q -o m --checkpoint $PWD/m
! error: option --checkpoint: the same file as --out
[2]
$ lazylogit train data.svm -q -o m --trace t --cache ./t
! error: option --cache: the same file as --trace
[2]
$ lazylogit tune data.svm -q -o m --trace ./m
! error: option --trace: the same file as --out
[2]
# A trace that cannot be written leaves the model as it was.
$ lazylogit train data.svm -q --variance 2 -o model --trace /dev/full
! /dev/full: error: cannot write: No space left on device
[3]
$ cmp model copy
