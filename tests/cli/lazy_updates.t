# Steps of the prior, and when they are refused.
$ awk 'BEGIN { srand(5); for (j = 0; j < 300; ++j) { a = int(rand() * 40) + 1; b = a + 1 + int(rand() * 40); print (rand() < (a % 3 == 0 ? 0.8 : 0.3)) ? "yes" : "no", a ":" 1 + int(rand() * 4), b ":1" } }' >rows.svm
# Without a prior there is nothing to take steps with.
$ for o in "--prior-step compound" --dense-updates "--prior-every 5"; do lazylogit train rows.svm --optimizer sgd --prior uniform $o -q -o m; echo $?; done
2
2
2
! error: option --prior-step: the uniform prior takes no steps; leave it out
! error: option --dense-updates: the uniform prior takes no steps; leave it out
! error: option --prior-every: the uniform prior takes no steps; leave it out
