# What people type most. `just` alone lists it.

default:
    @just --list

# What CI runs.
check:
    .ci/run

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
    benches/cold.sh {{rounds}}

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
