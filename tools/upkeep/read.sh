#!/usr/bin/env bash
# First job of the workflow: reads new releases into the tables. The folder that is its first argument
# gets the change for the next jobs: title, body.md, releases and patch, and the step's output `changed`
# is true. There is no output when nothing is new.
#
# The other arguments are those of `python -m tools.upkeep`, whose exit code is the step's.
set -uo pipefail

python=${UPKEEP_PYTHON-.venv/bin/python}
change=$1
shift

status=0
"$python" -m tools.upkeep --change "$change" "$@" || status=$?

# Tables that are new are part of the difference, too.
git add --intent-to-add -- rules || exit 2
if [[ -f $change/body.md ]] && ! git diff --quiet -- rules; then
  git diff --binary -- rules >"$change/patch" || exit 2
  printf 'changed=true\n' >>"$GITHUB_OUTPUT"
fi
exit "$status"
