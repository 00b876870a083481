"""Plays wide matches instead of long ones: a thousand games at once, a hundred engines, a book of ten million openings.

Usage: verify/wide.py ARBITER MOCK_ENGINE [FASTCHESS]. Needs Linux, 3 GB of disk and some thousand processes. Prints the time
and memory of each, and for the book also those of fastchess if it is given. Engines answer at once.
"""

import itertools
import json
import os
import sys
import tempfile

from bench import Bench
from watched import Journal, Watched

AT_ONCE = 1000
ENGINES = 100
OPENINGS = 10_000_000
QUICK = ["--tc", "60+1", "--seed", "1"]


def rank(squares):
    """A rank in FEN."""
    runs = ((piece, len(list(run))) for piece, run in itertools.groupby(squares))
    return "".join(str(length) if piece == "1" else piece * length for piece, length in runs)


def positions():
    """Distinct legal positions: kings at home, a knight of each side on the fourth or fifth rank, where it gives no check,
    and any subset of the initial pawns.
    """
    pawns = [rank(squares) for squares in itertools.product("1P", repeat=8)]
    middles = []
    for white, black in itertools.permutations(range(16), 2):
        squares = ["1"] * 16
        squares[white], squares[black] = "N", "n"
        middles.append(f"{rank(squares[:8])}/{rank(squares[8:])}")
    for theirs, middle, ours in itertools.product(pawns, middles, pawns):
        yield f"4k3/{theirs.lower()}/8/{middle}/8/{ours}/4K3 w - - 0 1"


def play(bench, name, words, games):
    """Plays a match to the end. Prints time and memory, and returns what went wrong."""
    match = Watched(bench, [bench.arbiter, "match", *words, *QUICK, "--out", "run"])
    code = match.wait()
    said = match.output.read_text()[-300:]
    print(f"{name}: {games} games in {match.seconds():.1f} s, at most {match.peak:.1f} MiB", flush=True)
    if code != 0:
        return [f"{name}: exit code {code}: {said}"]
    summary = json.loads((bench.folder / "run/summary.json").read_text())
    is_whole = summary["games"] == games and not any(engine["faults"] for engine in summary["engines"])
    return [] if is_whole else [f"{name}: {said}"]


def first_game(bench, name, command, has_begun):
    """Plays until `has_begun` returns true or the match ends. Prints time and memory, and returns what went wrong."""
    match = Watched(bench, command)
    code = match.wait(has_begun)
    cpu = match.cpu_time()
    print(f"{name}: first game after {match.seconds():.1f} s, {cpu:.1f} of CPU, at most {match.peak:.1f} MiB", flush=True)
    if code is None:
        match.process.terminate()
        match.process.wait()
        return []
    return [] if code == 0 else [f"{name}: exit code {code}: {match.output.read_text()[-300:]}"]


def crowd(bench):
    games = 2 * AT_ONCE
    words = ["well", "well:Hash=2", "--games", str(games), "--concurrency", str(AT_ONCE)]
    return play(bench, f"{AT_ONCE} at once", words, games)


def league(bench):
    names = [f"engine{number}" for number in range(ENGINES)]
    for name in names:
        bench.add_program(name, bench.engine, "args = ['well']\n")
    words = [*names, "--games", "2", "--concurrency", "2"]
    return play(bench, f"{ENGINES} engines", words, ENGINES * (ENGINES - 1))


def book(bench, fastchess):
    path = bench.folder / "large.epd"
    with open(path, "w") as file:
        file.writelines(f"{fen}\n" for fen in itertools.islice(positions(), OPENINGS))
    ours = [bench.arbiter, "match", "well", "well:Hash=2", *QUICK, "--openings", str(path), "--concurrency", "1"]
    journal = Journal(bench.folder / "run/events.jsonl")
    wrong = first_game(bench, "book, arbiter", [*ours, "--games", "20000", "--out", "run"], lambda: journal.count() > 0)
    if fastchess:
        engine = ["-engine", f"cmd={bench.engine}"]
        theirs = [os.path.abspath(fastchess), *engine, "name=a", *engine, "name=b", "-each", "tc=60+1", "-rounds", "10000"]
        theirs += ["-concurrency", "1", "-openings", f"file={path}", "format=epd", "order=random", "-srand", "1"]
        theirs += ["-pgnout", "file=games.pgn"]
        pgn = bench.folder / "games.pgn"
        wrong += first_game(bench, "book, fastchess", theirs, lambda: pgn.exists() and pgn.stat().st_size > 0)
    return wrong


def main():
    arbiter, engine = sys.argv[1:3]
    fastchess = sys.argv[3] if len(sys.argv) > 3 else None
    wrong = []
    for work in (crowd, league, lambda bench: book(bench, fastchess)):
        with tempfile.TemporaryDirectory() as folder:
            wrong += work(Bench(folder, arbiter, engine))
    print(f"{len(wrong)} troubles", *wrong, sep="\n  ")
    sys.exit(len(wrong) > 0)


main()
