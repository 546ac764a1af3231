"""How models look in a notebook."""
import html

import numpy as np

from ._summary import head_lines


def table(header, rows):
    head = "".join(f"<th>{html.escape(str(cell))}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def number(value):
    return "" if value is None or value != value else f"{value:.6g}"


class Trace(list):
    """The passes of a fit, one dictionary each; a table in notebooks."""

    COLUMNS = ("passes", "error", "relative_gap", "gradient_norm", "holdout_log_loss", "seconds")

    def _repr_html_(self):
        return table(self.COLUMNS, [[number(row.get(name)) for name in self.COLUMNS] for row in self])


class HtmlMixin:
    def _repr_html_(self):
        """scikit-learn's box of parameters and, once fitted, how the fit ended and the strongest features of each class."""
        box = getattr(super(), "_repr_html_", None)
        text = box() if callable(box) else f"<pre>{html.escape(repr(self))}</pre>"
        model = getattr(self, "model_", None)
        if model is None:
            return text
        names = model.features
        rows = []
        labels = getattr(self, "classes_", np.array(model.classes))  # a regression has the name of its target
        labels = labels[1:] if len(labels) == 2 and model.response == "classes" else labels
        for label, b in list(zip(labels.tolist(), np.atleast_2d(getattr(self, "coef_", np.zeros((0, 0))))))[:20]:
            strongest = abs(b).argsort()[::-1][:10]
            rows.append([label, ", ".join(f"{names[i]} {b[i]:+.3g}" for i in strongest if b[i] != 0)])
        head = "<br>".join(html.escape(line) for line in head_lines(model))
        return f"{text}<div>{head}</div>{table(('class', 'strongest features'), rows)}"

    def _repr_mimebundle_(self, **kwargs):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
