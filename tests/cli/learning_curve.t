# Growing parts of the rows, judged by the same rows held out.
$ python3 -c "
> import random
> random.seed(1)
> print('x,z,y')
> for i in range(400):
>     x, z = random.gauss(0, 1), random.gauss(0, 1)
>     print(f'{x},{z},{\"a\" if x + random.gauss(0, 1) > 0 else \"b\"}')" >d.csv; lazylogit train d.csv --learning-curve=c.csv -q -o m | head -3; wc -l <c.csv; head -1 c.csv
        rows  training log loss  held-out log loss      accuracy
          10           [..]           [..] %
          15           [..]           [..] %
11
rows,training_log_loss,held_out_log_loss,held_out_accuracy
$ lazylogit train d.csv --learning-curve --holdout 0.5 -o m 2>&1 | grep -c 'rows: held-out log loss'
10
$ lazylogit train d.csv --learning-curve -q -o m >/dev/null; lazylogit train d.csv -q -o n; cmp m n
$ lazylogit train d.csv --learning-curve --stream -o m
! error: option --learning-curve: a stream is read once; its progressive loss is such a curve
[2]
$ lazylogit train d.csv --learning-curve=d.csv -o m
! error: option --learning-curve: "d.csv" is the same file as the input "d.csv"; choose another name for the output
[2]
# Numbers by their mean squared error, several labels by the share of right ones.
$ python3 -c "
> import random
> random.seed(1)
> print('x,z,y,l')
> for i in range(400):
>     x, z = random.gauss(0, 1), random.gauss(0, 1)
>     print(f'{x},{z},{x + z + random.gauss(0, 1)},{\"a;\" if x > 0.5 * random.gauss(0, 1) else \"\"}{\"b\" if z > 0 else \"\"}')" | sed 's/a;b$/"a,b"/; s/a;$/a/' >n.csv
$ lazylogit train n.csv --loss squared --target y --ignore l --learning-curve -q -o m | sed -n '1p;11p'
        rows       training MSE       held-out MSE            R²
         320 [..] 0.[..]
$ lazylogit train n.csv --multilabel --target l --ignore y --learning-curve=l.csv -q -o m | sed -n 1p; head -1 l.csv
        rows  training log loss  held-out log loss  right labels
rows,training_log_loss,held_out_log_loss,held_out_label_accuracy
