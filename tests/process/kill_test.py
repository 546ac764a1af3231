"""kill -9 at random moments of training and writing: the file is the old model or the new one, whole."""

import os
import random
import time

import support


class Kill(support.ProcessTest):
    def test_model_is_the_old_or_the_new_one(self):
        rounds = 1000 if support.long_form else 30
        wide = self.folder / "wide.svm"  # many features: writing takes a good part of the run
        support.write_rows(wide, 2000, 60000, seed=2, features_per_row=40)
        work = self.folder / "work"
        work.mkdir()
        target = work / "model.safetensors"
        command = ("train", wide, "--optimizer", "sgd", "--epochs", "1", "--learning-rate", "0.1", "--quiet", "-o", target)
        old = self.model.read_bytes()
        began = time.monotonic()
        self.check_exit(self.run_program(*command), 0)
        duration = time.monotonic() - began  # only to choose the moments
        new = target.read_bytes()
        self.assertNotEqual(old, new)

        rng = random.Random(os.environ.get("LAZYLOGIT_SEED", "1"))
        seen = {"old": 0, "new": 0, "while writing": 0}
        for number in range(rounds):
            target.write_bytes(old)
            process = self.start(*command)
            if number % 2:  # half of the rounds wait for the temporary file to appear
                while process.poll() is None and len(os.listdir(work)) == 1:
                    pass
                time.sleep(rng.random() * 0.02)
            else:
                time.sleep(rng.random() * duration * 1.1)
            process.kill()
            process.wait()
            content = target.read_bytes()
            self.assertIn(content, (old, new), f"round {number}: {len(content)} bytes, neither the old nor the new model")
            seen["new" if content == new else "old"] += 1
            for name in os.listdir(work):
                if name != target.name:
                    seen["while writing"] += 1
                    self.assertIn("model.safetensors", name, "a temporary file that cannot be recognised")
                    (work / name).unlink()
            self.end(process)
        print(f"{rounds} rounds: {seen}")


if __name__ == "__main__":
    support.main()
