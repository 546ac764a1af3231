"""Scripts for bash, zsh and fish: completions_are_whole.py PROGRAM

Each is well formed (where the shell itself is installed it is asked, too) and offers every command and every option with
the values that the program lists. What there is to offer is taken from the program's reference.
"""

import re
import shlex
import shutil
import subprocess
import sys

program = sys.argv[1]
failures = []


def output(*arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def expect(condition, message):
    if not condition:
        failures.append(message)


def options_by_command():
    """Options as --help of each command prints them."""
    commands = re.findall(r"^  ([a-z]+) +[A-Z]", output("--help"), re.M)
    return {command: set(re.findall(r"^  (?:-\w, )?--([a-z0-9-]+)", output(command, "--help"), re.M)) for command in commands}


def check_syntax(shell, script, *arguments):
    if shutil.which(shell):
        found = subprocess.run([shell, *arguments], input=script, text=True, capture_output=True)
        expect(found.returncode == 0 and not found.stderr, f"{shell}: {found.stderr}")


def bash(expected):
    script = output("--completions", "bash")
    check_syntax("bash", script, "-n")
    probe = script + '\nCOMP_WORDS=(lazylogit "$1" "$2"); COMP_CWORD=2; _lazylogit; printf "%s\\n" "${COMPREPLY[@]}"\n'
    for command, options in expected.items():
        found = subprocess.run(["bash", "-c", probe, "bash", command, "--"], capture_output=True, text=True)
        offered = {word.removeprefix("--") for word in found.stdout.split()}
        expect(offered == options, f"bash: options of {command}: {offered ^ options} {found.stderr}")
    probe = script + '\nCOMP_WORDS=(lazylogit train --prior ""); COMP_CWORD=3; _lazylogit; echo "${COMPREPLY[@]}"\n'
    found = subprocess.run(["bash", "-c", probe], capture_output=True, text=True).stdout
    expect("laplace" in found.split(), f"bash: values of --prior: {found}")


def unescaped(text, mark):
    return len(re.findall(r"(?<!\\)" + re.escape(mark), text))


def zsh(expected):
    script = output("--completions", "zsh")
    check_syntax("zsh", script, "-n")
    expect(script.startswith("#compdef lazylogit\n"), "zsh: the first line is what loads it")
    words = shlex.split(script, comments=True)  # fails where a quote is not closed
    described = {word.split(":")[0] for word in words if re.match(r"[a-z]+:[A-Za-z]", word)}
    expect(described >= set(expected), f"zsh: commands {described}")
    for command, options in expected.items():
        part = re.search(rf"^    {command}\) _arguments(.*?) ;;$", script, re.M | re.S)
        expect(part is not None, f"zsh: no part for {command}")
        specifications = [word for word in shlex.split(part.group(1)) if "--" in word.split("[")[0]]
        offered = {re.match(r"\*?--([a-z0-9-]+)", one).group(1) for one in specifications}
        expect(offered == options, f"zsh: options of {command}: {offered ^ options}")
        for one in specifications:
            expect((unescaped(one, "["), unescaped(one, "]")) == (1, 1), f"zsh: brackets of {one}")
            rest = one[one.rindex("]") + 1:]
            expect(re.fullmatch(r"(::?value:(_files|\([^()]+\)))?", rest) is not None, f"zsh: what follows the text: {one}")


def fish(expected):
    script = output("--completions", "fish")
    check_syntax("fish", script, "--no-execute")
    offered, commands = {}, set()
    for line in script.splitlines():
        words = shlex.split(line)
        expect(words[:3] == ["complete", "-c", "lazylogit"], f"fish: {line}")
        expect(words[-2] == "-d" and words[-1], f"fish: no description: {line}")
        if words[4] == "__fish_use_subcommand":
            commands.add(words[words.index("-a") + 1])
            continue
        condition, command = words[4].split()
        expect(condition == "__fish_seen_subcommand_from", f"fish: {line}")
        offered.setdefault(command, set()).add(words[words.index("-l") + 1])
    expect(commands == set(expected), f"fish: commands {commands}")
    for command, options in expected.items():
        expect(offered[command] == options, f"fish: options of {command}: {offered[command] ^ options}")


def main():
    expected = options_by_command()
    expect(len(expected) > 5 and all(expected.values()), f"the reference lists {expected}")
    for check in (bash, zsh, fish):
        check(expected)
    print("\n".join(failures) or "three scripts are whole")
    return 1 if failures else 0


sys.exit(main())
