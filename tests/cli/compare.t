# compare runs several optimizers on the same problem and shows what each needs for which precision.
$ lazylogit compare $DATA/pets.svm --optimizers auto,newton,lbfgs,sgd --epochs 3 -q
seconds         1e-01   1e-02   1e-03   1e-04   1e-05   1e-06   1e-07   1e-08
auto ([..])[..]
newton  [..]
lbfgs   [..]
sgd     [..]

cpu s           1e-01   1e-02   1e-03   1e-04   1e-05   1e-06   1e-07   1e-08
...
passes          1e-01   1e-02   1e-03   1e-04   1e-05   1e-06   1e-07   1e-08
...
at the end     seconds  passes           error      gap  accuracy  ended by
auto ([..]  converged
newton  [..]  converged
lbfgs   [..]  converged
sgd     [..]  max_passes

The optimum is proved to be at least [..]; gaps are relative to it.
# Without a list: auto and all that accept the prior. As JSON, and all evaluations as csv.
$ lazylogit compare $DATA/pets.svm --prior laplace -q --epochs 2 --max-seconds 1 --json --trace t.csv -o r.json; grep -c '"asked"' r.json; grep -o '"asked": "newton"' r.json; grep -c '"asked": "bfgs"' r.json; head -1 t.csv; cut -d, -f1 t.csv | grep -c newton
[..]
"asked": "newton"
0
optimizer,passes,seconds,cpu_seconds,error,relative_gap,gradient_norm,step,learning_rate,holdout_log_loss,accepted
[..]
# Where the error has several minima nothing is proved, and that is said.
$ lazylogit compare $DATA/pets.svm --prior cauchy --optimizers newton -q | tail -1
No lower bound is proved; gaps are relative to the lowest error found, [..].
# Mistakes are found before the data is read.
$ lazylogit compare nosuch.svm --optimizers newton,lbgfs
! error: option --optimizers: there is no optimizer "lbgfs"; known are auto, [..]
[2]
$ lazylogit compare $DATA/pets.svm --optimizers newton,newton
! error: option --optimizers: "newton" is named twice
[2]
$ lazylogit compare $DATA/pets.svm --optimizers newton,,lbfgs
! error: option --optimizers: a name is missing between the commas
[2]
$ lazylogit compare $DATA/pets.svm --optimizers cg --prior laplace
! error: option --optimizers: optimizer "cg" needs a smooth prior; "laplace" has a kink at its mean. [..]
[2]
$ lazylogit compare $DATA/pets.svm --optimizers newton,lbfgs --epochs 3
! error: option --epochs: it has no meaning for any of the optimizers compared; it is for sgd, momentum, adagrad, adadelta, rmsprop, adam, adamax, ftrl, saga
[2]
$ lazylogit compare $DATA/pets.svm --optimizer newton 2>&1 | head -1
[..]--optimizer[..]
$ lazylogit compare $DATA/pets.svm --trace $DATA/pets.svm -q
! error: option --trace: [..]
[2]
$ lazylogit compare $DATA/pets.svm --optimizers newton --trace same -o same -q
! error: option --trace: the same file as --out
[2]
$ ls
r.json
t.csv
# What cannot take the data is left out, or, where it was named, refused before any run.
$ (for i in $(seq 60); do echo "$((i % 2)) $(seq -s' ' -f '%g:1' $i 60 5400)"; done) >wide.svm; lazylogit compare wide.svm --max-seconds 0.01 --max-passes 3 --epochs 1 -o wide.txt 2>messages; grep '^left out' messages; grep -c bfgs wide.txt; grep -c lbfgs wide.txt
left out: optimizer "bfgs" needs at most 5000 coefficients, for a matrix of their square; this model has 5401. Use lbfgs, newton, coordinate, irls, lm, cg or gd
4
4
$ lazylogit compare wide.svm --optimizers lbfgs,bfgs -q
! error: option --optimizers: optimizer "bfgs" needs at most 5000 coefficients, for a matrix of their square; this model has 5401. Use lbfgs, newton, coordinate, irls, lm, cg or gd
[2]
$ lazylogit train wide.svm --optimizer bfgs -q -o m
! error: option --optimizer: optimizer "bfgs" needs at most 5000 coefficients, for a matrix of their square; this model has 5401. Use lbfgs, newton, coordinate, irls, lm, cg or gd
[2]
$ lazylogit compare $DATA/pets.svm --standardize center --prior-intercept --optimizers newton,sgd -q
! error: option --optimizers: optimizer "sgd" needs columns that are not centered; without a free intercept --standardize center fills columns, scale does not. Use lbfgs, newton, coordinate, irls, lm, bfgs, cg or gd
[2]
# Constraints are those of training: only optimizers that keep them take part, and gaps are to the best that was found, because
# what is proved is about the optimum without them.
$ for i in $(seq 60); do echo "$((i % 3 % 2)) 1:$((i % 7)) 2:$((i % 5))"; done >two.svm; printf 'feature,class,lower,upper\n1,*,0.5,\n' >bounds.csv
$ lazylogit compare two.svm --bounds bounds.csv -q | tail -11 | cut -d' ' -f1
sgd
momentum
adagrad
adadelta
rmsprop
adam
adamax
ftrl
saga
Certificates
$ lazylogit compare two.svm --optimizers saga,sgd --bounds bounds.csv -q --json -o c.json; lazylogit train two.svm --optimizer saga --bounds bounds.csv -q -o m; lazylogit inspect m --json >m.json; python3 -c "
> import json
> c, m = json.load(open('c.json')), json.load(open('m.json'))
> print(abs(c['optimizers'][0]['error'] / m['error'] - 1) < 1e-6, c['proved'], c['optimizers'][0]['relative_gap'] < 1e-6)"
True False True
$ lazylogit compare two.svm --optimizers saga,sgd --bounds bounds.csv -q | tail -1
Certificates know nothing of --bounds and --max-norm; gaps are relative to the lowest error found, [..].
$ lazylogit compare two.svm --optimizers sgd,momentum --max-norm 0.1 -q | tail -1
Certificates know nothing of --bounds and --max-norm; gaps are relative to the lowest error found, [..].
$ lazylogit compare two.svm --optimizers newton,sgd --bounds bounds.csv -q
! error: option --bounds: it has no meaning for the optimizer newton; it is for [..]
[2]
$ lazylogit compare two.svm --optimizers saga --bounds none.csv -q
! none.csv: error: cannot be opened: No such file or directory
[3]
# Exact steps follow the epochs.
$ lazylogit compare two.svm --optimizers sgd --epochs 2 --finish 9 -q | grep -c ' converged$'
1
# Held-out rows: a fraction or a file; nothing is watched where there are none.
$ lazylogit compare two.svm --optimizers newton --holdout two.svm -q 2>/dev/null | grep -c 'held out'
1
$ lazylogit compare two.svm --early-stopping 2 -q
! error: option --early-stopping: there are no held-out rows to watch; add --holdout 0.2
[2]
# What the optimizers compared would ignore, and what is about a model that is written.
$ lazylogit compare two.svm --optimizers auto --average -q
! error: option --average: it has no meaning for any of the optimizers compared; it is for sgd, [..]
[2]
$ lazylogit compare two.svm --posterior full -q 2>&1 | head -1
error: option --posterior: unknown option
$ lazylogit compare two.svm --optimizers sgd --shards 1000 --max-memory 20k -q
! error: option --max-memory: 2 features and 2 classes need about [..]
[3]
