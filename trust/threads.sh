#!/usr/bin/env bash
# Tarrasch's hash table under ThreadSanitizer: the test in which threads fight for one cluster. The sanitizer is for nightly;
# RUSTC_BOOTSTRAP lets stable take its flags. The standard library is not built with it, so what the test harness sends
# through a channel looks like a race, and is left out. Usage: trust/threads.sh
set -euo pipefail
cd "$(dirname "$0")/.."
suppressions=$(mktemp)
trap 'rm -f "$suppressions"' EXIT
echo 'race:std::sync::mpmc' >"$suppressions"
export TSAN_OPTIONS="suppressions=$suppressions" RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer -Ctarget-cpu=native"
target=$(rustc -vV | sed -n 's/^host: //p')
# Not optimized: every access to memory is one that the program asks for.
cargo test -q --locked -p tarrasch --lib --target "$target" --target-dir target/sanitized \
    --config profile.dev.package.tarrasch.opt-level=0 --config profile.dev.package.arbiter-chess.opt-level=0 \
    fight_for_one_cluster -- --test-threads=1
