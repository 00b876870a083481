#!/usr/bin/env python3
"""Makes the archive of a release and the wheel for `pip install` for each target, with their checksums, in target/dist.

Usage: dist/archives.py [--programs FOLDER] TARGET...

    x86_64-unknown-linux-musl                   any Linux
    aarch64-unknown-linux-musl                  any Linux on ARM
    x86_64-pc-windows-gnu                       Windows 10 or newer; needs MinGW's linker
    aarch64-apple-darwin, x86_64-apple-darwin   on a Mac

The programs run on every processor of their kind. The same sources and compiler give the same files. Archives have no version
in their names, so that the address of the newest one never changes. With --programs nothing is built: the programs are those
of a folder.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile

PROGRAMS = ["arbiter", "tarrasch", "bibichess", "carnatus", "druelle", "schlottke", "thomartin"]
# No C is compiled, so no compiler for another processor is needed, only a linker, and rustc has one for Linux. It keeps one of
# several equal functions, and packs the places that the loader fills in.
SMALL = "-C linker=rust-lld -C link-arg=--icf=all -C link-arg=-zpack-relative-relocs"
FLAGS = {
    "x86_64-unknown-linux-musl": f"-C target-cpu=x86-64 {SMALL}",
    "aarch64-unknown-linux-musl": f"-C target-cpu=generic {SMALL}",
    "x86_64-pc-windows-gnu": "-C target-cpu=x86-64",
    "aarch64-apple-darwin": "-C target-cpu=apple-m1",
    "x86_64-apple-darwin": "-C target-cpu=x86-64",
}
# What pip calls the systems. The programs for Linux are static, so they need neither of its C libraries.
WHEELS = {
    "x86_64-unknown-linux-musl": "manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "aarch64-unknown-linux-musl": "manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "x86_64-pc-windows-gnu": "win_amd64",
    "aarch64-apple-darwin": "macosx_11_0_arm64",
    "x86_64-apple-darwin": "macosx_10_12_x86_64",
}
ROOT = pathlib.Path(__file__).parent.parent
OUT = ROOT / "target/dist"


def build(target):
    """Builds the programs for a target and returns their folder."""
    command = ["cargo", "build", "--profile", "dist", "--locked", "--target", target, "--target-dir", "target/for-all"]
    engines = [word for name in PROGRAMS[1:] for word in ("--bin", name)]
    flags = {"RUSTFLAGS": f"{FLAGS[target]} -C strip=symbols"}
    # A program is linked at the level of its package: the harness to be small, engines to be fast.
    for programs in (["--package", "chess-arbiter", *engines], ["--package", "arbiter-harness", "--bin", PROGRAMS[0]]):
        subprocess.run([*command, *programs], cwd=ROOT, env=os.environ | flags, check=True)
    return ROOT / f"target/for-all/{target}/dist"


def zipped(files, date):
    """A zip of (name, bytes, is a program)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content, is_program in files:
            entry = zipfile.ZipInfo(name, time.gmtime(date)[:6])
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return out.getvalue()


def tarred(files, date):
    """A compressed tar of (name, bytes, is a program)."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9, mtime=date) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, content, is_program in files:
                entry = tarfile.TarInfo(name)
                entry.size, entry.mtime, entry.mode = len(content), date, 0o755 if is_program else 0o644
                archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def wheel(package, programs, tags, date):
    """The wheel's name and content: the programs as scripts, as PEP 427 wants them."""
    stem = f"{package['name'].replace('-', '_')}-{package['version']}"
    info = f"{stem}.dist-info"
    tag = f"py3-none-{tags}"
    metadata = (
        f"Metadata-Version: 2.4\nName: {package['name']}\nVersion: {package['version']}\n"
        f"Summary: {package['description']}\nLicense-Expression: {package['license']}\nLicense-File: LICENSE\n"
        f"Keywords: {','.join(package['keywords'])}\nDescription-Content-Type: text/markdown\n\n"
    )
    tag_lines = "".join(f"Tag: py3-none-{one}\n" for one in tags.split("."))
    files = [(f"{stem}.data/scripts/{name}", content, True) for name, content in programs.items()]
    files += [
        (f"{info}/METADATA", metadata.encode() + (ROOT / "README.md").read_bytes(), False),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: arbiter\nRoot-Is-Purelib: false\n{tag_lines}".encode(), False),
        (f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes(), False),
    ]
    record = ""
    for name, content, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), False))
    return f"{stem}-{tag}.whl", zipped(files, date)


def write(name, content):
    (OUT / name).write_bytes(content)
    (OUT / f"{name}.sha256").write_text(f"{hashlib.sha256(content).hexdigest()}  {name}\n")
    print(f"{len(content):>10} bytes  target/dist/{name}")


def main():
    targets, built = sys.argv[1:], None
    if targets[:1] == ["--programs"]:
        built, targets = pathlib.Path(targets[1]), targets[2:]
    if not targets or not set(targets) <= set(FLAGS):
        sys.exit(__doc__)
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
    package = manifest["workspace"]["package"] | {
        key: value for key, value in manifest["package"].items() if isinstance(value, str)
    }
    asked = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    date = int(asked.stdout)
    sbom = subprocess.run([sys.executable, "verify/sbom.py"], cwd=ROOT, capture_output=True, check=True).stdout
    OUT.mkdir(parents=True, exist_ok=True)
    for target in targets:
        folder, suffix = built or build(target), ".exe" if "windows" in target else ""
        programs = {name + suffix: (folder / f"{name}{suffix}").read_bytes() for name in PROGRAMS}
        folder = f"arbiter-{target}"
        files = [(f"{folder}/{name}", content, True) for name, content in programs.items()]
        files += [(f"{folder}/{name}", (ROOT / name).read_bytes(), False) for name in ("CHANGELOG.md", "LICENSE", "README.md")]
        files.append((f"{folder}/sbom.cdx.json", sbom, False))
        if "windows" in target:
            write(f"{folder}.zip", zipped(files, date))
        else:
            write(f"{folder}.tar.gz", tarred(files, date))
        write(*wheel(package, programs, WHEELS[target], date))


if __name__ == "__main__":
    main()
