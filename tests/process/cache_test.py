"""Caches larger than the memory of a run: the same bytes as from memory, and next to no memory of their own."""

import pathlib
import random
import time
import unittest

import support


def write_many_rows(path, num_rows, num_features, features_per_row):
    """Rows from a few hundred stretches of text, so that writing them takes no time."""
    rng = random.Random(7)
    tails = []
    for _ in range(500):
        indices = sorted(rng.sample(range(1, num_features + 1), features_per_row))
        tails.append("".join(f" {i}:{rng.random():.3f}" for i in indices) + "\n")
    with open(path, "w", encoding="ascii") as file:
        for _ in range(num_rows):
            tail = rng.choice(tails)
            file.write(("+1" if len(tail) % 7 + rng.gauss(0, 3) > 3 else "-1") + tail)


@unittest.skipIf(support.sanitized, "sanitizers have memory of their own")
class Mapped(support.ProcessTest):
    def setUp(self):
        super().setUp()
        self.big = self.folder / "big.svm"
        write_many_rows(self.big, 60_000, 300, 60)
        self.cache = self.folder / "big.cache"

    def peak(self, *arguments):
        """The most anonymous memory, in bytes, that was seen while the program ran."""
        process = self.start(*arguments)
        most = 0
        while process.poll() is None:
            try:
                for line in pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines():
                    if line.startswith("RssAnon:"):
                        most = max(most, 1024 * int(line.split()[1]))
            except OSError:
                break
            time.sleep(0.002)
        process.wait()
        self.assertEqual(process.returncode, 0, process.stderr.read())
        return most

    def test_the_same_bytes_in_little_memory(self):
        floor = self.peak("train", self.data, "-o", self.folder / "small")
        making = self.peak("convert", self.big, self.cache)
        size = self.cache.stat().st_size  # 60,000 x 60 entries of 8 bytes
        self.assertGreater(size, 28 << 20)
        self.assertLess(making - floor, 24 << 20)
        for options in (["lbfgs"], ["newton"], ["sgd", "--epochs", "2"], ["coordinate", "--prior", "laplace"], ["saga", "--epochs", "2"], ["irls"]):
            with self.subTest(options[0]):
                fit = ["--optimizer", *options, "--max-passes", "40"] if options[0] not in ("sgd", "saga") else ["--optimizer", *options]
                used = self.peak("train", self.cache, *fit, "-o", self.folder / "mapped")
                self.check_exit(self.run_program("train", self.big, *fit, "-o", self.folder / "held"), 0)
                self.assertEqual((self.folder / "mapped").read_bytes(), (self.folder / "held").read_bytes())
                self.assertLess(used - floor, 16 << 20)

    def test_cache_option_makes_the_same_in_little_memory(self):
        fit = ["--optimizer", "sgd", "--epochs", "1"]
        floor = self.peak("train", self.data, *fit, "-o", self.folder / "small")
        made = self.peak("train", self.big, "--cache", self.cache, *fit, "-o", self.folder / "made")
        read = self.peak("train", self.big, "--cache", self.cache, *fit, "-o", self.folder / "read")
        self.check_exit(self.run_program("train", self.big, *fit, "-o", self.folder / "held"), 0)
        for name in ("made", "read"):
            self.assertEqual((self.folder / name).read_bytes(), (self.folder / "held").read_bytes())
        self.assertLess(made - floor, 24 << 20)
        self.assertLess(read - floor, 16 << 20)

    def learning(self, *options):
        """A run that has begun to learn from the cache."""
        process = self.start("train", self.cache, "--optimizer", "sgd", "--tolerance", "0", *options, "-o", self.folder / "new", "--log", "json")
        for line in process.stderr:
            if b'"epoch"' in line or b'"pass"' in line or b'"error"' in line:
                break
        return process

    def test_rewritten_in_place_while_it_is_used(self):
        self.check_exit(self.run_program("convert", self.big, self.cache), 0)
        fit = ["--optimizer", "sgd", "--tolerance", "0", "--epochs", "40"]
        self.check_exit(self.run_program("train", self.cache, *fit, "-o", self.folder / "undisturbed"), 0)
        size = self.cache.stat().st_size
        process = self.learning("--epochs", "40")
        with open(self.cache, "r+b") as file:  # waits until the run has what it needs in memory
            file.seek(4096)
            file.write(b"\xff" * (size - 4096))
            file.truncate(8192)
        errors = process.stderr.read()
        process.wait(timeout=support.patience)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual((self.folder / "new").read_bytes(), (self.folder / "undisturbed").read_bytes())

    def test_cut_off_by_one_who_had_it_open_before(self):
        self.check_exit(self.run_program("convert", self.big, self.cache), 0)
        file = open(self.cache, "r+b")
        process = self.learning("--epochs", "1000000")
        with file:
            file.truncate(4096)
        errors = process.stderr.read()
        process.wait(timeout=support.patience)
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn(b"cut off", errors)
        self.assertNotIn("new", self.files())


class OtherWaysIn(support.ProcessTest):
    def test_pipes_and_compression(self):
        cache = self.folder / "data.cache"
        self.check_exit(self.run_program("convert", self.data, cache), 0)
        packed = self.folder / "data.cache.zst"
        self.check_exit(self.run_program("convert", self.data, packed), 0)
        for name, options in ((cache, {}), (packed, {}), ("-", {"input": cache.read_bytes()}), ("-", {"input": packed.read_bytes()})):
            self.check_exit(self.run_program("train", name, "-o", self.folder / "new", **options), 0)
            self.assertEqual((self.folder / "new").read_bytes(), self.model.read_bytes())
        expected = self.run_program("predict", self.model, self.data).stdout
        self.assertEqual(self.run_program("predict", self.model, cache).stdout, expected)
        self.assertEqual(self.run_program("predict", self.model, "-", input=packed.read_bytes()).stdout, expected)

    def test_an_old_cache_is_made_again(self):
        cache = self.folder / "data.cache"
        cache.write_bytes(b"\x89LLCACHE\x01\0\0\0\0\0\0\0" + bytes(100))
        self.check_error(self.run_program("train", cache, "-o", self.folder / "new"), 1)
        self.check_exit(self.run_program("train", self.data, "--cache", cache, "-o", self.folder / "new"), 0)
        self.assertEqual((self.folder / "new").read_bytes(), self.model.read_bytes())
        self.check_exit(self.run_program("train", cache, "-o", self.folder / "new"), 0)


if __name__ == "__main__":
    support.main()
