# Linear regression: labels are numbers, priors are ridge and lasso.
$ printf 'x,z,y\n1,0,3.1\n2,1,4.9\n3,0,7.2\n4,1,8.8\n5,0,11.1\n6,1,12.9\n' >d.csv; lazylogit train d.csv --loss squared --prior uniform --posterior full -q -o m
$ lazylogit inspect m --coefficients
class,feature,coefficient,std_error
y,x,1.9999999999998122,0.016666666666666548
y,z,-0.26666666666660843,0.056927504255330726
y,(intercept),1.1333333333340294,0.063098981620002575
$ lazylogit predict m d.csv -q --intervals=0.95 | head -2
prediction,lower,upper
3.133333333333842,2.9689177379741656,3.297748928693518
$ lazylogit predict m d.csv -q --proba
! error: option --proba: the model predicts numbers, which have no probabilities; --intervals gives bounds where the model has a posterior
[2]
$ lazylogit predict m d.csv -q --set 0.9
! error: option --set: the model predicts numbers, which have no probabilities
[2]
$ lazylogit predict m d.csv -q --explain=2 --output jsonl | head -1
{"prediction":3.133333333333842,"explanation":{"output":"y","score":3.133333333333842,"contributions":[{"feature":"x","value":1.0,"contribution":1.9999999999998122},{"feature":"(intercept)","value":1.0,"contribution":1.1333333333340294}]}}
$ lazylogit evaluate m d.csv -q
rows                        6
rmse                        0.0471405
baseline rmse               3.37935
r2                          0.999805
mae                         0.0444444
mse                         0.00222222
mean error                  6.74275e-14
largest error               0.0666667
$ lazylogit evaluate m d.csv -q --predictive probit
! error: option --predictive: it is for models of classes; the model predicts numbers
[2]
$ lazylogit outliers m d.csv -q --top 1
row,label,prediction,left_out,leverage,t,features
4,8.8,8.866666666666669,8.900000000000004,0.3333333333333335,-1.2247448713916258,"y 8.8667: x +8, (intercept) +1.13, z -0.267"
$ lazylogit train d.csv --loss squared --variance 2 -q -o ridge; lazylogit train d.csv --loss squared --variance 2 --optimizer adf -q -o kalman; for m in ridge kalman; do lazylogit inspect $m --coefficients | cut -c 1-20; done
class,feature,coeffi
y,x,1.93481481481481
y,z,-0.1511111111111
y,(intercept),1.3037
class,feature,coeffi
y,x,1.93481481481481
y,z,-0.1511111111111
y,(intercept),1.3037
$ lazylogit check kalman d.csv -q | tail -1
optimum      yes: the asked relative gap is 1e-06
$ printf 'x,y\n1,3\n2,four\n' >bad.csv; lazylogit train bad.csv --loss squared -q -o none
! bad.csv:3:3: error: column "y": found "four", expected a finite number as label, because of --loss squared
[1]
$ printf 'three 1:1\n' | lazylogit train - --format libsvm --loss squared -q -o none
! <stdin>:1:1: error: found the label "three", expected a finite number as label, because of --loss squared
[1]
$ lazylogit train d.csv --loss squared --class-weights balanced -q -o none
! error: option --class-weights: with --loss squared labels are numbers, not classes; leave it out
[2]
$ lazylogit train d.csv --loss squared --optimizer perceptron -q -o none
! error: option --optimizer: the perceptron learns classes; with --loss squared labels are numbers, not classes; take another one
[2]
# In a stream also by gradient steps, whatever the units of the numbers.
$ python3 -c "
> import random
> random.seed(1)
> print('a,b,y')
> for i in range(4000):
>     a, b = random.gauss(0, 1), random.gauss(5, 100)
>     print(f'{a},{b},{1e6 * (20 + 2 * a - 0.03 * b + random.gauss(0, 1))}')" >u.csv; lazylogit train u.csv --loss squared --stream --optimizer adagrad --window 1000 -o u 2>/dev/null | grep progressive
progressive  RMSE [..], of the last 1,000 rows 1.0[..]e+06
$ head -2001 u.csv >u1.csv; { head -1 u.csv; tail -2000 u.csv; } >u2.csv; lazylogit train u1.csv --loss squared --stream --optimizer adagrad -q -o v1; lazylogit train u2.csv --loss squared --stream --optimizer adagrad --window 1000 --warm-start v1 -q -o v2; cmp u v2 && echo same
same
$ lazylogit train d.csv --loss squared --posterior samples -q -o none
! error: option --posterior: with --loss squared labels are numbers, not classes; their posterior is full or diagonal
[2]
$ lazylogit train d.csv --noise-variance 2 -q -o none
! error: option --noise-variance: it belongs to --loss squared with --posterior
[2]
$ lazylogit train d.csv --warm-start m -q -o none
! error: option --warm-start: the labels of the model are number, those of the data classes
[2]
$ lazylogit tune d.csv --loss squared --by accuracy -q -o none
! error: option --by: with --loss squared labels are numbers, which have no probabilities; choose by squared-error
[2]
$ lazylogit tune d.csv --loss squared --folds 3 --values 0.1,10 -q -o t; lazylogit inspect t | head -1
predicts      a number, y
# AIC and BIC are R's, of the most likely noise: AIC(lm(dist ~ speed, cars)) = 419.156863, BIC 424.892932.
$ printf 'speed,dist\n4,2\n4,10\n7,4\n7,22\n8,16\n9,10\n10,18\n10,26\n10,34\n11,17\n11,28\n12,14\n12,20\n12,24\n12,28\n13,26\n13,34\n13,34\n13,46\n14,26\n14,36\n14,60\n14,80\n15,20\n15,26\n15,54\n16,32\n16,40\n17,32\n17,40\n17,50\n18,42\n18,56\n18,76\n18,84\n19,36\n19,46\n19,68\n20,32\n20,48\n20,52\n20,56\n20,64\n22,66\n23,54\n24,70\n24,92\n24,93\n24,120\n25,85\n' >cars.csv; lazylogit train cars.csv --target dist --loss squared --prior uniform --posterior full --gap 1e-12 -q -o cars; lazylogit inspect cars --json | grep -oE '"(aic|bic)":[0-9.]{10}'
"aic":419.156863
"bic":424.892932
# The filter of a stream has the whole covariance: its intervals are those of the fit at once.
$ lazylogit train cars.csv --target dist --loss squared --posterior full -q --gap 1e-12 -o full; lazylogit train cars.csv --target dist --loss squared --optimizer adf -q -o adf; for m in full adf; do lazylogit predict $m cars.csv --intervals 0.95 -q | sed 's/\(\.[0-9]\{6\}\)[0-9]*/\1/g' >$m.txt; done; diff full.txt adf.txt && head -2 adf.txt | cut -c 1-20
prediction,lower,upp
-1.[..]
# Numbers that are fitted exactly leave no gap.
$ printf 'a,b,y\n1,2,3\n2,1,4\n3,5,9\n' >three.csv; lazylogit train three.csv --loss squared --prior uniform -o three 2>/dev/null | grep -E '^(optimizer|certificate)'
optimizer    newton: the certified relative gap is 0
certificate  relative gap 0: [..]
