"""Compares the CPU clock with the wall clock, on a quiet machine and under load.

Usage: verify/clock.py ARBITER TARRASCH COMMAND [quiet|busy] [NUMBER] [ENGINE…]. Needs Linux. TARRASCH is the program; for
`planted`, `slowed_tarrasch` must be beside it. Other engines are paths with options, as for Arbiter: /usr/games/glaurung:Threads=1.

  rates [SEARCHES] ENGINE…   nodes of a one-second search with each clock, alone and beside busy processes
  cost [SEARCHES] ENGINE…    nodes per second of CPU time, with and without the library
  match [GAMES] ENGINE       Tarrasch against the engine at 1+0.01: one game per core, and under load four per core
  planted [GAMES]            Tarrasch against a copy 10% slower at 0.3+0.003, with both clocks, quiet and under load
  many [GAMES] [KILLS]       a long match with the CPU clock that is killed KILLS times and resumed
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CORES = len(os.sched_getaffinity(0))
POSITIONS = [
    "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",
    "startpos moves d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7",
    "fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9",
]


def median(numbers):
    """The median. Python's module `statistics` is hidden by the script of that name in this folder."""
    ordered = sorted(numbers)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


class Load:
    """Processes that only burn CPU time."""

    def __init__(self, count):
        self.processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


