# Between formats and back: the same bytes.
$ lazylogit convert $DATA/pets.svm a.csv -q; head -2 a.csv
label,1,2
-1,3,4.1
$ lazylogit convert a.csv b.svm -q; lazylogit convert b.svm c.csv -q; cmp a.csv c.csv
# Every pair of formats that can carry the data, there and back.
$ for a in svm vw csv tsv jsonl npz; do lazylogit convert $DATA/pets.svm first.$a -q; done
$ for a in svm vw csv tsv jsonl npz; do for b in svm vw csv tsv jsonl npz; do lazylogit convert first.$a x.$b -q && lazylogit convert x.$b back.$a -q && cmp first.$a back.$a || echo "$a through $b"; done; done
$ for a in svm vw csv tsv jsonl npz; do lazylogit convert first.$a x.npy -q && lazylogit convert x.npy --labels x.labels.npy back.$a -q && cmp first.$a back.$a || echo "$a through npy"; done
$ lazylogit convert $DATA/pets.svm a.vw -q; head -1 a.vw
-1 | 1:3 2:4.1
$ lazylogit convert $DATA/pets.svm x.unknown
! error: option --to: the format of "x.unknown" cannot be told from its name; name it: libsvm, vw, csv, tsv, jsonl, npy, npz, cache
[2]
$ lazylogit convert $DATA/pets.svm x.txt --to text
! error: option --to: found "text", expected one of auto, libsvm, vw, csv, tsv, jsonl, npy, npz, cache
[2]
# The binary cache: the same model as from the text; --cache makes it, and knows when it is of other data.
$ lazylogit convert $DATA/pets.svm p.cache --quiet && lazylogit train $DATA/pets.svm -o a.m --quiet && lazylogit train p.cache -o b.m --quiet && cmp a.m b.m
$ lazylogit train $DATA/pets.csv --ignore name --cache t.cache -o a.m --quiet && lazylogit train $DATA/pets.csv --ignore name --cache t.cache -o b.m 2>&1 >/dev/null | grep cache; cmp a.m b.m
reading the cache "t.cache"
$ lazylogit train $DATA/pets.svm --cache t.cache -o b.m 2>&1 >/dev/null | grep cache
the cache "t.cache" is of other data or options; it is made again
$ head -c 200 p.cache >cut.cache; lazylogit train cut.cache -o none.m
! cut.cache: byte 200: error: the cache ends too early: it is cut off; make the cache again
[1]
$ lazylogit train p.cache --min-count 2 -o none.m
! error: option --min-count: the cache holds the features as it was made with; give it to convert
[2]
