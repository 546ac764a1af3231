# Files as people have them: what is read otherwise than its name says, and errors that name what would work.
$ printf '1 1:2 2:1\n2 1:3\n1 1:1\n2 2:3\n' >a.txt; lazylogit train a.txt -o m --optimizer newton 2>&1 | head -1; lazylogit predict m a.txt -q | head -1
a.txt is read as libsvm, which its content looks like (--format chooses another format)
prediction,probability
$ printf 'x,z,y\n1,3,a\n2,4,b\n3,1,a\n' >a.svm; lazylogit train a.svm -q -o m
! a.svm:1:1: error: found several labels "x,z,y", expected one label; the content looks like csv: --format csv
[1]
$ cp a.svm a.jsonl; lazylogit train a.jsonl -q -o m
! a.jsonl:1:1: error: found "x", expected a JSON value; the content looks like csv: --format csv
[1]
$ lazylogit train a.svm --format vw -q -o m
! a.svm:1:1: error: no bar in the line "x,z,y"; expected [label [importance [base]]] ['tag]| features; the content looks like csv: --format csv
[1]
$ cp a.txt a.csv; lazylogit train a.csv -q -o m
! a.csv:1:1: error: found a single column "1 1:2 2:1", expected fields separated by comma; the content looks like libsvm: --format libsvm
[1]
$ lazylogit train a.txt --format text -q -o m
! a.txt:1:1: error: no tab in the line "1 1:2 2:1", expected a label, a tab and the text; the content looks like libsvm: --format libsvm
[1]
$ printf 'good day\nbad day\n' >prose.txt; lazylogit train prose.txt -q -o m
! prose.txt:1:1: error: no tab in the line "good day", expected a label, a tab and the text; --format names another format
[1]
# What pandas and R write: an unnamed column of row numbers is no feature.
$ printf ',x,y\n0,1,a\n1,2,b\n2,1,a\n3,2,b\n' >pandas.csv; lazylogit train pandas.csv -o m 2>&1 | grep 'column 1'; lazylogit inspect m --coefficients | cut -d, -f2
column 1 has no name: it is taken for the names of rows, not for a feature (--id "#1" passes them through)
feature
x
(intercept)
$ lazylogit predict m pandas.csv --id '#1' -q | cut -d, -f1,2 | tail -n +2
0,a
1,b
2,a
3,b
# Blanks belong to names.
$ printf 'x, y\n1, a\n2, b\n' >b.csv; lazylogit train b.csv --target y -q -o m
! b.csv:1:1: warning: most names of columns begin with a blank, which is part of the name: " y"; take out the blanks after the delimiters, or name columns with them
! b.csv:1:1: error: no column is called "y" (--target); the columns are "x", " y"; did you mean " y"?
[1]
$ printf 'x,y\n1, a\n2, b\n' >c.csv; lazylogit train c.csv --target y -q -o m
! c.csv: warning: most labels begin with a blank, which is part of the label: " a"; take out the blanks after the delimiters if they are not meant
# Tables called .txt are not taken for documents, of which the first column would be the label.
$ printf 'age\tjob\ty\n30\ta\tno\n40\tb\tyes\n31\tb\tno\n' >t.txt; lazylogit train t.txt -q -o t
! t.txt: error: the content could be a table of 3 columns or, as the name says, documents with labels; --format tsv reads columns, --format text reads label<TAB>text
[1]
$ lazylogit train t.txt --format tsv -q -o t; lazylogit predict t t.txt -q | head -1
prediction,probability
# Texts and identifiers are no classes.
$ for i in $(seq 1 30); do printf "good film number $i\t$((i % 2))\n"; done >swapped.txt; lazylogit train swapped.txt -q -o s
! swapped.txt: warning: the labels are 30 different names in 30 rows, each of them a class: identifiers, or texts?; expected label<TAB>text
$ (echo x,name; for i in $(seq 1 30); do echo $((i % 7)),n$i; done) >names.csv; lazylogit train names.csv -q --strict -o s
! names.csv: error: the labels are 30 different names in 30 rows, each of them a class: identifiers, or texts?; --target chooses another column
[1]
# Quotes in a tsv file.
$ printf '"y"\t"x"\t"z"\n"a"\t1\t2\n"b"\t2\t1\n' >r.tsv; lazylogit train r.tsv --target '"y"' -q -o r
! r.tsv:1:1: warning: all names of columns are in quotes, which are part of the names: ""y""; --quote takes quotes off names and values
$ lazylogit train r.tsv --quote -q -o r; lazylogit inspect r | grep '^classes'
classes       2: a, b
# What R's write.table writes, and what spreadsheets put at the ends of rows and above the table.
$ printf '"x","y"\n"1",1,"a"\n"2",2,"b"\n' >r.csv; lazylogit train r.csv -q -o r
! r.csv:2:7: error: found 3 fields, expected 2; a field that holds comma is put in quotes; numbers of rows need a name in the header, too, if only an empty one (R: col.names = NA), or are left out (row.names = FALSE)
[1]
$ printf 'x,y\n1,a,\n2,b,\n' >end.csv; lazylogit train end.csv -q -o r
! end.csv:2:5: error: found 3 fields, expected 2; the row ends in a comma that the header does not have
[1]
$ printf '# made by a tool\nx,y\n1,a\n2,b\n' >title.csv; lazylogit train title.csv -q -o r
! title.csv:1:1: error: found a single column "# made by a tool", expected fields separated by comma; the first line must hold the names of the columns: take out what is above them
[1]
$ printf 'A11 6 1\nA12 48 2\n' >german.data; lazylogit train german.data -q -o r
! german.data: error: the format cannot be told from the name or the content; name it with --format; fields between single blanks are --format csv --delimiter ' '
[1]
$ printf '\nx,y\n1,a\n2,b\n' >blank.csv; lazylogit train blank.csv -q -o r
! blank.csv:1:1: error: the line is blank, expected a header with a name for each column; delete the blank lines above the table
[1]
$ printf '6 1.5 1\n48 2.5 2\n' >savetxt.txt; lazylogit train savetxt.txt -q -o r
! savetxt.txt:1:1: error: no tab in the line "6 1.5 1", expected a label, a tab and the text; fields between single blanks are --format csv --delimiter ' '
[1]
$ lazylogit train german.data --format csv --delimiter ' ' --no-header -q -o r
$ printf 'Unnamed: 0,x,y\n0,1,Yes\n1,2,No\n2,1,yes\n' >again.csv; lazylogit train again.csv -q -o r
! again.csv:1:1: warning: column "Unnamed: 0" is a feature: the numbers of rows, as pandas calls them?; --ignore leaves it out
! again.csv: warning: the labels "Yes" and "yes" differ in upper and lower case alone and are two classes; write them alike if they are meant as one
$ lazylogit train again.csv --ignore 'Unnamed: 0' -q -o r
! again.csv: warning: the labels "Yes" and "yes" differ in upper and lower case alone and are two classes; write them alike if they are meant as one
# Quantities that are written as text.
$ (echo rate,day,y; for i in $(seq 1 12); do echo "$i.5%,2024-01-$((i + 10)),$((i % 2))"; done) >units.csv; lazylogit train units.csv -q -o r 2>&1 | grep 'line 2'
units.csv: warning: column "rate" holds numbers with "%" (line 2: "1.5%"); each of its values is a category; numbers alone are read as a quantity; --categorical says that they are names
units.csv: warning: column "day" holds dates (line 2: "2024-01-11"); each of its values is a category; --ignore leaves it out; a number, such as days since another, can be learned from
$ (echo review,y; echo '$5,1'; for i in $(seq 1 12); do echo "good film $i,$((i % 2))"; done) >film.csv; lazylogit train film.csv -q -o r 2>&1 | grep -c 'numbers with'
0
[1]
$ lazylogit train units.csv --categorical rate --ignore day -q -o r 2>&1 | grep 'line 2'
[1]
$ (echo x,y; echo N/A,0; for i in $(seq 1 5); do echo $i,$((i % 2)); done) >na.csv; lazylogit train na.csv -q -o r
! na.csv: warning: column "x" mixes numbers and text (line 2: "N/A"); its values are read as names; --categorical says that they are; what is missing is an empty cell, NA, NaN, null or ?
# Bytes that are no UTF-8 are so in every format.
$ printf 'caf\xe9\t1\nth\xe9\t2\n' >latin.svm; lazylogit train latin.svm -q -o r
! latin.svm:1:4: error: found "\xe9", which is not valid UTF-8; expected UTF-8 text; text from Windows becomes UTF-8 with iconv -f WINDOWS-1252 -t UTF-8
[1]
# JSON as Python writes it.
$ printf '{"x":NaN,"y":1}\n{"x":2,"y":0}\n' >nan.jsonl; lazylogit train nan.jsonl -q -o r
! nan.jsonl:1:6: error: found "NaN", expected a JSON value; null says that a value is missing
[1]
$ printf '[{"x":1,"y":1},\n{"x":2,"y":0}]\n' >all.json; lazylogit train all.json -q -o r
! all.json:1:1: error: found an array, expected one object in each line
[1]
# A label type of Vowpal Wabbit that is not supported makes the file no table.
$ printf '1:2:0.4 | a b\n2:1:0.5 | a c\n' >cb.vw; lazylogit train cb.vw -q -o r
! cb.vw:1:1: error: label "1:2:0.4" is of the contextual bandit type, which is not supported; expected one class
[1]
# Held-out data that is trained on.
$ printf 'x,y\n1,a\n2,b\n3,a\n' >h.csv; ln h.csv h2.csv; lazylogit train h.csv --holdout h2.csv -q -o r
! h2.csv: warning: the held-out data is trained on, too: its scores say nothing about new rows; --holdout 0.2 keeps rows out
# A quantity is no class.
$ (echo x,y; for i in $(seq 1 40); do echo $i,$((i * 7919 % 1000)).5; done) >q.csv; lazylogit train q.csv -q -o m
! q.csv: warning: the labels are 40 different numbers in 40 rows, each of them a class: a quantity?; --loss squared predicts a number
$ lazylogit train q.csv --loss squared --strict -q -o m
# A warning about all of several files names none.
$ cp q.csv q2.csv; lazylogit train q.csv q2.csv -q -o m
! warning: the labels are 40 different numbers in 80 rows, each of them a class: a quantity?; --loss squared predicts a number
# JSON lines that are not about the model's columns.
$ lazylogit train a.svm --format csv -q -o m; printf '{"X":1,"Z":3,"label":"a"}\n{"X":2,"Z":4,"label":"b"}\n' >t.jsonl; lazylogit predict m t.jsonl -q -o p; ls p
! t.jsonl: error: no row has a column of the model: found the keys "X", "Z", "label", expected "x", "z"; is "X" meant to be "x"? null says that a value is missing
! ls: cannot access 'p': No such file or directory
[2]
$ printf '{"x":1,"Z":3}\n' >t.jsonl; lazylogit predict m t.jsonl -q --strict
! t.jsonl: error: no row has a value for "z", a column of the model; the mean of the training data stands for it; is "Z" meant to be "z"?
[1]
# Long names leave room for the advice.
$ k=$(printf 'n%.0s' $(seq 1 60)); (for i in 1 2 3 4 5 6 7 8; do printf "$k$i,"; done; echo label; echo 1,2,3,4,5,6,7,8,a; echo 2,2,3,1,5,6,7,8,b) >long.csv; lazylogit train long.csv --target lable -q -o m
! long.csv:1:1: error: no column is called "lable" (--target); the columns are "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...", "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...", "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn..." and 6 more; did you mean "label"?
[1]
# A column that the model uses has no second role.
$ lazylogit predict m a.svm --format csv --offset x -q
! error: option --offset: column "x" is a feature of the model
[2]
# Classes that are none.
$ lazylogit inspect m --class zz; lazylogit train a.svm --format csv --reference c -q -o m
! error: option --class: the model has no class "zz", expected "a" or "b"
! error: option --reference: the data has no class "c", expected "a" or "b"
[2]
