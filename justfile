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
