"""Parameters of the estimators that are options of the program."""
import numbers

import numpy as np
from sklearn.utils import check_random_state

from ._inputs import option_text

PRIOR_OF_PENALTY = {"l1": "laplace", "l2": "gaussian", None: "uniform", "none": "uniform"}  # "prior": what prior says

# Parameters that are given to the engine under their own names, with dashes.
VALUES = ("scale", "l1", "l2", "prior_file", "prior_covariance", "standardize", "reference", "optimizer", "gap", "max_passes",
          "max_seconds", "restarts", "memory", "broyden", "line_search", "step_size", "momentum", "epochs", "tolerance",
          "learning_rate", "schedule", "anneal", "decay_per", "prior_step", "prior_every", "rho", "beta1", "beta2", "epsilon",
          "beta", "forget", "batch_size", "bounds", "max_norm", "finish", "early_stopping", "posterior", "posterior_rank",
          "samples", "warmup", "chains", "kernel", "kernel_degree", "kernel_width", "kernel_map", "kernel_size", "loss", "noise_variance")
FLAGS = ("prior_intercept", "symmetric", "scale_prior", "dense_updates", "average")
NEGATED = {"intercept": "no-intercept", "shuffle": "no-shuffle"}
TEXT_VALUES = ("ngrams", "min_count", "hash_bits", "categorical", "text", "ignore", "missing", "interactions", "polynomial", "log",
               "log1p", "bins", "normalize")
DERIVED = ("interactions", "polynomial", "log", "log1p", "bins", "normalize")  # of columns, also of numbers
TEXT_FLAGS = ("lowercase", "tfidf")


def keep(estimator, values):
    """Sets the parameters of __init__, whose local variables `values` are."""
    for name, value in values.items():
        if name not in ("self", "__class__"):
            setattr(estimator, name, value)


def prior_of(estimator):
    """The prior's family and variance, C and penalty translated."""
    prior, variance = estimator.prior, getattr(estimator, "variance", None)
    penalty, c = getattr(estimator, "penalty", "prior"), getattr(estimator, "C", None)
    if penalty != "prior":
        if not (penalty is None or isinstance(penalty, str)) or penalty not in PRIOR_OF_PENALTY:
            raise ValueError(f"penalty={penalty!r}: expected 'l1', 'l2' or None; elastic nets are prior='elastic-net'")
        prior = PRIOR_OF_PENALTY[penalty]
    if c is not None:
        if not (isinstance(c, numbers.Real) and c > 0):
            raise ValueError(f"C={c!r}: expected a positive number")
        if variance is not None:
            raise ValueError("C and variance say the same thing; give one of them")
        if prior not in ("gaussian", "laplace"):
            raise ValueError(f"C={c!r} has no meaning for the {prior} prior")
        if np.isinf(c):
            return "uniform", None
        variance = float(c) if prior == "gaussian" else 2 * float(c) ** 2
    return prior, variance


def whole_number(name, value, least):
    """A parameter that counts something, as an int."""
    if not least <= value < 2**31 or int(value) != value:
        raise ValueError(f"{name}={value!r}: expected a whole number of {least} or more")
    return int(value)


def seed_of(random_state):
    if random_state is None or (isinstance(random_state, numbers.Integral) and random_state >= 0):
        return random_state
    return check_random_state(random_state).randint(2**31 - 1)


def train_options(estimator):
    """The options of the engine that were given, as text."""
    prior, variance = prior_of(estimator)
    given = {"prior": prior, "variance": variance, "seed": seed_of(estimator.random_state)}
    given.update((name, getattr(estimator, name, None)) for name in VALUES)
    options = {name.replace("_", "-"): option_text(value) for name, value in given.items() if value is not None}
    for name in FLAGS:
        if getattr(estimator, name, False):
            options[name.replace("_", "-")] = "true"
    for name, option in NEGATED.items():
        if not getattr(estimator, name, True):
            options[option] = "true"
    if isinstance(getattr(estimator, "class_weight", None), str):
        options["class-weights"] = estimator.class_weight
    more = getattr(estimator, "options", None)
    if more is not None:
        if not isinstance(more, dict):
            raise ValueError(f"options={more!r}: expected a dictionary of options of `lazylogit train`")
        options.update((str(name).replace("_", "-"), option_text(value)) for name, value in more.items())
    return options


def read_options(estimator):
    """The options of reading text and columns that were given."""
    options = {}
    for name in TEXT_VALUES:
        value = getattr(estimator, name, None)
        if value is not None:
            options[name.replace("_", "-")] = option_text(value)
    for name in TEXT_FLAGS:
        if getattr(estimator, name, False):
            options[name] = "true"
    return options


def threads_of(n_jobs):
    if n_jobs is None:
        return 0
    if not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r}: expected a number of threads, or -1 for all")
    return 0 if n_jobs < 0 else int(n_jobs)
