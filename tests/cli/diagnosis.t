# What a column gives away, and what leaves coefficients undetermined, is named.
$ printf 'size,copy,y\n1,yes,a\n2,no,b\n3,yes,a\n1,no,b\n2,yes,a\n3,no,b\n1,yes,a\n2,no,b\n' >c.csv; lazylogit train c.csv -q -o m
! c.csv: warning: "copy" alone tells the class of every row: the label in another form?; --ignore leaves a column out
! ...
# A numeric copy and one of several classes; chance in a few rows is not mentioned.
$ printf 'code,x,y\n5,1,a\n7,2,b\n9,1,c\n5,3,a\n7,1,b\n9,2,c\n5,2,a\n7,3,b\n9,3,c\n' >n.csv; lazylogit train n.csv -q -o m
! n.csv: warning: "code" alone tells the class of every row: the label in another form?; --ignore leaves a column out
$ head -5 n.csv >few.csv; lazylogit train few.csv -q -o m
$ lazylogit train n.csv --ignore code -q -o m
# A class of three rows is named; a fold without it is said.
$ for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo "$i,a"; echo "$((i+3)),b"; done | sed '1i x,y' >r.csv; printf '4,c\n9,c\n2,c\n' >>r.csv; lazylogit train r.csv -o m 2>&1 >/dev/null | grep classes
classes of fewer than five rows, whose coefficients rest on these alone: "c" (3)
$ lazylogit tune r.csv --values 1 -o m 2>&1 >/dev/null | grep folds
class "c" has 3 rows: some folds hold out none of it
# Without columns features are named.
$ printf '1 1:1 9:1\n0 2:1 9:1\n1 3:1 9:1\n0 1:2 9:1\n' >d.svm; lazylogit train d.svm -o m 2>&1 >/dev/null | grep same
the same in every row, as the intercept is: "9"
# What is in a format's power is advised, and once: libsvm has no --ignore.
$ printf '1 1:1 2:2 9:1\n0 1:2 2:4 9:1\n1 1:3 2:6 9:1\n0 1:1 2:2 9:1\n1 1:2 2:4 9:1\n' >d.svm; lazylogit train d.svm --prior uniform --optimizer gd --max-passes 4 -q -o m 2>all; lazylogit train d.svm --prior uniform --optimizer gd --max-passes 4 -o m 2>&1 >/dev/null | grep '"9"\|collinear'
the same in every row, as the intercept is: "9"
collinear features: "2" is a multiple of "1"; without a prior their coefficients are not determined: leave some out of the data, or use --prior gaussian
