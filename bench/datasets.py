#!/usr/bin/env python3
"""Trains and evaluates on every data set of a folder with one command each, beside scikit-learn; writes docs/datasets.md.

    bench/datasets.py [--data ../shared/data] [--program build/lazylogit] [--only NAME…] [--who ours|scikit|both]
                      [--scikit-seconds 120]

Both fit the same model: a Gaussian prior of variance 1 (scikit-learn: C=1), the intercept free. The page is rewritten
after each set and rows that are not asked for stay as they are. scikit-learn is installed into build/datasets/venv
when this Python lacks it; what takes it more than --scikit-seconds of processor time, reading included, is ended and named with that bound.
"""
import argparse, csv, io, json, multiprocessing, os, random, re, resource, signal, subprocess, sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "datasets"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
MISSING = {"", "NA", "NaN", "null", "?"}
TEXT = ["--lowercase", "--tfidf"]
TABLE = ["--standardize", "scale"]
SKIP = ["--on-bad-row", "skip"]  # a few documents hold control characters, which no text may


@dataclass
class DataSet:
    """One row of the result: files, options of `train`, and how the test rows are found.

    test: a file; "fifth": every 5th row is held out; "shuffled": the same after a shuffle with a fixed seed; "same": the
    training rows themselves, for tables of grouped counts.
    """
    name: str
    train: str
    test: str
    options: list = field(default_factory=list)


def text(name, train, test, *more):
    return DataSet(name, train, test, [*TEXT, *more])


def table(name, train, test, target, *more):
    return DataSet(name, train, test, ["--target", target, *more, *TABLE])


UCI = {"anneal": "class", "arrhythmia": "class", "audiology": "class", "autos": "symboling", "car": "class",
       "colic": "surgical_lesion", "credit-a": "class", "credit-g": "class", "cylinder-bands": "band_type",
       "dermatology": "class", "hypothyroid": "Class", "kr-vs-kp": "class", "mushroom": "class", "nursery": "class",
       "optdigits": "class", "primary-tumor": "class", "segment": "class", "sick": "Class", "soybean": "class",
       "spambase": "class", "splice": "Class", "vehicle": "Class", "vote": "Class", "waveform5000": "class"}
STATS = {"admit": "admit", "bacteria": "y", "biopsy": "class", "caravan": "Purchase", "default": "default",
         "donner": "survived", "endometrial": "HG", "fgl": "type", "hsbdemo": "prog", "infert": "case",
         "iris": "Species", "kyphosis": "Kyphosis", "oswego_food_poisoning": "ill", "sex2": "case",
         "spector": "GRADE", "wdbc": "class", "wells": "switch", "wine": "class"}

