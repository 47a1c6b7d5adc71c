#!/usr/bin/env bash
# Last job of the workflow: makes the change a branch and a pull request, or brings the one up to date
# that is open. Takes the folder of the change, and the file of the comparison, which may not be there.
# Nothing of them is run, and the change reaches no file outside of rules/.
set -euo pipefail

branch=upkeep
change=$1
comparison=$2
body=$(mktemp)
trap 'rm -f -- "$body"' EXIT

title=$(head -c 200 -- "$change/title" | head -n 1)
{
  head -c 50000 -- "$change/body.md"
  printf '\n## Compared with the releases\n\n'
  if [[ -f $comparison ]]; then
    # Plain text that cannot end the block, and the end of it if it is long.
    printf '```text\n'
    LC_ALL=C tr -cd '\n -_a-~' <"$comparison" | tail -c 14000
    printf '\n```\n'
  else
    printf 'The comparison did not come to an end.\n'
  fi
} >"$body"

git apply --index --include='rules/*' "$change/patch"
git -c user.name='cfglint upkeep' -c user.email='upkeep@users.noreply.github.com' \
  commit --quiet -m "$title"
gh auth setup-git
git push --quiet --force origin "HEAD:refs/heads/$branch"

open=$(gh pr list --head "$branch" --state open --json number --jq '.[].number')
if [[ -n $open ]]; then
  gh pr edit "$open" --title "$title" --body-file "$body"
else
  gh pr create --head "$branch" --title "$title" --body-file "$body"
fi
