"""The examples of the docs run."""
import pathlib
import re
import warnings

import numpy as np
import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["python.md"])
def test_examples_run(page, tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.S)
    assert blocks
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(1)
    x = random.normal(size=(200, 4))
    y = np.where(x @ [1, -2, 0.5, 0] + random.normal(size=200) > 0, "yes", "no")
    (tmp_path / "train.csv").write_text("age,job,income\n31,smith,low\n45,baker,high\n22,smith,low\n60,cook,high\n")
    names = {"x": x, "y": y, "numbers": x[:, 0] * 3 + 1, "batches": [(x[:100], y[:100]), (x[100:], y[100:])]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for block in blocks:
            exec(compile(block.replace(".csv.zst", ".csv"), page, "exec"), names)
    assert names["model"].predict_proba(x).shape == (200, 2)
