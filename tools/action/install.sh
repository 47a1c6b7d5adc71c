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
pinned=
if [[ -z $version ]]; then
  requirement=$GITHUB_ACTION_PATH
elif [[ $version =~ ^[0-9][0-9A-Za-z.+!]*$ ]]; then
  requirement="cfglint-llm==$version"
  pinned=$version
elif [[ $version =~ ^https://[A-Za-z0-9./_+%-]+\.whl#sha256=[0-9a-f]{64}$ ]]; then
  # pip compares the hash with what it gets.
  requirement="cfglint-llm @ $version"
  pinned=${version##*=}
else
  fail 'The input "version" is no version number such as 0.1.0, and no address of a wheel with #sha256=….'
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

# An environment of a pinned release, as an earlier step or job of this runner has left it.
kept=
if [[ -n $pinned && -n ${RUNNER_TOOL_CACHE-} ]]; then
  tag=$("$python" -I -c 'import sys; print("%s-%d.%d.%d" % (sys.platform, *sys.version_info[:3]))')
  kept=$RUNNER_TOOL_CACHE/cfglint/$pinned/$tag
  for interpreter in "$kept/bin/python" "$kept/Scripts/python.exe"; do
    if [[ -e $interpreter ]] && "$interpreter" -I -c 'import cfglint' 2>/dev/null; then
      printf 'python=%s\n' "$interpreter" >>"$GITHUB_OUTPUT"
      exit 0
    fi
  done
fi

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

# Whole or not at all; where it cannot be kept, it is used as it is.
if [[ -n $kept && ! -e $kept ]] && mkdir -p -- "${kept%/*}" && mv -- "$environment" "$kept"; then
  interpreter=$kept${interpreter#"$environment"}
fi

printf 'python=%s\n' "$interpreter" >>"$GITHUB_OUTPUT"
