"""Kills tournaments at random moments, resumes them, and compares their results with undisturbed ones.

Usage: verify/kills.py ARBITER MOCK_ENGINE TARRASCH KILLS SEED. Needs Linux and git. Contests of each kind are started, killed
by SIGKILL after some milliseconds or some bytes of progress, and resumed until they end by themselves; then they are started
again, until there were KILLS kills. No kill may leave a process, and in the end games.pgn, final.epd, the report of a bisection
and the values of a tuning run must be those of an undisturbed contest, byte for byte. When a sequential test reaches its
verdict, a game may be in progress and another on its way to the journal, and the clock decides whether they are finished.
So one game is played at a time, and after its verdict each test may have up to LATE games more or fewer.
"""

import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench import Bench

LONGEST = 120
# Exit codes of a finished run, whose test may be accepted, rejected or undecided.
ENDS = (0, 1, 3)
# A process is killed after at most this many seconds, or bytes of progress: about two games.
MOST_SECONDS = 0.1
MOST_BYTES = 6000

SHORT = "--openings book.epd --seed 3 --nodes 20 --maxmoves 10"
SPRT = "--sprt=-40,40 --model logistic --concurrency 1"
# The arguments of `arbiter` before the folder, one line for each run of the contest.
CONTESTS = {
    "sprt": [f"match well illegal {SPRT} {SHORT}"],
    "base": [f"match well illegal binary --games 20 --base illegal {SPRT} {SHORT}"],
    "round robin": [f"match well half-lines carriage-returns binary --games 20 --concurrency 2 {SHORT}"],
    "gauntlet": [f"match illegal well binary --format gauntlet --games 30 --concurrency 2 {SHORT}"],
    "knockout": [f"match well blanks binary illegal --format knockout --games 10 --concurrency 2 {SHORT}"],
    "shards": [f"match well blanks binary --games 20 --concurrency 2 --shard {k}/3 {SHORT}" for k in (1, 2, 3)],
    "tune": [f"tune tarrasch:UCI_LimitStrength=true,Seed=1 --spec spec.csv --games 60 --concurrency 2 {SHORT}"],
    "bisect": [f"bisect foreign --good c1 --bad c9 --by match {SPRT.replace('-40,40', '-80,-40')} {SHORT}"],
}
MODES = ["well", "half-lines", "blanks", "carriage-returns", "binary", "illegal"]
LATE = 2
# The number of sequential tests in a file of games.
TESTS = {"sprt": 1, "base": 2, "bisect": 1}
RESULTS = ["games.pgn", "final.epd", "report.txt"]


class Killed:
    """Kills and resumes contests in a folder."""

    def __init__(self, bench, rng):
        self.bench, self.rng, self.kills = bench, rng, 0

    def size(self, out):
        total = 0
        for folder, _, files in os.walk(self.bench.folder / out):
            for name in files:
                try:
                    total += os.stat(os.path.join(folder, name)).st_size
                except OSError:
                    pass
        return total

    def live(self, command, out):
        """Runs a command until it ends or is killed. Returns its exit code, or None if it was killed."""
        enough = self.size(out) + self.rng.randrange(MOST_BYTES)
        by_the_clock = self.rng.random() < 0.5
        end = time.monotonic() + (self.rng.random() * MOST_SECONDS if by_the_clock else LONGEST)
        with open(self.bench.folder / "output", "w") as output:
            arbiter = self.bench.spawn(command, stdout=output, stderr=output)
        while self.size(out) <= enough and time.monotonic() < end:
            if arbiter.poll() is not None:
                return arbiter.returncode
            time.sleep(0.001)
        arbiter.kill()
        code = arbiter.wait()
        return code if code >= 0 else None

    def play(self, words, out):
        """Starts and resumes a run until it ends by itself."""
        while True:
            has_begun = any((self.bench.folder / out / state).exists() for state in ("run.toml", "bisect.toml"))
            if not has_begun:
                shutil.rmtree(self.bench.folder / out, ignore_errors=True)
            command = ["resume", out] if has_begun else [*words.split(), "--out", out]
            code = self.live([self.bench.arbiter, *command], out)
            if code is not None:
                said = (self.bench.folder / "output").read_text()
                return None if code in ENDS else f"exit code {code}: {said[-600:]}"
            self.kills += 1
            if left := self.bench.processes_left(LONGEST):
                return f"left behind: {left}"


