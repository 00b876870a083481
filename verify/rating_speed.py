"""Rates a million games, beside Ordo where it is on the search path.

Usage: verify/rating_speed.py ARBITER [PLAYERS [GAMES]]. The games are made by a fixed rule, in pairs from 10,000 openings, 180 MB
with their tags and a few moves. Ordo estimates errors by simulation, so it runs with none and with a hundred, with both the
advantage of the first move and the draw rate estimated. The programs take turns; the best of their rounds counts.
"""

import random
import shutil
import subprocess
import sys
import tempfile
import time

PLAYERS, GAMES, OPENINGS, ROUNDS = 20, 1_000_000, 10_000, 5
# Elo of White's advantage, and the share of draws.
ADVANTAGE, DRAWS = 30.0, 0.35


def write_games(file, players, games):
    """Players whose true ratings are evenly spread over 800 Elo, paired at random."""
    chance = random.Random(1)
    for pair in range(games // 2):
        first = chance.randrange(players)
        second = (first + 1 + chance.randrange(players - 1)) % players
        # A number in the place of the move counter makes 10,000 positions of one.
        fen = f"rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 {chance.randrange(OPENINGS)}"
        for white, black in ((first, second), (second, first)):
            expected = 1 / (1 + 10 ** (-((white - black) * 800 / players + ADVANTAGE) / 400))
            draws = DRAWS * 2 * min(expected, 1 - expected)
            share = chance.random()
            result = "1-0" if share < expected - draws / 2 else "1/2-1/2" if share < expected + draws / 2 else "0-1"
            file.write(
                f'[Round "{pair}"]\n[White "p{white}"]\n[Black "p{black}"]\n[Result "{result}"]\n[FEN "{fen}"]\n\n'
                f"1. Nc3 a6 2. Be3 e5 3. Nb3 Be6 {result}\n\n"
            )


def main():
    arbiter, players, games = [*sys.argv[1:], *map(str, (PLAYERS, GAMES)[len(sys.argv) - 2:])]
    with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
        write_games(file, int(players), int(games))
        file.flush()
        print(f"{games} games of {players} players, {file.tell() / 1e6:.1f} MB")
        ordo = ["ordo", "-q", "-W", "-D", "-a", "0", "-p", file.name]
        programs = {"arbiter, with intervals": [arbiter, "rate", file.name]}
        if shutil.which("ordo"):
            programs |= {"ordo": ordo, "ordo, 100 simulations": [*ordo, "-s", "100"]}
        best = dict.fromkeys(programs, float("inf"))
        for _ in range(ROUNDS):
            for name, command in programs.items():
                begin = time.monotonic()
                subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
                best[name] = min(best[name], time.monotonic() - begin)
    for name, seconds in best.items():
        print(f"  {name:<24}  {seconds:.3f} s")


if __name__ == "__main__":
    main()
