#!/usr/bin/env bash
# Runs a Python script with packages that live in a private environment in the build folder: PYTHON VENV "PACKAGES" SCRIPT.
set -eu
python=$1 venv=$2 packages=$3 script=$4
if [ ! -f "$venv/ready" ]; then
  "$python" -m venv "$venv" >/dev/null || { echo "skipped: $python cannot make a virtual environment"; exit 77; }
  # shellcheck disable=SC2086  # a list of names
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --timeout 20 --retries 1 $packages || {
    echo "skipped: pip could not install $packages (no registry to be reached?)"
    exit 77
  }
  touch "$venv/ready"
fi
exec "$venv/bin/python" -B "$script"
