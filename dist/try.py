#!/usr/bin/env python3
"""Unpacks what dist/archives.py made where there is nothing else, and plays the README's match with it.

Usage: dist/try.py FILE...

A .tar.gz for Linux goes into an empty root folder, a .zip into an empty Windows, which is Wine's, a .whl by pip into a fresh
virtual environment. Says how long it took from the unpacking to the end of the first game and of the match.
"""

import contextlib
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile

# As the README has it.
MATCH = "match tarrasch tarrasch:Hash=1 --tc 1+0.01 --games {games} --seed 1 --out run"


def in_empty_root(file, folder):
    """The command that runs a program of the archive in a root folder with nothing but it."""
    with tarfile.open(file) as archive:
        archive.extractall(folder, filter="data")
    (place,) = folder.iterdir()
    # What every Linux has: the system's own view of processes and devices.
    for mount in ("proc", "dev", "tmp"):
        (folder / mount).mkdir()
    inner = f"mount -t proc proc {folder}/proc && mount --rbind /dev {folder}/dev"
    inner += f' && exec env -i PATH=/{place.name} {shutil.which("chroot")} {folder} /{place.name}/arbiter "$@"'
    share = ["unshare", "--mount", "--pid", "--fork"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    return [*share, "sh", "-c", inner, "sh"], folder, os.environ


def in_wine(file, folder):
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)
    (place,) = folder.iterdir()
    wine = shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"
    prefix = {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all", "HOME": str(folder)}
    subprocess.run([wine, "cmd", "/c", "exit"], env=os.environ | prefix, check=True, capture_output=True)
    if stand_in := os.environ.get("BCRYPTPRIMITIVES"):
        shutil.copy(stand_in, place / "bcryptprimitives.dll")
    return [wine, str(place / "arbiter.exe")], place, os.environ | prefix


def in_venv(file, folder):
    venv.create(folder / "venv", with_pip=True)
    binaries = folder / "venv/bin"
    subprocess.run([binaries / "pip", "install", "-q", "--disable-pip-version-check", "--no-index", file], check=True)
    return [binaries / "arbiter"], folder, {"PATH": str(binaries), "HOME": str(folder)}


def play(file):
    digest, _ = file.with_name(file.name + ".sha256").read_text().split()
    assert digest == hashlib.sha256(file.read_bytes()).hexdigest(), f"{file}: its checksum is another"
    prepare = {".gz": in_empty_root, ".zip": in_wine, ".whl": in_venv}[file.suffix]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        began = time.monotonic()
        command, place, environment = prepare(file, pathlib.Path(folder))
        unpacked = time.monotonic()
        # What pip installs are the same programs.
        games = 2 if file.suffix == ".whl" else 20
        words = MATCH.format(games=games).split()
        match = subprocess.Popen([*command, *words], cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        journal, first = place / "run/events.jsonl", None
        while match.poll() is None:
            with contextlib.suppress(OSError):
                if first is None and "game_finished" in journal.read_text():
                    first = time.monotonic() - unpacked
            time.sleep(0.05)
        output = match.stdout.read()
        assert match.returncode == 0 and f"{games} games" in output, f"{file}: exit code {match.returncode}\n{output}"
        total = time.monotonic() - unpacked
        print(f"{file.name}: unpacked in {unpacked - began:.1f} s, first game after {first:.1f} s, {games} after {total:.0f} s")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        play(pathlib.Path(name).resolve())


if __name__ == "__main__":
    main()
