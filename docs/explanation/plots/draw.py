#!/usr/bin/env python3
"""Draws the figures of docs/explanation/laziness.md as SVG, with nothing but the standard library.

    cmake --preset bench && cmake --build build/bench --target laziness_data lazylogit
    docs/explanation/plots/draw.py build/bench/bench/laziness_data build/bench/lazylogit

The first program prints the numbers of most figures; the second is trained over a range of prior variances.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
COLOURS = ["#0b6e99", "#d1495b", "#3a7d44", "#8f6bb3", "#c58b00", "#444444", "#00a6a6", "#a0522d", "#7a7a00"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 380, 64, 150, 36, 48


def ticks(low, high, log):
    if log:
        first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
        return [(e, f"10^{e}" if abs(e) > 2 else f"{10.0 ** e:g}") for e in range(first, last + 1)]
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(f for f in (1, 2, 5, 10) if (high - low) / (step * f) <= 6)
    first = math.ceil(low / step - 1e-9)
    return [(i * step, f"{i * step:g}") for i in range(first, math.floor(high / step + 1e-9) + 1)]


def draw(name, title, x_label, y_label, series, log_x=False, log_y=False):
    fx, fy = (math.log10 if log_x else float), (math.log10 if log_y else float)
    points = {key: [(fx(x), fy(y)) for x, y in values] for key, values in series.items()}
    xs = [x for values in points.values() for x, _ in values]
    ys = [y for values in points.values() for _, y in values]
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    pad = 0.04 * (y1 - y0)
    y0, y1 = y0 - pad, y1 + pad
    px = lambda x: LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
    py = lambda y: HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           f'<text x="{LEFT}" y="22" font-size="14" font-weight="bold">{title}</text>']
    for x, text in ticks(x0, x1, log_x):
        out.append(f'<path d="M{px(x):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>'
                   f'<text x="{px(x):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{text}</text>')
    for y, text in ticks(y0, y1, log_y):
        out.append(f'<path d="M{LEFT} {py(y):.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>'
                   f'<text x="{LEFT - 6}" y="{py(y) + 4:.1f}" text-anchor="end">{text}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{x_label}</text>')
    out.append(f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">{y_label}</text>')
    for i, (key, values) in enumerate(points.items()):
        colour = COLOURS[i % len(COLOURS)]
        path = "M" + "L".join(f"{px(x):.1f} {py(y):.1f}" for x, y in values)
        out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = TOP + 14 + 18 * i
        out.append(f'<path d="M{WIDTH - RIGHT + 12} {y - 4}h18" stroke="{colour}" stroke-width="3"/>'
                   f'<text x="{WIDTH - RIGHT + 36}" y="{y}">{key}</text>')
    out.append("</svg>")
    with open(os.path.join(HERE, name + ".svg"), "w") as file:
        file.write("\n".join(out) + "\n")


def coefficients(program, family, variance):
    data = os.path.join(ROOT, "tests", "golden", "cases", "data", "birthwt_std.csv")
    strength = ["--scale", str(math.sqrt(variance))] if family == "cauchy" else ["--variance", str(variance)]
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.safetensors")
        subprocess.run([program, "train", data, "--target", "y", "--prior", family, *strength, "-o", model, "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        text = subprocess.run([program, "inspect", model, "--coefficients"], check=True, capture_output=True, text=True).stdout
    return {row["feature"]: float(row["coefficient"]) for row in csv.DictReader(text.splitlines())
            if row["feature"] != "(intercept)"}


def main(numbers, program):
    figures = {}
    for row in csv.DictReader(subprocess.run([numbers], check=True, capture_output=True, text=True).stdout.splitlines()):
        figures.setdefault(row["figure"], {}).setdefault(row["series"], []).append((float(row["x"]), float(row["y"])))
    draw("time_against_features", "Learning one example, 40 non-zeros", "features", "microseconds", figures["time"], True, True)
    for family in ("gaussian", "laplace", "cauchy"):
        draw(f"lazy_forms_{family}", f"A coefficient nobody touches, {family} prior", "missed examples", "coefficient",
             figures[f"forms_{family}"])
    draw("prior_densities", "Priors of variance (scale) 1", "coefficient", "density", figures["density"])
    draw("prior_flows", "Their flows from 3", "time", "coefficient", figures["flow"])
    variances = [10 ** (e / 4) for e in range(-14, 9)]
    for family in ("gaussian", "laplace", "cauchy"):
        paths = {}
        for variance in variances:
            for feature, b in coefficients(program, family, variance).items():
                paths.setdefault(feature, []).append((variance, b))
        label = "squared scale" if family == "cauchy" else "variance"
        draw(f"coefficients_{family}", f"Low birth weight: coefficients, {family} prior", f"prior {label}", "coefficient", paths, True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
