#!/usr/bin/env bash
# Puts a file on the pull request of a job on GitHub: one comment, written again each time. No code of the repository runs here.
#
# Usage: comment.sh FILE
set -euo pipefail
number=$(sed -n 's#^refs/pull/\([0-9]*\)/.*#\1#p' <<<"${GITHUB_REF:-}")
if [ -n "$number" ] && [ -s "$1" ]; then
    gh pr comment "$number" --repo "$GITHUB_REPOSITORY" --edit-last --create-if-none --body-file "$1" ||
        echo "::warning::no comment: the job needs the permission pull-requests: write"
fi
