"""Every open, read, write, fsync, rename, close and allocation failing, one call after another, once and for ever.

A run that met a failure says so (exit 3) or did not need the call (exit 0, with the right result); the model is the old
or the new one, whole; no temporary file stays.
"""

import errno
import os
import random
import unittest

import support

calls = {"open": errno.EMFILE, "read": errno.EIO, "write": errno.ENOSPC, "fsync": errno.EIO, "rename": errno.EACCES, "close": errno.EIO}


@unittest.skipIf(support.sanitized, "a preloaded library and a sanitizer do not mix")
class Fault(support.ProcessTest):
    def failing(self, name, number, forever, *arguments):
        plan = f"{name}:{number}:{calls.get(name, errno.ENOMEM)}" + (":forever" if forever else "")
        environment = {**os.environ, "LD_PRELOAD": os.environ["LAZYLOGIT_FAILING_CALLS"], "LAZYLOGIT_FAIL": plan}
        return plan, self.run_program(*arguments, env=environment)

    def each_failure(self, *arguments):
        """Yields the finished runs; a number beyond the calls that a run makes is a run without a failure."""
        for name in calls:
            for forever in (False, True):
                for number in range(200 if support.long_form else 12):
                    yield self.failing(name, number, forever, *arguments)

    def test_training(self):
        old = self.model.read_bytes()
        self.check_exit(self.run_program("train", self.data, "--variance", "2", "-o", self.model), 0)
        new = self.model.read_bytes()
        names = self.files()
        met = 0
        for plan, finished in self.each_failure("train", self.data, "--variance", "2", "-o", self.model):
            with self.subTest(plan=plan):
                self.check_exit(finished, 0, 3, 127)  # 127: the dynamic linker itself could not open a library
                content = self.model.read_bytes()
                self.assertIn(content, (old, new))
                if finished.returncode == 0:
                    self.assertEqual(content, new)
                else:
                    met += 1
                stray = self.files() - names
                if not plan.endswith("forever"):
                    self.assertEqual(stray, set())
                for name in stray:
                    (self.folder / name).unlink()
                self.model.write_bytes(old)
        self.assertGreater(met, 5)

    def test_allocations(self):
        """No memory, once or from then on: a message and exit 3, or a run that did not need it. Never an abort."""
        rng = random.Random(7)
        out = self.folder / "out"
        for command in (("train", self.data, "-o", out), ("predict", self.model, self.data, "-o", out), ("evaluate", self.model, self.data),
                        ("check", self.model, self.data), ("convert", self.data, self.folder / "out.svm")):
            numbers = range(3000) if support.long_form else [0, 1, 2, 10, *(rng.randrange(2000) for _ in range(12))]
            for number in numbers:
                for forever in (False, True):
                    plan, finished = self.failing("new", number, forever, *command)
                    with self.subTest(command=command[0], plan=plan):
                        self.check_exit(finished, 0, 3)
                        self.assertNotIn(b"terminate", finished.stderr)
                        if finished.returncode == 3:
                            self.assertIn(b"out of memory", finished.stderr)
            self.assertEqual([name for name in self.files() if "tmp" in name], [])

    def test_predicting(self):
        expected = self.run_program("predict", self.model, self.data).stdout
        out = self.folder / "out.csv"
        for plan, finished in self.each_failure("predict", self.model, self.data, "-o", out):
            with self.subTest(plan=plan):
                self.check_exit(finished, 0, 3, 127)
                if finished.returncode == 0:
                    self.assertEqual(out.read_bytes(), expected)
                else:
                    self.assertFalse(out.exists() and out.read_bytes() != expected)
                out.unlink(missing_ok=True)


if __name__ == "__main__":
    support.main()
