"""What is shown on a terminal: one live line, that fits; elsewhere plain lines, without control sequences."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unittest

import support

erase = b"\r\x1b[K"


class Terminal(support.ProcessTest):
    def on_terminal(self, *arguments, columns=80, enough=None, environment=None, stream="stderr"):
        """Runs with a terminal as that stream; returns its bytes. Ends the run when `enough` has been seen."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = self.start(*arguments, **{stream: theirs}, env={**os.environ, **(environment or {})})
        os.close(theirs)
        shown = b""
        deadline = time.monotonic() + support.patience
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                some = os.read(ours, 65536)
            except OSError:  # the other side is closed
                some = b""
            shown += some
            if not some or (enough and re.search(enough, shown)):
                break
        os.close(ours)
        process.terminate()
        process.wait(timeout=support.patience)
        return shown

    def live_lines(self, shown):
        return [line.split(b"\r\n")[0] for line in shown.split(erase)[1:] if line and not line.startswith(b"\r\n")]

    @unittest.skipIf(support.sanitized, "sanitizers have to be loaded first")
    def test_reading_has_a_bar_with_rate_and_time_left(self):
        """The file is slow, not large: a pause before each of its pieces."""
        big = self.folder / "big.svm"
        big.write_bytes(self.data.read_bytes() * 400)
        slow = {"LD_PRELOAD": os.environ["LAZYLOGIT_FAILING_CALLS"], "LAZYLOGIT_SLOW": "150"}
        bar = rb"reading  \[#*\.*\] +[0-9]+ %  [0-9.]+ [kM]B  [0-9.]+ [kM]?B/s  [0-9.]+ s left"
        shown = self.on_terminal("train", big, "-o", self.folder / "new", columns=100, enough=bar, environment=slow)
        self.assertRegex(shown, bar)
        for line in self.live_lines(shown):
            self.assertLess(len(line), 100)

    def test_training_has_a_live_line_per_pass_that_fits(self):
        endless = ("--optimizer", "sgd", "--epochs", "1000000000", "--tolerance", "0", "--max-seconds", "1000", "--early-stopping", "0")
        for columns in (120, 80, 60, 30):
            shown = self.on_terminal("train", self.data, "--holdout", "0.5", *endless, "-o", self.folder / "new", columns=columns,
                                     enough=rb"(?s)(\r\x1b\[Kpass .*){3}")
            lines = [line for line in self.live_lines(shown) if line.startswith(b"pass")]
            self.assertGreaterEqual(len(lines), 2)
            for line in lines[:-1]:  # the last may be cut off
                self.assertLess(len(line), columns, line)
                self.assertRegex(line, rb"^pass \d+ +error [0-9.]+")
                if columns >= 60:
                    self.assertIn(b"<= ", line)
                if columns >= 80:
                    self.assertRegex(line, rb"held-out loss [0-9.]+ .*rows/s .*<= \d+:\d\d left$")

    def test_nothing_live_remains_at_the_end(self):
        shown = self.on_terminal("train", self.data, "--optimizer", "sgd", "--max-seconds", "1.5", "--epochs", "1000000000",
                                 "--tolerance", "0", "-o", self.folder / "new")
        rest = shown.rsplit(erase, 1)[-1]
        self.assertNotIn(b"pass", rest)

    def test_names_with_control_characters_are_escaped_on_a_terminal_and_exact_elsewhere(self):
        data = self.folder / "names.jsonl"
        data.write_text("".join(json.dumps({"x": i, "y": "\x1b[31mred" if i % 2 else "b\x07\x9b"}) + "\n" for i in range(8)))
        named = self.folder / "named"
        self.check_exit(self.run_program("train", data, "-q", "-o", named), 0)
        for command in (("predict", named, data, "--proba"), ("predict", named, data, "--output", "jsonl"), ("inspect", named, "--coefficients"),
                        ("inspect", named), ("evaluate", named, data), ("outliers", named, data)):
            shown = self.on_terminal(*command, "-q", stream="stdout")
            self.assertNotRegex(shown.replace(b"\r\n", b"\n"), rb"[\x00-\x09\x0b-\x1f\x7f]", command)
            self.assertNotIn("\x9b".encode(), shown)
        exact = self.run_program("predict", named, data, "-q").stdout
        self.assertIn(b"\x1b[31mred,", exact)
        self.assertNotIn(b"\x1b", self.run_program("inspect", named).stdout)  # a table for a person is no data

    def test_elsewhere_there_are_no_control_sequences(self):
        process = self.run_program("train", self.data, "--optimizer", "sgd", "--max-seconds", "3", "--epochs", "1000000000",
                                   "--tolerance", "0", "-o", self.folder / "new", stderr=subprocess.PIPE)
        self.check_exit(process, 0)
        self.assertIn(b"pass ", process.stderr)
        self.assertIn(b" left", process.stderr)
        self.assertNotIn(b"\x1b", process.stderr)
        self.assertNotIn(b"\r", process.stderr)


if __name__ == "__main__":
    support.main()
