# Rows that the model finds improbable when they are left out.
$ printf 'x,y\n1,a\n2,a\n3,a\n4,a\n5,b\n6,b\n7,b\n8,b\n7,a\n' >d.csv; lazylogit train d.csv -q -o m
$ lazylogit outliers m d.csv -q --top 2
row,label,probability,in_sample,rival,features
9,a,0.0855[..],0.2354[..],b,"b over a (+1.18): x +5.03, (intercept) -3.85"
5,b,0.3182[..],0.4357[..],a,"a over b (+0.258): (intercept) +3.85, x -3.59"
$ lazylogit outliers m d.csv -q --exact --top 1 --output jsonl
{"row":9,"label":"a","probability":0.[..],"log_probability":-[..],"in_sample":0.[..],"rival":"b","features":"b over a ([..]"}
$ lazylogit outliers m d.csv -q --influence --top 1
row,label,probability,in_sample,rival,influence,moved,features
9,a,0.0[..],0.2[..],b,[..],"[..]","b over a [..]"
$ lazylogit outliers m d.csv -q --folds=3 --exact
! error: option --folds: contradicts --exact, which leaves out one row at a time
[2]
$ lazylogit outliers m d.csv -q --seed 2
! error: option --seed: belongs to --folds
[2]
$ printf 'x,y\n9,a\n8,a\n1,b\n2,b\n' >other.csv; lazylogit outliers m other.csv -q --top 1 | wc -l
2
! warning: the model is not the optimum for these rows, so that leaving one out says little about it; give the rows it was trained on, or train it to convergence
# What one step needs may not exist; then rows are left out one by one.
$ printf 'a,b,y\n1,1,u\n2,2,v\n3,3,u\n2,2,u\n3,3,v\n1,1,v\n' >twins.csv; lazylogit train twins.csv --prior uniform -q -o k; lazylogit outliers k twins.csv -q
! twins.csv: error: the posterior does not exist: the data and the prior cannot tell apart a, b; --exact and --folds do without it
[1]
# The number of parts may be left out; after a blank or a sign it is the same.
$ lazylogit train $DATA/pets.svm -q -o f; lazylogit outliers f $DATA/pets.svm --folds 4 -q >a; lazylogit outliers f $DATA/pets.svm --folds=4 -q | cmp a - && wc -l <a
[..]
