"""The table statisticians know."""
import numpy as np

from ._options import whole_number


def summary_table(model, level):
    """One dictionary per coefficient, intercepts last within each vector."""
    from scipy.stats import norm

    names = model.features + (["(intercept)"] if model.has_intercept else [])
    values = np.hstack([model.coefficients, model.intercepts])[:, : len(names)]
    errors = lower = upper = None
    if not 0 < level < 1:
        raise ValueError(f"level={level!r}: expected a probability between 0 and 1")
    if model.has_posterior:
        errors = np.hstack([model.standard_errors(False), model.standard_errors(True)])[:, : len(names)]
        lower, upper = model.intervals(level)
    rows = []
    for v, label in enumerate(label for c, label in enumerate(model.classes) if c != model.reference):
        for i, name in enumerate(names):
            row = {"class": label, "feature": name, "coefficient": values[v, i]}
            if errors is not None:
                z = values[v, i] / errors[v, i] if errors[v, i] > 0 else np.nan
                row.update({"std. error": errors[v, i], "z": z, "P>|z|": 2 * norm.sf(abs(z)), "lower": lower[v, i],
                            "upper": upper[v, i]})
            if model.response != "number":
                with np.errstate(over="ignore"):
                    row["odds ratio"] = np.exp(values[v, i])
            rows.append(row)
    return rows


FORMATS = {"class": ">12", "feature": ">20", "coefficient": "12.5g", "std. error": "11.4g", "z": "8.3f", "P>|z|": "8.4f",
           "lower": "11.4g", "upper": "11.4g", "odds ratio": "11.4g"}


def head_lines(model):
    record = model.record
    name = "linear regression" if model.response == "number" else "logistic regression"
    lines = [f"{name}, {record['prior']} prior, {record['optimizer']}: {record['termination']}",
             f"rows {record['num_examples']}, features {model.num_features}, "
             + ("" if model.response == "number" else f"{model.response} {len(model.classes)}, ") +
             f"log likelihood {record['log_likelihood']:.6g}, error {record['error']:.6g}"]
    gap = (record["certificate"] or {}).get("relative_gap")
    if gap is not None:
        lines[-1] += f", certified gap {gap:.1e}"
    if "bic" in record and record["log_evidence"] is not None:
        lines.append(f"log evidence {record['log_evidence']:.6g}, AIC {record['aic']:.6g}, BIC {record['bic']:.6g}, "
                     f"effective parameters {record['effective_parameters']:.4g}")
    return lines


def strongest(rows, top):
    """Of each vector the `top` largest coefficients in their order, and the intercept."""
    top = whole_number("top", top, 1)
    kept = []
    for label in dict.fromkeys(row["class"] for row in rows):
        own = [row for row in rows if row["class"] == label]
        features = sorted((row for row in own if row["feature"] != "(intercept)"), key=lambda row: -abs(row["coefficient"]))
        kept += features[:top] + [row for row in own if row["feature"] == "(intercept)"]
    return kept


def summary_text(model, level, top=None):
    rows = summary_table(model, level)
    if top is not None:
        rows = strongest(rows, top)
    columns = list(rows[0]) if rows else ["class", "feature", "coefficient"]
    width = {name: int(FORMATS[name].lstrip(">").split(".")[0].rstrip("gf")) for name in columns}
    lines = head_lines(model) + [" ".join(f"{name:>{width[name]}}" for name in columns)]
    for row in rows:
        cells = [row[name][: width[name]] if isinstance(row[name], str) else row[name] for name in columns]
        lines.append(" ".join(format(cell, FORMATS[name]) for name, cell in zip(columns, cells)))
    return "\n".join(lines)
