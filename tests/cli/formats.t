# Every format trains, predicts and evaluates; the same table gives the same error in each.
$ for f in libsvm vw csv tsv jsonl npz; do lazylogit convert $DATA/pets.svm pets.$f --to $f -q; lazylogit train pets.$f --format $f -q -o $f.m && lazylogit predict $f.m pets.$f --format $f -q | cut -d, -f1 | tail -2 | paste -s; done
-1	1
-1	1
-1	1
-1	1
-1	1
-1	1
$ for f in libsvm vw csv tsv jsonl npz; do lazylogit evaluate $f.m pets.$f --format $f -q | grep '^accuracy'; done | sort | uniq -c | tr -s ' '
 6 accuracy 1
# Labelled documents.
$ printf 'spam\tbuy cheap pills now\nham\tsee you at lunch\nspam\tcheap loans now\nham\tlunch was good, thank you\n' >mail.txt
$ lazylogit train mail.txt --format text --lowercase --ngrams 2 -q -o text.m && lazylogit inspect text.m --top 1 | tail -4 | head -2
spam against ham
[..]  cheap
$ echo 'Cheap CHEAP pills' | lazylogit predict text.m - --format text -q | cut -d, -f1
prediction
spam
