# Held-out rows are scored but not trained on.
$ lazylogit train $DATA/pets.csv --ignore name --holdout 0.3 -o m 2>/dev/null | grep -E '^(rows|held)'
rows         7
held out     3 rows, log loss 0.01[..], accuracy 100.00 %
$ lazylogit train $DATA/pets.svm --holdout $DATA/pets.svm -o m 2>/dev/null | grep -E '^(rows|held)'
rows         10
held out     10 rows, log loss 0.01[..], accuracy 100.00 %
