"""Pictures of models, on matplotlib."""
import numpy as np

from . import _core
from ._options import whole_number
from ._summary import summary_table


def axes(ax):
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install lazylogit[plots]") from error
    return plt.subplots()[1] if ax is None else ax


class PlotMixin:
    """Each method draws on ``ax``, or on a new figure, and returns the axes."""

    def plot_trace(self, ax=None):
        """The error of each pass above the best one, and the certified gap."""
        self._model()
        if not self.trace_:
            raise ValueError("the model was not fitted here and has no trace")
        ax = axes(ax)
        passes = [row["passes"] for row in self.trace_]
        errors = np.array([row["error"] for row in self.trace_])
        gaps = np.array([row["relative_gap"] for row in self.trace_])
        ax.plot(passes, np.maximum(errors / np.nanmin(errors) - 1, 1e-16), marker="o", label="error / best − 1")
        known = np.isfinite(gaps)  # a gap is not computed in every pass
        if known.any():
            ax.plot(np.array(passes)[known], gaps[known], marker=".", label="certified relative gap")
        ax.set(xlabel="passes over the data", yscale="log", title="training")
        ax.legend()
        return ax

    def plot_path(self, ax=None):
        """The held-out log loss (or the evidence) along the path of LogisticRegressionCV, with standard errors."""
        self._model()
        path = getattr(self, "path_", None)
        if path is None:
            raise ValueError("only LogisticRegressionCV has a path")
        ax = axes(ax)
        values = [point["value"] for point in path]
        losses = np.array([point["log_loss"] for point in path])
        if np.isfinite(losses).any():
            ax.errorbar(values, losses, yerr=[point["log_loss_error"] for point in path], marker="o", capsize=2)
            ax.set_ylabel("held-out log loss")
        else:
            ax.plot(values, [point["log_evidence"] for point in path], marker="o")
            ax.set_ylabel("log evidence")
        tuning = self.model_.tuning
        ax.axvline(values[tuning["chosen"]], linestyle="--", color="gray")
        ax.set(xlabel=tuning["option"], xscale="log", title="path")
        return ax

    def plot_coefficients(self, top=20, level=0.95, label=None, ax=None):
        """The largest coefficients, with intervals where the model keeps a posterior; of one class, or of the first vector."""
        rows = [row for row in summary_table(self._model(), level) if row["feature"] != "(intercept)"]
        wanted = rows[0]["class"] if label is None else _core.canonical_label(str(label))
        rows = [row for row in rows if row["class"] == wanted]
        if not rows:
            raise ValueError(f"there are no coefficients of class {label!r}")
        rows = sorted(rows, key=lambda row: abs(row["coefficient"]))[-whole_number("top", top, 1):]
        ax = axes(ax)
        places = np.arange(len(rows))
        b = np.array([row["coefficient"] for row in rows])
        spread = None
        if "lower" in rows[0]:
            spread = np.maximum(0, [b - [row["lower"] for row in rows], [row["upper"] for row in rows] - b])
        ax.errorbar(b, places, xerr=spread, fmt="o", capsize=2)
        ax.axvline(0, color="gray", linewidth=0.8)
        ax.set(yticks=places, yticklabels=[row["feature"] for row in rows], xlabel="coefficient", title=f"class {wanted}")
        return ax

    def plot_calibration(self, X, y, bins=10, ax=None):
        """How often predictions come true, by their probability."""
        bins = whole_number("bins", bins, 1)
        p = np.asarray(self.predict_proba(X))
        if self.multilabel_:  # every label of every row is a prediction
            right, p = np.asarray(y).ravel() != 0, p.ravel()
        else:
            best = p.argmax(axis=1)
            right = self.classes_[best] == np.asarray(y)
            p = p[np.arange(len(p)), best]
        place = np.minimum((p * bins).astype(int), bins - 1)
        ax = axes(ax)
        filled = np.unique(place)
        ax.plot([p[place == b].mean() for b in filled], [right[place == b].mean() for b in filled], marker="o")
        ax.plot([0, 1], [0, 1], color="gray", linewidth=0.8)
        ax.set(xlabel="probability of the prediction", ylabel="share that is right", title="calibration")
        return ax

    def plot_priors(self, ax=None):
        """The density of the prior and where the coefficients lie under it."""
        import json

        prior = json.loads(self._model().to_json())["prior_parameters"]
        b = self.model_.coefficients.ravel()
        reach = max(1.0, float(np.abs(b).max()) * 1.1)
        grid = np.linspace(-reach, reach, 401)
        density = np.exp(-penalty(prior, grid))
        ax = axes(ax)
        ax.hist(b, bins=50, range=(-reach, reach), density=True, alpha=0.5, label="coefficients")
        area = float(((density[1:] + density[:-1]) / 2 * np.diff(grid)).sum())
        ax.plot(grid, density / area, label=f"{self.model_.record['prior']} prior")
        ax.set(xlabel="coefficient", title="prior and coefficients")
        ax.legend()
        return ax


def penalty(prior, b):
    """−log density of a prior, without constants."""
    family = prior.get("family")
    if family == "gaussian":
        return b**2 / (2 * prior["variance"])
    if family == "laplace":
        return np.abs(b) * np.sqrt(2 / prior["variance"])
    if family == "cauchy":
        return np.log1p((b / prior["scale"]) ** 2)
    if family == "elastic-net":
        return prior["l1"] * np.abs(b) + prior["l2"] * b**2 / 2
    return np.zeros_like(b)
