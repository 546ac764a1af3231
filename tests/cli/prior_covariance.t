# A Gaussian prior under which coefficients are correlated.
$ printf 'a,b,y\n1,2,u\n2,1,v\n3,3,u\n2,4,v\n3,1,v\n1,1,u\n' >d.csv; printf 'feature,a,b\na,1,0.9\nb,0.9,1\n' >v.csv
$ lazylogit train d.csv --prior-covariance v.csv --posterior full -q -o m; lazylogit inspect m --coefficients | cut -c1-20
class,feature,coeffi
v,a,0.2888[..]
v,b,0.1792[..]
v,(intercept),-0.9[..]
$ lazylogit train d.csv -q -o plain; lazylogit inspect plain --coefficients | cut -c1-20
class,feature,coeffi
v,a,0.5104[..]
v,b,-0.0422[..]
v,(intercept),-0.[..]
$ lazylogit check m d.csv -q | grep -c "relative gap"
3
$ lazylogit outliers m d.csv -q --top 1 | wc -l
2
$ lazylogit train d.csv --prior-covariance v.csv --optimizer sgd -q -o n
! error: option --optimizer: optimizer "sgd" needs a prior of each coefficient by itself; a prior covariance ties them together. Use lbfgs, newton, irls, lm, bfgs, cg or gd
[2]
$ lazylogit train d.csv --prior-covariance v.csv --prior laplace -q -o n
! error: option --prior-covariance: a covariance belongs to the gaussian prior; this one is laplace
[2]
$ lazylogit train d.csv --prior-covariance v.csv --posterior low-rank -q -o n
! error: option --posterior: low-rank takes each coefficient's prior by itself, which --prior-covariance does not; take full or diagonal
[2]
$ lazylogit train d.csv --prior-covariance absent.csv -q -o n
! absent.csv: error: cannot be opened: No such file or directory
[3]
$ printf 'feature,a,b\na,1,0.9\nb,0.8,1\n' >w.csv; lazylogit train d.csv --prior-covariance w.csv -q -o n
! w.csv:3:3: error: the covariance of "b" and "a" is 0.8, but 0.9 in line 2; expected a symmetric matrix
[1]
$ printf 'feature,a,b\na,1,2\nb,2,1\n' >w.csv; lazylogit train d.csv --prior-covariance w.csv -q -o n
! w.csv:1:11: error: the matrix is not positive definite: "b" has no variance left, or less than none, given the features before it; expected a covariance matrix
[1]
$ printf 'feature,a,b\nb,1,0\na,0,1\n' >w.csv; lazylogit train d.csv --prior-covariance w.csv -q -o n
! w.csv:2:1: error: found "b", expected "a": lines come in the order of the columns
[1]
$ printf 'feature,a,b\na,1,0\n' >w.csv; lazylogit train d.csv --prior-covariance w.csv -q -o n
! w.csv:2:1: error: found 1 line after the header, expected 2, one for each feature
[1]
$ printf 'feature,a,b\na,1,zero\nb,0,1\n' >w.csv; lazylogit train d.csv --prior-covariance w.csv -q -o n
! w.csv:2:5: error: [..]"zero"[..]
[1]
$ printf 'feature,a,a\na,1,0\na,0,1\n' >w.csv; lazylogit train d.csv --prior-covariance w.csv -q -o n
! w.csv:1:11: error: the feature "a" is named twice
[1]
$ printf 'a,b\n1,0\n' >w.csv; lazylogit train d.csv --prior-covariance w.csv -q -o n
! w.csv:1:1: error: the header does not begin with "feature" and a name; expected feature,NAME,NAME,… and a line per name
[1]
$ printf 'feature,a,c\na,2,0.5\nc,0.5,1\n' >w.csv; lazylogit train d.csv --prior-covariance w.csv -q -o n
! w.csv:1:11: warning: the data has no feature "c"; the line has no effect[..]
$ printf 'feature,class,mean,variance\na,*,0,0\n' >pin.csv; lazylogit train d.csv --prior-covariance v.csv --prior-file pin.csv -q -o n
! v.csv:1:9: error: "a" is pinned to its mean by the prior file, and has no variance
[1]
$ printf 'feature,(intercept),b\n(intercept),4,0.5\nb,0.5,1\n' >w.csv; lazylogit train d.csv --prior-covariance w.csv --standardize center -q -o n; lazylogit check n d.csv -q | tail -1
optimum      yes: the asked relative gap is 1e-06
$ lazylogit compare d.csv --prior-covariance v.csv -q | grep -c -E "sgd|coordinate"
0
[1]
