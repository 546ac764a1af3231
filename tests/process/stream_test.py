"""Standard input, FIFOs, closed standard streams, locales, little memory."""

import json
import os
import resource
import subprocess
import threading
import unittest

import support


class Input(support.ProcessTest):
    def setUp(self):
        super().setUp()
        self.expected = self.run_program("predict", self.model, self.data).stdout

    def test_standard_input(self):
        finished = self.run_program("predict", self.model, "-", "--format", "libsvm", input=self.data.read_bytes())
        self.check_exit(finished, 0)
        self.assertEqual(finished.stdout, self.expected)

    def test_train_from_standard_input_gives_the_same_model(self):
        target = self.folder / "piped.safetensors"
        self.check_exit(self.run_program("train", "-", "--format", "libsvm", "-o", target, input=self.data.read_bytes()), 0)
        self.assertEqual(target.read_bytes(), self.model.read_bytes())

    def test_fifo(self):
        fifo = self.folder / "fifo.svm"
        os.mkfifo(fifo)
        writer = threading.Thread(target=lambda: fifo.write_bytes(self.data.read_bytes()))
        writer.start()
        target = self.folder / "fifo.safetensors"
        finished = self.run_program("train", fifo, "-o", target)
        writer.join()
        self.check_exit(finished, 0)
        self.assertEqual(target.read_bytes(), self.model.read_bytes())

    def test_model_from_a_fifo_is_read_or_refused(self):
        fifo = self.folder / "fifo.safetensors"
        os.mkfifo(fifo)
        writer = threading.Thread(target=lambda: fifo.write_bytes(self.model.read_bytes()), daemon=True)
        writer.start()
        self.check_exit(self.run_program("check", fifo), 0, 3)

    def test_folder_as_input(self):
        self.check_error(self.run_program("train", self.folder, "-o", self.folder / "new"), 3)

    def test_missing_file(self):
        self.check_error(self.run_program("predict", self.model, self.folder / "nothing.svm"), 3)
        self.check_error(self.run_program("predict", self.folder / "nothing", self.data), 3)


class SignsOfLife(support.ProcessTest):
    """A run that waits says what it is doing; the writer goes on only when that has been said."""

    def first_words(self, *options):
        fifo = self.folder / f"slow{len(self.files())}.svm"
        os.mkfifo(fifo)
        process = self.start("train", fifo, "-o", self.folder / "new", *options)
        with open(fifo, "wb") as pipe:
            words = process.stderr.readline()
            pipe.write(self.data.read_bytes())
        self.assertEqual(process.wait(timeout=support.patience), 0)
        return words

    def test_as_text(self):
        self.assertRegex(self.first_words().decode(), r"^reading: [0-9.]+ s$")

    def test_as_json(self):
        event = json.loads(self.first_words("--log", "json"))
        self.assertEqual((event["event"], event["phase"], event["unit"]), ("progress", "reading", "seconds"))

    def test_every_command(self):
        """All at once: each waits for its first row, or its model, and says so."""
        new = self.folder / "new"
        commands = {
            "predict": ("predict", self.model, "FIFO"),
            "evaluate": ("evaluate", self.model, "FIFO"),
            "check": ("check", self.model, "FIFO"),
            "outliers": ("outliers", self.model, "FIFO"),
            "tune": ("tune", "FIFO", "--folds", "2", "--path", "2", "-o", new),
            "compare": ("compare", "FIFO", "--optimizers", "lbfgs"),
            "convert": ("convert", "FIFO", self.folder / "new.csv"),
            "stream": ("train", "FIFO", "--stream", "-o", new),
            "inspect": ("inspect", "FIFO"),
            "check of a model": ("check", "FIFO"),
        }
        waiting = {}
        for name, command in commands.items():
            fifo = self.folder / f"slow {name}.svm"
            os.mkfifo(fifo)
            process = self.start(*(fifo if word == "FIFO" else word for word in command))
            waiting[name] = (process, open(fifo, "wb"))
        for name, (process, pipe) in waiting.items():
            with self.subTest(name):
                self.assertRegex(process.stderr.readline().decode(), r"^[a-z ]+: [0-9.]+ s$")
                pipe.write((self.model if name in ("inspect", "check of a model") else self.data).read_bytes())
                pipe.close()
                process.stderr.read()
                self.assertEqual(process.wait(timeout=support.patience), 0)

    def test_quiet_says_nothing(self):
        finished = self.run_program("train", self.data, "-q", "-o", self.folder / "new")
        self.assertEqual((finished.stdout, finished.stderr), (b"", b""))


