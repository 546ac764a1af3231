# An option that the format of the data has no use for is refused, not ignored.
$ printf '1 1:2\n2 1:3\n' >t.svm; printf '2\n1\n' >labels; lazylogit train t.svm --labels labels -q -o m
! error: option --labels: the data is libsvm, the option is for npy, npz; if the format was guessed wrongly, name it with --format
[2]
$ lazylogit train t.svm --weight w -q -o m
! error: option --weight: the data is libsvm, the option is for csv, tsv, jsonl, npy, npz; if the format was guessed wrongly, name it with --format
[2]
$ printf 'x,y\n1,a\n2,b\n' >t.csv; lazylogit train t.csv --index-base 0 -q -o m
! error: option --index-base: the data is csv, the option is for libsvm, npy, npz; if the format was guessed wrongly, name it with --format
[2]
$ printf 'label\ttext\na\tgood day\nb\tbad day\n' >t.tsv; lazylogit train t.tsv --lowercase -q -o m; lazylogit predict m t.tsv --id label -q
! error: option --id: the data is text, the option is for vw, csv, tsv, jsonl, npy, npz; if the format was guessed wrongly, name it with --format
[2]
# Columns that are named make a table of documents that would be text otherwise.
$ lazylogit train t.tsv --target text -q -o m; lazylogit inspect m --coefficients | cut -d, -f1,2
class,feature
good day,label=a
good day,label=b
good day,(intercept)
# Labels for the training data are not those of another file.
$ lazylogit convert t.svm t.npy -q; lazylogit train t.npy --labels t.labels.npy --holdout t.npy -q -o m
! error: option --holdout: the labels of --labels are those of the training data, not of a held-out file; hold out a fraction, or use .npz files with labels of their own
[2]
# An option about texts in a table without any.
$ printf 'x,c,y\n1,u,a\n2,v,b\n' >none.csv; lazylogit train none.csv --ngrams 2 -q -o m
! none.csv: warning: no column holds text, so --ngrams changes nothing; --text NAME reads a column as text
$ lazylogit train none.csv --lowercase --strict -q -o m
! none.csv: error: no column holds text, so --lowercase changes nothing; --text NAME reads a column as text
[1]
# Nor is one that has no effect beside the others.
$ lazylogit train t.csv --prior uniform --scale-prior -q -o m
! error: option --scale-prior: the uniform prior leaves every coefficient free; leave it out
[2]
$ lazylogit train t.csv --prior uniform --prior-intercept -q -o m
! error: option --prior-intercept: the uniform prior leaves every coefficient free; leave it out
[2]
$ lazylogit train t.csv --stream --require-convergence -q -o m
! error: option --require-convergence: it has no meaning in a stream, which is read once; leave it out, or --stream
[2]
$ lazylogit train t.csv --on-bad-row skip --max-errors 5 -q -o m
! error: option --max-errors: bad rows are skipped, so that no error stops the run; --max-bad-rows says how many are too many
[2]
# Whether an option is out of place does not depend on its value.
$ for v in impute error; do lazylogit train t.svm --missing $v -q -o m; done
! error: option --missing: the data is libsvm, the option is for csv, tsv, jsonl; if the format was guessed wrongly, name it with --format
! error: option --missing: the data is libsvm, the option is for csv, tsv, jsonl; if the format was guessed wrongly, name it with --format
[2]
$ lazylogit train t.svm --ngrams 1 -q -o m
! error: option --ngrams: the data is libsvm, the option is for csv, tsv, jsonl, text; if the format was guessed wrongly, name it with --format
[2]
