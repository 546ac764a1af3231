#!/usr/bin/env bash
# The demo: 77 kinds of questions to a bank, from a text file to an explained decision. Needs build/lazylogit.
set -eu
cd "$(dirname "$0")/.."
program=build/lazylogit
data=examples/data
out=build/demo
model=$out/banking77.safetensors
mkdir -p "$out"

show() {  # prints a command as a person would type it, then runs it
  printf '\n\033[1m$ %s\033[0m\n' "${*/#$program/lazylogit}" | sed "$strip"
  "$@"
}
strip=; [ -t 1 ] || strip='s/\x1b\[[0-9;]*m//g'

show $program train $data/banking77-train.tsv.zst --lowercase --ngrams 2 --tfidf --variance 10 -o $model
show $program evaluate $model $data/banking77-test.tsv.zst -o $out/evaluation.txt
awk -v RS= -v ORS='\n\n' 'NR == 1 || /^worst confusions/' $out/evaluation.txt  # not the tables of 77 classes
echo "(each class and the calibration: $out/evaluation.txt)"
show $program inspect $model --class card_arrival,exchange_rate,pin_blocked --top 8
echo "My card has still not come, it was ordered two weeks ago" >$out/question.txt
printf '\n(%s holds one question: %s)\n' "$out/question.txt" "$(cat $out/question.txt)"
show $program predict $model $out/question.txt --explain
printf '\nThe model is in %s (a safetensors file). Try your own: build/lazylogit train YOUR.csv -o model.safetensors\n' "$model"
