# Sets of classes that hold the true one as often as asked.
$ python3 -c "import random; random.seed(1); print('x,y'); [print('%.4f,%s' % (x, 'a' if x + random.gauss(0, 1) < -0.5 else 'b' if x + random.gauss(0, 1) < 0.7 else 'c|d')) for x in (random.gauss(0, 1.5) for _ in range(600))]" >all.csv
$ sed 's/c|d/c/' all.csv >three.csv; head -401 three.csv >t.csv; (head -1 three.csv; tail -200 three.csv) >new.csv
$ lazylogit train t.csv --holdout 0.25 -q -o m; lazylogit predict m new.csv -q --set 0.9 | head -3
prediction,probability,set
a,0.5228[..],a|b
b,0.5[..],b|c
$ lazylogit predict m new.csv -q --set 0.9 --output jsonl | head -2 | tail -1
{"prediction":"b","probability":0.5[..],"set":["b","c"]}
$ (cut -d, -f2 new.csv; lazylogit predict m new.csv -q --set 0.9 | cut -d, -f3) | python3 -c "import sys; v = sys.stdin.read().split(); y, s = v[1:201], v[202:]; print(0.85 <= sum(a in b.split('|') for a, b in zip(y, s)) / 200 <= 0.95)"
True
$ lazylogit train t.csv -q -o plain; lazylogit predict plain new.csv -q --set 0.9
! error: option --set: the model has no scores of held-out rows; train it with --holdout, or give rows with --calibrate
[2]
$ lazylogit predict plain t.csv -q --set 0.9 --calibrate new.csv | head -2
prediction,probability,set
[..]
$ lazylogit predict plain new.csv -q --calibrate new.csv
! error: option --calibrate: belongs to --set
[2]
$ lazylogit predict plain t.csv -q --set 0.9 --calibrate absent.csv
! absent.csv: error: cannot open: No such file or directory
[3]
$ lazylogit predict plain t.csv -q --set 0.9 --calibrate - - </dev/null
! error: option --calibrate: standard input (-) is named twice, expected it once
[2]
$ lazylogit predict m new.csv -q --set 1
! error: option --set: found "1", expected a number from 0.01 to 0.9999
[2]
$ lazylogit predict m new.csv -q --set 0.999 | head -2
prediction,probability,set
a,0.5228[..],a|b|c
! warning: the 100 held-out rows are too few, or too many of them have unknown labels, for sets that cover 0.999: every class is in every set
$ lazylogit train t.csv --holdout 0.25 --posterior full -q -o p; lazylogit predict p new.csv -q --set 0.9 --predictive probit
! error: option --set: the held-out rows were scored with plug-in probabilities; leave --predictive out, or give rows with --calibrate
[2]
$ lazylogit predict p t.csv -q --set 0.9 --predictive probit --calibrate new.csv | wc -l
401
$ lazylogit train all.csv --holdout 0.25 -q -o odd; lazylogit predict odd all.csv -q --set 0.9
! error: option --set: the class "c|d" has the character | in its name, which joins the classes of a set; --output jsonl keeps the classes apart
[2]
$ lazylogit predict odd all.csv -q --set 0.9 --output jsonl | grep -c '"set":\["c|d"\]' | python3 -c "print(int(input()) > 50)"
True
