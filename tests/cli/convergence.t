# --require-convergence: exit 4 when the precision was not reached; the model is written all the same.
$ lazylogit train $DATA/pets.svm --max-passes 1 --optimizer lbfgs -q --require-convergence -o m
! warning: [..]
[4]
$ lazylogit train $DATA/pets.svm --warm-start m -q --require-convergence -o m2
$ lazylogit check m $DATA/pets.svm --require-convergence -q
...
optimum      not shown: the asked relative gap is 1e-06
[4]
$ lazylogit check m2 $DATA/pets.svm --require-convergence -q
...
optimum      yes: the asked relative gap is 1e-06
