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
! 3 bad rows skipped
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
# Rows left out because of missing values are counted.
$ printf 'x,z,y\n1,1,a\n,1,b\n3,2,b\n2,?,a\n4,1,a\n' >holes.csv; lazylogit train holes.csv --target y --missing drop-row -o m5 2>&1 | grep -E '^rows|left out'
2 rows with missing values left out
rows         3
