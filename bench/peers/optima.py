#!/usr/bin/env python3
"""Races to the optimum: lazylogit against LIBLINEAR, scikit-learn, skglm and glmnet, all to a relative gap of 1e-3.

    bench/peers/optima.py BUILD_FOLDER [JOB…]      (no JOB: some on synthetic data; a wrong one: their list)

The optimum comes from lazylogit at a certified gap of 1e-7; every program is then run with ever tighter tolerances until its own
coefficients are within 1e-3 of it, computed here from its model, and that run counts: the median of three, on one thread, by the
processor. `text` is everything from the file to the model, `alone` is training without reading: lazylogit and the Python programs time it themselves
(skglm after Numba has compiled it, which `text` leaves out, too; glmnet is handed the matrix, so that its `text` is training alone); from LIBLINEAR's time that of a run is subtracted that ends after a pass. Programs that do not arrive are named. liblinear-train comes with
liblinear-tools; scikit-learn is taken from $PEER_PYTHON, or from build/venv; skglm from $SKGLM_PYTHON, where there is one; glmnet from
Rscript with the package glmnet (r-cran-glmnet).
Real data come from $LAZYLOGIT_DATA, ../shared/data unless it is set.
"""
import json, os, re, resource, shutil, struct, subprocess, sys
from dataclasses import dataclass, field

try:
    import numpy
    from sklearn.datasets import load_svmlight_file
except ImportError:  # run again where scikit-learn is
    for python in (os.environ.get("PEER_PYTHON"), os.path.join(*sys.argv[1:2], "..", "venv", "bin", "python3")):
        if python and os.path.exists(python) and os.path.abspath(sys.executable) != os.path.abspath(python):
            os.execv(python, [python, *sys.argv])
    sys.exit("left out: scikit-learn is not installed (PEER_PYTHON names a Python that has it)")

GAP, PATIENCE, SATISFIED = 1e-3, 120, 1e9
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
REAL = os.environ.get("LAZYLOGIT_DATA", os.path.join(ROOT, "..", "shared", "data"))


@dataclass
class Job:
    """made: kind and rows for generate_data, or a file of the real data with the options that turn it into libsvm."""
    prior: str
    made: tuple = ()
    real: str = ""
    options: list = field(default_factory=list)
    peers: tuple = ()


