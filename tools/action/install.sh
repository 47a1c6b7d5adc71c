#!/usr/bin/env bash
# First step of the GitHub action: puts cfglint into a virtual environment of its own and names
# that environment's interpreter in the step's outputs.
#
# The working directory is a checkout that may be hostile, so Python always runs isolated (-I):
# it imports nothing from there. Works with bash 3.2.
set -euo pipefail
export LC_ALL=C

fail() {
  printf '::error title=cfglint::%s\n' "$1"
  exit 2
}

version=${CFGLINT_VERSION-}
if [[ -z $version ]]; then
  requirement=$GITHUB_ACTION_PATH
elif [[ $version =~ ^[0-9][0-9A-Za-z.+!]*$ ]]; then
  requirement="cfglint-llm==$version"
else
  fail 'The input "version" is no version number; write one such as 0.1.0.'
fi

python=
for candidate in python3 python; do
  if command -v "$candidate" >/dev/null &&
    "$candidate" -I -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    python=$candidate
    break
  fi
done
[[ -n $python ]] || fail 'cfglint needs Python 3.10 or newer on this runner.'

printf '::group::Install cfglint\n'
failure=
environment=$(mktemp -d "$RUNNER_TEMP/cfglint-venv.XXXXXX")
if "$python" -I -m venv "$environment"; then
  interpreter=$environment/bin/python
  [[ -e $interpreter ]] || interpreter=$environment/Scripts/python.exe
  "$interpreter" -I -m pip install --quiet --disable-pip-version-check "$requirement" ||
    failure='cfglint could not be installed; the log says why.'
else
  failure='Python could not make a virtual environment; the log says why.'
fi
printf '::endgroup::\n'
[[ -z $failure ]] || fail "$failure"

printf 'python=%s\n' "$interpreter" >>"$GITHUB_OUTPUT"
