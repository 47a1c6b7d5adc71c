#!/usr/bin/env bash
# Second step of the GitHub action: checks the paths and reports to the log, to the annotations,
# to the job summary and to the step's outputs. cfglint's exit code is the step's.
#
# Everything in CFGLINT_* may be hostile, and so may the checkout that is the working directory:
# values are only ever whole arguments, and Python runs isolated (-I). Works with bash 3.2.
set -uo pipefail

fail() {
  printf '::error title=cfglint::%s\n' "$1"
  exit 2
}

# Relative to the checkout, and no option of `cd`.
case ${CFGLINT_WORKING_DIRECTORY:-.} in
  /*) folder=$CFGLINT_WORKING_DIRECTORY ;;
  *) folder=./${CFGLINT_WORKING_DIRECTORY:-.} ;;
esac
# What a variable of the shell would look up elsewhere.
unset CDPATH
cd -- "$folder" 2>/dev/null || fail 'cfglint could not check everything: the input "working-directory" is no folder.'

options=(--color=never)

# Adds an option for each line of an input, and one for an input of one line.
add_lines() {
  local flag=$1 line
  while IFS= read -r line; do
    line=${line%$'\r'}
    if [[ $line == *[![:space:]]* ]]; then
      options+=("$flag=$line")
    fi
  done <<<"$2"
}
add() {
  [[ -z $2 ]] || options+=("$1=$2")
}

add_lines --target "${CFGLINT_TARGET-}"
add_lines --select "${CFGLINT_SELECT-}"
add_lines --ignore "${CFGLINT_IGNORE-}"
add --gpus "${CFGLINT_GPUS-}"
add --gpu "${CFGLINT_GPU-}"
add --sweep "${CFGLINT_SWEEP-}"
add --config "${CFGLINT_CONFIG-}"
add --min-confidence "${CFGLINT_MIN_CONFIDENCE-}"
add --fail-on "${CFGLINT_FAIL_ON-}"
add --baseline "${CFGLINT_BASELINE-}"
add --changed-since "${CFGLINT_CHANGED_SINCE-}"

paths=()
while IFS= read -r line; do
  line=${line%$'\r'}
  [[ $line == *[![:space:]]* ]] || continue
  # A dash alone would be standard input.
  [[ $line != - ]] || line=./-
  paths+=("$line")
done <<<"${CFGLINT_PATHS-}"
[[ ${#paths[@]} -gt 0 ]] || fail 'The input "paths" is empty: there is nothing to check.'

cfglint() {
  "$CFGLINT_PYTHON" -I -X utf8 -m cfglint check "${options[@]}" "$@" -- "${paths[@]}" </dev/null
}

# Why cfglint could not check everything: the first reasons, on one line.
reasons() {
  local line said='' count=0
  while IFS= read -r line; do
    case $line in
      'cfglint: '*) line=${line#cfglint: } ;;
      'Error: '*) line=${line#Error: } ;;
      *) continue ;;
    esac
    line=${line%$'\r'}
    count=$((count + 1))
    [[ $count -gt 3 ]] || said+="${said:+; }$line"
  done <"$1"
  [[ $count -le 3 ]] || said+="; and $((count - 3)) more"
  printf '%s' "${said:-the log says why}"
}

work=$(mktemp -d "$RUNNER_TEMP/cfglint.XXXXXX") || fail 'No temporary folder can be made.'
trap 'rm -rf -- "$work"' EXIT
token=$("$CFGLINT_PYTHON" -I -c 'import secrets; print(secrets.token_hex(16))') ||
  fail 'The environment of cfglint does not work.'

reports=()
for format in github markdown json; do
  reports+=("--output=$format:$work/$format")
done
[[ -z ${CFGLINT_SARIF_FILE-} ]] || reports+=("--output=sarif:$CFGLINT_SARIF_FILE")

status=0
# Whatever the report quotes, the runner must not take it for a command of this step.
printf '::group::cfglint\n::stop-commands::%s\n' "$token"
cfglint --format=text "${reports[@]}" 2>"$work/errors" || status=$?
cat -- "$work/errors"
printf '\n::%s::\n::endgroup::\n' "$token"

for format in github markdown json; do
  # Without a report it was a failure, whatever the exit code.
  [[ -f $work/$format ]] || status=2
done

if [[ -f $work/github ]]; then
  cat -- "$work/github"
fi
if [[ -f $work/markdown ]]; then
  cat -- "$work/markdown" >>"$GITHUB_STEP_SUMMARY"
fi
if [[ $status -gt 1 ]]; then
  printf '\ncfglint could not check everything; the log says why.\n' >>"$GITHUB_STEP_SUMMARY"
  reason=$(reasons "$work/errors")
  # The runner decodes these in the text of a command.
  fail "cfglint could not check everything: ${reason//'%'/%25}"
fi

# Counts only of a whole run: an incomplete one must not pass for "no errors".
"$CFGLINT_PYTHON" -I -X utf8 -c '
import json, sys
with open(sys.argv[1], encoding="utf-8") as report:
    counts = json.load(report)["summary"]
print("errors={error}\nwarnings={warning}\nnotes={note}".format(**counts))
' "$work/json" >>"$GITHUB_OUTPUT" || fail 'The counts cannot be told.'
exit "$status"
