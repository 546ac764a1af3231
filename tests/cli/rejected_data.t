# Data that no model can be made of: exit 1 and what was counted.
$ printf '1 1:2\n1 1:3\n' >one.svm; lazylogit train one.svm -o m
! one.svm: error: only one class: all 2 rows are of class "1", expected two or more classes
[1]
$ : >empty.svm; lazylogit train empty.svm -o m
! empty.svm: error: found no rows; expected at least one
[1]
$ printf 'a,b\n1,2\n' >t.csv; lazylogit train t.csv --target c -o m
! t.csv:1:1: error: no column is called "c" (--target); the columns are "a", "b"
[1]
$ lazylogit predict $DATA/pets.csv $DATA/pets.csv
! [..]pets.csv: byte 0: error: a header of 7306915763740041582 bytes exceeds the limit of 67108864; this is not a model file or it is damaged
[1]
# A first line that is a row like the others is no header.
$ printf '5.1,3.5,setosa\n4.9,3.0,setosa\n7,3.2,versicolor\n' >iris.csv; lazylogit train iris.csv -o m -q
! iris.csv:1:1: error: the name "5.1" of column 1 is like the values below it, as if the header were missing; use --no-header; if it is a name, choose the label column with --target
[1]
$ printf 'pos\tgood film\nneg\tbad film\npos\tfine film\n' >mails.tsv; lazylogit train mails.tsv -o m -q
! mails.tsv:1:1: error: the name "pos" of column 1 is like the values below it, as if the header were missing; use --no-header, or --format text for label<TAB>text; if it is a name, choose the label column with --target
[1]
$ printf 'a,b,yes\n1,2,yes\n2,4,no\n' >last.csv; lazylogit train last.csv -o m -q
! last.csv:1:1: error: the name "yes" of column 3 is like the values below it, as if the header were missing; use --no-header; if it is a name, choose the label column with --target
[1]
$ printf 'id,sex,male,prog\n1,x,male,a\n2,y,female,b\n3,x,male,b\n' >male.csv; lazylogit train male.csv --ignore id -o m -q
! male.csv:1:1: error: the name "male" of column 3 is like the values below it, as if the header were missing; use --no-header; if it is a name, choose the label column with --target
[1]
# Unless it names numbers elsewhere.
$ printf 'age,male,prog\n31,male,a\n42,female,b\n33,male,b\n' >named.csv; lazylogit train named.csv -o m -q; rm male.csv named.csv
$ (echo '-,u,f,rare'; for i in $(seq 1 20); do echo "$i,u,f,rare"; echo "$i,v,m,other"; done) >first.csv; lazylogit train first.csv -o m -q; rm first.csv
! first.csv:1:1: error: the name "u" of column 2 is like the values below it, as if the header were missing; use --no-header; if it is a name, choose the label column with --target
$ lazylogit train last.csv --target yes -o m -q; lazylogit train iris.csv --no-header -o m -q; rm m
# Nothing left to learn from but the labels: a model, and a warning.
$ printf '1 1:2\n2 2:3\n' >rare.svm; lazylogit train rare.svm --min-count 5 -o m -q; rm m
! rare.svm: warning: no row has a feature that is kept: only the classes' frequencies are learned; see --min-count
$ ls
empty.svm
iris.csv
last.csv
mails.tsv
one.svm
rare.svm
t.csv
# What only the fit can find names the file too.
$ printf '1 1:1e300\n0 1:2\n' >huge.svm; lazylogit train huge.svm --precision float64 -o m -q
! huge.svm: error: row 1 has the value 1e+300 in feature "1": sums of squares overflow; divide the column by a power of ten
[1]
$ lazylogit train one.svm one.svm -o m -q
! one.svm: warning: the file is read a second time, after "one.svm"; its rows count twice; name it once if that is not meant
! one.svm: error: only one class: all 4 rows are of class "1", expected two or more classes; counted over all 2 files
[1]
# A file that is read twice, as by a pattern and by a link, counts twice.
$ printf '1 1:1\n0 1:2\n' >part-1.svm; ln -s part-1.svm part-2.svm; lazylogit train 'part-*.svm' -o m -q; rm part-?.svm m
! part-2.svm: warning: the file is read a second time, after "part-1.svm"; its rows count twice; name it once if that is not meant
# Labels that hold nothing are none, whatever the format: no model would have such a class.
$ printf '{"a":1,"y":"u"}\n{"a":2,"y":""}\n{"a":3,"y":"u"}\n' >none.jsonl; lazylogit train none.jsonl -o m -q
! none.jsonl:2:12: error: column "y": found "", expected a label: a row without one cannot be learned from or judged; --on-bad-row skip leaves such rows out
[1]
$ printf 'u\ta b\n \tb c\n' >none.txt; lazylogit train none.txt --format text -o m -q
! none.txt:2:1: error: label " " is blank or not a finite number, expected a name or a finite number
[1]
# Documents put one after another with their headers.
$ printf 'label\ttext\nu\ta b\nv\tc\n' >half.tsv; cat half.tsv half.tsv >both.tsv; lazylogit train both.tsv -o m -q
! both.tsv:4:1: error: the header is repeated here, as in files put one after another, expected a document; give the files one by one
[1]
# A single name among numbers is hardly ever meant as a class.
$ printf '1 1:1\n0 1:2\n1 1:3\n0x1 1:2\n' >odd.svm; lazylogit train odd.svm -o m -q; rm m
! odd.svm: warning: all labels are numbers but "0x1", which is a class of its own; leave its rows out, or correct them, if it is not meant as one
$ printf 'a,y\n1,1\n2,0\n3,unknown\n' >odd.csv; lazylogit train odd.csv -o m -q --strict
! odd.csv: error: all labels are numbers but "unknown", which is a class of its own; leave its rows out, or correct them, if it is not meant as one
[1]
# No columns at all.
$ printf '\n\n' >blank.jsonl; lazylogit train blank.jsonl --target y -q -o m
! blank.jsonl:1:1: error: no column is called "y" (--target); there are no columns
[1]
# One is singular.
$ printf '1 1:2\n' >one.svm; lazylogit train one.svm -o m
! one.svm: error: only one class: the only row is of class "1", expected two or more classes
[1]
$ printf '1 x\n' | lazylogit train - --format libsvm --on-bad-row skip -q -o m
! <stdin>:1:3: warning: row skipped: found "x", expected index:value
! <stdin>: warning: 1 bad row skipped
! <stdin>: error: found no rows, 1 bad row was skipped; expected at least one
[1]
$ printf '1 1:1\n2 1:2\n' >two.svm; lazylogit train two.svm --optimizer sgd --epochs 1 -q -o m; lazylogit inspect m | grep -E '^(features|trained)'
features      1, 1 non-zero coefficient, intercept
trained       sgd on 2 examples: max_passes after 2 iterations, 1 pass
$ lazylogit train two.svm --holdout two.svm -o m 2>/dev/null | grep -E '^held'; head -1 two.svm >first.svm; lazylogit train two.svm --holdout first.svm -o m 2>/dev/null | grep -E '^held'; lazylogit check m | tail -2 | head -1
held out     2 rows, [..]
held out     1 row, [..]
file         whole: checksum, structure and content are right; 2 classes, 1 feature
