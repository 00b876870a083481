#!/usr/bin/env bash
# Fuzzes each target for so many seconds, from its corpus; what is found lies in fuzz/artifacts/TARGET. The corpora grow in
# fuzz/target/corpora, and only what somebody copies from there into fuzz/corpus is committed.
#
# cargo-fuzz (cargo install cargo-fuzz --locked) is for nightly; RUSTC_BOOTSTRAP lets stable take its flags. There is no
# sanitizer: the code is safe Rust, and the targets are twice as fast. Usage: verify/fuzz.sh [SECONDS [TARGET…]]
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-fuzz >/dev/null || { echo "expected cargo-fuzz: cargo install cargo-fuzz --locked" >&2; exit 1; }
seconds=${1:-60}
shift || true
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
    for program in fuzz/fuzz_targets/*.rs; do targets+=("$(basename "$program" .rs)"); done
fi

cargo build -q -p arbiter-harness --example playback
export ARBITER_PLAYBACK=$PWD/target/debug/examples/playback
export RUSTC_BOOTSTRAP=1 RUSTFLAGS=${RUSTFLAGS:--Ctarget-cpu=native}
# A program that writes to an engine that is gone must not be killed by it. Rust's programs see to that themselves, but
# the main function here is libFuzzer's; and cargo undoes it for what it starts, so the targets are started here.
trap '' PIPE
cargo fuzz build -s none

failed=()
for target in "${targets[@]}"; do
    mkdir -p "fuzz/target/corpora/$target" "fuzz/artifacts/$target"
    log=fuzz/target/corpora/$target.log
    fuzz/target/*/release/"$target" "fuzz/target/corpora/$target" "fuzz/corpus/$target" \
        -artifact_prefix="fuzz/artifacts/$target/" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -malloc_limit_mb=1500 -print_final_stats=1 \
        &>"$log" || failed+=("$target")
    inputs=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
    printf '%-16s %12s inputs, %s\n' "$target" "${inputs:-?}" "$(grep -aoE 'cov: [0-9]+' "$log" | tail -n 1)"
done
[ ${#failed[@]} = 0 ] || { echo "broken: ${failed[*]}; fuzz/target/corpora/TARGET.log says how" >&2; exit 1; }
