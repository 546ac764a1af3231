# The conditional logit of R's clogit on its own example, 83 matched sets: 1.98587552 (0.35244354), 1.40901163 (0.36071244), -64.20223692.
$ lazylogit train $DATA/infert.csv --choices stratum --target case --ignore age --ignore parity --prior uniform --gap 1e-14 --posterior full -o m -q; lazylogit inspect m | tail -3
   coefficient  std. error        z       2.5 %      97.5 %  odds ratio
        1.9859     0.35244    5.635      1.2951      2.6767      7.2854  spontaneous
         1.409     0.36071    3.906     0.70203       2.116      4.0919  induced
$ lazylogit inspect m --coefficients | cut -d, -f2,3 | cut -c1-22
feature,coefficient
spontaneous,1.98587551
induced,1.40901163187[..]
$ lazylogit check m $DATA/infert.csv 2>/dev/null | grep -E '^(rows|optimum)'
rows         83
optimum      yes: the asked relative gap is 1e-06
$ lazylogit evaluate m $DATA/infert.csv 2>/dev/null
choices          83, 248 candidates
accuracy         0.807229
log loss         0.773521, of candidates that are all alike 1.09373
reciprocal rank  [..]
$ lazylogit predict m $DATA/infert.csv --proba 2>/dev/null | head -4
stratum,prediction,probability,0,1
1,1,0.86641[..],0.13358[..],0.86641[..]
1,0,0.93320[..],0.93320[..],0.06679[..]
1,0,0.93320[..],0.93320[..],0.06679[..]
# Candidates within a line of JSON, in a list or by name; what is common to them matters through products.
$ cat >trips.jsonl <<'END'
> {"taken": "bus", "income": 3, "modes": {"bus": {"cost": 2}, "car": {"cost": 9}}}
> {"taken": "car", "income": 8, "modes": {"bus": {"cost": 3}, "car": {"cost": 5}, "walk": {"cost": 0}}}
> {"taken": 0, "income": 1, "modes": {"walk": {"cost": 0}, "car": {"cost": 5}}}
> END
$ lazylogit train trips.jsonl --choices modes --target taken --interactions 'income*modes' -o m -q; lazylogit inspect m --coefficients | cut -d, -f2
feature
income
cost
modes=bus
modes=car
modes=walk
income*modes=bus
income*modes=car
income*modes=walk
$ echo '{"income": 2, "modes": {"bus": {"cost": 2}, "car": {"cost": 9}}}' | lazylogit predict m - 2>/dev/null
(choice),prediction,probability
1,1,0.9[..]
1,0,0.9[..]
$ lazylogit tune $DATA/infert.csv --choices stratum --target case --values 0.1,1 --folds 3 -o t 2>/dev/null | grep -c chosen
1
$ lazylogit train $DATA/infert.csv --choices stratum --target case --holdout 0.3 -o h 2>/dev/null | grep 'held out'
held out     25 choices: accuracy 88.00 %, log loss 0.697001
$ for o in sgd adagrad adam ftrl momentum; do lazylogit train $DATA/infert.csv --choices stratum --target case --ignore age --ignore parity --optimizer $o --epochs 100 --tolerance 0 -q -o $o; lazylogit evaluate $o $DATA/infert.csv --json 2>/dev/null | grep log_loss | head -1; done
  "log_loss": 0.77[..],
  "log_loss": 0.77[..],
  "log_loss": 0.77[..],
  "log_loss": 0.77[..],
  "log_loss": 0.77[..],
