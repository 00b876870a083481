#!/usr/bin/env bash
# How long a newcomer and a developer wait, measured in a clone of the last commit on a machine that does nothing else.
# The crates are downloaded before anything is timed. Times are of the wall clock, in seconds; the table has the median
# of all rounds, then each round.
#
#   a  After `cargo clean`, the README's match, from its command to the first move that is played, and to its end. The
#      first move: `game_started` in the journal, seen within 10 ms, and from there what the first game with a record
#      took besides its moves, which is mostly the start of its engines, and for its first move.
#   b  After `cargo clean`, `cargo test --no-run`, and with the `cargo test` that follows, in all.
#   c  In a tree that is built, a file of the report gets a line of comment at its head, which changes the lines of all
#      that follows: `cargo build --bin arbiter`.
#   d  The same with a file of the search: `cargo build -p tarrasch`.
#
# Usage: verify/cold.sh [ROUNDS [PARTS]], by default 3 abcd
set -euo pipefail
export LC_ALL=C
rounds=${1:-3}
parts=${2:-abcd}
[[ $rounds =~ ^[1-9][0-9]*$ && $parts =~ ^[abcd]+$ ]] || { echo "usage: verify/cold.sh [ROUNDS [PARTS of abcd]]" >&2; exit 2; }
cd "$(dirname "$0")/.."

# What a clean clone has, whatever this shell is set to.
unset CARGO_INCREMENTAL CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_PROFILE_DEV_DEBUG RUSTFLAGS RUSTC_WRAPPER
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git clone -q --shared . "$place/clone"
cd "$place/clone"
cargo fetch -q --locked
export CARGO_NET_OFFLINE=true

times=$place/times
log=$place/log
now() { echo "${EPOCHREALTIME}"; }
# record WHAT BEGIN END
record() { awk -v what="$1" -v begin="$2" -v end="$3" 'BEGIN { printf "%s\t%.1f\n", what, end - begin }' >>"$times"; }
failed() { tail -n 40 "$log" >&2; echo "failed: $*" >&2; exit 1; }
quietly() { "$@" &>"$log" || failed "$*"; }

first_move_and_match() {
    local begin started run=$place/run process
    rm -rf "$run"
    quietly cargo clean
    begin=$(now)
    cargo run --release -- match tarrasch tarrasch:Hash=1 --tc 1+0.01 --games 20 --out "$run" &>"$log" &
    process=$!
    until grep -qs '"event":"game_started"' "$run/events.jsonl"; do
        kill -0 "$process" 2>/dev/null || failed "the match"
        sleep 0.01
    done
    started=$(now)
    wait "$process" || failed "the match"
    record "a  match: to its end" "$begin" "$(now)"
    # The game whose record comes first began with the match.
    grep -m 1 '"event":"game_finished"' "$run/events.jsonl" | tr ',{}' '\n\n\n' | awk -F: -v started="$started" '
        $1 == "\"time_us\"" { moves += $2; if (!first) first = $2 }
        $1 == "\"duration_us\"" { duration = $2 }
        END { printf "%.6f\n", started + (duration - moves + first) / 1e6 }' >"$place/first-move"
    record "a  match: to the first move" "$begin" "$(cat "$place/first-move")"
}

tests() {
    local begin
    quietly cargo clean
    begin=$(now)
    quietly cargo test --no-run
    record "b  cargo test --no-run" "$begin" "$(now)"
    quietly cargo test
    record "b  cargo test, in all" "$begin" "$(now)"
}

# after_changing LABEL FILE COMMAND…
after_changing() {
    local label=$1 file=$2 begin
    shift 2
    [ -f "$file" ] || { echo "$file is not there any more; name another in verify/cold.sh" >&2; exit 1; }
    quietly "$@"
    # A date of the same second as the build might not count as later.
    sleep 1
    printf '// Changed.\n%s\n' "$(cat "$file")" >"$file.new"
    mv "$file.new" "$file"
    begin=$(now)
    quietly "$@"
    record "$label" "$begin" "$(now)"
}

echo "$(git rev-parse --short HEAD), $(rustc --version), $(getconf _NPROCESSORS_ONLN) cores,$(uptime | sed 's/.*load/ load/')"
for ((round = 1; round <= rounds; round++)); do
    [[ $parts != *a* ]] || first_move_and_match
    [[ $parts != *b* ]] || tests
    [[ $parts != *c* ]] ||
        after_changing "c  report changed: arbiter" arbiter/src/report/page/run_report.rs cargo build --bin arbiter
    [[ $parts != *d* ]] ||
        after_changing "d  search changed: tarrasch" engines/tarrasch/src/search/alpha_beta.rs cargo build -p tarrasch
    echo "round $round of $rounds, load $(uptime | sed 's/.*average[s]*: //')"
done

sort -t "$(printf '\t')" -k 1,1 -k 2,2n "$times" | awk -F '\t' '
    function flush_row() {
        if (!n) return
        median = n % 2 ? value[(n + 1) / 2] : (value[n / 2] + value[n / 2 + 1]) / 2
        printf "%-30s %8.1f  (%s)\n", name, median, all
    }
    BEGIN { printf "%-30s %8s  (%s)\n", "", "median", "each, sorted, in seconds" }
    $1 != name { flush_row(); name = $1; n = 0; all = "" }
    { value[++n] = $2; all = all (n > 1 ? " " : "") $2 }
    END { flush_row() }'
