"""What the process tests share: a scratch folder with data and a model, and ways to run the program."""

import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

program = os.environ["LAZYLOGIT_PROGRAM"]
long_form = os.environ.get("LAZYLOGIT_LONG") == "1"
sanitized = bool(os.environ.get("LAZYLOGIT_SANITIZE"))
patience = 60  # seconds until a run counts as hanging; nothing here measures speed


def write_rows(path, num_rows, num_features, seed, features_per_row=20):
    """A libsvm file with two classes that depend on the features."""
    rng = random.Random(seed)
    with open(path, "w", encoding="ascii") as file:
        for _ in range(num_rows):
            indices = sorted(rng.sample(range(1, num_features + 1), features_per_row))
            label = "+1" if sum(i % 7 - 3 for i in indices) + rng.gauss(0, 5) > 0 else "-1"
            file.write(label + "".join(f" {i}:{rng.random():.4f}" for i in indices) + "\n")


class ProcessTest(unittest.TestCase):
    """Each test gets its own folder: self.data (a small file), self.model (a model of it)."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lazylogit-process-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.data = self.folder / "data.svm"
        write_rows(self.data, 200, 50, seed=1)
        self.model = self.folder / "model.safetensors"
        self.check_exit(self.run_program("train", self.data, "-o", self.model), 0)

    def run_program(self, *arguments, **options):
        """Runs to the end; stdin is empty unless given. Returns the finished process with bytes output."""
        options.setdefault("stdin", subprocess.DEVNULL)
        if "input" in options:
            del options["stdin"]
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.run([program, *map(str, arguments)], timeout=patience, **options)

    def start(self, *arguments, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.DEVNULL)
        options.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen([program, *map(str, arguments)], **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                with contextlib.suppress(OSError):  # what was left to write to a process that is gone
                    stream.close()

    def check_exit(self, finished, *codes):
        self.assertIn(finished.returncode, codes, f"{finished.args}\nstdout: {finished.stdout}\nstderr: {finished.stderr}")

    def check_error(self, finished, code):
        """Exit code as promised and exactly one error line, free of internals."""
        self.check_exit(finished, code)
        errors = [line for line in finished.stderr.decode().splitlines() if "error:" in line]
        self.assertEqual(len(errors), 1, finished.stderr)
        for word in ("bad_alloc", "terminate", "what()", "ssertion", "Sanitizer"):
            self.assertNotIn(word, finished.stderr.decode())

    def files(self):
        return {path.name for path in self.folder.iterdir()}


def main():
    """Runs the tests of the calling file; exit 77 when every one was skipped."""
    result = unittest.main(module="__main__", exit=False, verbosity=2).result
    if result.testsRun and len(result.skipped) == result.testsRun:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)


def default_signals():
    """For preexec_fn: Python ignores SIGPIPE and SIGXFSZ, which a child would inherit."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