class Closed(support.ProcessTest):
    """A closed descriptor must not be reused for a data file: nothing may be written into the model or the data."""

    def closing(self, *descriptors):
        def close():
            for descriptor in descriptors:
                os.close(descriptor)
        return close

    def test_training_writes_the_same_model(self):
        expected = self.model.read_bytes()
        data = self.data.read_bytes()
        for descriptors in ((0,), (1,), (2,), (1, 2), (0, 1, 2)):
            target = self.folder / "closed.safetensors"
            target.unlink(missing_ok=True)
            streams = {name: None for number, name in enumerate(("stdin", "stdout", "stderr")) if number in descriptors}
            self.run_program("train", self.data, "-o", target, preexec_fn=self.closing(*descriptors), **streams)
            self.assertEqual(target.read_bytes(), expected, f"closed: {descriptors}")
            self.assertEqual(self.data.read_bytes(), data)

    def test_predictions_that_cannot_be_written(self):
        finished = self.run_program("predict", self.model, self.data, stdout=None, preexec_fn=self.closing(1))
        self.check_error(finished, 3)

    def test_closed_standard_input_as_data(self):
        finished = self.run_program("predict", self.model, "-", "--format", "libsvm", stdin=None, preexec_fn=self.closing(0))
        self.check_error(finished, 3)

    def test_closed_stderr_leaves_stdout_alone(self):
        expected = self.run_program("predict", self.model, self.data).stdout
        finished = self.run_program("predict", self.model, self.data, stderr=None, preexec_fn=self.closing(2))
        self.assertEqual((finished.returncode, finished.stdout), (0, expected))


class Environment(support.ProcessTest):
    def german(self):
        """An environment whose decimal point is a comma, with a locale compiled for it where that is possible."""
        folder = self.folder / "locales"
        folder.mkdir()
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")], capture_output=True, check=False)
        return {**os.environ, "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LOCPATH": str(folder), "TZ": "Asia/Kathmandu"}

    def test_results_do_not_depend_on_the_locale(self):
        try:
            environment = self.german()
        except FileNotFoundError:
            self.skipTest("no localedef")
        target = self.folder / "german.safetensors"
        self.check_exit(self.run_program("train", self.data, "-o", target, env=environment), 0)
        self.assertEqual(target.read_bytes(), self.model.read_bytes())
        for command in (("predict", self.model, self.data, "--proba"), ("inspect", self.model, "--coefficients"),
                        ("evaluate", self.model, self.data, "--json")):
            self.assertEqual(self.run_program(*command, env=environment).stdout, self.run_program(*command).stdout)

    def test_empty_environment(self):
        self.check_exit(self.run_program("check", self.model, env={}), 0)

    @unittest.skipIf(support.sanitized, "sanitizers reserve address space")
    def test_little_memory_is_an_error_not_a_crash(self):
        wide = self.folder / "wide.svm"
        support.write_rows(wide, 5000, 100000, seed=4, features_per_row=100)
        for megabytes in (60, 100, 150, 250, 400):
            limit = megabytes << 20
            finished = self.run_program("train", wide, "--threads", "2", "--epochs", "1", "--optimizer", "sgd", "-o", self.folder / "m",
                                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.check_exit(finished, 0, 3)
            if finished.returncode == 3:
                self.check_error(finished, 3)

    @unittest.skipIf(support.sanitized, "sanitizers reserve address space")
    def test_no_room_for_threads_is_an_error_not_a_bug(self):
        for megabytes in (20, 24, 28, 40):
            limit = megabytes << 20
            for command in ("predict", "evaluate"):
                finished = self.run_program(command, self.model, self.data, "--threads", "4",
                                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                if b"shared librar" not in finished.stderr:  # the loader did not get as far as the program
                    self.check_exit(finished, 0, 3)

    @unittest.skipIf(support.sanitized, "sanitizers reserve address space")
    def test_a_header_of_delimiters_takes_little_memory(self):
        table = self.folder / "commas.csv"
        for name, code, message in (("", 1, b"column 1 has no name"), ("x", 3, b"20000001 columns are more than 16777216")):
            table.write_bytes(name.encode() + b"," * 20_000_000)
            limit = 300 << 20
            finished = self.run_program("train", table, "-o", self.folder / "m", "--threads", "1",
                                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.check_exit(finished, code)
            self.assertIn(message, finished.stderr)


if __name__ == "__main__":
    support.main()
