# Lazy updates end where dense ones do, under every prior: the coefficients differ by rounding alone.
$ awk 'BEGIN { srand(5); for (j = 0; j < 300; ++j) { a = int(rand() * 40) + 1; b = a + 1 + int(rand() * 40); print (rand() < (a % 3 == 0 ? 0.8 : 0.3)) ? "yes" : "no", a ":" 1 + int(rand() * 4), b ":1" } }' >rows.svm
$ cat >same.sh <<'EOF'
> # same.sh A B: the largest difference of two models' coefficients, as a word
> for m in $1 $2; do lazylogit inspect $m --coefficients >$m.txt; done
> paste -d , $1.txt $2.txt | awk -F, 'NR > 1 { d = $3 - $6; if (d < 0) d = -d; if (d > w) w = d } END { print w < 1e-10 ? "same" : w < 0.2 ? "near" : "far" }'
> EOF
$ for prior in gaussian "laplace --variance 0.1" "cauchy --scale 0.3" "elastic-net --l1 2 --l2 1"; do for rest in "" "--prior-step compound" "--schedule inverse --decay-per example --anneal 200" "--average"; do fit="lazylogit train rows.svm --optimizer sgd --learning-rate 0.03 --epochs 4 --tolerance 0 -q --prior $prior $rest"; $fit -o lazy; $fit --dense-updates -o dense; sh same.sh lazy dense; done; done | uniq -c | awk '{print $1, $2}'
16 same
# So do those of rules with a rate for each coefficient.
$ for rule in momentum adagrad rmsprop adam; do fit="lazylogit train rows.svm --optimizer $rule --learning-rate 0.005 --epochs 3 --tolerance 0 -q --prior laplace --variance 0.1"; $fit -o lazy; $fit --dense-updates -o dense; sh same.sh lazy dense; done | uniq -c | awk '{print $1, $2}'
4 same
# Batched up every example the prior acts as densely; every 20 examples it is another walk to much the same place. One long step in place of the exact flow is not the dense walk either.
$ fit="lazylogit train rows.svm --optimizer sgd --learning-rate 0.1 --epochs 4 --tolerance 0 -q --variance 0.05"; $fit -o lazy; $fit --prior-every 1 -o one; $fit --prior-every 20 -o twenty; $fit --prior-step linear -o long; for m in one twenty long; do sh same.sh lazy $m; done
same
near
near
# A schedule counts epochs or examples: in one epoch the former does not fall.
$ fit="lazylogit train rows.svm --optimizer sgd --learning-rate 0.1 --epochs 1 -q"; $fit --schedule constant -o level 2>/dev/null; $fit --schedule inverse --anneal 1 -o epoch; $fit --schedule inverse --anneal 1 --decay-per epoch -o named; $fit --schedule inverse --anneal 30 --decay-per example -o example; for m in epoch named example; do sh same.sh level $m; done
same
same
far
# Without a prior there is nothing to take steps with.
$ for o in "--prior-step compound" --dense-updates "--prior-every 5"; do lazylogit train rows.svm --optimizer sgd --prior uniform $o -q -o m; echo $?; done
2
2
2
! error: option --prior-step: the uniform prior takes no steps; leave it out
! error: option --dense-updates: the uniform prior takes no steps; leave it out
! error: option --prior-every: the uniform prior takes no steps; leave it out
