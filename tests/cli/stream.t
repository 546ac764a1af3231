# One pass, row by row; the model is like any other.
$ lazylogit train $DATA/pets.svm --stream -o s.m --quiet && lazylogit check s.m | grep -c whole
1
$ lazylogit inspect s.m --json | tr ',' '\n' | grep -E '"(optimizer|termination|certificate|num_examples)"'
{"certificate":null
"num_examples":10
"optimizer":"adagrad"
"termination":"stream"
# The same bytes from a pipe, and from two halves.
$ cat $DATA/pets.svm | lazylogit train - --format libsvm --stream -o p.m --quiet && cmp s.m p.m
$ head -5 $DATA/pets.svm >one.svm; tail -n +6 $DATA/pets.svm >two.svm; lazylogit train one.svm --stream -o h.m --quiet && lazylogit train two.svm --stream --warm-start h.m -o h.m2 --quiet && cmp s.m h.m2
$ lazylogit train one.svm two.svm --stream -o t.m --quiet && cmp s.m t.m
$ head -5 $DATA/pets.csv >one.csv; (head -1 $DATA/pets.csv; tail -n +6 $DATA/pets.csv) >two.csv; lazylogit train one.csv --stream -o c1.m --quiet; lazylogit train two.csv --stream --warm-start c1.m -o c2.m --quiet; lazylogit train one.csv two.csv --stream -o c3.m --quiet; cmp c2.m c3.m && lazylogit predict c3.m $DATA/pets.csv --quiet | wc -l
11
# New features and new classes may come at any time.
$ printf '1 1:1\n2 2:1\n1 1:2\n3 7:1\n' | lazylogit train - --format libsvm --stream -o g.m --quiet && lazylogit inspect g.m --coefficients | cut -d, -f1,2 | tr '\n' ' '
class,feature 1,1 1,2 1,7 1,(intercept) 2,1 2,2 2,7 2,(intercept) 3,1 3,2 3,7 3,(intercept) [..]
# A bad row stops the run; the output stays as it was, and the checkpoint has what was learned.
$ printf '1 1:1\n2 2:1\n1 1:x\n' >bad.svm; echo old >bad.m; lazylogit train bad.svm --stream -o bad.m --checkpoint now.m; cat bad.m; lazylogit check now.m | grep -c whole
! what 2 rows taught is in now.m; go on with --warm-start now.m --skip-rows 2
! bad.svm:3:5: error: [..]
old
1
$ printf '1 1:1\n2 2:1\n1 1:3\n' >good.svm; lazylogit train good.svm --stream --warm-start now.m --skip-rows 2 -o a.m --quiet; lazylogit train good.svm --stream -o b.m --quiet; cmp a.m b.m
$ lazylogit train bad.svm --stream --on-bad-row skip -o bad.m 2>/dev/null | grep -E '^(rows|bad)'
rows         2
bad rows     1 skipped
# Names of rows that are skipped are not learned.
$ printf '1 | a:1\n2 | b:1\n1 | c:1 d:x\n2 | e\n' | lazylogit train - --format vw --stream --on-bad-row skip -o v.m --quiet 2>/dev/null; lazylogit inspect v.m --coefficients | cut -d, -f2 | tr '\n' ' '
feature a b e (intercept) [..]
# No model of a prefix.
$ gzip -c $DATA/pets.svm >cut.gz; head -c 60 cut.gz >cut2.gz; lazylogit train cut2.gz --format libsvm --stream -o none.m; ls none.m 2>&1 | grep -c 'No such'
! cut2.gz: byte [..]
1
$ lazylogit train /dev/null --format libsvm --stream -o none.m
! /dev/null: error: found no rows to learn from; expected at least one
[1]
$ printf '1 1:1\n1 1:2\n' | lazylogit train - --format libsvm --stream -o none.m
! <stdin>: error: only one class: all 2 rows are of class "1", expected two or more classes
[1]
# Options that need more than one pass are refused by name.
$ lazylogit train $DATA/pets.svm --stream --optimizer lbfgs -o none.m
! error: option --optimizer: in a stream there is no optimizer "lbfgs"; [..]
[2]
$ lazylogit train $DATA/pets.svm --stream --epochs 3 -o none.m
! error: option --epochs: it has no meaning in a stream, which is read once; leave it out, or --stream
[2]
$ lazylogit train $DATA/pets.svm --stream --min-count 3 -o none.m
! error: option --min-count: how often a feature occurs is known only after the last row; leave it out
[2]
$ lazylogit train $DATA/pets.svm --no-state -o none.m
! error: option --no-state: it is for streams; add --stream
[2]
# Without its state a model is smaller, and learning begins at its coefficients alone.
$ lazylogit train one.svm --stream --no-state -o n.m --quiet; lazylogit train two.svm --stream --warm-start n.m -o n2.m 2>&1 >/dev/null | head -1
the model holds no state of a stream; learning begins at its coefficients alone
# Perceptron and Bayesian online learning; beliefs answer with intervals, and forget.
$ lazylogit train $DATA/pets.svm --optimizer perceptron --average -o pc.m 2>&1 >/dev/null | head -1
optimizer perceptron: one pass, row by row, as with --stream
$ lazylogit train $DATA/pets.svm --stream --optimizer adf --forget 0.99 -o adf.m --quiet && lazylogit predict adf.m $DATA/pets.svm --intervals --quiet | head -1
prediction,probability,lower,upper
$ lazylogit train $DATA/pets.svm --stream --optimizer perceptron --prior laplace -o none.m
! error: option --prior: in a stream it has no meaning for the optimizer perceptron; it is for adagrad, sgd, ftrl, adam, adamax, rmsprop, adadelta, adf
[2]
$ lazylogit train $DATA/pets.svm --stream --optimizer adf --prior laplace -o none.m
! error: option --optimizer: the optimizer "adf" needs a gaussian prior of finite variance: its belief begins there
[2]
# A grid of prior widths in one pass: each has its progressive loss, the best is kept, and it is the model that its width alone gives.
$ lazylogit train $DATA/pets.svm --stream --grid 0.01,1,100 -o g.m 2>/dev/null | grep -A2 '^grid'
grid         variance 0.01: log loss [..], kept
             variance 1: log loss [..]
             variance 100: log loss [..]
$ lazylogit train $DATA/pets.svm --stream --variance 0.01 -o g1.m --quiet; cmp g.m g1.m
$ lazylogit train $DATA/pets.svm --stream --grid 1,x -o none.m
! error: option --grid: found "x", expected positive numbers separated by commas
[2]
# Regret: against the exact fit of all rows.
$ lazylogit train $DATA/pets.svm --stream --regret -o g.m 2>/dev/null | grep -c '^regret .* (of the best fixed model in hindsight)$'
1
$ cat $DATA/pets.svm | lazylogit train - --format libsvm --stream --regret -o none.m
! error: option --regret: it reads the data a second time, which a pipe does not allow; name files
[2]
# A class is new at its first row, wherever blocks and runs begin.
$ for i in 1 2 1 2 2 1 3 1 2 3; do echo "$i $((i + 1)):0.5 9:1 $((9 + i)):$i"; done >abc.svm; head -4 abc.svm >ab.svm; tail -n +5 abc.svm >c.svm; for o in adagrad adf 'perceptron --average'; do lazylogit train abc.svm --stream --optimizer $o -o w.m --quiet; lazylogit train ab.svm --stream --optimizer $o -o w1.m --quiet; lazylogit train c.svm --stream --optimizer $o --warm-start w1.m -o w2.m --quiet; cmp w.m w2.m && echo same; done
same
same
same
# A compressed stream that is cut off: no model, but what the whole rows before the cut taught is kept.
$ (for i in $(seq 2000); do echo "$((i % 3)) $((i % 7 + 1)):$i $((i % 11 + 8)):1.$i"; done) | gzip >cut.gz; head -c 9000 cut.gz >cut.svm.gz; lazylogit train cut.svm.gz --stream --checkpoint cut.checkpoint -q -o cut.model; ls cut.model
! cut.svm.gz: byte 9000: error: the gzip data is cut off: expected more bytes
! ls: cannot access 'cut.model': No such file or directory
[2]
$ rows=$(lazylogit inspect cut.checkpoint --json | grep -o '"num_examples":[0-9]*' | cut -d: -f2); zcat cut.gz | head -$rows | lazylogit train - --stream -q -o cut.prefix; cmp cut.prefix cut.checkpoint && test $rows -gt 500

# Further learners, and class weights: a class of weight 2 counts as if its rows were there twice.
$ for o in ftrl adam adamax rmsprop adadelta; do lazylogit train $DATA/pets.svm --stream --optimizer $o -o $o.m 2>/dev/null | grep '^optimizer'; done
optimizer    ftrl, gaussian prior
optimizer    adam, gaussian prior
optimizer    adamax, gaussian prior
optimizer    rmsprop, gaussian prior
optimizer    adadelta, gaussian prior
$ head -n 7 $DATA/pets.svm >half.svm; for o in ftrl adam; do tail -n +8 $DATA/pets.svm | cat half.svm - >whole.svm; lazylogit train half.svm --stream --optimizer $o -o h.m -q 2>/dev/null && tail -n +8 $DATA/pets.svm | lazylogit train - --format libsvm --stream --optimizer $o --warm-start h.m -o two.m -q && lazylogit train whole.svm --stream --optimizer $o -o one.m -q && cmp one.m two.m; done
$ printf 'class,weight\ncat,2\n' >w.csv; lazylogit train $DATA/pets.csv --ignore name --stream --class-weights w.csv -o w.m 2>/dev/null | grep '^optimizer'
optimizer    adagrad, gaussian prior
$ printf 'class,weight\ncat,2\ncatt,3\n' >w.csv; lazylogit train $DATA/pets.csv --ignore name --stream --class-weights w.csv -q -o w.m
! w.csv: warning: the data has no class "catt"
$ lazylogit train $DATA/pets.svm --stream --class-weights balanced -o none.m
! error: option --class-weights: how often classes occur is known only after the last row; name a file of weights
[2]
$ lazylogit train $DATA/pets.svm --stream --optimizer ftrl --prior cauchy -o none.m
! error: option --optimizer: the optimizer "ftrl" needs a convex prior; "cauchy" is none
[2]
# Numbers that a belief cannot hold are refused with the remedy.
$ printf '1 1:1e9\n2 1:-2e9\n3 1:1.5e9\n1 1:3e9\n2 1:-1e9\n3 1:-2e9\n4 1:1e9\n' >large.svm; lazylogit train large.svm --stream --optimizer adf -q -o large.model
! large.svm: error: the belief about a row is beyond the range of finite numbers; divide columns of large values by a power of ten
[1]
