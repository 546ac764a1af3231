"""The Python safetensors package opens our model files and sees the numbers that `inspect` prints."""

import csv
import io
import json
import os
import pathlib
import subprocess
import tempfile

import numpy
import safetensors
import safetensors.numpy

program = os.environ["LAZYLOGIT_PROGRAM"]
rows = "age,job,label\n" + "".join(f"{20 + i},{'abc'[i % 3]},{'xyz'[(i // 4 + i) % 3]}\n" for i in range(60))


def run(*arguments):
    return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as folder:
    data = pathlib.Path(folder) / "data.csv"
    data.write_text(rows)
    for prior in (["--prior", "gaussian"], ["--prior", "laplace", "--variance", "0.01"]):  # dense and sparse storage
        model = pathlib.Path(folder) / "model.safetensors"
        run("train", data, *prior, "-o", model)
        with safetensors.safe_open(model, framework="numpy") as file:
            metadata = file.metadata()
            tensors = {name: file.get_tensor(name) for name in file.keys()}
        assert metadata, "no metadata"
        assert safetensors.numpy.load_file(model).keys() == tensors.keys()
        floats = numpy.concatenate([t.ravel() for t in tensors.values() if t.dtype == numpy.float64])
        assert numpy.isfinite(floats).all()
        shown = [float(row["coefficient"]) for row in csv.DictReader(io.StringIO(run("inspect", model, "--coefficients")))]
        missing = [value for value in shown if value != 0 and value not in floats]
        assert not missing, f"coefficients that no tensor holds: {missing}"
        assert json.loads(run("inspect", model, "--json"))["num_features"] > 0
        print(prior, {name: (str(t.dtype), t.shape) for name, t in tensors.items()}, sorted(metadata))
print("ok")
