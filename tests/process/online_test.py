"""Streams as a process: memory that does not grow with the rows, checkpoints that survive kill -9, signals while a pipe is idle."""

import os
import random
import signal
import subprocess
import threading
import time

import support


def rows(count, seed=1):
    rng = random.Random(seed)
    return "".join(f"{rng.randrange(2)} {rng.randrange(1, 5000)}:{rng.random():.3f} {5000 + rng.randrange(50000)}:1\n"
                   for _ in range(count)).encode()


class Online(support.ProcessTest):
    def feed(self, process, block, times):
        def write():
            try:
                for _ in range(times):
                    process.stdin.write(block)
                process.stdin.close()
            except OSError:
                pass

        thread = threading.Thread(target=write)
        thread.start()
        self.addCleanup(thread.join)
        return thread

    def stream(self, *options):
        return self.start("train", "-", "--format", "libsvm", "--stream", "-o", self.folder / "out.m", "--quiet", *options,
                          stdin=subprocess.PIPE)

    def peak(self, block, times):
        process = self.stream()
        self.feed(process, block, times)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss * 1024

    def test_memory_does_not_grow_with_the_rows(self):
        block = rows(50000)
        times = 100 if support.long_form else 20  # 5 million rows, or one million
        few, many = self.peak(block, 1), self.peak(block, times)
        if not support.sanitized:
            self.assertLess(many, few + (8 << 20))
            self.assertLess(many, (self.folder / "out.m").stat().st_size + (64 << 20))

    def test_checkpoints_survive_kill_9(self):
        block = rows(20000)
        checkpoint = self.folder / "now.m"
        rng = random.Random(5)
        loaded, usual = 0, None  # seconds until the first checkpoint is there
        for number in range(200 if support.long_form else 20):
            start = time.monotonic()
            process = self.stream("--checkpoint", checkpoint, "--checkpoint-rows", "1")
            self.feed(process, block, 30)
            while usual is None and not checkpoint.exists() and process.poll() is None:
                time.sleep(0.002)
            usual = usual or time.monotonic() - start
            time.sleep(rng.uniform(0, 3 * usual) if number else 0)
            process.kill()
            process.wait()
            if checkpoint.exists():
                loaded += 1
                self.check_exit(self.run_program("check", checkpoint), 0)
        self.assertGreater(loaded, 0)
        # It resumes: the rows it has learned are passed over.
        self.check_exit(self.run_program("train", "-", "--format", "libsvm", "--stream", "--warm-start", checkpoint, "-o",
                                         self.folder / "resumed.m", input=block), 0)

    def test_a_signal_ends_an_idle_stream_and_keeps_what_was_learned(self):
        checkpoint = self.folder / "now.m"
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.stream("--checkpoint", checkpoint)
            process.stdin.write(rows(1000))
            process.stdin.flush()
            checkpoint.unlink(missing_ok=True)
            time.sleep(1)  # learned by now; more never comes
            process.send_signal(number)
            process.wait(timeout=support.patience)
            self.assertEqual(process.returncode, -number)
            self.check_exit(self.run_program("check", checkpoint), 0)
            self.assertFalse((self.folder / "out.m").exists())

    def test_a_signal_keeps_the_best_coefficients_of_a_fit_in_memory(self):
        data = self.folder / "large.svm"
        support.write_rows(data, 20000, 5000, seed=3)
        checkpoint = self.folder / "now.m"
        process = self.start("train", data, "--optimizer", "sgd", "--epochs", "100000", "--tolerance", "0", "--checkpoint",
                             checkpoint, "-o", self.folder / "out.m")
        time.sleep(3)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=support.patience)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.check_exit(self.run_program("train", data, "--warm-start", checkpoint, "-o", self.folder / "more.m"), 0)


if __name__ == "__main__":
    support.main()
