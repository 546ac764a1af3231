# The forms of predictions.
$ lazylogit train $DATA/pets.svm -q -o m
$ lazylogit predict m $DATA/pets.svm --proba | head -2
prediction,probability,-1,1
-1,0.97981[..],0.97981[..],0.02018[..]
! 10 rows
$ lazylogit predict m $DATA/pets.svm --top 2 | head -2
prediction,probability,prediction_2,probability_2
-1,0.97981[..],1,0.02018[..]
! 10 rows
$ lazylogit predict m $DATA/pets.svm --threshold 1 | head -2
prediction,probability
,0.97981[..]
! 10 rows
$ lazylogit predict m $DATA/pets.svm --explain=1 | head -2
prediction,probability,explanation
-1,0.97981[..],-1 over 1 (+3.88): (intercept) +6.28
! 10 rows
$ lazylogit predict m $DATA/pets.svm --output jsonl --proba --explain=1 | head -1
{"prediction":"-1","probability":0.97981[..],"probabilities":{"-1":0.97981[..],"1":0.02018[..]},"explanation":{"class":"-1","rival":"1","margin":3.8825[..],"contributions":[{"feature":"(intercept)","value":1.0,"contribution":6.2787[..]}]}}
! 10 rows
$ lazylogit predict m $DATA/pets.svm -q -o out.csv; wc -l <out.csv
11
# A feature that the model does not know is ignored and counted.
$ printf '1 1:2 77:1\n' | lazylogit predict m - --format libsvm | cut -d, -f1
prediction
-1
! 1 row; 1 feature occurrence unknown to the model ignored
# Labels that it does not know count as wrong and are named.
$ printf '1 1:2\n7 1:1\n' | lazylogit evaluate m - --format libsvm | head -2
rows                        2
unknown labels              1
! [..]: warning: labels unknown to the model count as wrong: "7" (1 row)
! 2 rows; 1 row with a label unknown to the model
# Columns of one name could not be told apart.
$ printf 'prediction,x,y\nr1,1,probability\nr2,2,v\n' >names.csv; lazylogit train names.csv --id prediction -q -o names
$ lazylogit predict names names.csv -q --output jsonl
! error: option --id: two columns of the predictions would be called "prediction"; rename the column of ids
[2]
$ lazylogit train names.csv --ignore prediction -q -o names2; lazylogit predict names2 names.csv -q --proba
! error: option --proba: two columns of the predictions would be called "probability"; --output jsonl keeps the classes apart
[2]
# Rows with missing values that are dropped get no stand-in, and none is announced.
$ printf 'x,y\n1,u\n,v\n4,v\n' >missing.csv; lazylogit train missing.csv --missing drop-row -q -o dropping; lazylogit predict dropping missing.csv | wc -l
! 2 rows; 1 row with missing values dropped
3
# A line break in a name breaks no table.
$ printf 'x,y\n1,"two\nlines"\n2,one\n' >lines.csv; lazylogit train lines.csv -q -o lines; lazylogit inspect lines | tail -3; lazylogit evaluate lines lines.csv -q | grep -c 'two\\x0alines'
two\x0alines against one
      -0.44465  x
       0.66697  (intercept)
3
# A feature may be passed through as well.
$ printf '{"x":1,"z":3,"y":"a"}\n{"x":2,"z":1,"y":"b"}\n{"x":3,"z":1,"y":"b"}\n' >z.jsonl; lazylogit train z.jsonl -q -o z; lazylogit predict z z.jsonl -q >a; lazylogit predict z z.jsonl --id z -q | cut -d, -f2- | cmp a -; lazylogit predict z z.jsonl --id z -q | cut -d, -f1
z
3
1
1
# What a model was trained on says what its data is where content does not: documents may look like anything.
$ printf 'label\ttext\nspam\twin a prize, now\nham\tlunch at noon, maybe\nspam\ta prize\nham\tat noon\n' >mails.tsv; lazylogit train mails.tsv -q -o mails
$ echo 'win a prize, today' | lazylogit predict mails - -q | cut -d, -f1
prediction
spam
$ printf '1 2:3\n{"lunch": "noon"}\n' >odd; lazylogit predict mails odd -q | wc -l
3
$ printf 'x,y\n1,a\n2,b\n3,a\n' >one.csv; lazylogit train one.csv -q -o one; printf 'x\n1\n2\n' | lazylogit predict one - -q | wc -l
3
# Columns may have other names than in training.
$ printf 'x,w,answer\n1,1,a\n2,3,b\n2.5,1,a\n' >other.csv; lazylogit evaluate one other.csv -q
! other.csv:1:1: error: no column is called "y" (the model was trained with it as --target); the columns are "x", "w", "answer"
[1]
$ lazylogit evaluate one other.csv --target answer -q --json | grep '^  "weight"'; lazylogit evaluate one other.csv --target answer --weight w -q --json | grep '^  "weight"'
  "weight": 3.0
  "weight": 5.0
$ lazylogit check one other.csv --target answer -q | grep '^rows'
rows         3
$ lazylogit outliers one other.csv --target answer -q 2>/dev/null | wc -l
4
# The same digits of a decision's probability, alone and among those of all classes.
$ python3 -c "
> print('y,a,b')
> for i in range(60): print(f'{\"uvw\"[i%3]},{(i*37%20)/7-1+i%3},{(i*i*11%30)/13-i%3}')
> " >digits.csv
$ lazylogit train digits.csv -q -o digits; lazylogit predict digits digits.csv --proba -q | python3 -c "
> import csv, sys
> print(sum(r['probability'] != r[r['prediction']] for r in csv.DictReader(sys.stdin)))"
0