def write_foreign(bench):
    """Writes a repository of an engine whose moves are illegal from the fifth commit on; its build copies a script."""
    source = bench.folder / "source"
    source.mkdir()
    run = lambda *words: bench.run(["git", "-C", str(source), *words]).check_returncode()
    bench.environment |= {f"GIT_{who}_{what}": "1700000000 +0000" if what == "DATE" else "ada@example.org"
                          for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL", "DATE")}
    run("init", "--quiet")
    for commit in range(1, 10):
        mode = "illegal" if commit >= 5 else "well"
        (source / "program").write_text(f"#!/bin/sh\n# {commit}\nexec {bench.engine} {mode}\n")
        run("add", "--all")
        run("commit", "--quiet", "-m", f"Step {commit}")
        run("tag", f"c{commit}")
    manifest = bench.folder / "engines/foreign/engine.toml"
    manifest.parent.mkdir()
    manifest.write_text("name = 'foreign'\ncommand = 'bin/engine'\nrepo = 'source'\n"
                        "build = 'mkdir -p bin && cp program bin/engine && chmod +x bin/engine'\n")


def results(bench, outs):
    """The results of the runs."""
    found = {}
    for out in outs:
        for path in sorted((bench.folder / out).rglob("*")):
            if path.name in RESULTS:
                found[str(path.relative_to(bench.folder))] = path.read_bytes()
            if path.name == "summary.json":
                found[f"{out} tuned"] = json.dumps(json.loads(path.read_text()).get("tuned")).encode()
    return found


def games(name, text):
    """The games of a file, or the lines of a report without the parts that depend on the last game."""
    if name.endswith(".pgn"):
        return Counter(game.strip() for game in text.split(b"[Event "))
    return Counter(re.sub(rb"LLR .*? games", b"", text).split(b"\n"))


def differences(kind, whole, found):
    """The names of the results that differ."""
    names = set(whole) ^ set(found)
    for name in set(whole) & set(found):
        if whole[name] != found[name]:
            one, other = games(name, whole[name]), games(name, found[name])
            if kind not in TESTS or ((one - other) + (other - one)).total() > LATE * TESTS.get(kind, 0):
                names.add(name)
    return sorted(names)


def contest(killed, lines, is_killed):
    """Plays a contest. Returns its results, and what went wrong."""
    bench = killed.bench
    outs = ["run"] if len(lines) == 1 else [f"shard-{number}" for number, _ in enumerate(lines)]
    shutil.rmtree(bench.folder / "cache", ignore_errors=True)
    trouble = None
    for words, out in zip(lines, outs):
        if is_killed:
            trouble = trouble or killed.play(words, out)
        else:
            ran = bench.run([bench.arbiter, *words.split(), "--out", out])
            trouble = trouble or (ran.stderr[-600:] if ran.returncode not in ENDS else None)
    if len(outs) > 1 and not trouble:
        ran = bench.run([bench.arbiter, "merge", *outs, "--out", "merged"])
        trouble = ran.stderr[-600:] if ran.returncode else None
        outs.append("merged")
    found = results(bench, outs)
    for out in outs:
        shutil.rmtree(bench.folder / out, ignore_errors=True)
    return found, trouble


def main():
    arbiter, engine, tarrasch, wanted, seed = *sys.argv[1:4], int(sys.argv[4]), sys.argv[5]
    contests, troubles, kinds = 0, 0, Counter()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, arbiter, engine, MODES)
        bench.add_program("tarrasch", os.path.abspath(tarrasch))
        (bench.folder / "spec.csv").write_text("UCI_Elo, int, 1600, 1200, 3000, 300, 0.2\n")
        write_foreign(bench)
        killed = Killed(bench, random.Random(seed))
        whole = {}
        while killed.kills < wanted:
            kind = list(CONTESTS)[contests % len(CONTESTS)]
            if kind not in whole:
                whole[kind], trouble = contest(killed, CONTESTS[kind], is_killed=False)
                if trouble or not whole[kind]:
                    sys.exit(f"{kind}, left alone: {trouble}")
            before = killed.kills
            found, trouble = contest(killed, CONTESTS[kind], is_killed=True)
            if not trouble and (names := differences(kind, whole[kind], found)):
                trouble = f"not the same: {', '.join(names)}"
            troubles += trouble is not None
            print(f"{kind}: {killed.kills - before} kills: {trouble or 'the same'}", flush=True)
            kinds[kind] += killed.kills - before
            contests += 1
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    print(f"seed {seed}: {killed.kills} kills in {contests} contests: {told}")
    print(f"{troubles} troubles")
    sys.exit(troubles > 0)


main()
