# Every command has help with examples; the program lists its commands.
$ lazylogit --help | head -23
lazylogit 0.1.0: logistic regression on sparse, large, real data
Usage: lazylogit COMMAND [options] …
Commands:
  train     DATA… -o MODEL          fit a model
  predict   MODEL DATA…             classify: labels and probabilities
  evaluate  MODEL DATA…             accuracy, log loss, calibration, confusion matrix …
  inspect   MODEL                   what the model learned and how it was trained
  check     MODEL [DATA…]           is the file whole? is this the optimum?
  tune      DATA… -o MODEL          choose the width of the prior, then fit the model
  outliers  MODEL DATA…             rows that the model finds improbable when they are left out
  compare   DATA…                   run several optimizers, show time and passes to each precision
  convert   IN OUT                  between data formats, and to the binary cache
DATA is files, globs, or - for standard input; gzip and zstd are recognised by content. Formats: libsvm, vw,
csv, tsv, jsonl, text, npy, npz. MODEL and the files that options read may be -, too, but only one of all.
A first model:
  lazylogit train data.csv -o model.safetensors
  lazylogit predict model.safetensors new.csv
lazylogit COMMAND --help shows the options of a command, with examples. Also:





$ lazylogit predict --help | head -24
lazylogit predict: classify: labels and probabilities
Usage: lazylogit predict [options] MODEL DATA…
Writes one record per row of DATA, in input order, to standard output or to a file: the predicted
class and its probability. Rows are read as the model's training data was; a label column may be
absent. Features that the model does not know are ignored and counted.
Examples:
  lazylogit predict model.safetensors new.csv
      CSV with the columns prediction and probability
  lazylogit predict model.safetensors new.csv --id customer --proba -o scores.csv
      with the column customer first and the probability of every class
  lazylogit predict model.safetensors mails.tsv --explain=3 --output jsonl
      JSON lines with the three features that decided each row
  lazylogit predict model.safetensors new.csv --threshold 0.9
      leave rows below 90 % undecided
  lazylogit predict model.safetensors new.csv --intervals --predictive probit
      with 90 % bounds of each probability, from a model trained with --posterior
  lazylogit predict model.safetensors new.csv --set 0.9
      the classes among which the true one is in 90 % of the rows, from a model trained with
      --holdout
Output:





$ for c in train predict evaluate inspect check convert outliers tune compare; do lazylogit $c --help | grep -c "^  lazylogit $c"; done
6
6
3
4
3
4
3
5
3
$ diff <(lazylogit help inspect) <(lazylogit inspect --help)
$ lazylogit --version
lazylogit [..]
compiler: [..]
SIMD target: [..]
features: [..]
$ lazylogit --man | head -3
.TH LAZYLOGIT 1 "" "lazylogit 0.1.0" "User Commands"
.SH NAME
lazylogit \- logistic regression on sparse, large, real data
$ lazylogit --completions bash | bash -n && lazylogit --completions bash | tail -1
complete -o filenames -F _lazylogit lazylogit
