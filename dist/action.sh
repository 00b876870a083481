#!/usr/bin/env bash
# Runs `arbiter ci` in a job on GitHub. What came of it is in the summary of the job, which Arbiter writes itself, and in
# OUT/summary.md, for comment.sh.
#
# Usage: action.sh OUT [ARGUMENT...]; exits as `arbiter ci` does, but with 0 for an undecided match if UNDECIDED is pass.
set -euo pipefail
out=$1
shift
code=0
arbiter ci --out "$out" "$@" || code=$?
[ ! -s "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -d "$out" ] || cp "$GITHUB_STEP_SUMMARY" "$out/summary.md"
[ "$code" -ne 3 ] || [ "${UNDECIDED:-fail}" != pass ] || code=0
exit "$code"
