# What people type most. `just` alone lists it.

default:
    @just --list

# Format, lints and tests, with what is installed.
check:
    cargo fmt --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    .ci/check-preload
    cargo test --locked

# What CI runs; it installs what it lacks.
ci:
    .ci/run

# What seldom breaks: other systems, archives, the build for tuning, packages.
nightly:
    .ci/nightly

# The samples of README and guide made anew, from what the program prints now; for the recordings: docs/recordings/record.
samples *pages:
    cargo build --release --locked --bins
    .ci/check-samples --write target/release/arbiter {{pages}}

# Rust code, tests included: lines and files.
size:
    @git ls-files -z '*.rs' | xargs -0 cat | wc -l
    @git ls-files '*.rs' | wc -l

# The tests, as the README has them.
test:
    cargo test

# Speed of the rules core beside cozy-chess and shakmaty.
bench:
    cargo bench -p arbiter-chess --bench perft

# A short match of Tarrasch against itself with a small hash table.
match:
    cargo run --release -- match tarrasch tarrasch:Hash=1 --tc 1+0.01 --games 20

# How long a clean build, the tests and a small change take: medians, on a machine that does nothing else.
cold rounds="3":
    verify/cold.sh {{rounds}}

# A check of docs/promises.md: fuzz [SECONDS [TARGET…]], differential [POSITIONS [SEED]], statistics [CASES [SEED]], sprt-coverage [TESTS], sprt-cost [TESTS], ladder [PATCHES], best [RUNS], lists [RUNS], tuning [RUNS], ratings ORDO BAYESELO PGN…, rating-speed [PLAYERS [GAMES]], verdict-cost TARRASCH USUAL_BOOK FOLDER [GAMES], coverage ORDO [TOURNAMENTS [SEED]], faults and kills [COUNT [SEED]], long [GAMES [AT_ONCE]], wide [FASTCHESS], neighbours [ROUNDS], speed [RUNS [ROUNDS [THOUSANDTHS [NODES]]]], throughput CONTEST…, clock COMMAND [quiet|busy] [NUMBER] [ENGINE…], wine [WORD…] and wine kills FOLDER, bits [FLIPS [SEED]], machines [SECONDS [SEED]], threads, reproducible.
verify name *numbers:
    #!/usr/bin/env bash
    set -euo pipefail
    set -- {{numbers}}
    case {{name}} in
        fuzz) verify/fuzz.sh "$@" ;;
        differential)
            cargo build -q --release -p arbiter-harness --example rule_facts
            python3 verify/differential.py target/release/examples/rule_facts "${1:-100000}" "${2:-1}" ;;
        statistics)
            cargo build -q --release -p arbiter-harness --bin arbiter
            python3 verify/statistics.py target/release/arbiter "${1:-300}" "${2:-1}" ;;
        sprt-coverage)
            SPRT_COVERAGE_TESTS="${1:-2500}" cargo test -q --release -p arbiter-stats sprt::coverage -- --nocapture ;;
        sprt-cost)
            cargo run -q --release -p arbiter-stats --example sprt_cost "${1:-10000}" ;;
        ladder)
            cargo run -q --release -p arbiter-stats --example ladder_cost "${1:-10000}" ;;
        best)
            cargo run -q --release -p arbiter-stats --example best_of "${@:-1000}" ;;
        tuning)
            cargo run -q --release -p arbiter-stats --example tuning "${1:-20}" ;;
        lists)
            cargo run -q --release -p arbiter-stats --example lists "${1:-100}" ;;
        interval-coverage)
            cargo run -q --release -p arbiter-stats --example coverage "${1:-1000}" ;;
        ratings)
            cargo build -q --release -p arbiter-harness --bin arbiter
            python3 verify/ratings.py target/release/arbiter "$@" ;;
        rating-speed)
            cargo build -q --release -p arbiter-harness --bin arbiter
            python3 verify/rating_speed.py target/release/arbiter "$@" ;;
        verdict-cost)
            cargo build -q --release -p arbiter-harness --bin arbiter
            python3 verify/verdict_cost.py target/release/arbiter "$@" ;;
        coverage)
            cargo build -q --release -p arbiter-harness --bin arbiter
            python3 verify/rating_coverage.py target/release/arbiter "$@" ;;
        faults)
            cargo build -q -p arbiter-harness --bin arbiter --example mock_engine
            python3 verify/faults.py target/debug/arbiter target/debug/examples/mock_engine "${1:-100}" "${2:-1}" ;;
        kills)
            cargo build -q --release -p arbiter-harness --bin arbiter --example mock_engine --example tarrasch
            programs=target/release/examples
            python3 verify/kills.py target/release/arbiter $programs/mock_engine $programs/tarrasch "${1:-1000}" "${2:-1}" ;;
        long)
            cargo build -q --release -p arbiter-harness --bin arbiter --example mock_engine
            python3 verify/long.py target/release/arbiter target/release/examples/mock_engine "${1:-100000}" "${2:-2}" ;;
        wide)
            cargo build -q --release -p arbiter-harness --bin arbiter --example mock_engine
            python3 verify/wide.py target/release/arbiter target/release/examples/mock_engine "$@" ;;
        clock)
            cargo build -q --release -p arbiter-harness --bin arbiter --example tarrasch --example slowed_tarrasch
            python3 verify/clock.py target/release/arbiter target/release/examples/tarrasch "$@" ;;
        neighbours)
            cargo build -q --release -p arbiter-harness --bin arbiter -p tarrasch --bin tarrasch
            python3 verify/neighbours.py target/release/arbiter target/release/tarrasch "${1:-3}" ;;
        speed)
            cargo build -q --release -p arbiter-harness --bin arbiter --example slowed_tarrasch
            python3 verify/speed.py target/release/arbiter target/release/examples/slowed_tarrasch "$@" ;;
        throughput)
            cargo build -q --release -p arbiter-harness --bin arbiter --example mock_engine
            python3 verify/throughput.py target/release/arbiter target/release/examples/mock_engine \
                suites/openings/arbiter-balanced.epd "$@" ;;
        wine) python3 verify/wine.py "$@" ;;
        bits)
            cargo build -q --release -p arbiter-harness --bin arbiter -p tarrasch --bin tarrasch
            python3 verify/bits.py target/release/arbiter target/release/tarrasch "${1:-5000}" "${2:-1}" ;;
        machines)
            cargo build -q --release -p arbiter-harness --bin arbiter -p tarrasch --bin tarrasch
            python3 verify/machines.py target/release/arbiter target/release/tarrasch "${1:-600}" "${2:-1}" ;;
        threads) verify/threads.sh ;;
        reproducible) verify/reproducible.sh ;;
        *) echo "expected fuzz, differential, statistics, ratings, coverage, faults, kills, long, wide, neighbours, speed, throughput, wine, bits, machines, threads or reproducible; found {{name}}" >&2; exit 2 ;;
    esac

# The archives and wheels of a release, in target/dist, each tried where there is nothing else. See dist/archives.py.
dist +targets="x86_64-unknown-linux-musl x86_64-pc-windows-gnu":
    python3 dist/archives.py {{targets}}
    python3 dist/try.py target/dist/*.tar.gz target/dist/*.zip target/dist/*linux*x86_64*.whl

# What the programs are made of, as CycloneDX.
sbom:
    @python3 verify/sbom.py

# Whether RustSec has an advisory for a dependency. Needs cargo-deny and a network that reaches its list.
advisories:
    cargo deny --locked check advisories

# The guide as a book, in book/, which opens from disk.
docs:
    #!/usr/bin/env bash
    set -euo pipefail
    command -v mdbook >/dev/null || { echo "just docs needs mdbook: cargo install mdbook --locked" >&2; exit 1; }
    mdbook build docs
    # mdbook takes every .md file for a page; those of other folders are not in the book.
    grep -rlZ --include='*.html' -E 'href="(\.\./)+(engines|results|suites|README)' book |
        xargs -0 -r sed -i -E 's#(href="(\.\./)+(engines|results|suites|README)[^"]*)\.html#\1.md#g'
    echo "book/index.html"
