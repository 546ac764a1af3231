# Several labels in a row, each learned by itself.
$ printf 'a,b 1:1 2:0.5\n 1:2\nb 2:1\na 1:0.5\na,c 3:1 1:0.2\nb,c 2:0.3 3:2\n' >d.svm; lazylogit train d.svm --multilabel -q -o m
$ lazylogit predict m d.svm -q | head -3
prediction
a
a
$ lazylogit predict m d.svm -q --proba --threshold 0.4 --output jsonl | head -1 | cut -c 1-60
{"prediction":["a","b"],"probabilities":{"a":0.5030192773927
$ lazylogit evaluate m d.svm -q | head -5
rows                        6
micro f1                    0.705882
macro f1                    0.694444
subset accuracy             0.333333
hamming loss                0.277778
$ lazylogit check m d.svm -q | tail -1
optimum      yes: the asked relative gap is 1e-06
$ printf 'text,tags\ngood,"x, y"\nbad,\nugly,y\nfine,x\n' >d.csv; lazylogit train d.csv --multilabel --target tags --categorical text -q -o c; lazylogit inspect c | head -1
labels        2, any number of them in a row: x, y
$ printf '{"t":["x","y"],"v":1}\n{"t":[],"v":2}\n{"t":["y"],"v":3}\n{"t":["x"],"v":0}\n' >d.jsonl; lazylogit train d.jsonl --multilabel --target t -q -o j; lazylogit inspect j | head -1
labels        2, any number of them in a row: x, y
$ printf 'x,y\tgood day\n\tbad day\ny\tugly day\n' >d.tsv; lazylogit train d.tsv --format text --multilabel -q -o t; lazylogit inspect t | head -1
labels        2, any number of them in a row: x, y
$ printf '1,3 |f good\n |f bad\n3 |f ugly\n' >d.vw; lazylogit train d.vw --multilabel -q -o v; lazylogit inspect v | head -1
labels        2, any number of them in a row: 1, 3
$ printf 'a,a 1:1\nb 1:2\n' | lazylogit train - --format libsvm --multilabel -q -o none
! <stdin>:1:1: error: found the label "a,a", expected labels separated by commas, none empty and none twice
[1]
$ printf 'a,,b 1:1\nb 1:2\n' | lazylogit train - --format libsvm --multilabel -q -o none
! <stdin>:1:1: error: found the label "a,,b", expected labels separated by commas, none empty and none twice
[1]
$ printf '{"t":["x",""],"v":1}\n' | lazylogit train - --format jsonl --multilabel --target t -q -o none
! <stdin>:1:13: error: column "t": found a label that is empty or has a comma, expected labels without
[1]
$ printf 'a,b 1:1\nb 1:2\n' | lazylogit train - --format libsvm --multilabel -q -o none
! <stdin>: error: all 2 rows have the label "b", expected some with it and some without; leave the label out
[1]
$ printf 'a,b 1:1\n' | lazylogit train - --format libsvm -q -o none
! <stdin>:1:1: error: found several labels "a,b", expected one label; --multilabel takes several
[1]
# In a stream labels appear as they come; two runs over halves are one run over the whole.
$ python3 -c "
> import random
> random.seed(2)
> for i in range(600):
>     a, b = random.gauss(0, 1), random.gauss(0, 1)
>     labels = [n for n, s in (('x', 2 * a), ('late', -b)) if random.gauss(0, 1) < s and (n == 'x' or i > 50)]
>     print(','.join(labels), f'1:{a}', f'2:{b}')" | sed 's/^ //' >s.svm; head -300 s.svm >s1.svm; tail -300 s.svm >s2.svm
$ lazylogit train s.svm --multilabel --stream --regret -o s 2>/dev/null | grep -E '^(labels|progressive|regret)'
labels       late, x
progressive  log loss 0.[..], of the last 600 rows 0.[..]; all labels right [..] %, [..] %
regret       [..] (of the best fixed model in hindsight)
$ lazylogit train s1.svm --multilabel --stream -q -o h1; lazylogit train s2.svm --multilabel --stream --warm-start h1 -q -o h2; cmp s h2 && echo same
same
$ lazylogit train s.svm --multilabel --stream --optimizer adf -q -o none
! error: option --optimizer: in a stream the optimizer "adf" learns classes or a number; take adagrad or sgd
[2]
$ lazylogit train d.svm --multilabel --symmetric -q -o none
! error: option --symmetric: with --multilabel every label is a problem of its own; leave it out
[2]
$ lazylogit train d.svm --multilabel --loss squared -q -o none
! error: option --multilabel: it contradicts --loss squared, whose labels are numbers
[2]
$ lazylogit predict m d.svm --top 2 -q
! error: option --top: the model predicts sets of labels, each by itself; --proba gives the probability of every label
[2]
$ lazylogit outliers m d.svm -q
! error: outliers are rows whose class is improbable; the model predicts sets of labels
[2]
# A list under one of the usual names is the label.
$ printf '{"x":1,"y":["a","b"]}\n{"x":2,"y":["a"]}\n{"x":0.5,"y":["b"]}\n{"x":1.5,"y":[]}\n' >y.jsonl; lazylogit train y.jsonl --multilabel -o y 2>&1 | grep label
label column: "y" (--target chooses another)
[..]
