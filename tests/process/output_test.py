"""Where output cannot go: full disks, size limits, missing folders, files that are inputs as well."""

import os
import resource
import subprocess

import support


class FullDisk(support.ProcessTest):
    def test_dev_full_as_stdout(self):
        with open("/dev/full", "wb") as full:
            finished = self.run_program("predict", self.model, self.data, stdout=full)
        self.check_error(finished, 3)

    def test_dev_full_as_output(self):
        self.check_error(self.run_program("predict", self.model, self.data, "-o", "/dev/full"), 3)
        self.check_error(self.run_program("train", self.data, "-o", "/dev/full"), 3)

    def test_small_file_system(self):
        place = self.folder / "small"
        place.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True)
        if mount.returncode:
            self.skipTest("mounting a tmpfs needs root")
        try:
            target = place / "model.safetensors"
            old = self.model.read_bytes()
            target.write_bytes(old)
            wide = self.folder / "wide.svm"
            support.write_rows(wide, 300, 40000, seed=3)
            self.check_error(self.run_program("train", wide, "--optimizer", "sgd", "--epochs", "1", "-o", target), 3)
            self.assertEqual(target.read_bytes(), old)
            self.assertEqual(os.listdir(place), [target.name])
            long_data = self.folder / "long.svm"
            long_data.write_text(self.data.read_text() * 100)
            self.check_error(self.run_program("predict", self.model, long_data, "-o", place / "predictions.csv"), 3)
            self.check_error(self.run_program("convert", long_data, place / "converted.csv"), 3)
            self.assertEqual(os.listdir(place), [target.name])
        finally:
            subprocess.run(["umount", str(place)], check=True)

    def test_file_size_limit(self):
        def limit():
            support.default_signals()
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

        old = self.model.read_bytes()
        names = self.files()
        self.check_error(self.run_program("train", self.data, "--variance", "2", "-o", self.model, preexec_fn=limit), 3)
        self.assertEqual(self.model.read_bytes(), old)
        self.assertEqual(self.files(), names)


class NoPlace(support.ProcessTest):
    """Found before any data is read: the data is a FIFO that nobody writes, so reading first would hang."""

    def setUp(self):
        super().setUp()
        self.fifo = self.folder / "fifo.svm"
        os.mkfifo(self.fifo)

    def test_folder_does_not_exist(self):
        self.check_error(self.run_program("train", self.fifo, "-o", self.folder / "no" / "model"), 3)
        self.check_error(self.run_program("predict", self.model, self.fifo, "-o", self.folder / "no" / "out"), 3)
        self.check_error(self.run_program("convert", self.fifo, self.folder / "no" / "out.csv"), 3)

    def test_output_is_a_folder(self):
        self.check_error(self.run_program("train", self.fifo, "-o", self.folder), 3)

    def test_folder_is_not_writable(self):
        if not os.path.isdir("/proc/self"):
            self.skipTest("no /proc")
        self.check_error(self.run_program("train", self.fifo, "-o", "/proc/lazylogit.safetensors"), 3)

    def test_usage_errors_come_first(self):
        for options in (["--variance", "-1"], ["--no-such-option"], ["--prior", "gausian"], ["--epochs", "many"]):
            self.check_error(self.run_program("train", self.fifo, "-o", self.folder / "new", *options), 2)
        self.check_error(self.run_program("train", self.fifo), 2)  # no -o


class OutputIsInput(support.ProcessTest):
    def refused(self, *arguments):
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        self.check_error(self.run_program(*arguments), 2)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_same_name(self):
        self.refused("train", self.data, "-o", self.data)
        self.refused("predict", self.model, self.data, "-o", self.data)
        self.refused("predict", self.model, self.data, "-o", self.model)
        self.refused("convert", self.data, self.data)

    def test_same_name_written_differently(self):
        self.refused("train", self.data, "-o", self.folder / ".." / self.folder.name / self.data.name)

    def test_symbolic_and_hard_links(self):
        symbolic, hard = self.folder / "symbolic.svm", self.folder / "hard.svm"
        symbolic.symlink_to(self.data)
        os.link(self.data, hard)
        self.refused("train", self.data, "-o", symbolic)
        self.refused("train", symbolic, "-o", self.data)
        self.refused("train", self.data, "-o", hard)
        self.refused("convert", hard, self.data)

    def test_standard_input_from_the_output(self):
        before = self.data.read_bytes()
        with open(self.data, "rb") as stream:
            self.check_error(self.run_program("train", "-", "--format", "libsvm", "-o", self.data, stdin=stream), 2)
        self.assertEqual(self.data.read_bytes(), before)


class Links(support.ProcessTest):
    def test_symbolic_link_at_the_output_is_followed(self):
        link = self.folder / "link.safetensors"
        link.symlink_to(self.model.name)
        old = self.model.read_bytes()
        self.check_exit(self.run_program("train", self.data, "--variance", "3", "-o", link), 0)
        self.assertTrue(link.is_symlink())
        self.assertNotEqual(self.model.read_bytes(), old)
        self.check_exit(self.run_program("check", link), 0)

    def test_permissions_follow_the_umask(self):
        target = self.folder / "fresh.safetensors"
        self.check_exit(self.run_program("train", self.data, "-o", target, preexec_fn=lambda: os.umask(0o027)), 0)
        self.assertEqual(target.stat().st_mode & 0o777, 0o640)


if __name__ == "__main__":
    support.main()
