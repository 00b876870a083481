#!/usr/bin/env bash
# Builds the release twice in two folders, from vendored sources, without a network, and compares the programs byte by byte.
# Only what is committed is built. Usage: verify/reproducible.sh
set -euo pipefail
cd "$(dirname "$0")/.."

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
unset CARGO_TARGET_DIR
[ $# -gt 0 ] || set -- arbiter
cargo vendor --locked --versioned-dirs "$place/vendor" 2>/dev/null >"$place/config"
du -sh "$place/vendor" | sed 's/\t.*/ of vendored sources/'
for folder in one a-folder/with-another-name; do
    git clone -q --no-hardlinks . "$place/$folder"
    mv "$place/vendor" "$place/$folder/vendor"
    sed "s#$place/vendor#vendor#" "$place/config" >>"$place/$folder/.cargo/config.toml"
    # Sources in other packages are named by their whole paths, in messages of panics.
    flags="${RUSTFLAGS:--C target-cpu=native} --remap-path-prefix=$place/$folder=."
    (cd "$place/$folder" && RUSTFLAGS=$flags CARGO_HOME=$place/cargo cargo build --release --locked --offline -p "$@")
    mv "$place/$folder/vendor" "$place/vendor"
    (cd "$place/$folder/target/release" && find . -maxdepth 1 -type f -executable -exec sha256sum {} + | sort -k2) >"$place/sums"
    [ ! -e "$place/first" ] && mv "$place/sums" "$place/first"
done
cat "$place/first"
diff "$place/first" "$place/sums" || { echo "the programs differ" >&2; exit 1; }
echo "$(wc -l <"$place/first") programs have the same bytes"
