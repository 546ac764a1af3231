# --quiet says nothing but warnings; --log json one JSON object per event.
$ lazylogit train $DATA/pets.csv --ignore name -o m --quiet
$ lazylogit predict m $DATA/pets.csv --quiet | wc -l
11
$ lazylogit train $DATA/pets.csv --ignore name -o m --log json 2>&1 >/dev/null | head -1
{"event":"notice","message":"label column: \"kind\", the last one (--target chooses another)"}