BINARY = ("liblinear 0", "liblinear 7", "sklearn lbfgs", "sgd")
SEVERAL = ("sklearn saga", "sklearn newton-cg", "sklearn lbfgs")
TEXT = ["--format", "text", "--lowercase", "--tfidf", "--on-bad-row", "skip"]
JOBS = {
    "rcv-l2": Job("gaussian", made=("rcv", 200000), peers=BINARY),
    "rcv800-l2": Job("gaussian", made=("rcv", 800000), peers=("liblinear 0", "sklearn lbfgs", "sgd")),
    "imdb-l2": Job("gaussian", real="imdb/train.tsv.zst", options=[*TEXT, "--ngrams", "2"], peers=BINARY),
    "ctr-l2": Job("gaussian", made=("ctr", 300000), peers=("liblinear 0",)),
    "news-l2": Job("gaussian", made=("news", 16000), peers=SEVERAL),
    "20news-l2": Job("gaussian", real="20news/train.tsv.zst", options=[*TEXT, "--ngrams", "2"], peers=("sklearn saga", "sklearn newton-cg")),
    "sector-l2": Job("gaussian", real="sector/sector.scale.zst", peers=("sklearn saga", "sklearn newton-cg")),
    "dense-l2": Job("gaussian", made=("dense", 100000), peers=("sklearn newton-cholesky",)),
    "rcv-l1": Job("laplace", made=("rcv", 200000), peers=("liblinear 6", "skglm", "glmnet", "sklearn saga")),
    "news-l1": Job("laplace", made=("news", 16000), peers=("sklearn saga",)),
}
USUAL = ("rcv-l2", "rcv-l1", "news-l2", "news-l1", "ctr-l2", "dense-l2")
READ = """
import sys, numpy
from time import process_time
began = process_time()
if sys.argv[1].endswith(".npy"):
    x, y = numpy.load(sys.argv[1]), numpy.load(sys.argv[1][:-4] + ".labels.npy")
else:
    from sklearn.datasets import load_svmlight_file
    x, y = load_svmlight_file(sys.argv[1])
    x.indices, x.indptr = x.indices.astype("int32"), x.indptr.astype("int32")
read = process_time() - began
"""
SKLEARN = READ + """
from sklearn.linear_model import LogisticRegression
began = process_time()
fit = LogisticRegression(C=1.0, l1_ratio=float(sys.argv[2]), solver=sys.argv[3], tol=float(sys.argv[4]), max_iter=10000,
                         fit_intercept=False).fit(x, y)
print(read, process_time() - began)
numpy.save(sys.argv[5], fit.coef_)
"""
SGD = READ + """
from sklearn.linear_model import SGDClassifier
began = process_time()
fit = SGDClassifier(loss="log_loss", alpha=1 / len(y), max_iter=int(float(sys.argv[4])), tol=None, fit_intercept=False,
                    average=sys.argv[3] == "averaged", random_state=1).fit(x, y)
print(read, process_time() - began)
numpy.save(sys.argv[5], fit.coef_)
"""
SKGLM = READ + """
from skglm import SparseLogisticRegression
began = process_time()
x = x.tocsc()
read += process_time() - began
SparseLogisticRegression(alpha=0.01, tol=1e-2, fit_intercept=False).fit(x[:2000], y[:2000])  # Numba compiles
began = process_time()
fit = SparseLogisticRegression(alpha=1 / len(y), tol=float(sys.argv[4]), fit_intercept=False, max_iter=100, max_epochs=100000).fit(x, y)
print(read, process_time() - began)
numpy.save(sys.argv[5], fit.coef_.reshape(1, -1))
"""
GLMNET = """
suppressMessages(library(glmnet))
given <- commandArgs(trailingOnly = TRUE)
numbers <- function(name, what, count, size) readBin(paste0(given[1], name), what, count, size = size)
n <- numbers(".size", "integer", 3, 4)
x <- new("dgCMatrix", i = numbers(".i", "integer", n[3], 4), p = numbers(".p", "integer", n[2] + 1, 4),
         x = numbers(".x", "numeric", n[3], 8), Dim = n[1:2])
y <- numbers(".y", "integer", n[1], 4)
began <- proc.time()
fit <- glmnet(x, y, family = "binomial", lambda = 1 / n[1], thresh = as.numeric(given[2]), standardize = FALSE, intercept = FALSE)
took <- proc.time() - began
cat(took[["user.self"]] + took[["sys.self"]], "\\n")
writeBin(as.numeric(fit$beta[, 1]), paste0(given[1], ".b"))
"""
SLOPE = 1.0  # of the L1 penalty: laplace variance 2, which is what C = 1 means to the peers


def run(command):
    """Processor seconds of a command and what it printed; nothing if it takes too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None, ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.strip().splitlines()[-1:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def error(x, y, weights, prior):
    """The sum over rows of -log p plus the penalty (variance 1; SLOPE |b| for laplace)."""
    classes = numpy.unique(y)
    scores = numpy.asarray(x @ weights.T)
    if len(weights) == 1:
        loss = numpy.logaddexp(0, -numpy.where(y == classes[1], 1, -1) * scores[:, 0]).sum()
    else:
        top = scores.max(axis=1)
        own = scores[numpy.arange(len(y)), numpy.searchsorted(classes, y)]
        loss = (numpy.log(numpy.exp(scores - top[:, None]).sum(axis=1)) + top - own).sum()
    return loss + (0.5 * (weights**2).sum() if prior == "gaussian" else SLOPE * abs(weights).sum())


def our_weights(path, features):
    """Coefficients by class and column of a model file whose features are column numbers from 1 (npy: columns in order)."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        body = file.read()
    def tensor(name):
        kind = {"F64": "<f8", "I64": "<i8", "U8": "u1"}[header[name]["dtype"]]
        begin, end = header[name]["data_offsets"]
        return numpy.frombuffer(body[begin:end], kind).reshape(header[name]["shape"])
    def names(kind):
        ends = tensor(kind + "_name_ends")
        data = tensor(kind + "_names").tobytes()
        return [data[a:b].decode() for a, b in zip([0, *ends[:-1]], ends)]
    columns = names("feature")
    places = numpy.array([int(c) - 1 if c.isdigit() else i for i, c in enumerate(columns)])
    if "coefficients" in header:
        values = tensor("coefficients")
    else:
        vectors = json.loads(header["__metadata__"]["shape"])
        count = 1 if vectors["num_classes"] == 2 and vectors["reference"] is not None else vectors["num_classes"]
        values = numpy.zeros(len(columns) * count)
        values[tensor("coefficient_index")] = tensor("coefficient_values")
        values = values.reshape(len(columns), count)
    classes = names("class")
    weights = numpy.zeros((values.shape[1], features))
    weights[:, places] = values.T
    if len(weights) > 1:
        weights = weights[numpy.argsort([float(c) for c in classes])]
    else:  # of the class that is not the reference; peers speak for the larger label
        shape = json.loads(header["__metadata__"]["shape"])
        if float(classes[1 - shape["reference"]]) < float(classes[shape["reference"]]):
            weights = -weights
    return weights


