"""Tables of very many columns: what refusing one takes, what reading a good one does, and that it makes a model that can be used."""

import itertools
import json
import subprocess
import sys
import unittest

import support

columns = 300_000
most = 150 << 20  # bytes; it was 600 MB and more
# What columns may take until a row after good ones is refused, so that a million of them stay below 256 MB whatever is in
# them and however many rows were good; it was up to 2000. The rest is the program, and pages of which only a part is used.
per_column, program = 230, 36 << 20

# A process counts as its own peak what the one had that started it: a small one starts the program.
launcher = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(process.pid, 0)
with open(sys.argv[1], "w") as file:
    file.write(str(usage.ru_maxrss << 10))
os._exit(os.waitstatus_to_exitcode(status))
"""


def run_measured(folder, *arguments):
    """The finished process, and its peak memory in bytes."""
    finished = subprocess.run([sys.executable, "-B", "-c", launcher, folder / "peak", support.program, *arguments],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return finished, int((folder / "peak").read_text())


def cells(row):
    return [str((column * 7 + row * 3) % 10) for column in range(columns)]


def names(row):
    return [f"{'rgbwk'[(column * 3 + row) % 5]}{(column + row) % 3}" for column in range(columns)]


def texts(row):
    return [f"w{(column * 3 + row) % 50} of {row}" for column in range(columns)]


def mixed(row):
    return [cell if column % 2 else name for column, (cell, name) in enumerate(zip(cells(row), names(row)))]


def late(row):
    return cells(row) if row < 5 else names(row)


def csv_lines(cells_of, rows):
    yield ",".join([f"c{column}" for column in range(columns)] + ["label"])
    for row in range(rows):
        yield ",".join(cells_of(row) + ["ab"[row % 2]])


def json_lines(cells_of, rows):
    for row in range(rows):
        values = (cell if cell[0] in "0123456789{" else f'"{cell}"' for cell in cells_of(row))
        yield "{" + "".join(f'"c{column}":{value},' for column, value in enumerate(values)) + f'"label":"{"ab"[row % 2]}"' + "}"


@unittest.skipIf(support.sanitized, "sanitizers take memory of their own")
class Refusing(support.ProcessTest):
    def check_refused(self, name, text, place, *options):
        (self.folder / name).write_text(text)
        self.check_memory(name, place, *options, limit=most + len(text))

    def check_refused_in_little(self, name, lines, place, *options):
        longest = 0
        with open(self.folder / name, "w", encoding="ascii") as file:
            for line in lines:
                longest = max(longest, len(line))
                file.write(line + "\n")
        self.check_memory(name, place, *options, limit=per_column * columns + program + longest)

    def check_memory(self, name, place, *options, limit):
        path = self.folder / name
        finished, peak = run_measured(self.folder, "train", path, *options, "-o", self.folder / "m")
        message = finished.stderr.decode()
        self.assertEqual(finished.returncode, 1, message)
        self.assertIn(f"{path}:{place}: error: ", message)
        self.assertLess(peak, limit)

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

    def check_table(self, cells_of, rows=6):
        too_few = ",".join(cells_of(0))
        for threads in ("1", "2"):
            self.check_refused_in_little("few.csv", itertools.chain(csv_lines(cells_of, rows), [too_few]), f"{rows + 2}:1", "--threads", threads)

    def check_lines(self, cells_of, rows=6):
        for threads in ("1", "2"):
            self.check_refused_in_little("cut.jsonl", itertools.chain(json_lines(cells_of, rows), ['{"c0":1e999}']), f"{rows + 1}:7", "--threads", threads)

    def test_rows_of_numbers_before_the_bad_one_cost_little(self):
        self.check_table(cells)
        self.check_lines(cells)
        overflow = ",".join(["1e999", *cells(0)[1:], "a"])
        self.check_refused_in_little("number.csv", itertools.chain(csv_lines(cells, 6), [overflow]), "8:1")

    def test_many_rows_before_the_bad_one_cost_no_more(self):
        self.check_table(cells, rows=25)

    def test_rows_of_names_before_the_bad_one_cost_little(self):
        # Each column had dictionaries of its own: 1300 bytes and more.
        for cells_of in (names, mixed, late):
            self.check_table(cells_of)
            self.check_lines(cells_of)

    def test_rows_of_texts_before_the_bad_one_cost_little(self):
        # The place of every cell was looked for from the start of its line: minutes.
        self.check_table(texts)
        self.check_lines(texts)

    def test_rows_of_nested_numbers_before_the_bad_one_cost_little(self):
        self.check_lines(lambda row: [f'{{"x":{row},"{column % 7}":1}}' for column in range(columns)])


@unittest.skipIf(support.sanitized, "sanitizers take memory of their own")
class Reading(support.ProcessTest):
    """At most three times what the data takes in memory, and 64 MB."""

    # A column as a model has it; a feature beside its name: where that ends, and its coefficient; an entry of a row.
    of_column, of_feature, of_entry = 152, 16, 4

    def check_table(self, cells_of, few, rows, features_of=lambda name, cell: [f"{name}={cell}"]):
        table = [cells_of(row)[:few] for row in range(rows)]
        resident = few * self.of_column
        for column in range(few):
            found = [features_of(f"c{column}", row[column]) for row in table]
            resident += sum(self.of_entry * len(features) for features in found)
            resident += sum(len(name) + self.of_feature for name in set(itertools.chain.from_iterable(found)))
        for path, lines in (("wide.csv", self.csv_lines(table)), ("wide.jsonl", self.json_lines(table))):
            (self.folder / path).write_text("".join(line + "\n" for line in lines), encoding="ascii")
            # Refused once all is read: what follows takes memory of its own.
            finished, peak = run_measured(self.folder, "train", self.folder / path, "--max-memory", "1M", "-o", self.folder / "m")
            self.check_error(finished, 3)
            self.assertIn(b"features and 2 classes need about", finished.stderr)
            self.assertLess(peak, 3 * resident + (64 << 20), path)

    def csv_lines(self, table):
        yield ",".join([f"c{column}" for column in range(len(table[0]))] + ["label"])
        for row, cells_of_row in enumerate(table):
            yield ",".join([*cells_of_row, "ab"[row % 2]])

    def json_lines(self, table):
        for row, cells_of_row in enumerate(table):
            yield json.dumps({f"c{column}": cell for column, cell in enumerate(cells_of_row)} | {"label": "ab"[row % 2]})

    def test_names_in_many_columns(self):
        # Each column had dictionaries of its own, in the table and in every block: a quarter more than the bound.
        self.check_table(names, 200_000, 7)

    def test_few_names_in_many_columns(self):
        self.check_table(lambda row: [("red", "green")[(column + row * 5) // 3 % 2] for column in range(columns)], 200_000, 7)

    def test_texts_in_many_columns(self):
        # Some kilobytes for each of them.
        def features_of(name, cell):
            return [f"{name}:{word}" for word in cell.split()]
        self.check_table(texts, 100_000, 5, features_of)


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

    @unittest.skipIf(support.sanitized, "sanitizers take memory of their own")
    def test_names_of_many_columns_are_predicted_in_little_memory(self):
        # Each column had a list of recent values for each block: 16 KB.
        few, model = 20_000, self.folder / "names.safetensors"
        rows = [names(row)[:few] for row in (0, 1, 0, 1)]
        table, lines = self.folder / "names.csv", self.folder / "names.jsonl"
        table.write_text("\n".join(",".join(row) for row in [[f"c{column}" for column in range(few)] + ["label"]] +
                                   [row + ["ab"[number % 2]] for number, row in enumerate(rows)]) + "\n")
        lines.write_text("".join(json.dumps({f"c{column}": cell for column, cell in enumerate(row)} | {"label": "ab"[number % 2]}) + "\n"
                                 for number, row in enumerate(rows)))
        self.check_exit(self.run_program("train", table, "-o", model), 0)
        for data in (table, lines):
            predicted, peak = run_measured(self.folder, "predict", model, data)
            self.check_exit(predicted, 0)
            self.assertEqual([line.split(",")[0] for line in predicted.stdout.decode().splitlines()[1:]], ["a", "b", "a", "b"])
            self.assertLess(peak, 100 << 20)

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