$ for o in saga irls; do lazylogit train $DATA/infert.csv --choices stratum --target case --ignore age --ignore parity --prior uniform --gap 1e-12 --optimizer $o -q -o $o; lazylogit inspect $o --coefficients | cut -d, -f2,3 | cut -c1-17; done
feature,coefficie
spontaneous,1.985
induced,1.4090[..]
feature,coefficie
spontaneous,1.985
induced,1.4090[..]
# What belongs to one row alone, or to no choice.
$ lazylogit predict m trips.jsonl --intervals
! error: option --intervals: the model chooses among candidates, whose probabilities belong together
[2]
$ lazylogit predict m trips.jsonl --id income
! error: option --id: the column of the choices is passed through instead; leave it out
[2]
$ lazylogit train $DATA/infert.csv --choices stratum --target case --ignore spontaneous --ignore induced --ignore parity -o c 2>&1 >out | grep same
the same for all candidates of every choice, so that no choice depends on it: "age"
$ lazylogit train $DATA/infert.csv --choices stratum --target case --prior uniform --posterior full --ignore parity --interactions 'age*induced' -o c 2>&1 >out | grep same; lazylogit inspect c --coefficients | grep ^1,age, ; lazylogit check c $DATA/infert.csv 2>/dev/null | grep ^optimum
the same for all candidates of every choice, so that no choice depends on it: "age"; without a prior its coefficient stays at 0
1,age,0,
optimum      yes: the asked relative gap is 1e-06
$ lazylogit evaluate c $DATA/infert.csv 2>/dev/null | tail -1
reciprocal rank  0.[..]
# What is no choice is named.
$ printf 'set,x,y\na,1,1\na,2,1\nb,1,1\nb,2,0\n' >two.csv; lazylogit train two.csv --choices set --target y -o m
! two.csv: error: choice "a", rows 1 to 2: 2 candidates are taken, expected one
[1]
$ echo '{"taken": 5, "modes": [{"cost": 1}]}' >bad.jsonl; lazylogit train bad.jsonl --choices modes --target taken -o m
! bad.jsonl:1:11: error: found 5, expected the number of a candidate from 0 to 0
[1]
$ lazylogit train $DATA/infert.csv --choices stratun --target case -o m
! [..]infert.csv:1:1: error: no column is called "stratun" (--choices); the columns are [..]; did you mean "stratum"?
[1]
$ lazylogit train $DATA/pets.svm --choices stratum -o m
! error: option --choices: libsvm data has no columns to tell choices apart; csv, tsv and jsonl have
[2]
# In a stream a choice is learned when it is complete; nested lines are the long form.
$ python3 -c "
> import json, math, random
> random.seed(3)
> with open('s.csv', 'w') as table, open('s.jsonl', 'w') as lines:
>     table.write('set,cost,time,taken\n')
>     for s in range(3000):
>         x = [(random.gauss(10, 3), random.gauss(100, 30)) for _ in range(random.randint(2, 5))]
>         score = [-0.3 * c - 0.02 * t - math.log(-math.log(random.random())) for c, t in x]
>         best = score.index(max(score))
>         for a, (c, t) in enumerate(x): table.write(f's{s},{c},{t},{int(a == best)}\n')
>         lines.write(json.dumps({'choice': best, 'modes': [{'cost': c, 'time': t} for c, t in x]}) + '\n')"
$ lazylogit train s.csv --choices set --target taken --stream --regret -o s 2>/dev/null | grep -E '^(progressive|regret)'
progressive  log loss 0.9[..], of the last 3,000 choices 0.9[..]; accuracy [..] %, [..] %
regret       0.00[..] (of the best fixed model in hindsight)
$ lazylogit train - --format jsonl --choices modes --target choice --stream -q -o n <s.jsonl; lazylogit inspect s --coefficients >a; lazylogit inspect n --coefficients >b; cmp a b && cut -d, -f2,3 a | cut -c1-8
feature,
cost,-0.
time,-0.
$ head -1501 s.jsonl >s1.jsonl; tail -n +1502 s.jsonl >s2.jsonl; lazylogit train s1.jsonl --choices modes --stream -q -o n1; lazylogit train s2.jsonl --choices modes --stream --warm-start n1 -q -o n2; lazylogit inspect n2 --coefficients >c; cmp a c && echo same
same
$ lazylogit train two.csv --choices set --target y --stream -o none
! two.csv: error: choice "a", rows 1 to 2: 2 candidates are taken, expected one
[1]
$ lazylogit train s.csv --choices set --target taken --stream --optimizer perceptron -o none
! error: option --optimizer: in a stream the optimizer "perceptron" learns classes alone
[2]
# A learning curve grows by whole choices.
$ lazylogit train s.csv --choices set --target taken --learning-curve=c.csv -q -o m | head -1; head -1 c.csv
     choices  training log loss  held-out log loss      accuracy
choices,training_log_loss,held_out_log_loss,held_out_accuracy
# Two candidates of one name, and a row of no choice, are refused.
$ printf '{"taken":"a","modes":{"a":{"cost":3},"b":{"cost":4}}}\n{"taken":"a","modes":{"a":{"cost":3},"\\u0061":{"cost":4}}}\n' >twice.jsonl; lazylogit train twice.jsonl --choices modes --target taken -q -o m9
! twice.jsonl:2:38: error: two candidates are called "a"
[1]
$ printf 'g,x,y\n1,1,0\n1,2,1\n,3,1\n,1,0\n' >none.csv; lazylogit train none.csv --choices g -q -o m9
! none.csv:4:1: error: column "g": found "", expected the choice that the row is a candidate of (--choices)
[1]
# Candidates of a choice stand together.
$ printf 'set,x,y\n1,2,1\n2,1,1\n2,3,0\n1,1,0\n' >scattered.csv; lazylogit train scattered.csv --choices set -q -o s
! scattered.csv: error: the candidates of the choice "1" do not stand together: row 4 is one again, after other choices; sort the rows by the column of --choices
[1]
