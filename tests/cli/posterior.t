# The statistician's table, intervals of probabilities, and models that cannot have a posterior.
$ lazylogit train $DATA/pets.svm -q -o m --posterior full
$ lazylogit inspect m | tail -7
posterior     full: log evidence 0.43653[..], BIC 7.2353, AIC 6.32755, 2.178 effective parameters of 3

1 against -1
   coefficient  std. error        z       2.5 %      97.5 %  odds ratio
       0.71092     0.50131    1.418    -0.27163      1.6935      2.0359  2
      -0.17285     0.75573   -0.229     -1.6541      1.3084     0.84126  1
       -6.2788       5.838   -1.075     -17.721      5.1636   0.0018757  (intercept)
$ lazylogit inspect m --coefficients | head -2
class,feature,coefficient,std_error
1,1,-0.17284[..],0.75573[..]
$ lazylogit predict m $DATA/pets.svm -q --intervals | head -2
prediction,probability,lower,upper
-1,0.97981[..],0.1606[..],0.99991[..]
$ lazylogit predict m $DATA/pets.svm -q --predictive probit --intervals=0.5 --output jsonl --proba | head -1
{"prediction":"-1","probability":0.84068[..],"lower":0.83374[..],"upper":0.99787[..],"probabilities":{"-1":0.84068[..],"1":0.15931[..]},"intervals":{"-1":[0.83374[..],0.99787[..]],"1":[0.00212[..],0.16625[..]]}}
$ lazylogit evaluate m $DATA/pets.svm -q | tail -4
predictive        log loss       Brier   calibration error
plug-in           0.016[..]
probit            0.189[..]
monte-carlo       0.[..]
$ lazylogit train $DATA/pets.svm -q -o plain
$ lazylogit predict plain $DATA/pets.svm -q --intervals
! error: option --intervals: the model has no posterior; train it with --posterior
[2]
$ lazylogit predict m $DATA/pets.svm -q --draws 5
! error: option --draws: belongs to --predictive monte-carlo
[2]
$ printf 'a,b,y\n1,1,u\n2,2,v\n3,3,u\n2,2,u\n3,3,v\n1,1,v\n' >twins.csv; lazylogit train twins.csv --prior uniform --posterior full -q -o k
! twins.csv: error: the posterior does not exist: the data and the prior cannot tell apart a, b; give them a gaussian prior, leave one of them out, or, where values are large, use --standardize scale
[1]
# A row that stands for several is several: the criteria are those of the rows written out.
$ printf 'y,x,times\na,1,3\nb,2,2\na,3,1\nb,4,4\na,2,1\n' >grouped.csv; python3 -c "
> lines = open('grouped.csv').read().split()
> print('y,x')
> for line in lines[1:]:
>   y, x, times = line.split(',')
>   print((y + ',' + x + chr(10)) * int(times), end='')
> " >written_out.csv
$ for d in 'grouped.csv --count times' written_out.csv; do lazylogit train $d --posterior full -q -o m; lazylogit inspect m --json | python3 -c "import json, sys; j = json.load(sys.stdin); print(j['num_examples'], round(j['bic'], 6), round(j['aic'], 6))"; done | uniq -c | awk '{print $1, $2}'
2 11
$ lazylogit train grouped.csv --count times -q -o m; lazylogit check m grouped.csv -q | grep rows
rows         11
# Counts are integers: neither fractions nor exponents.
$ for n in 2.5 2.0 1e1; do printf "n,x,y\n$n,1,a\n3,2,b\n1,2,a\n1,1,b\n" >counts.csv; lazylogit train counts.csv --count n -q -o m; done
! counts.csv:2:1: error: column "n": found "2.5", expected a count: a whole number up to 9007199254740992
! counts.csv:2:1: error: column "n": found "2.0", expected a count: a whole number up to 9007199254740992
! counts.csv:2:1: error: column "n": found "1e1", expected a count: a whole number up to 9007199254740992
[1]
