#!/usr/bin/env bash
# Second job of the workflow: compares what was read with what the releases do. Takes the folder of the
# change, and a file for what the comparisons say. Code of the releases runs here, so nothing that this
# job leaves is used but that text.
set -euo pipefail

python=${UPKEEP_PYTHON-.venv/bin/python}

git apply --include='rules/*' "$1/patch"
mapfile -t releases <"$1/releases"
"$python" -m tools.upkeep.compared "${releases[@]}" --out "$2"
