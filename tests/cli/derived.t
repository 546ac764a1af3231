# Features computed from columns: named after them, kept in the model, applied at prediction.
$ printf 'age,job,y\n20,cook,a\n30,smith,b\n41,cook,b\n35,cook,a\n' >p.csv; lazylogit train p.csv --interactions 'age*job' --log age -q -o m; lazylogit inspect m --coefficients | cut -d, -f2
feature
age
job=cook
job=smith
log(age)
age*job=cook
age*job=smith
(intercept)
$ printf 'age,job,age*job=cook,age*job=smith,y\n20,cook,20,0,a\n30,smith,0,30,b\n41,cook,41,0,b\n35,cook,35,0,a\n' >byhand.csv; lazylogit train byhand.csv -q -o h --gap 1e-12; lazylogit train p.csv --interactions 'age*job' -q -o m --gap 1e-12; lazylogit predict m p.csv -q | cut -c1-12 >a; lazylogit predict h byhand.csv -q | cut -c1-12 | diff a -
$ lazylogit check m p.csv -q | tail -1
optimum      yes: the asked relative gap is 1e-06
$ lazylogit train p.csv --interactions 'age*job' --polynomial 2 --log age --bins age=2 --normalize l2 -q -o n; lazylogit inspect n | sed -n 4,5p
input         columns, label in y, 2 columns
derived       age*job, products to degree 2, log(age), 2 bins of age, rows of l2 norm 1
# Hashed, streamed.
$ lazylogit train p.csv --interactions 'age*job' --hash-bits 20 -q -o h --gap 1e-12; lazylogit predict h p.csv -q | cut -c1-12 | diff a -
$ lazylogit train p.csv --stream --polynomial 2 --normalize l2 -q -o s; lazylogit inspect s --coefficients | cut -d, -f2 | head -4; lazylogit predict s p.csv -q | wc -l
feature
age
job=cook
age^2
5
# The two meanings of --log do not get in each other's way.
$ lazylogit train p.csv --log json --log age -o m 2>e >/dev/null; head -1 e; lazylogit inspect m --coefficients | grep -c 'log(age)'
{"event":"notice","message":"label column: \"y\" (--target chooses another)"}
1
$ lazylogit predict m p.csv --log age
! error: option --log: found "age", expected one of text, json
[2]
# A product that never occurs is a mistake.
$ lazylogit train p.csv --interactions 'job*job' -q -o m
! p.csv: warning: no row has two of the features that are to be multiplied, so no product was made; a category with itself makes none
# Folds of tune derive and standardize too.
$ for i in 1 2 3 4 5 6; do tail -n 4 p.csv; done | sed '1i age,job,y' >t.csv; lazylogit tune t.csv --interactions 'age*job' --standardize center --prior-intercept --values 0.1,1 -q -o m; lazylogit inspect m --coefficients | tail -2 | cut -d, -f2
age*job=smith
(intercept)
# Names that are not there, columns that do not fit.
$ lazylogit train p.csv --interactions 'age*jbo' -q -o m
! p.csv:1:1: error: no column is called "jbo" (--interactions); the columns are "age", "job", "y"; did you mean "job"?
[1]
$ lazylogit train p.csv --bins aeg=3 -q -o m
! p.csv:1:1: error: no column is called "aeg" (--bins); the columns are "age", "job", "y"; did you mean "age"?
[1]
$ lazylogit train p.csv --bins job=3 -q -o m
! error: option --bins: column "job" holds categories, expected a column of numbers
[2]
$ printf 'age,job,y\n20,cook,a\n0,smith,b\n' >z.csv; lazylogit train z.csv --log age -q -o m
! z.csv:3:1: error: column "age": found "0", expected a number above 0, which has a logarithm (--log); --log1p takes ln(1 + x), for counts
[1]
$ lazylogit train p.csv --stream --bins age=3 -q -o m
! error: option --bins: quantiles are known only after the last row; train on the first rows without --stream, then go on with --warm-start
[2]
$ printf '1 1:2\n2 1:3\n' >t.svm; lazylogit train t.svm --log 1 -q -o m
! error: option --log: the data is libsvm, the option is for csv, tsv, jsonl, cache; if the format was guessed wrongly, name it with --format
[2]
# Products are counted before they are made.
$ python3 -c "
> print(','.join(f'c{i}' for i in range(50)) + ',y')
> for j in range(20): print(','.join(f'0.{i + j + 1}' for i in range(50)) + f',{j % 2}')" >wide.csv; lazylogit train wide.csv --polynomial 8 -q -o m
! wide.csv: error: row 1 has more than 16777216 products of its features, which is the limit; see --max-row-features
[3]
$ lazylogit train wide.csv --polynomial 4 --max-memory 50M -q -o m
! wide.csv: error: the data with its derived features needs more than 52428800 bytes of memory, which is the limit; see --max-memory
[3]
