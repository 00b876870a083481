"""Measures the overhead of runners: Arbiter, and those of fastchess, c-chess-cli and cutechess-cli on the search path.

Usage: verify/throughput.py ARBITER MOCK_ENGINE BOOK CONTEST…, with any of `instant` (an engine that answers at once, 400 games),
`crowd` (the same engine, 1,000 games, 250 at once) and `stockfish` (2,000 games at 0.2+0.002, for an hour at most). All play the
same openings, one runner after the other, some contests in several rounds. Needs Linux. Prints the round with the median time,
and the slowest and fastest pace of all rounds. CPU time is the runner's own, without the engines'.
"""

import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import Bench
from watched import Watched


@dataclass
class Contest:
    engine: str
    tc: str
    games: int
    at_once: tuple
    rounds: int
    patience: int


ENGINE = "-engine cmd={engine} name=a -engine cmd={engine} name=b"
ROUNDS = "-games 2 -rounds {rounds} -repeat -concurrency {at_once} -openings file={book} format=epd"
ARBITER = "match {engine} {engine} --tc {tc} --games {games} --concurrency {at_once} --openings {book} --order sequential"
ARBITER += " --pgn-fields depth,time,latency --no-report --out run"
# For each runner its program, its arguments, and the file of its games.
RUNNERS = {
    "arbiter": ("arbiter", ARBITER, "run/games.pgn"),
    "with affinity": ("arbiter", f"{ARBITER} --affinity", "run/games.pgn"),
    "c-chess-cli": (
        "c-chess-cli",
        f"-each tc={{tc}} {ENGINE} -games {{games}} -concurrency {{at_once}} -openings file={{book}} -repeat -pgn games.pgn 3",
        "games.pgn",
    ),
    "fastchess": (
        "fastchess",
        f"{ENGINE} -each tc={{tc}} {ROUNDS} -force-concurrency -pgnout file=games.pgn latency=true",
        "games.pgn",
    ),
    "cutechess-cli": ("cutechess-cli", f"{ENGINE} -each tc={{tc}} proto=uci {ROUNDS} -pgnout games.pgn", "games.pgn"),
}


def measure(bench, program, words, pgn, patience):
    """Seconds, CPU seconds, MiB, games, plies, time losses and latencies in ms; `None` if it does not end in time."""
    watched, cpu = Watched(bench, [program, *words.split()]), 0.0

    def is_late():
        nonlocal cpu
        cpu = max(cpu, watched.cpu_time())
        return watched.seconds() > patience

    if watched.wait(is_late) is None:
        watched.process.kill()
        watched.process.wait()
        return None
    seconds, text = watched.seconds(), (bench.folder / pgn).read_text()
    games, losses = len(re.findall(r"^\[Event ", text, re.M)), text.count('"time forfeit"')
    latencies = sorted(1000 * float(found) for found in re.findall(r"latency=(-?[\d.]+)s", text))
    moves = re.sub(r"\{[^}]*\}|^\[.*$|\d+\.+|1-0|0-1|1/2-1/2|\*", " ", text, flags=re.M).split()
    return seconds, cpu, watched.peak, games, len(moves), losses, latencies


def row(rounds):
    rounds.sort(key=lambda one: one[0])
    seconds, cpu, memory, games, plies, losses, latencies = rounds[len(rounds) // 2]
    pace = [one[4] / one[0] for one in rounds]
    spread = f" ({pace[-1]:.0f}-{pace[0]:.0f})" if len(rounds) > 1 else ""
    shares = [latencies[int((len(latencies) - 1) * share)] for share in (0.5, 0.99, 1)] if latencies else []
    return (
        f"{games:<7} {plies:<8} {seconds:<8.2f} {f'{plies / seconds:.0f}{spread}':<19} {cpu * 1e6 / max(plies, 1):<11.1f} "
        f"{memory:<6.1f} {losses:<12} {' / '.join(f'{share:.1f}' for share in shares)}"
    )


def compare(name, contest, at_once, arbiter, mock, book):
    """Lets the runners take turns, so that other load on the machine affects all of them."""
    found = {runner: arbiter if own == "arbiter" else shutil.which(own) for runner, (own, *_) in RUNNERS.items()}
    if at_once > len(os.sched_getaffinity(0)):
        del found["with affinity"]
    rounds = {runner: [] for runner in found}
    for runner in contest.rounds * list(found):
        if not found[runner]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(folder, arbiter, mock)
            openings = bench.folder / "openings.epd"
            openings.write_text("".join(f"{fen}\n" for fen in (book * contest.games)[: contest.games // 2]))
            _, words, pgn = RUNNERS[runner]
            told = {"engine": contest.engine or bench.engine, "tc": contest.tc, "games": contest.games, "book": openings}
            words = words.format(at_once=at_once, rounds=contest.games // 2, **told)
            rounds[runner].append(measure(bench, found[runner], words, pgn, contest.patience))
    for runner, measured in rounds.items():
        said = f"not finished in {contest.patience} s" if None in measured else row(measured) if measured else "not found"
        print(f"{name:<10} {at_once:<8} {runner:<14} {said}", flush=True)


def main():
    contests = {
        "instant": Contest("", "10+0.1", 400, (1, 2), 5, 120),
        "crowd": Contest("", "60+1", 1000, (250,), 3, 120),
        "stockfish": Contest("/usr/games/stockfish", "0.2+0.002", 2000, (2,), 1, 3600),
    }
    arbiter, mock, book, *names = sys.argv[1:]
    lines = [line for line in Path(book).read_text().splitlines() if line and not line.startswith("#")]
    lines = [" ".join(line.split()[:6]) for line in lines]
    print("contest    at once  runner         games   plies    seconds  plies/s             µs CPU/ply  MB     time losses  ", end="")
    print("latency p50/p99/max, ms")
    for name in names:
        for at_once in contests[name].at_once:
            compare(name, contests[name], at_once, os.path.abspath(arbiter), mock, lines)


main()
