#!/bin/sh
# Downloads the programs of a release and checks them. For Linux, macOS, and Windows with Git's shell.
#
# Usage: install.sh RELEASES FOLDER [VERSION]
#   RELEASES   https://github.com/OWNER/REPOSITORY/releases, or a folder with the archives
#   FOLDER     where the programs go; put it into PATH
#   VERSION    v0.1.0, for instance; without it the newest release
set -eu
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
releases=$1 folder=$2 version=${3:-latest}

case $(uname -s) in
Linux) system=unknown-linux-musl archive=tar.gz ;;
Darwin) system=apple-darwin archive=tar.gz ;;
MINGW* | MSYS* | CYGWIN*) system=pc-windows-gnu archive=zip ;;
*) echo "install.sh: there is no release for $(uname -s)" >&2; exit 1 ;;
esac
case $(uname -m) in
x86_64 | amd64) processor=x86_64 ;;
aarch64 | arm64) processor=aarch64 ;;
*) echo "install.sh: there is no release for $(uname -m)" >&2; exit 1 ;;
esac
name=arbiter-$processor-$system.$archive

here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
for file in "$name" "$name.sha256"; do
    if [ -d "$releases" ]; then
        cp "$releases/$file" "$here/"
    elif [ "$version" = latest ]; then
        curl --fail --silent --show-error --location --output "$here/$file" "$releases/latest/download/$file"
    else
        curl --fail --silent --show-error --location --output "$here/$file" "$releases/download/$version/$file"
    fi
done
cd "$here"
if command -v sha256sum >/dev/null; then sha256sum --check --quiet "$name.sha256"; else shasum -a 256 -c "$name.sha256" >/dev/null; fi
case $archive in
zip) unzip -q "$name" ;;
*) tar -xzf "$name" ;;
esac
cd - >/dev/null
mkdir -p "$folder"
cp "$here/arbiter-$processor-$system"/* "$folder/"
"$folder/arbiter" --version
