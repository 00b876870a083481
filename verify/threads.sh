#!/usr/bin/env bash
# Tarrasch under ThreadSanitizer: the tests of its hash table, in one of which threads fight for one cluster, and whole
# searches with several threads. The sanitizer is for nightly; RUSTC_BOOTSTRAP lets stable take its flags. The standard
# library is not built with it and orders its accesses by fences, which the sanitizer does not see: what the test harness
# sends through a channel and what the library itself counts for its threads look like races, and are left out.
# Usage: verify/threads.sh
set -euo pipefail
cd "$(dirname "$0")/.."
suppressions=$(mktemp)
trap 'rm -f "$suppressions"' EXIT
printf 'race:%s\n' 'std::sync::mpmc' 'Arc<std::thread::' '^test::run_test$' >"$suppressions"
export TSAN_OPTIONS="suppressions=$suppressions" RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer -Ctarget-cpu=native"
target=$(rustc -vV | sed -n 's/^host: //p')
# Not optimized: every access to memory is one that the program asks for.
tests() {
    cargo test -q --locked -p tarrasch --target "$target" --target-dir target/sanitized \
        --config profile.dev.package.tarrasch.opt-level=0 --config profile.dev.package.arbiter-chess.opt-level=0 \
        "$@" -- --test-threads=1
}
tests --lib tt_memory
tests --lib transposition_table
tests --test tarrasch thread_pool
