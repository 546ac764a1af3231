# Between formats and back: the same bytes.
$ lazylogit convert $DATA/pets.svm a.csv -q; head -2 a.csv
label,1,2
-1,3,4.1
$ lazylogit convert a.csv b.svm -q; lazylogit convert b.svm c.csv -q; cmp a.csv c.csv
$ lazylogit convert $DATA/pets.svm a.vw -q; head -1 a.vw
-1 | 1:3 2:4.1
$ lazylogit convert $DATA/pets.svm x.unknown
! error: option --to: the format of "x.unknown" cannot be told from its name; name it: libsvm, vw, csv, tsv, jsonl, npy, npz
[2]
$ lazylogit convert $DATA/pets.svm x.txt --to text
! error: option --to: found "text", expected one of auto, libsvm, vw, csv, tsv, jsonl, npy, npz
[2]