SETS = [
    DataSet("a9a", "a9a/a9a.zst", "a9a/a9a.t.zst"),
    DataSet("w8a", "w8a/w8a.zst", "shuffled"),
    DataSet("ijcnn1", "ijcnn1/ijcnn1.zst", "ijcnn1/ijcnn1.t.zst"),
    DataSet("sector", "sector/sector.scale.zst", "sector/sector.t.scale.zst"),
    DataSet("letter", "letter/letter.scale.zst", "letter/letter.scale.t.zst"),
    DataSet("pendigits", "pendigits/pendigits.zst", "pendigits/pendigits.t.zst", TABLE),
    DataSet("heart_scale", "heart_scale/heart_scale", "shuffled"),
    DataSet("breast_cancer", "breast_cancer/breast-cancer", "shuffled", TABLE),
    DataSet("agaricus", "agaricus/agaricus.txt.train.zst", "agaricus/agaricus.txt.test.zst"),
    DataSet("rcv1_small_vw", "rcv1_small_vw/rcv1_small.dat.zst", "rcv1_small_vw/rcv1_small_test.data.zst"),
    DataSet("reuters_moneyfx", "reuters_moneyfx/reuters.trn.zst", "reuters_moneyfx/reuters.tst.zst"),
    text("20news", "20news/train.tsv.zst", "20news/test.tsv.zst", *SKIP),
    text("imdb", "imdb/train.tsv.zst", "imdb/test.tsv.zst", *SKIP),
    text("reuters r52", "reuters21578/r52-train.tsv.zst", "reuters21578/r52-test.tsv.zst"),
    text("ag_news", "ag_news/train-subset.tsv.zst", "ag_news/test.tsv.zst"),
    text("dbpedia14", "dbpedia14/all.tsv.zst", "fifth"),
    text("sms_spam", "sms_spam/all.tsv.zst", "fifth"),
    text("trec_qc", "trec_qc/train.tsv.zst", "trec_qc/test.tsv.zst"),
    text("sst fine", "sst/stsa.fine.train.tsv.zst", "sst/stsa.fine.test.tsv.zst"),
    text("sst binary", "sst/stsa.binary.train.tsv.zst", "sst/stsa.binary.test.tsv.zst"),
    *[text("polarity " + n, f"sentence_polarity/{n}.all.tsv.zst", "shuffled")
      for n in ("rt-polarity", "subj", "custrev", "mpqa")],
    text("tweet_emoji", "tweet_emoji/train.tsv.zst", "tweet_emoji/test.tsv.zst"),
    text("clinc150", "clinc150/train.tsv.zst", "clinc150/test.tsv.zst"),
    text("banking77", "banking77/train.tsv.zst", "banking77/test.tsv.zst"),
    text("stackoverflow20", "stackoverflow20/all.tsv.zst", "fifth"),
    table("adult", "adult/adult-train.csv.zst", "adult/adult-test.csv.zst", "income"),
    table("bank_marketing", "bank_marketing/bank-full.csv.zst", "shuffled", "y"),
    table("bank_marketing 10 %", "bank_marketing/bank-10pct-semicolon.csv.zst", "shuffled", "y"),
    table("telco_churn", "telco_churn/telco-churn.csv.zst", "fifth", "Churn"),
    table("online_shoppers", "online_shoppers/online_shoppers_intention.csv.zst", "fifth", "Revenue"),
    table("titanic", "titanic/titanic.csv.zst", "shuffled", "Survived", "--ignore", "PassengerId,Name,Ticket"),
    table("criteo_sample", "criteo_sample/train.tsv.zst", "criteo_sample/test.tsv.zst", "label"),
    *[table("uci " + n, f"uci_small/{n}.csv.zst", "shuffled", target) for n, target in UCI.items()],
    table("statlog dna", "statlog/dna.csv.zst", "fifth", "Class"),
    table("statlog satellite", "statlog/satellite.csv.zst", "fifth", "classes"),
    table("statlog shuttle", "statlog/shuttle.csv.zst", "fifth", "Class"),
    table("gene ovarian", "gene_expression/ovarian.csv.zst", "shuffled", "class"),
    table("gene prostate", "gene_expression/prostate.csv.zst", "shuffled", "class"),
    table("digits", "digits/digits.csv.zst", "fifth", "digit"),
    table("pima", "small_stats/pima_tr.csv", "small_stats/pima_te.csv", "type"),
    table("birthwt", "small_stats/birthwt.csv", "shuffled", "low", "--ignore", "bwt"),
    *[table(n, f"small_stats/{n}.csv", "shuffled", target) for n, target in STATS.items()],
    table("alligators", "small_stats/alligators.csv", "same", "foodchoice", "--count", "freq"),
    table("housing", "small_stats/housing.csv", "same", "Sat", "--count", "Freq"),
    table("separable_toy", "small_stats/separable_toy.csv", "same", "y"),
    table("quasi_separable_toy", "small_stats/quasi_separable_toy.csv", "same", "y"),
    table("kddcup99", "kddcup99/train-10pct.csv.zst", "kddcup99/test-corrected.csv.zst", "label"),
]


