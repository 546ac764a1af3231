#!/usr/bin/env python3
"""Draws the decision regions of docs/explanation/kernels.md as SVG, with nothing but the standard library.

    docs/explanation/plots/regions.py build/lazylogit
"""
import csv
import math
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PANELS = [("no kernel", []), ("polynomial, degree 2", ["--kernel", "polynomial"]),
          ("gaussian", ["--kernel", "gaussian"]),
          ("gaussian, 15 rows kept", ["--kernel", "gaussian", "--kernel-map", "nystroem", "--kernel-size", "15"])]
CELLS, CELL, LOW, HIGH = 48, 5, -2.4, 2.4
SIDE = CELLS * CELL


def moons(count):
    random.seed(4)
    rows = []
    for i in range(count):
        angle = math.pi * random.random()
        x, y = math.cos(angle), math.sin(angle)
        if i % 2:
            x, y = 1 - x, 0.5 - y
        rows.append(("ab"[i % 2], 1.4 * (x - 0.5) + random.gauss(0, 0.25), 1.4 * (y - 0.25) + random.gauss(0, 0.25)))
    return rows


def write(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("class", "x", "y")] + rows)


def shade(p):
    """From the colour of class a to that of class b, in twelve steps so that neighbours join."""
    t = round(12 * p) / 12
    a, middle, b = (11, 110, 153), (255, 255, 255), (209, 73, 91)
    low, high, s = (a, middle, 2 * t) if t < 0.5 else (middle, b, 2 * t - 1)
    mixed = [round(l + s * (h - l)) for l, h in zip(low, high)]
    return "#%02x%02x%02x" % tuple(round(0.45 * 255 + 0.55 * c) for c in mixed)


def panel(program, folder, options, rows, grid):
    model, data, cells = (os.path.join(folder, name) for name in ("m.safetensors", "points.csv", "grid.csv"))
    write(data, rows)
    write(cells, grid)
    subprocess.run([program, "train", data, "--target", "class", "--variance", "10", "-q", "-o", model, *options],
                   check=True)
    table = subprocess.run([program, "predict", model, cells, "--proba", "-q"], check=True, capture_output=True,
                           text=True).stdout
    return [float(row["b"]) for row in csv.DictReader(table.splitlines())]


def main():
    program, rows = sys.argv[1], moons(200)
    step = (HIGH - LOW) / CELLS
    grid = [("a", LOW + (i + 0.5) * step, HIGH - (j + 0.5) * step) for j in range(CELLS) for i in range(CELLS)]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * SIDE + 30} {2 * SIDE + 70}" '
           'font-family="sans-serif" font-size="13" shape-rendering="crispEdges">',
           '<rect width="100%" height="100%" fill="#fff"/>']
    for index, (title, options) in enumerate(PANELS):
        with tempfile.TemporaryDirectory() as folder:
            probabilities = panel(program, folder, options, rows, grid)
        left, top = 10 + index % 2 * (SIDE + 10), 26 + index // 2 * (SIDE + 30)
        out.append(f'<text x="{left}" y="{top - 8}">{title}</text>')
        for j in range(CELLS):
            colours = [shade(p) for p in probabilities[j * CELLS:(j + 1) * CELLS]]
            start = 0
            for i in range(1, CELLS + 1):
                if i == CELLS or colours[i] != colours[start]:
                    out.append(f'<rect x="{left + start * CELL}" y="{top + j * CELL}" width="{(i - start) * CELL}" '
                               f'height="{CELL}" fill="{colours[start]}"/>')
                    start = i
        for label, x, y in rows:
            if LOW < x < HIGH and LOW < y < HIGH:
                out.append(f'<circle cx="{left + (x - LOW) / step * CELL:.1f}" cy="{top + (HIGH - y) / step * CELL:.1f}" '
                           f'r="2.4" fill="{"#0b6e99" if label == "a" else "#d1495b"}" stroke="#fff" stroke-width="0.5"/>')
    out.append("</svg>")
    with open(os.path.join(HERE, "kernel_regions.svg"), "w") as file:
        file.write("\n".join(out) + "\n")


main()
