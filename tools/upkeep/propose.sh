#!/usr/bin/env bash
# Second job of the workflow: makes the change a branch and a pull request, or brings the one up to
# date that is open. Nothing of it is run, and it reaches no file outside of rules/.
set -euo pipefail

branch=upkeep
body=$(mktemp)
trap 'rm -f -- "$body"' EXIT
printf '%s' "$UPKEEP_BODY" >"$body"

printf '%s' "$UPKEEP_PATCH" | base64 -d | gzip -d | git apply --index --include='rules/*'
git -c user.name='cfglint upkeep' -c user.email='upkeep@users.noreply.github.com' \
  commit --quiet -m "$UPKEEP_TITLE"
gh auth setup-git
git push --quiet --force origin "HEAD:refs/heads/$branch"

open=$(gh pr list --head "$branch" --state open --json number --jq '.[].number')
if [[ -n $open ]]; then
  gh pr edit "$open" --title "$UPKEEP_TITLE" --body-file "$body"
else
  gh pr create --head "$branch" --title "$UPKEEP_TITLE" --body-file "$body"
fi
