# A table: the target is announced, classes are named, the summary is complete.
$ lazylogit train $DATA/pets.csv --ignore name -o pets.safetensors
model        pets.safetensors
rows         10
features     4, 30 non-zeros in the data
classes      cat, dog
optimizer    newton: the certified relative gap is [..]
error        0.42947[..] = 0.1626[..] (-log likelihood) + 0.2668[..] (penalty, gaussian prior)
log loss     0.01626[..]
certificate  relative gap [..]
time         [..] reading, [..] training
memory       [..]B
! label column: "kind", the last one (--target chooses another)
! optimizer: newton, because [..]
$ lazylogit predict pets.safetensors $DATA/pets.csv --id name | cut -d, -f1,2 | head -4
name,prediction
Ada,cat
Bo,dog
Cleo,cat
! 10 rows
# The label column may be absent at prediction.
$ cut -d, -f1-4 $DATA/pets.csv >unlabelled.csv; lazylogit predict pets.safetensors unlabelled.csv | cut -d, -f1 | head -3
prediction
cat
dog
! 10 rows
$ lazylogit evaluate pets.safetensors $DATA/pets.csv | head -2
rows                        10
accuracy                    1
! 10 rows
$ lazylogit inspect pets.safetensors | head -3
classes       2: cat, dog
reference     cat
features      4, 4 non-zero coefficients, intercept
$ lazylogit inspect pets.safetensors --coefficients | cut -d, -f1,2
class,feature
dog,age
dog,weight_kg
dog,fur=long
dog,fur=short
dog,(intercept)
$ lazylogit inspect pets.safetensors --json | python3 -c 'import json, sys; m = json.load(sys.stdin); print(m["classes"], m["reference"], m["num_features"], m["termination"])'
['cat', 'dog'] cat 4 converged
$ lazylogit check pets.safetensors $DATA/pets.csv | cut -c1-40
model        pets.safetensors
file         whole: checksum, structure 
recorded     relative gap [..]
rows         10
error        0.42947[..] = 0.1626[..]
certificate  relative gap [..]
optimum      yes: the asked relative gap
! 10 rows