def expanded(path):
    """The text of a file, without its compression."""
    if path.suffix != ".zst":
        return path.read_text(encoding="utf-8")
    return subprocess.run(["zstd", "-dc", str(path)], check=True, capture_output=True).stdout.decode("utf-8")


def split_files(data_set, root):
    """Paths of the training and test file; writes them where the set has no test file of its own."""
    source = root / data_set.train
    if data_set.test == "same":
        return source, source
    if data_set.test not in ("fifth", "shuffled"):
        return source, root / data_set.test
    name = source.name.removesuffix(".zst")
    lines = expanded(source).splitlines(keepends=True)
    header = [lines.pop(0)] if source.name.removesuffix(".zst").endswith((".csv", ".tsv")) else []
    if data_set.test == "shuffled":
        random.Random(0).shuffle(lines)
    folder = WORK / data_set.name.replace(" ", "_")
    folder.mkdir(parents=True, exist_ok=True)
    parts = {"train": [l for i, l in enumerate(lines, 1) if i % 5], "test": [l for i, l in enumerate(lines, 1) if i % 5 == 0]}
    for part, rows in parts.items():
        (folder / f"{part}-{name}").write_text("".join(header + rows), encoding="utf-8")
    return folder / f"train-{name}", folder / f"test-{name}"


def run_ours(program, data_set, train, test):
    model = WORK / "model.safetensors"
    common = ["--quiet"]
    fit = subprocess.run([program, "train", str(train), *data_set.options, "-o", str(model), *common],
                         capture_output=True, text=True)
    if fit.returncode != 0:
        return {"error": fit.stderr.strip()}
    reading = SKIP if SKIP[0] in data_set.options else []
    scores = subprocess.run([program, "evaluate", str(model), str(test), "--json", *reading, *common], capture_output=True, text=True)
    if scores.returncode != 0:
        return {"error": scores.stderr.strip()}
    scores = json.loads(scores.stdout)
    shape = subprocess.run([program, "inspect", str(model), "--json"], capture_output=True, text=True)
    shape = json.loads(shape.stdout) if shape.returncode == 0 else {}
    return {"accuracy": scores["accuracy"], "train_rows": shape.get("num_examples"), "test_rows": scores["rows"],
            "features": shape.get("num_features"), "classes": len(shape.get("classes", []))}


# --- the same with scikit-learn

def svm_matrix(train, test):
    from sklearn.datasets import load_svmlight_files
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for part, path in (("train", train), ("test", test)):
            (Path(folder) / part).write_text(expanded(path))
            paths.append(str(Path(folder) / part))
        return load_svmlight_files(paths)


def vw_matrix(train, test):
    from sklearn.feature_extraction import DictVectorizer
    def rows(path):
        labels, features = [], []
        for line in expanded(path).splitlines():
            head, _, body = line.partition("|")
            labels.append(head.split()[0])
            pairs = (token.partition(":") for token in body.split())
            features.append({name: float(value or 1) for name, _, value in pairs})
        return labels, features
    (y, a), (z, b) = rows(train), rows(test)
    vectorizer = DictVectorizer()
    return vectorizer.fit_transform(a), y, vectorizer.transform(b), z


def text_matrix(train, test):
    from sklearn.feature_extraction.text import TfidfVectorizer
    def rows(path):
        pairs = [line.split("\t", 1) for line in expanded(path).split("\n")[1:] if line and not CONTROL.search(line)]
        return [p[0] for p in pairs], [p[1] for p in pairs]
    (y, a), (z, b) = rows(train), rows(test)
    vectorizer = TfidfVectorizer(token_pattern=r"\w+", lowercase=True)
    return vectorizer.fit_transform(a), y, vectorizer.transform(b), z


def option(options, name):
    return options[options.index(name) + 1] if name in options else ""