class Engine:
    def __init__(self, spec, library=None):
        program, _, options = spec.partition(":")
        environment = dict(os.environ, LD_PRELOAD=library) if library else os.environ
        self.process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
                                        stderr=subprocess.DEVNULL, env=environment)
        self.ask("uci", "uciok")
        for option in filter(None, options.split(",")):
            self.send("setoption name %s value %s" % tuple(option.split("=")))
        self.ask("isready", "readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, question, expected):
        self.send(question)
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.split()[:1] == [expected]:
                return lines
        sys.exit(f"{self.process.args} ended after {question}")

    def used(self):
        """CPU time of the process in seconds, including threads that have ended: clock_getcpuclockid(3)."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def search(self, position, order):
        """Nodes, CPU time and wall-clock time of a search."""
        self.send("ucinewgame")
        self.ask("isready", "readyok")
        self.send(f"position {position}")
        used, begin = self.used(), time.monotonic()
        lines = self.ask(order, "bestmove")
        nodes = [int(found) for line in lines for found in re.findall(r"\bnodes (\d+)", line)]
        return max(nodes, default=0), self.used() - used, time.monotonic() - begin

    def searches(self, count, order):
        results = [self.search(POSITIONS[number % len(POSITIONS)], order) for number in range(count)]
        self.process.kill()
        self.process.wait()
        return results


def library(arbiter, engine):
    """The path of the library, which Arbiter writes when it needs it."""
    subprocess.run([arbiter, "check", engine, "--clock", "cpu"], capture_output=True)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arbiter"
    return str(max(cache.glob("cpu-clock-*.so"), key=lambda path: path.stat().st_mtime))


def rates(arbiter, tarrasch, count, engines):
    print(f"nodes of a search of a second: median, least and most of {count}; {CORES} cores")
    for spec in [tarrasch, *engines]:
        preloaded = library(arbiter, spec)
        for clock, path in [("wall", None), ("cpu", preloaded)]:
            alone = None
            for load in [0, CORES, 2 * CORES, 4 * CORES]:
                with Load(load):
                    results = Engine(spec, path).searches(count, "go movetime 1000")
                nodes = sorted(nodes for nodes, _, _ in results)
                middle = median(nodes)
                alone = alone or middle
                used = median(used for _, used, _ in results)
                per_second = median(nodes / used for nodes, used, _ in results if used)
                print(f"{Path(spec).name:24} {clock:4}  {load:2} busy  {middle:12,.0f}  {nodes[0]:12,}–{nodes[-1]:<12,}"
                      f" {middle / alone:6.1%} of alone  CPU {used:5.2f} s  {per_second:12,.0f} nodes/s of it", flush=True)


def cost(arbiter, tarrasch, count, engines):
    print(f"nodes per second of CPU time, {count} searches each way in turns; with the library / without it")
    for spec in [tarrasch, *engines]:
        preloaded = library(arbiter, spec)
        ratios = []
        for number in range(count):
            order = "go nodes 1000000"
            rate = {}
            for path in random.sample([None, preloaded], 2):
                engine = Engine(spec, path)
                nodes, used, _ = engine.search(POSITIONS[number % len(POSITIONS)], order)
                engine.process.kill()
                engine.process.wait()
                rate[path] = nodes / used
            ratios.append(rate[preloaded] / rate[None])
        mean = sum(ratios) / len(ratios)
        error = (sum((ratio - mean) ** 2 for ratio in ratios) / max(1, len(ratios) - 1) / len(ratios)) ** 0.5
        print(f"{Path(spec).name:24} {mean:.4f} ± {2 * error:.4f}", flush=True)


def play(arbiter, folder, engines, games, clock, is_busy, control):
    """Plays a match and prints a line of its results."""
    concurrency = 4 * CORES if is_busy else CORES
    args = [arbiter, "match", *engines, "--tc", control, "--games", str(games), "--clock", clock, "--seed", "1",
            "--concurrency", str(concurrency), "--out", str(folder), "--no-report"]
    begin = time.monotonic()
    with Load(CORES if is_busy else 0):
        played = subprocess.run(args, capture_output=True, text=True)
    if played.returncode:
        sys.exit(played.stderr)
    report(folder, f"{clock:4} {'busy ' if is_busy else 'quiet'}", time.monotonic() - begin)


def report(folder, heading, seconds):
    summary = json.loads((folder / "summary.json").read_text())
    records = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    ended = [record for record in records if record["event"] == "game_finished"]
    losses = sum(record["termination"] == "time_loss" for record in ended)
    others = sum(record.get("offender") is not None for record in ended) - losses
    moves = [move for record in ended for move in record["moves"] if move.get("nodes") and move["time_us"] > 1000]
    rate = median(move["nodes"] / move["time_us"] * 1e6 for move in moves)
    elo = summary["pairings"][0]["elo"]
    print(f"{heading}  {len(ended)} games  Elo {elo}  time losses {losses}, other faults {others}"
          f"  median {rate:,.0f} nodes/s of the clock  {seconds:.0f} s", flush=True)


def four_ways(arbiter, engines, games, half, control):
    with tempfile.TemporaryDirectory() as folder:
        for way in half or ["quiet", "busy"]:
            for clock in ["cpu", "wall"]:
                play(arbiter, Path(folder) / f"{clock}-{way}", engines, games, clock, way == "busy", control)


def many(arbiter, tarrasch, games, kills):
    """Kills and resumes a long match, which must keep its games."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        first = [arbiter, "match", tarrasch, f"{tarrasch}:Hash=1", "--tc", "0.05+0.0005", "--games", str(games),
                 "--clock", "cpu", "--concurrency", str(2 * CORES), "--out", str(run), "--no-report"]
        begin, args, random_number = time.monotonic(), first, random.Random(1)
        for number in range(kills):
            process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(random_number.uniform(10, 30))
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                args = [arbiter, "resume", str(run), "--no-report"]
        subprocess.run(args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report(run, f"cpu, killed {kills} times", time.monotonic() - begin)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    arbiter, tarrasch, command, *rest = sys.argv[1:]
    arbiter, tarrasch = map(os.path.abspath, [arbiter, tarrasch])
    numbers = [int(word) for word in rest if word.isdigit()]
    half = [word for word in rest if word in ["quiet", "busy"]]
    engines = [word for word in rest if not word.isdigit() and word not in half]
    number = numbers[0] if numbers else None
    if command == "rates":
        rates(arbiter, tarrasch, number or 8, engines)
    elif command == "cost":
        cost(arbiter, tarrasch, number or 20, engines)
    elif command == "match":
        four_ways(arbiter, [tarrasch, engines[0]], number or 400, half, "1+0.01")
    elif command == "planted":
        slowed = os.path.join(os.path.dirname(tarrasch), "slowed_tarrasch")
        twice = [f"{slowed}:Slowdown=0", f"{slowed}:Slowdown=100"]
        four_ways(arbiter, twice, number or 1500, half, "0.3+0.003")
    elif command == "many":
        many(arbiter, tarrasch, number or 10_000, numbers[1] if len(numbers) > 1 else 20)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
