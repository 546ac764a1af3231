"""The table statisticians know."""
import numpy as np


def summary_text(model, level):
    from scipy.stats import norm

    names = model.features + (["(intercept)"] if model.has_intercept else [])
    values = np.hstack([model.coefficients, model.intercepts])[:, : len(names)]
    errors = None
    head = f"{'class':>12} {'feature':>20} {'coefficient':>12}"
    if model.has_posterior:
        errors = np.hstack([model.standard_errors(False), model.standard_errors(True)])[:, : len(names)]
        head += f" {'std. error':>10} {'z':>8} {'lower':>10} {'upper':>10}"
    lines = [head + f" {'odds ratio':>10}"]
    z = norm.ppf(0.5 + level / 2)
    vectors = [label for c, label in enumerate(model.classes) if c != model.reference]
    for v, label in enumerate(vectors):
        for i, name in enumerate(names):
            b = values[v, i]
            line = f"{label[:12]:>12} {name[:20]:>20} {b:12.5g}"
            if errors is not None:
                se = errors[v, i]
                line += f" {se:10.4g} {b / se if se > 0 else np.nan:8.3f} {b - z * se:10.4g} {b + z * se:10.4g}"
            lines.append(line + f" {np.exp(b):10.4g}")
    return "\n".join(lines)
