#!/usr/bin/env python3
"""Runs the tests of a Windows build under Wine.

Usage: verify/wine.py [WORD...]             runs `cargo test` for Windows with these arguments, by default all tests
       verify/wine.py run PROGRAM...        the runner with which cargo starts a test
       verify/wine.py kills FOLDER [COUNT]  plays a match with the arbiter.exe and tarrasch.exe of a folder, kills it COUNT times
                                            (20) and resumes it: expects the same games as without, and no process left

Needs Wine and the MinGW compiler, in Debian wine64 and gcc-mingw-w64-x86-64. Builds in target/wine.
"""

import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "target/wine"
PREFIX = FOLDER / "prefix"
TARGET = "x86_64-pc-windows-gnu"

# Wine before 9 lacks the library from which Rust takes random numbers.
STAND_IN = """#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) { return SystemFunction036(bytes, count); }
"""

# What Wine 8 lacks, and the tests that need it.
SKIPPED = {
    "a console, from which programs are interrupted": [
        "ablations::an_interrupted_", "dialects::an_interrupt_", "interruptions::an_interrupted_",
        "interruptions::a_termination_",
    ],
    "a browser": ["pages_in_browser::", "_in_a_browser"],
    "curl": ["scenarios::openbench"],
    "cargo": ["init::build_guess::tests::the_default_program_"],
}


def wine():
    return shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"


def environment():
    return os.environ | {"WINEPREFIX": str(PREFIX), "WINEDEBUG": "-all", "INSTA_WORKSPACE_ROOT": f"Z:{ROOT}"}


def prepare():
    temporary = FOLDER / "tmp"
    for folder in (PREFIX, temporary):
        folder.mkdir(parents=True, exist_ok=True)
    # Cargo passes Unix paths to the tests, which find them if the temporary folder is on the same drive.
    place = "Z:" + str(temporary).replace("/", "\\")
    for name in ("TEMP", "TMP"):
        add = ["reg", "add", "HKCU\\Environment", "/v", name, "/d", place, "/f"]
        subprocess.run([wine(), *add], env=environment(), check=True, capture_output=True)
    library = PREFIX / "drive_c/windows/system32/bcryptprimitives.dll"
    if not library.exists():
        compiler = ["x86_64-w64-mingw32-gcc", "-shared", "-x", "c", "-", "-o", library, "-ladvapi32"]
        subprocess.run(compiler, input=STAND_IN, text=True, check=True)


def engines_left():
    """The number of tarrasch.exe processes, which Wine names as Windows does."""
    names = [entry / "comm" for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit()]
    return sum(name.exists() and name.read_text().startswith("tarrasch.exe") for name in names)


def games(folder):
    """The moves and the result of each game, by its round."""
    text = (folder / "games.pgn").read_text()
    found = re.findall(r'\[Round "([^"]+)"\].*?\[Result "([^"]+)"\].*?\n\n(.*?)\n\n', text + "\n", re.S)
    return {number: (result, re.sub(r"\{.*?\}", "", moves, flags=re.S).split()) for number, result, moves in found}


def kills(programs, count):
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        arbiter = [wine(), str(pathlib.Path(programs) / "arbiter.exe")]
        tarrasch = "Z:" + str(pathlib.Path(programs).resolve() / "tarrasch.exe").replace("/", "\\")
        match = ["match", tarrasch, f"{tarrasch}:Hash=1", "--nodes", "5000", "--games", "160", "--seed", "1",
                 "--concurrency", "2", "--no-report", "--out"]
        options = {"cwd": folder, "env": environment(), "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        subprocess.run([*arbiter, *match, "alone"], check=True, **options)
        words, done = [*match, "killed"], 0
        while done < count:
            run = subprocess.Popen([*arbiter, *words], **options)
            time.sleep(chance.uniform(1.5, 4))
            if run.poll() is not None:
                sys.exit(f"ended by itself after {done} kills: {run.stderr.read().decode()}")
            run.kill()
            run.wait()
            done += 1
            end = time.monotonic() + 10
            while engines_left() and time.monotonic() < end:
                time.sleep(0.05)
            if left := engines_left():
                sys.exit(f"kill {done} left {left} engines")
            has_begun = (folder / "killed/run.toml").exists()
            words = ["resume", "killed", "--no-report"] if has_begun else [*match, "killed"]
        subprocess.run([*arbiter, *words], check=True, **options)
        alone, killed = games(folder / "alone"), games(folder / "killed")
        print(f"{done} kills, {len(killed)} games, {'the same as' if killed == alone else 'NOT those of'} a match that was let alone")
        sys.exit(0 if killed == alone and len(alone) == 160 else 1)


def main():
    words = sys.argv[1:]
    if words[:1] == ["kills"]:
        prepare()
        kills(words[1], int((words[2:] or ["20"])[0]))
    if words[:1] == ["run"]:
        # Other programs that cargo starts do not know these options.
        skipped = [f"--skip={name}" for names in SKIPPED.values() for name in names]
        program, _, _ = pathlib.Path(words[1]).name.partition("-")
        skipped = {"cli": skipped, "arbiter": [name for name in skipped if "::tests::" in name]}.get(program, [])
        os.execve(wine(), [wine(), *words[1:], *skipped], environment())
    prepare()
    runner = {f"CARGO_TARGET_{TARGET.upper().replace('-', '_')}_RUNNER": f"{sys.executable} {ROOT}/verify/wine.py run"}
    test = ["cargo", "test", "--locked", "--no-fail-fast", "--target", TARGET, "--target-dir", FOLDER]
    sys.exit(subprocess.run([*test, *words], cwd=ROOT, env=os.environ | runner).returncode)


if __name__ == "__main__":
    main()
