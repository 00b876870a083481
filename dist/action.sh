#!/usr/bin/env bash
# Runs `arbiter ci` in a job on GitHub and says what came of it where its readers are: the summary of the job, which Arbiter
# writes itself, and, if COMMENT is true, one comment of the pull request, written again each time.
#
# Usage: action.sh OUT [ARGUMENT...]; exits as `arbiter ci` does, but with 0 for an undecided match if UNDECIDED is pass.
set -euo pipefail
out=$1
shift
code=0
arbiter ci --out "$out" "$@" || code=$?
number=$(sed -n 's#^refs/pull/\([0-9]*\)/.*#\1#p' <<<"${GITHUB_REF:-}")
if [ "${COMMENT:-false}" = true ] && [ -n "$number" ] && [ -s "${GITHUB_STEP_SUMMARY:-}" ]; then
    gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --edit-last --create-if-none --body-file "$GITHUB_STEP_SUMMARY" ||
        echo "::warning::no comment: the job needs the permission pull-requests: write"
fi
[ "$code" -ne 3 ] || [ "${UNDECIDED:-fail}" != pass ] || code=0
exit "$code"
