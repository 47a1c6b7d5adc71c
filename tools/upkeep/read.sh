#!/usr/bin/env bash
# First job of the workflow: reads new releases into the tables, and hands the change over as the
# step's outputs title, body and patch (compressed). There are none when nothing is new.
#
# The arguments are those of `python -m tools.upkeep`, whose exit code is the step's.
set -uo pipefail

python=${UPKEEP_PYTHON-.venv/bin/python}
work=$(mktemp -d) || exit 2
trap 'rm -rf -- "$work"' EXIT

status=0
"$python" -m tools.upkeep --title "$work/title" --body "$work/body" "$@" || status=$?

patch=$(git diff --binary -- rules | gzip -9n | base64 -w0) || exit 2
if [[ -f $work/body ]] && ! git diff --quiet -- rules; then
  # No release can write the line that ends its text.
  token=$("$python" -c 'import secrets; print(secrets.token_hex(16))') || exit 2
  {
    printf 'title=%s\n' "$(head -n 1 "$work/title")"
    printf 'body<<%s\n' "$token"
    cat -- "$work/body"
    printf '%s\n' "$token"
    printf 'patch=%s\n' "$patch"
  } >>"$GITHUB_OUTPUT"
fi
exit "$status"
