"""Who may include whom: the lazylogit_layer lines of src/lazylogit/CMakeLists.txt are the whole truth.

Fails on an include of a layer that is not in DEPENDS, on a layer that depends on one defined below it (so that there are
no cycles), on a folder without a layer and on an include between our files that is not written from the source root.
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
source = root / "src" / "lazylogit"
problems = []

allowed = {}  # layer -> layers it may include, in order of definition
text = (source / "CMakeLists.txt").read_text(encoding="utf-8")
for name, arguments in re.findall(r"^lazylogit_layer\((\w+)([^)]*)\)", text, re.MULTILINE):
    depends = re.search(r"DEPENDS\s+([a-z_\s]+)", arguments.split("LIBRARIES")[0])
    layers = depends.group(1).split() if depends else []
    for layer in layers:
        if layer not in allowed:
            problems.append(f"src/lazylogit/CMakeLists.txt: {name} depends on {layer}, which is not defined above it")
    allowed[name] = set(layers) | {name}
if not allowed:
    sys.exit("no lazylogit_layer lines found")

for folder in sorted(path for path in source.iterdir() if path.is_dir()):
    if folder.name not in allowed:
        problems.append(f"src/lazylogit/{folder.name}: a folder without a lazylogit_layer line")

include = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
num_includes = 0
for path in sorted(source.rglob("*.[ch]pp")):
    relative = path.relative_to(source)
    layer = relative.parts[0] if len(relative.parts) > 1 else None  # None: the umbrella header
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = include.match(line)
        if not match:
            continue
        place = f"src/lazylogit/{relative}:{number}"
        quote, name = match.groups()
        if name.startswith("lazylogit/"):
            num_includes += 1
            if not (root / "src" / name).is_file():
                problems.append(f"{place}: includes {name}, which does not exist")
            target = name.split("/")[1]
            if layer and target not in allowed.get(layer, ()):
                problems.append(f"{place}: {layer} may not include {target} ({name})")
        elif quote == '"':
            problems.append(f'{place}: "{name}" is not written from the source root ("lazylogit/...")')

for problem in problems:
    print(problem)
print(f"{len(allowed)} layers, {num_includes} includes between them, {len(problems)} problems")
sys.exit(1 if problems else 0)
