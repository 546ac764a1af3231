# Wrong usage: exit 2, one line that names the option and, where there is one, the nearest name.
$ lazylogit
! error: no command given, expected lazylogit COMMAND …; lazylogit --help lists the commands
[2]
$ lazylogit trian $DATA/pets.csv -o m
! error: unknown command "trian", expected one of train, predict, evaluate, inspect, check, [..]; did you mean "train"?
[2]
$ lazylogit train $DATA/pets.csv --varience 2 -o m
! error: option --varience: unknown option; did you mean "--variance"?
[2]
$ lazylogit train $DATA/pets.csv --prior gausian -o m
! error: option --prior: found "gausian", expected one of uniform, gaussian, laplace, cauchy, elastic-net; did you mean "gaussian"?
[2]
$ lazylogit train $DATA/pets.csv --variance -1 -o m
! error: option --variance: found "-1", expected a number above 0
[2]
$ lazylogit train $DATA/pets.csv --variance nan -o m
! error: option --variance: found "nan", expected a number above 0
[2]
$ lazylogit train $DATA/pets.csv --epochs many -o m
! error: option --epochs: found "many", expected an integer of at least 1
[2]
$ lazylogit train $DATA/pets.csv --hash-bits 31 -o m
! error: option --hash-bits: found "31", expected an integer from 1 to 30
[2]
$ lazylogit train $DATA/pets.csv --variance 1 --variance 2 -o m
! error: option --variance: given twice, expected once
[2]
$ lazylogit train $DATA/pets.csv -o
! error: option --out: no value given, expected --out FILE
[2]
$ lazylogit train $DATA/pets.csv
! error: option --out: no file for the model given, expected -o MODEL
[2]
$ lazylogit train -o m
! error: arguments are missing, expected lazylogit train DATA… -o MODEL; lazylogit train --help has examples
[2]
$ lazylogit train $DATA/pets.csv --target= -o m
! error: option --target: found "", expected a value that is not empty
[2]
$ lazylogit train $DATA/pets.csv --prior cauchy --variance 2 -o m
! error: option --variance: the cauchy prior has no variance; it belongs to gaussian and laplace
[2]
$ lazylogit train $DATA/pets.csv --reference cat --symmetric -o m
! error: option --reference: contradicts --symmetric, which has no reference
[2]
$ lazylogit train $DATA/pets.csv --optimizer newton --epochs 3 -o m
! error: option --epochs: it has no meaning for the optimizer newton; it is for sgd, momentum, adagrad, adadelta, rmsprop, adam, adamax, ftrl, saga
[2]
$ lazylogit train $DATA/pets.csv --holdout 1.5 -o m
! error: option --holdout: found "1.5", expected a fraction between 0 and 1 or a file; write a file called like a number as ./1.5
[2]
$ lazylogit train $DATA/pets.csv --max-memory lots -o m
! error: option --max-memory: found "lots", expected a number of bytes such as 500M or 2G
[2]
$ lazylogit inspect a b
! error: unexpected argument "b", expected lazylogit inspect MODEL; lazylogit inspect --help has examples
[2]
$ lazylogit predict $DATA/pets.csv
! error: arguments are missing, expected lazylogit predict MODEL DATA…; lazylogit predict --help has examples
[2]
$ lazylogit train $DATA/pets.csv -z -o m
! error: unknown option -z; write a file name that begins with - as ./-name
[2]
$ lazylogit --completions bsh
! error: option --completions: found "bsh", expected one of bash, zsh, fish; did you mean "bash"?
[2]
# Nothing was written.
$ ls
# Found before the data is read, and so although there is none.
$ lazylogit train - --format csv --scale-prior --standardize scale -o m </dev/null
! error: option --scale-prior: it does what --standardize does without touching the data; give one of them
[2]
$ lazylogit train - --format csv --restarts 3 -o m </dev/null
! error: option --restarts: the gaussian prior has one optimum; restarts are for cauchy
[2]
$ lazylogit train - --format csv --prior-file absent.csv -o m </dev/null
! absent.csv: error: cannot be opened: No such file or directory
[3]
$ lazylogit train $DATA/pets.csv --optimizer sgd --schedule constant --anneal 3 -o m
! error: option --anneal: a constant learning rate does not fall; choose another --schedule
[2]
$ lazylogit train $DATA/pets.csv --max-bad-rows 3 -o m
! error: option --max-bad-rows: the first bad row stops the run anyway; add --on-bad-row skip
[2]
# An empty name is a slip of a script.
$ lazylogit train '' -o m
! error: argument 1 is empty (""), expected the name of a file
[2]
# Options as other programs call them.
$ lazylogit train $DATA/pets.csv --label kind -o m; lazylogit train $DATA/pets.csv --test_size 0.2 -o m; lazylogit evaluate m $DATA/pets.csv --solver lbfgs
! error: option --label: unknown option; did you mean "--target"?
! error: option --test_size: unknown option; did you mean "--holdout"?
! error: option --solver: unknown option
[2]
$ lazylogit train $DATA/pets.csv --labels kind -o m
! error: option --labels: the data is csv, the option is for npy, npz; --target names the column of the labels
[2]
