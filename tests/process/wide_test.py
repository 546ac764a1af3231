"""Tables of very many columns: what refusing one takes, and that a good one makes a model that can be used."""

import json
import os
import subprocess
import unittest

import support

columns = 300_000
most = 150 << 20  # bytes; it was 600 MB and more
# What columns of numbers may take until a row after six good ones is refused, so that a million of them stay below 256 MB:
# six numbers with their ids are 72 of these bytes; it was 360. The rest is the program, and pages of which only a part is used.
per_column, program = 230, 36 << 20


def cells(row):
    return [str((column * 7 + row * 3) % 10) for column in range(columns)]


@unittest.skipIf(support.sanitized, "sanitizers take memory of their own")
class Refusing(support.ProcessTest):
    def check_refused(self, name, text, place, *options, limit=most):
        path = self.folder / name
        path.write_text(text)
        with open(self.folder / "said", "w+b") as said:
            process = subprocess.Popen([support.program, "train", path, *options, "-o", self.folder / "m"], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=said)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            message = said.read().decode()
        self.assertEqual(process.returncode, 1, message)
        self.assertIn(f"{path}:{place}: error: ", message)
        self.assertLess(usage.ru_maxrss << 10, limit + (len(text) if limit == most else max(map(len, text.split("\n")))))

    def test_delimited_tables(self):
        rows = [",".join(cells(row) + ["ab"[row % 2]]) for row in range(3)]
        header = ",".join([f"c{column}" for column in range(columns)] + ["label"])
        self.check_refused("count.csv", "\n".join([header, *rows, "1,2"]), "5:1")
        self.check_refused("overflow.csv", "\n".join([header, *rows, rows[0].replace("0", "1e999", 1)]), "5:1")
        self.check_refused("count.tsv", "\n".join([header, *rows, "1,2"]).replace(",", "\t"), "5:1")
        self.check_refused("rows.csv", "\n".join([*rows, "1,2"]), "4:1", "--no-header")

    def test_json_lines(self):
        rows = [json.dumps({f"c{column}": int(cell) for column, cell in enumerate(cells(row))} | {"label": "ab"[row % 2]}) for row in range(3)]
        self.check_refused("keys.jsonl", "\n".join([*rows, '{"c1": tru}']), "4:8")

    def test_rows_before_the_bad_one_cost_little_more_than_their_numbers(self):
        limit = per_column * columns + program
        rows = [",".join(cells(row) + ["ab"[row % 2]]) for row in range(6)]
        header = ",".join([f"c{column}" for column in range(columns)] + ["label"])
        for threads in ("1", "2"):
            self.check_refused("few.csv", "\n".join([header, *rows, rows[0].split(",", 1)[1]]), "8:1", "--threads", threads, limit=limit)
        self.check_refused("number.csv", "\n".join([header, *rows, rows[0].replace("0", "1e999", 1)]), "8:1", limit=limit)
        rows = [json.dumps({f"c{column}": int(cell) for column, cell in enumerate(cells(row))} | {"label": "ab"[row % 2]}, separators=(",", ":"))
                for row in range(6)]
        self.check_refused("cut.jsonl", "\n".join([*rows, '{"c0":1e999}']), "7:7", limit=limit)

    def test_rows_of_texts_take_time_in_proportion_to_their_length(self):
        # The place of every cell was looked for from the start of its line: minutes.
        rows = [",".join([f"t{cell}" for cell in cells(row)] + ["ab"[row % 2]]) for row in range(2)]
        header = ",".join([f"c{column}" for column in range(columns)] + ["label"])
        self.check_refused("texts.csv", "\n".join([header, *rows, "1,2"]), "4:1", limit=1500 * columns)


class Using(support.ProcessTest):
    def test_a_model_of_a_wide_table_is_written_read_and_checked(self):
        few = 40_000
        table, model = self.folder / "wide.csv", self.folder / "wide.safetensors"
        with open(table, "w", encoding="ascii") as file:
            file.write(",".join([f"a rather long name of column {column}" for column in range(few)] + ["label"]) + "\n")
            for row in range(4):
                file.write(",".join(["" if row == 1 and column % 1000 == 0 else str((column * 7 + row * 3) % 10) for column in range(few)] + ["ab"[row % 2]]) + "\n")
        self.check_exit(self.run_program("train", table, "-o", model, "--max-header-bytes", "8K"), 0)
        self.check_exit(self.run_program("check", model), 0)
        predicted = self.run_program("predict", model, table)
        self.check_exit(predicted, 0)
        self.assertEqual([line.split(",")[0] for line in predicted.stdout.decode().splitlines()[1:]], ["a", "b", "a", "b"])
        # Every key was compared with every other: such a file took minutes.
        lines = self.folder / "wide.jsonl"
        self.check_exit(self.run_program("convert", table, lines), 0)
        self.check_exit(self.run_program("train", lines, "-o", model), 0)
        again = self.run_program("predict", model, lines)
        self.check_exit(again, 0)
        self.assertEqual([line.split(",")[0] for line in again.stdout.decode().splitlines()[1:]], ["a", "b", "a", "b"])

    def test_the_limit_of_the_header_is_named_before_training(self):
        table = self.folder / "named.csv"
        table.write_text("x" * 5000 + ",label\n1,a\n2,b\n")
        finished = self.run_program("train", table, "-o", self.folder / "m", "--max-header-bytes", "4K")
        self.check_error(finished, 3)
        self.assertIn(b"more than the limit of 4096; --max-header-bytes raises it", finished.stderr)
        self.check_exit(self.run_program("train", table, "-o", self.folder / "m"), 0)
        for command in ("check", "inspect"):
            finished = self.run_program(command, self.folder / "m", "--max-header-bytes", "4K")
            self.check_error(finished, 1)
            self.assertIn(b"--max-header-bytes raises the limit", finished.stderr)


if __name__ == "__main__":
    support.main()
