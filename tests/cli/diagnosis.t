# What a column gives away, and what leaves coefficients undetermined, is named.
$ printf 'size,copy,y\n1,yes,a\n2,no,b\n3,yes,a\n1,no,b\n2,yes,a\n3,no,b\n1,yes,a\n2,no,b\n' >c.csv; lazylogit train c.csv -q -o m
! warning: "copy" alone tells the class of every row: the label in another form?; --ignore leaves a column out
! ...
