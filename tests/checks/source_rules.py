"""Rules that a compiler does not know: banned functions, file length, words that do not belong into the tree.

Walks the files that git tracks (all files outside build/ where there is no git).
"""

import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
max_lines = 400

# (what, pattern, file name suffixes it applies to, files it is allowed in)
cpp = (".cpp", ".hpp")
code = (*cpp, ".py", ".sh")
text = (*code, ".md", ".cmake", ".txt", ".json")
rules = [
    ("banned function (parses or writes without checks)",
     r"(?<![\w.:>])(?:std::)?(?:strtok|sprintf|vsprintf|strcpy|strcat|gets|atoi|atol|atoll|atof|strtod|strtof|alloca)\s*\(", cpp, ()),
    ("number parsing that depends on the locale", r"\bstd::sto(?:i|l|ll|ul|ull|f|d|ld)\s*\(", cpp, ("tests/", "bench/")),
    ("the library never prints or ends the process", r"\bstd::(?:cout|cerr|exit|abort|_Exit|quick_exit)\b",
     cpp, ("src/lazylogit/cli/", "apps/", "tests/", "bench/", "examples/")),
    ("fast-math gives up what NaN and infinity mean", r"-ffast-math|-Ofast", (".cmake", ".txt", ".json"), ()),
    ("asked of memory in a way that g++ may leave out (base/prefetch.hpp)", r"\b__builtin_prefetch\b",
     cpp, ("src/lazylogit/base/prefetch.hpp", "src/lazylogit/math/", "src/lazylogit/objective/row_kernels.cpp", "bench/")),
    ("left for later", r"\b(?:TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b", code, ("tests/checks/",)),
    ("a path of one machine", r"(?<![\w.])/(?:work|root|farm)/|/home/[a-z]", text, ("tests/checks/",)),
    ("a reference to a tracker", r"\bissue #?[0-9]+", text, ()),
    ("a registry's host name", r"pypi\.org|registry\.npmjs|deb\.debian\.org|crates\.io/api|repo1?\.maven", text, ("tests/checks/",)),
]
vague_names = re.compile(r"(?:^|_)(?:utils?|common|misc|helpers?|manager)(?:_|$)")


def tracked_files():
    run = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True)
    if run.returncode == 0 and run.stdout:
        return [name for name in run.stdout.splitlines() if (root / name).is_file()]
    return [str(path.relative_to(root)) for path in root.rglob("*")
            if path.is_file() and path.relative_to(root).parts[0] not in ("build", ".git")]


problems = []
names = tracked_files()
for name in names:
    suffix = pathlib.Path(name).suffix
    if vague_names.search(pathlib.Path(name).stem) and suffix in code:
        problems.append(f"{name}: a file named after nothing; name it after the one thing it owns")
    if suffix not in text:
        continue
    lines = (root / name).read_text(encoding="utf-8", errors="replace").splitlines()
    if suffix in code and len(lines) > max_lines:
        problems.append(f"{name}: {len(lines)} lines, more than {max_lines}")
    for what, pattern, suffixes, exempt in rules:
        if suffix not in suffixes or name.startswith(tuple(exempt)):
            continue
        for number, line in enumerate(lines, 1):
            code_part = line.split("//")[0] if suffix in cpp and what != "left for later" else line
            match = re.search(pattern, code_part)
            if match:
                problems.append(f"{name}:{number}: {what}: {match.group(0)}")

for problem in problems:
    print(problem)
print(f"{len(names)} files, {len(problems)} problems")
sys.exit(1 if problems or not names else 0)
