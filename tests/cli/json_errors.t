# --json-errors: the same fields as one JSON object per line.
$ lazylogit train $DATA/pets.csv --varience 2 -o m --json-errors
! {"event":"error","kind":"usage","code":"unknown-option","message":"unknown option","file":null,"line":null,"column":null,"byte":null,"option":"varience","found":"\"varience\"","expected":null,"hint":"did you mean \"--variance\"?"}
[2]
$ printf '1 1:2\n0 1:x\n' >bad.svm; lazylogit train bad.svm -o m --json-errors
! {"event":"error","kind":"input","code":"bad-value","message":"found the value \"x\", expected a finite decimal number","file":"bad.svm","line":2,"column":5,"byte":null,"option":null,"found":"\"x\"","expected":"a finite decimal number","hint":null}
[1]
$ lazylogit train missing.csv -o m --json-errors
! {"event":"error","kind":"environment","code":"environment","message":"cannot open: No such file or directory","file":"missing.csv","line":null,"column":null,"byte":null,"option":null,"found":"cannot open: No such file or directory","expected":null,"hint":null}
[3]
$ printf '1 1:2\n1 1:3\n' >one.svm; lazylogit train one.svm -o m --json-errors
! {"event":"error","kind":"input","code":"one-class","message":"only one class: all 2 rows are of class \"1\", expected two or more classes","file":"one.svm","line":null,"column":null,"byte":null,"option":null,"found":"only one class: all 2 rows are of class \"1\"","expected":"two or more classes","hint":null}
[1]
# A line is never longer than 500 bytes: the longest texts are cut, the message first.
$ n=$(printf 'ö%.0s' $(seq 100)).csv; printf '%s,y\n1,u\n' $n >$n; lazylogit train $n --target z -o m --json-errors 2>&1 | tee line | wc -c | awk '{print $1 <= 501}'; grep -c '^{"event":"error",.*,"hint":.*}$' line
1
1
