"""SIGINT, SIGTERM, SIGHUP: the run ends by the same signal, soon, with files as they were; SIGPIPE: quietly."""

import os
import signal
import subprocess
import time

import support

endless = ("--optimizer", "sgd", "--epochs", "1000000000", "--tolerance", "0")


class Interrupted(support.ProcessTest):
    def ends_by(self, number, process):
        process.send_signal(number)
        process.wait(timeout=10)  # the promise is 2 s; more only because machines are busy
        self.assertEqual(process.returncode, -number)
        self.assertNotIn(b"internal", process.stderr.read())

    def check_untouched(self, before):
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}, before)

    def test_while_training(self):
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start("train", self.data, *endless, "-o", self.model)
            time.sleep(0.7)
            self.assertIsNone(process.poll(), "training ended before the signal")
            self.ends_by(number, process)
            self.check_untouched(before)

    def test_a_second_signal_ends_at_once(self):
        """While it waits for the reader of its output, the first signal has a second to take effect; the exit code tells
        which of them did."""
        many = self.folder / "many.svm"
        many.write_bytes(self.data.read_bytes() * 200)
        process = self.start("predict", self.model, many, stdout=subprocess.PIPE)
        process.stdout.read(1)  # it writes more at once than a pipe holds
        process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        self.ends_by(signal.SIGINT, process)

    def test_while_waiting_for_standard_input(self):
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        process = self.start("train", "-", "--format", "libsvm", "-o", self.model, stdin=subprocess.PIPE)
        process.stdin.write(b"+1 1:1\n")
        process.stdin.flush()
        time.sleep(0.5)
        self.ends_by(signal.SIGTERM, process)
        self.check_untouched(before)

    def test_while_waiting_for_a_fifo(self):
        fifo = self.folder / "fifo.svm"
        os.mkfifo(fifo)
        process = self.start("train", fifo, "-o", self.folder / "new")
        time.sleep(0.5)
        self.ends_by(signal.SIGINT, process)
        self.assertFalse((self.folder / "new").exists())

    def test_while_predicting_to_a_file(self):
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        process = self.start("predict", self.model, "-", "--format", "libsvm", "-o", self.folder / "out.csv", stdin=subprocess.PIPE)
        process.stdin.write(self.data.read_bytes())
        process.stdin.flush()
        time.sleep(0.5)
        self.ends_by(signal.SIGINT, process)
        self.check_untouched(before)

    def test_ignored_hangup_stays_ignored(self):
        """nohup lazylogit train …"""
        process = self.start("train", self.data, *endless, "-o", self.model,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.5)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        self.ends_by(signal.SIGTERM, process)


class Pipe(support.ProcessTest):
    def test_reader_goes_away(self):
        many = self.folder / "many.svm"
        many.write_text(self.data.read_text() * 2000)
        process = self.start("predict", self.model, many, stdout=subprocess.PIPE, preexec_fn=support.default_signals)
        process.stdout.readline()
        process.stdout.close()
        process.wait(timeout=support.patience)
        self.assertIn(process.returncode, (-signal.SIGPIPE, 128 + signal.SIGPIPE))
        self.assertNotIn(b"error", process.stderr.read())


if __name__ == "__main__":
    support.main()