def table_matrix(data_set, train, test):
    from sklearn.feature_extraction import DictVectorizer
    def rows(path):
        content = expanded(path)
        delimiter = "\t" if ".tsv" in path.name else ";" if content.split("\n", 1)[0].count(";") > 3 else ","
        quoting = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
        return list(csv.DictReader(io.StringIO(content), delimiter=delimiter, quoting=quoting))
    def number(cell):
        try:
            return float(cell)
        except ValueError:
            return None
    a, b = rows(train), rows(test)
    target = option(data_set.options, "--target")
    count = option(data_set.options, "--count")
    ignored = set(option(data_set.options, "--ignore").split(",")) | {target, count}
    columns = [c for c in a[0] if c not in ignored]
    rules = {}
    for c in columns:
        present = [r[c].strip() for r in a if r[c].strip() not in MISSING]
        numbers = [number(cell) for cell in present]
        missing = len(present) < len(a)
        if None not in numbers:
            rules[c] = ("number", sum(numbers) / len(numbers) if numbers else 0.0, missing)
        else:
            rules[c] = ("category", max(sorted(set(present)), key=present.count) if len(present) < 50000 else present[0], missing)
    def encode(row):
        features = {}
        for c, (kind, usual, missing) in rules.items():
            cell = row[c].strip()
            if cell in MISSING:
                if missing:
                    features[c + "=missing"] = 1.0
                if kind == "number":
                    features[c] = usual
                else:
                    features[f"{c}={usual}"] = 1.0
            elif kind == "number":
                features[c] = number(cell) or 0.0
            else:
                features[f"{c}={cell}"] = 1.0
        return features
    vectorizer = DictVectorizer()
    x = vectorizer.fit_transform(encode(r) for r in a)
    weights = lambda part: [number(r[count]) for r in part] if count else None
    return (x, [r[target] for r in a], vectorizer.transform(encode(r) for r in b), [r[target] for r in b], weights(a), weights(b))


def run_scikit(data_set, train, test):
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler
    weights, test_weights = None, None
    if data_set.options[:len(TEXT)] == TEXT:
        x, y, u, v = text_matrix(train, test)
    elif data_set.name.endswith("_vw"):
        x, y, u, v = vw_matrix(train, test)
    elif "--target" in data_set.options:
        x, y, u, v, weights, test_weights = table_matrix(data_set, train, test)
    else:
        x, y, u, v = svm_matrix(train, test)
    if "--standardize" in data_set.options:
        scaler = StandardScaler(with_mean=False).fit(x)
        x, u = scaler.transform(x), scaler.transform(u)
    model = LogisticRegression(C=1.0, tol=1e-6, max_iter=1000).fit(x, y, weights)
    return {"accuracy": float(model.score(u, v, test_weights))}


def run_scikit_for(seconds, data_set, train, test):
    """run_scikit in a process of its own, which is ended after so much processor time."""
    def work(results):
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        results.put(run_scikit(data_set, train, test))
    forking = multiprocessing.get_context("fork")
    results = forking.Queue()
    process = forking.Process(target=work, args=(results,))
    process.start()
    process.join()
    if process.exitcode == -signal.SIGXCPU:
        return {"seconds": seconds}
    return results.get(timeout=1) if process.exitcode == 0 else {}


# --- the page: one row per set, refreshed one by one

INTRODUCTION = """# Data sets

Made by `bench/datasets.py`: public data sets in the formats that lazylogit reads, each trained and evaluated with one command,
beside scikit-learn's LogisticRegression (C = 1, L-BFGS) on features made the same way. Both minimise the same error, so equal accuracies
are what is expected; small differences come from scikit-learn's looser stop and from how cells are encoded.
Every test part is given by the set, or is every 5th row ("fifth"), or every 5th row after a shuffle with a fixed seed ("shuffled"),
or the training rows themselves ("same": tables of grouped counts).

    lazylogit train TRAIN OPTIONS -o model.safetensors
    lazylogit evaluate model.safetensors TEST

| data set | `lazylogit train …` | test part | rows (train / test) | features | classes | accuracy | scikit-learn |
|---|---|---|---|---|---|---|---|
"""
CLOSING = """
Features are counted in our model, the indicators of missing values included. Not in the list: the idx images of mnist, tables whose classes are
columns of counts (esoph, hepatitis, lizards, menarche, bioassay), the multi-label topics of modapte90, sets whose label has to be computed
first (affairs, fair), and reference_mle, which is a table of results.
scikit-learn's number is "not in N s" where it was ended after that much processor time, reading included.
Documents of 20news and imdb that hold control characters, which text may not, are left out on both sides (15 and 2 to train on, 15 and 0 to test
on).
"""