def liblinear_weights(path, features):
    lines = open(path).read().split("\n")
    at = lines.index("w") + 1
    weights = numpy.array([float(line) for line in lines[at:at + features]])
    labels = [line for line in lines if line.startswith("label ")][0].split()[1:]
    return (weights if float(labels[0]) > float(labels[1]) else -weights)[None, :]


class Race:
    def __init__(self, build, name):
        self.job, self.program = JOBS[name], os.path.join(build, "lazylogit")
        folder = os.path.join(build, "data")
        os.makedirs(folder, exist_ok=True)
        self.data = self.make(build, folder, name)
        self.model = os.path.join(folder, name + ".model")
        if self.data.endswith(".npy"):
            self.x, self.y = numpy.load(self.data), numpy.load(self.data[:-4] + ".labels.npy")
        else:
            self.x, self.y = load_svmlight_file(self.data)

    def make(self, build, folder, name):
        if self.job.real:
            path = os.path.join(folder, name.split("-")[0] + ".svm")
            if not os.path.exists(path):
                source = os.path.join(REAL, self.job.real)
                named = path + ".named"  # libsvm with labels as written; the peers read numbers alone
                subprocess.run([self.program, "convert", source, named, "--to", "libsvm", *self.job.options, "-q"], check=True)
                numbers = {}
                with open(named) as lines, open(path, "w") as out:
                    for line in lines:
                        label, _, rest = line.rstrip("\n").partition(" ")
                        rest = re.sub(r"(\.\d{7})\d+", r"\1", rest)  # as many digits as such files usually have
                        out.write(f"{numbers.setdefault(label, len(numbers) + 1)} {rest}\n")
                os.remove(named)
            return path
        kind, rows = self.job.made
        if kind == "dense":
            path = os.path.join(folder, f"dense{rows}.npy")
            if not os.path.exists(path):
                random = numpy.random.default_rng(1)
                x = random.normal(size=(rows, 100)) @ (numpy.eye(100) + 0.1 * random.normal(size=(100, 100)))
                y = (x @ random.normal(size=100) * 0.2 + random.logistic(size=rows) > 0).astype(numpy.int64)
                numpy.save(path, x)
                numpy.save(path[:-4] + ".labels.npy", y)
            return path
        path = os.path.join(folder, f"{kind}{rows}")
        if not os.path.exists(path + ".train.svm"):
            subprocess.run([os.path.join(build, "bench", "generate_data"), kind, str(rows), path], check=True)
        return path + ".train.svm"

    def ours(self, tolerance):
        options = ["--prior", self.job.prior, "--variance", "1" if self.job.prior == "gaussian" else "2", "--no-intercept"]
        if self.data.endswith(".npy"):
            options += ["--labels", self.data[:-4] + ".labels.npy"]
        seconds, printed = run([self.program, "train", self.data, *options, "--gap", str(tolerance), "--threads", "1", "-o", self.model])
        if seconds is None:
            return (None, None), None
        alone = float(re.search(r"([0-9.]+) s training", printed).group(1))  # one thread: the wall clock is the processor's
        return (seconds, alone), our_weights(self.model, self.x.shape[1])

    def liblinear(self, solver, tolerance):
        seconds, _ = run(["liblinear-train", "-s", solver, "-c", "1", "-e", str(tolerance), "-q", self.data, self.model])
        return (seconds, None), None if seconds is None else liblinear_weights(self.model, self.x.shape[1])

    def python(self, code, python, solver, tolerance):
        l1 = "1" if self.job.prior == "laplace" else "0"
        seconds, printed = run([python, "-c", code, self.data, l1, solver, str(tolerance), self.model + ".npy"])
        if seconds is None:
            return (None, None), None
        read, fit = map(float, printed.split()[-2:])
        return (read + fit if code is SKGLM else seconds, fit), numpy.load(self.model + ".npy")

    def glmnet(self, tolerance):
        path = self.model + ".glmnet"
        if not os.path.exists(path + ".size"):
            columns = self.x.tocsc()
            for name, values, kind in ((".size", [*columns.shape, columns.nnz], "<i4"), (".i", columns.indices, "<i4"),
                                       (".p", columns.indptr, "<i4"), (".x", columns.data, "<f8"),
                                       (".y", self.y == numpy.unique(self.y)[1], "<i4")):
                numpy.asarray(values).astype(kind).tofile(path + name)
        seconds, printed = run(["Rscript", "-e", GLMNET, path, str(tolerance)])
        if seconds is None:
            return (None, None), None
        fit = float(printed.split()[-1])
        return (fit, fit), numpy.fromfile(path + ".b", "<f8").reshape(1, -1)

    def contestants(self):
        """Name, a run at a tolerance, the tolerances to try."""
        yield "lazylogit", self.ours, [0.5, 0.3, 1e-1, 3e-2, 1e-2, 3e-3, 1e-3]
        python = os.environ.get("PEER_PYTHON", sys.executable)
        for peer in self.job.peers:
            kind, solver = (peer.split() + [""])[:2]
            if kind == "liblinear" and shutil.which("liblinear-train"):
                yield f"LIBLINEAR -s {solver}", lambda t, s=solver: self.liblinear(s, t), [1, 0.3, 0.1, 0.03, 1e-2, 1e-3]
            elif kind == "sklearn":
                yield f"scikit-learn {solver}", lambda t, s=solver: self.python(SKLEARN, python, s, t), [1e-1, 1e-2, 1e-3, 1e-4, 1e-5]
            elif kind == "sgd":  # epochs in the place of a tolerance
                for form in ("plain", "averaged"):
                    yield (f"scikit-learn SGD {form}", lambda t, f=form: self.python(SGD, python, f, t),
                           [1, 2, 3, 5, 8, 12, 20, 40])
            elif kind == "skglm" and os.environ.get("SKGLM_PYTHON"):
                skglm = os.environ["SKGLM_PYTHON"]
                yield "skglm", lambda t: self.python(SKGLM, skglm, "cold", t), [1e-4, 1e-5, 3e-6, 1e-6, 1e-7]
            elif kind == "glmnet" and shutil.which("Rscript"):
                yield "glmnet", self.glmnet, [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7]

    def __call__(self, name):
        optimum = error(self.x, self.y, self.ours(1e-7)[1], self.job.prior)
        print(f"{name}: {self.x.shape[0]} rows, {self.x.shape[1]} features, {len(numpy.unique(self.y))} classes; optimum {optimum:.6f}",
              flush=True)
        ours = None
        for who, go, tolerances in self.contestants():
            for tolerance in tolerances:
                times, weights = go(tolerance)
                seconds = times[0]
                if seconds is None:
                    break
                gap = (error(self.x, self.y, weights, self.job.prior) - optimum) / optimum
                if gap <= GAP:
                    again = [t for t in (go(tolerance)[0] for _ in range(2)) if t[0] is not None]
                    text, alone = (None if None in t else sorted(t)[len(t) // 2] for t in zip(times, *again))  # medians
                    if alone is None:
                        reading = sorted(t for t in (go(SATISFIED)[0][0] for _ in range(3)) if t is not None)
                        alone = max(0.005, text - reading[len(reading) // 2]) if reading else text
                    ours = ours or (text, alone)
                    print(f"  {who:24} text {text:7.2f} s {text / ours[0]:5.1f}x   alone {alone:7.2f} s {alone / ours[1]:5.1f}x"
                          f"   tolerance {tolerance:g}, gap {gap:.1e}", flush=True)
                    break
            else:
                seconds = None
            if seconds is None:
                print(f"  {who:24} does not arrive: no tolerance tried brought it there within {PATIENCE} s", flush=True)


def main(build, names):
    for name in names or USUAL:
        if name not in JOBS:
            sys.exit(f"there is no job {name}; known are {', '.join(JOBS)}")
        Race(build, name)(name)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
