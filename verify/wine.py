#!/usr/bin/env python3
"""The tests of a build for Windows, under Wine.

Usage: verify/wine.py [WORD...]       runs `cargo test` for Windows with these words, by default all of the tests
       verify/wine.py run PROGRAM...  what cargo starts a test by

Needs Wine and MinGW's compiler, of Debian: wine64 and gcc-mingw-w64-x86-64. What is built lies in target/wine.
"""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "target/wine"
PREFIX = FOLDER / "prefix"
TARGET = "x86_64-pc-windows-gnu"

# Wine before 9 lacks the library from which Rust has its random numbers.
STAND_IN = """#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) { return SystemFunction036(bytes, count); }
"""

# What a test needs that Wine 8 lacks.
SKIPPED = {
    "a console, from which programs are interrupted": [
        "ablations::an_interrupted_", "dialects::an_interrupt_", "interruptions::an_interrupted_",
        "interruptions::a_termination_", "openings::an_interrupted_",
    ],
    "a browser": ["pages_in_browser::", "_in_a_browser"],
    "curl": ["openbench::"],
    "git": ["ci::a_baseline_that_git_", "ci::the_baseline_names_", "found_engines::a_revision_", "bad_input::a_revision_"],
}


def wine():
    return shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"


def environment():
    return os.environ | {"WINEPREFIX": str(PREFIX), "WINEDEBUG": "-all", "INSTA_WORKSPACE_ROOT": f"Z:{ROOT}"}


def prepare():
    temporary = FOLDER / "tmp"
    for folder in (PREFIX, temporary):
        folder.mkdir(parents=True, exist_ok=True)
    # What cargo tells the tests are paths of this system, which are found where the drive is the same.
    place = "Z:" + str(temporary).replace("/", "\\")
    for name in ("TEMP", "TMP"):
        add = ["reg", "add", "HKCU\\Environment", "/v", name, "/d", place, "/f"]
        subprocess.run([wine(), *add], env=environment(), check=True, capture_output=True)
    library = PREFIX / "drive_c/windows/system32/bcryptprimitives.dll"
    if not library.exists():
        compiler = ["x86_64-w64-mingw32-gcc", "-shared", "-x", "c", "-", "-o", library, "-ladvapi32"]
        subprocess.run(compiler, input=STAND_IN, text=True, check=True)


def main():
    words = sys.argv[1:]
    if words[:1] == ["run"]:
        # Only a program of tests is started by its name in the folder of dependencies.
        skipped = [f"--skip={name}" for names in SKIPPED.values() for name in names]
        skipped = skipped if pathlib.Path(words[1]).name.startswith("cli-") else []
        os.execve(wine(), [wine(), *words[1:], *skipped], environment())
    prepare()
    runner = {f"CARGO_TARGET_{TARGET.upper().replace('-', '_')}_RUNNER": f"{sys.executable} {ROOT}/verify/wine.py run"}
    test = ["cargo", "test", "--locked", "--no-fail-fast", "--target", TARGET, "--target-dir", FOLDER]
    sys.exit(subprocess.run([*test, *words], cwd=ROOT, env=os.environ | runner).returncode)


if __name__ == "__main__":
    main()
