"""Plays a short match again and again while the system fails, and continues it afterwards.

Usage: trust/faults.py ARBITER MOCK_ENGINE ROUNDS SEED. Needs Linux and strace. In each round one kind of system call of the
harness fails from some moment on, or once: writes and syncs of the run folder with ENOSPC or EIO, and opening files,
starting threads and processes, making pipes with EMFILE, EAGAIN or ENOMEM. Some rounds have a limit of open files instead.
Whatever happens, the program has to end by itself with an exit code that is
documented, without a panic and without a process left, and `arbiter resume` has to play the rest. Where only the harness
was disturbed, and not the engines, the games are those of a match without the fault.

Left out are failures that Rust's standard library and tokio answer by an abort or a panic of their own: no memory for the
stack of a thread, and an interrupted write to an eventfd, which Linux does not make.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

GAMES = 12
LONGEST = 120
# docs/guide/exit-codes.md; a crash has another.
EXIT_CODES = {0, 2, 3, 4, 5}

FILE_CALLS = ["write", "fsync", "fdatasync", "ftruncate", "openat", "rename"]
FILE_ERRORS = ["ENOSPC", "EIO", "EDQUOT"]
OTHER_CALLS = {
    "openat": ["EMFILE", "ENFILE", "EINTR"],
    "clone3": ["EAGAIN", "ENOMEM"],
    "pipe2": ["EMFILE"],
    "socket": ["EMFILE"],
    "epoll_create1": ["EMFILE"],
    "read": ["EINTR"],
}
BOOK = """rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
"""


class Bench:
    """A folder to play in."""

    def __init__(self, folder, arbiter, engine):
        self.folder, self.arbiter = Path(folder), arbiter
        (self.folder / "book.epd").write_text(BOOK)
        manifest = self.folder / "engines/well/engine.toml"
        manifest.parent.mkdir(parents=True)
        manifest.write_text(f"name = 'well'\ncommand = '{engine}'\nargs = ['well']\n")
        self.environment = {**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": f"{folder}/cache"}

    def match(self, out):
        played = ["match", "well", "well:Hash=2", "--openings", "book.epd", "--seed", "1", "--nodes", "20"]
        return [self.arbiter, *played, "--maxmoves", "20", "--games", str(GAMES), "--out", out]

    def run(self, command):
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=LONGEST
        )

    def games(self, out):
        return (self.folder / out / "games.pgn").read_text().replace(f'"{out}"', "")

    def processes(self):
        """Engines that live on."""
        found = []
        for process in Path("/proc").iterdir():
            try:
                if process.name.isdigit() and os.readlink(process / "cwd").startswith(str(self.folder)):
                    found.append((process / "cmdline").read_text())
            except OSError:
                pass
        return found


def moves_of(pgn):
    """Everything but what differs from run to run."""
    return re.sub(r'\[(Date|UTC\w+|GameStartTime|GameEndTime|GameDuration|EndTime|Event|Site) .*\]\n', "", pgn)


def a_fault(rng, folder):
    """The command or the limit that causes the fault, and whether engines are spared."""
    kind = rng.randrange(10)
    if kind == 0:
        limit = rng.randrange(8, 40)
        command = ["prlimit", f"--nofile={limit}"]
        return command, False
    when = f"{rng.choice([1, 2, 3, 5, 10, 20, 50, 100])}{rng.choice(['', '+'])}"
    strace = ["strace", "-f", "-qq", "-o", "/dev/null"]
    if kind <= 6:
        call, error = rng.choice(FILE_CALLS), rng.choice(FILE_ERRORS)
        paths = [word for path in ("", "/events.jsonl", "/games.pgn", "/run.toml") for word in ("-P", f"{folder}/run{path}")]
        inject = f"inject={call}:error={error}:when={when}"
        return [*strace, *paths, "-e", f"trace={call}", "-e", inject], True
    call = rng.choice(list(OTHER_CALLS))
    error = rng.choice(OTHER_CALLS[call])
    # An interrupted call is made again, for ever if it is always interrupted.
    when = when.rstrip("+") if error == "EINTR" else when
    return [*strace, "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={when}"], False


def trouble_of(bench, whole, ran, is_repeatable):
    """What should not have happened."""
    if ran.returncode == 127:
        # The fault came before the program began: its libraries were not loaded.
        return None
    if ran.returncode not in EXIT_CODES or "panicked" in ran.stderr:
        return f"exit code {ran.returncode}: {ran.stderr[-600:]}"
    if left := bench.processes():
        return f"left behind: {left}"
    if not (bench.folder / "run").exists():
        return None
    if not (bench.folder / "run/run.toml").exists() or not (bench.folder / "run/events.jsonl").exists():
        return None
    resumed = bench.run([bench.arbiter, "resume", "run"])
    if resumed.returncode != 0:
        return f"resume ends with {resumed.returncode}: {resumed.stderr[-600:]}"
    if is_repeatable and moves_of(bench.games("run")) != whole:
        return "other games than without the fault"
    return None


def main():
    arbiter, engine, rounds, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    rng = random.Random(seed)
    codes, troubles = Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, os.path.abspath(arbiter), os.path.abspath(engine))
        bench.run(bench.match("whole"))
        whole = moves_of(bench.games("whole"))
        for _ in range(rounds):
            before, is_repeatable = a_fault(rng, folder)
            try:
                ran = bench.run([*before, *bench.match("run")])
                codes[ran.returncode] += 1
                trouble = trouble_of(bench, whole, ran, is_repeatable)
            except subprocess.TimeoutExpired:
                trouble = f"not over after {LONGEST} seconds"
            if trouble:
                troubles += 1
                print(f"{' '.join(before)}\n  {trouble}")
            shutil.rmtree(bench.folder / "run", ignore_errors=True)
    told = ", ".join(f"{count} ended with {code}" for code, count in sorted(codes.items()))
    print(f"seed {seed}: {rounds} faults; {told}")
    print(f"{troubles} troubles")
    sys.exit(troubles > 0)


main()
