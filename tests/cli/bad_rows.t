# A bad row has a place; --max-errors shows more of them; --on-bad-row skip goes on.
$ printf '1 1:2\n0 1:x\n1 3\n0 0:1\n1 1:1\n0 1:3\n' >bad.svm
$ lazylogit train bad.svm -o m
! bad.svm:2:5: error: found the value "x", expected a finite decimal number
[1]
$ lazylogit train bad.svm -o m --max-errors 3
! bad.svm:2:5: error: found the value "x", expected a finite decimal number
! bad.svm:3:3: error: found "3", expected index:value
! bad.svm:4:3: error: found the index "0", expected an integer from 1 to 4294967295; if indices start at 0, use --index-base 0
[1]
$ lazylogit train bad.svm -o m --on-bad-row skip | head -2
model        m
rows         3
! bad.svm:2:5: warning: row skipped: found the value "x", expected a finite decimal number
! bad.svm:3:3: warning: row skipped: found "3", expected index:value
! bad.svm:4:3: warning: row skipped: found the index "0", expected an integer from 1 to 4294967295; if indices start at 0, use --index-base 0
! bad.svm: warning: 3 bad rows skipped
! optimizer: newton, because [..]
$ lazylogit train bad.svm -o m2 --on-bad-row skip --max-bad-rows 2
! bad.svm:2:5: warning: row skipped: found the value "x", expected a finite decimal number
! bad.svm:3:3: warning: row skipped: found "3", expected index:value
! bad.svm:4:3: warning: row skipped: found the index "0", expected an integer from 1 to 4294967295; if indices start at 0, use --index-base 0
! bad.svm:4:3: error: more than 2 bad rows; this one: found the index "0", expected an integer from 1 to 4294967295; see --max-bad-rows
[1]
$ ls
bad.svm
m
# Rows whose label is missing are not learned from; the message says how to go on without them.
$ printf 'x,y\n1,a\n2,NA\n3,b\n' >unlabelled.csv; lazylogit train unlabelled.csv --target y -q -o m4
! unlabelled.csv:3:3: error: column "y": found "NA", expected a label: a row without one cannot be learned from or judged; --on-bad-row skip leaves such rows out
[1]
$ lazylogit train unlabelled.csv --target y -q --on-bad-row skip -o m4
! unlabelled.csv:3:3: warning: row skipped: column "y": found "NA", expected a label: a row without one cannot be learned from or judged
! unlabelled.csv: warning: 1 bad row skipped
# The first few places and the total are warnings: --quiet shows them, and so does JSON.
$ (yes '1 1:x' | head -100; echo '1 1:1'; echo '0 1:2') >many.svm; lazylogit train many.svm -q --on-bad-row skip -o w
! many.svm:1:5: warning: row skipped: found the value "x", expected a finite decimal number
! many.svm:2:5: warning: row skipped: found the value "x", expected a finite decimal number
! many.svm:3:5: warning: row skipped: found the value "x", expected a finite decimal number
! many.svm:4:5: warning: row skipped: found the value "x", expected a finite decimal number
! many.svm:5:5: warning: row skipped: found the value "x", expected a finite decimal number
! many.svm: warning: 100 bad rows skipped, the first 5 named above
$ for format in json text; do cp many.svm more.svm; lazylogit train many.svm more.svm -q --json-errors --log $format --on-bad-row skip -o w 2>&1 | tail -1 | cut -c1-117; done
{"event":"warning","kind":"input","code":"bad-rows-skipped","message":"200 bad rows skipped, the first 5 named above"
{"event":"warning","kind":"input","code":"bad-rows-skipped","message":"200 bad rows skipped, the first 5 named above"
$ (echo x,y; yes u,a | head -50; echo 1,a,b; echo v,b; echo u,b) >wide.csv; lazylogit train wide.csv -q --on-bad-row skip -o w
! wide.csv:52:5: warning: row skipped: found 3 fields, expected 2; a field that holds comma is put in quotes
! wide.csv: warning: 1 bad row skipped
$ lazylogit evaluate w wide.csv -q --on-bad-row skip | head -1
! wide.csv:52:5: warning: row skipped: found 3 fields, expected 2; a field that holds comma is put in quotes
! wide.csv: warning: 1 bad row skipped
rows                        52
# Keys of a row that is skipped are no columns: neither of the model, where bytes that are no UTF-8 cannot be, nor its label.
$ printf '{"x":1,"y":0}\n{"x\x82":1,"y":1}\n{"x":2,"y":1}}\n{"x":3,"y":1}\n' >keys.jsonl; lazylogit train keys.jsonl --on-bad-row skip -q -o w; lazylogit inspect w --json | grep -c '"x'
! keys.jsonl:2:4: warning: row skipped: found "\x82", which is not valid UTF-8; expected UTF-8 text; text from Windows becomes UTF-8 with iconv -f WINDOWS-1252 -t UTF-8
! keys.jsonl:3:14: warning: row skipped: found "}" after the end of the object, expected the end of the line
! keys.jsonl: warning: 2 bad rows skipped
1
# Of warnings of one kind five are shown, then their number.
$ for i in 1 2 3 4 5 6 7; do printf "c$i,"; done >mixed.csv; echo y >>mixed.csv; for row in 1,1,1,1,1,1,1,a 2,2,2,2,2,2,2,b 3,3,3,3,3,3,3,a x,x,x,x,x,x,x,b; do echo $row; done >>mixed.csv
$ lazylogit train mixed.csv -q -o w 2>&1 | tail -1
warning: 2 more warnings like these
$ lazylogit train mixed.csv -q -o w --json-errors 2>&1 | tail -1
{"event":"warning","kind":"input","code":"mixed-column","message":"2 more warnings like these","file":null,"line":null,"column":null,"byte":null,"option":null,"found":null,"expected":null,"hint":null,"count":2}
# Labels that the model does not know are named, also quietly.
$ printf 'x,y\n1,a\n2,b\n3,a\n' >seen.csv; printf 'x,y\n1,a\n2,new\n3,new\n4,other\n' >unseen.csv; lazylogit train seen.csv -q -o w
$ lazylogit evaluate w unseen.csv -q --json | grep -A1 -E '"(rows|unknown_labels)"'
! unseen.csv: warning: labels unknown to the model count as wrong: "new", "other" (3 rows)
  "rows": 4,
  "unknown_labels": 3,
  "weight": 4.0
# Rows left out because of missing values are counted.
$ printf 'x,z,y\n1,1,a\n,1,b\n3,2,b\n2,?,a\n4,1,a\n' >holes.csv; lazylogit train holes.csv --target y --missing drop-row -o m5 2>&1 | grep -E '^rows|left out'
2 rows with missing values left out
rows         3
