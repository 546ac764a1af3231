# Samples of the posterior, and the variational approximation.
$ lazylogit train $DATA/pets.svm --posterior samples --chains 2 --samples 200 --warmup 100 -q -o s; lazylogit inspect s | tail -7
              2 chains of 200 draws (hamiltonian): worst R-hat [..], smallest effective sample size [..]
1 against -1
   coefficient        mean  std. error       2.5 %      97.5 %  odds ratio   R-hat     ESS
[..]  2
[..]  1
[..]  (intercept)
$ lazylogit train $DATA/pets.svm --posterior samples --chains 2 --samples 200 --warmup 100 --threads 1 -q -o t; cmp s t
$ lazylogit predict s $DATA/pets.svm -q --predictive monte-carlo --intervals | head -2
prediction,probability,lower,upper
-1,0.[..],0.[..],[..]
$ lazylogit predict s $DATA/pets.svm -q --predictive monte-carlo --draws 50 | wc -l
11
$ lazylogit predict s $DATA/pets.svm -q --predictive monte-carlo --draws 5000
! error: option --draws: the model has 400 samples
[2]
$ lazylogit predict s $DATA/pets.svm -q --predictive monte-carlo --seed 5
! error: option --seed: the draws are the model's own samples, which are not drawn again
[2]
$ lazylogit evaluate s $DATA/pets.svm -q --predictive monte-carlo | tail -4
predictive        log loss       Brier   calibration error
plug-in [..]
probit [..]
monte-carlo [..]
$ lazylogit inspect s --json | python3 -c "import json, sys; d = json.load(sys.stdin); print(d['posterior'], d['sampling']['method'], sorted(d['coefficients'][0]))"
samples hamiltonian ['class', 'coefficient', 'ess', 'feature', 'lower', 'mean', 'rhat', 'std_error', 'upper']
$ lazylogit train $DATA/pets.svm --prior laplace --posterior samples --samples 300 -q -o l; lazylogit inspect l | grep -c hamiltonian
1
$ lazylogit train $DATA/pets.svm --posterior variational -q -o v; lazylogit inspect v | grep posterior
posterior     variational: log evidence at least -[..], BIC [..]
$ lazylogit predict v $DATA/pets.svm -q --predictive probit --intervals | head -2
prediction,probability,lower,upper
-1,0.[..],0.[..],0.[..]
$ lazylogit train $DATA/pets.svm --prior cauchy --posterior variational -q -o n
! error: option --posterior: the variational bounds need a gaussian prior; this one is cauchy; take samples, which every prior has
[2]
$ lazylogit train $DATA/pets.svm --posterior full --samples 50 -q -o n
! error: option --samples: belongs to --posterior samples
[2]
$ lazylogit train $DATA/pets.svm --posterior full --posterior-rank 5 -q -o n
! error: option --posterior-rank: belongs to --posterior low-rank
[2]
$ printf 'a,b,y\n1,1,u\n2,2,v\n3,3,u\n2,2,u\n3,3,v\n1,1,v\n' >twins.csv; lazylogit train twins.csv --prior uniform --posterior samples -q -o k
! twins.csv: error: the posterior does not exist: the data and the prior cannot tell apart a, b; give them a gaussian prior, leave one of them out, or, where values are large, use --standardize scale
[1]
$ lazylogit train twins.csv --prior uniform --posterior variational -q -o k
! twins.csv: error: the posterior does not exist: the data and the prior cannot tell apart a, b; give them a gaussian prior, leave one of them out, or, where values are large, use --standardize scale
[1]
# Time that runs out: the draws so far, or a message.
$ lazylogit train $DATA/pets.svm --posterior samples --chains 2 --samples 1000000 --warmup 20 --max-seconds 1 -o s 2>&1 | grep -c '^--max-seconds ended the chains: [0-9]* of 1000000 draws of each are kept'
1
$ lazylogit train $DATA/pets.svm --posterior samples --warmup 1000000 --max-seconds 0.5 -q -o s
! [..]pets.svm: error: the seconds were over when the chains had 0 draws each, besides 1000000 of warm-up; expected 50 or more; allow more with --max-seconds, or ask for fewer with --warmup and --chains
[3]