def cells_of(page):
    """Name of the set -> the cells of its row, from an earlier run."""
    if not page.exists():
        return {}
    rows = [line.strip("|").split(" | ") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return {row[0].strip(): [cell.strip() for cell in row] for row in rows if len(row) == 8}


def merged(data_set, old, ours, theirs):
    """The row of a set: what was measured now, else what stood there."""
    percent = lambda result: f"{100 * result['accuracy']:.2f} %"
    test = data_set.test if data_set.test in ("fifth", "shuffled", "same") else f"`{Path(data_set.test).name}`"
    row = [data_set.name, f"`{' '.join([Path(data_set.train).name, *data_set.options])}`", test, *(old or ["–"] * 8)[3:]]
    if "accuracy" in ours:
        row[3:7] = [f"{ours['train_rows']} / {ours['test_rows']}", str(ours["features"]), str(ours["classes"]), percent(ours)]
    if "accuracy" in theirs:
        row[7] = percent(theirs)
    elif "seconds" in theirs:
        row[7] = f"not in {theirs['seconds']} s"
    return row


def write_page(rows, page):
    lines = ["| " + " | ".join(rows[s.name]) + " |\n" for s in SETS if s.name in rows]
    page.write_text(INTRODUCTION + "".join(lines) + CLOSING, encoding="utf-8")


def ensure_scikit():
    try:
        import sklearn  # noqa: F401
    except ImportError:
        python = WORK / "venv" / "bin" / "python"
        if Path(sys.executable) == python:
            sys.exit("scikit-learn could not be installed")
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(WORK / "venv")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "scikit-learn"], check=True)
        os.execv(str(python), [str(python), *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("LAZYLOGIT_DATA", str(ROOT.parent / "shared" / "data")))
    parser.add_argument("--program", default=str(ROOT / "build" / "lazylogit"))
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="refresh the rows of these sets")
    parser.add_argument("--who", choices=["ours", "scikit", "both"], default="both")
    parser.add_argument("--scikit-seconds", type=int, default=120, metavar="N", help="of the processor")
    parser.add_argument("--write", default=str(ROOT / "docs" / "datasets.md"), metavar="PAGE")
    arguments = parser.parse_args()
    unknown = set(arguments.only) - {s.name for s in SETS}
    if unknown:
        sys.exit(f"no such data set: {', '.join(sorted(unknown))}")
    WORK.mkdir(parents=True, exist_ok=True)
    if arguments.who != "ours":
        ensure_scikit()
    page = Path(arguments.write)
    rows = cells_of(page)
    for data_set in SETS:
        if arguments.only and data_set.name not in arguments.only:
            continue
        files = split_files(data_set, Path(arguments.data))
        ours = run_ours(arguments.program, data_set, *files) if arguments.who != "scikit" else {}
        theirs = run_scikit_for(arguments.scikit_seconds, data_set, *files) if arguments.who != "ours" else {}
        print(data_set.name, ours.get("accuracy", ours.get("error", "")), theirs.get("accuracy", theirs), flush=True)
        if "accuracy" in ours or theirs:
            rows[data_set.name] = merged(data_set, rows.get(data_set.name), ours, theirs)
            write_page(rows, page)


if __name__ == "__main__":
    main()
