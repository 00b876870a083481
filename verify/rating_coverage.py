"""How often the intervals of `arbiter rate` and of Ordo contain the truth, in simulated tournaments with known ratings.

Usage: verify/rating_coverage.py ARBITER ORDO [TOURNAMENTS [SEED]]. ORDO is `-` to test only Arbiter.

Round robins and gauntlets are played from a balanced book, and from a book whose openings favour one side by some 250 Elo.
Every two players play pairs, from the same openings as the other pairings. An engine also plays each opening better or worse
than its rating says, in all its games from the opening. Prints the share of 95% intervals of differences that contain the
truth, their median half width, and how often the player with a CFS above one half is really better, compared with the CFS,
in three bands. The truth is the logistic Elo of the expected mean score over all openings, which both programs estimate.
"""

import csv
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ADVANTAGE = 30.0
DRAWS = 0.5
SKILL = 25.0
SIMULATIONS = "100"


def expected(lead):
    return 1 / (1 + 10 ** (-lead / 400))


def score(lead, rng):
    """A random result for White's lead, with draws as a share of the most that the lead allows."""
    mean = expected(lead)
    draws = DRAWS * 2 * min(mean, 1 - mean)
    chance = rng.random()
    return "1-0" if chance < mean - draws / 2 else "1/2-1/2" if chance < mean + draws / 2 else "0-1"


def mean_score(lead, bias):
    """The expected score over all openings, which a lopsided book draws towards one half."""
    points = [normal_quantile((i + 0.5) / 16) for i in range(16)]
    spread = SKILL * math.sqrt(2)
    total = 0.0
    for one in points:
        for side in (bias, -bias):
            for white in (1, -1):
                total += expected(lead + spread * one + white * (ADVANTAGE + side))
    return total / (4 * len(points))


def normal_quantile(p):
    low, high = -8.0, 8.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 0.5 * math.erfc(-middle / math.sqrt(2)) < p else (low, middle)
    return (low + high) / 2


def play(ratings, meetings, openings, bias, file, rng):
    games = []
    for number in range(openings):
        side = bias if rng.random() < 0.5 else -bias
        skill = [rng.gauss(0, SKILL) for _ in ratings]
        for one, other in meetings:
            for white, black in ((one, other), (other, one)):
                lead = ratings[white] + skill[white] - ratings[black] - skill[black] + ADVANTAGE + side
                games.append((white, black, number, score(lead, rng)))
    with open(file, "w", encoding="utf-8") as out:
        for white, black, number, result in games:
            out.write(f'[Round "{number + 1}"]\n[White "p{white}"]\n[Black "p{black}"]\n[Result "{result}"]\n')
            out.write(f'[FEN "opening {number}"]\n\n{result}\n\n')


def of_arbiter(program, file):
    """For every two players the difference, its interval and the CFS, by anchoring the second player."""
    found = {}
    report = json.loads(subprocess.run([program, "rate", "--json", file], capture_output=True, check=True).stdout)
    names = [player["name"] for player in report["players"]]
    cfs = {(one, other): report["cfs"][i][j] for i, one in enumerate(names) for j, other in enumerate(names)}
    for anchor in names:
        command = [program, "rate", "--json", "--anchor", f"{anchor}=0", file]
        anchored = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        for player in anchored["players"]:
            if player["name"] > anchor:
                ends = [float(player["rating"][end]) for end in ("elo", "lower", "upper")]
                found[player["name"], anchor] = (*ends, cfs[player["name"], anchor])
    return found


def of_ordo(program, file, names, folder):
    found = {}
    for anchor in names:
        table = folder / "ordo.csv"
        command = [program, "-q", "-p", file, "-c", table, "-W", "-D", "-N", "3", "-z", "200.239", "-s", SIMULATIONS]
        subprocess.run([*command, "-a", "0", "-A", anchor], stdout=subprocess.DEVNULL, check=True)
        with open(table, encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                if row["PLAYER"] > anchor:
                    elo, error = float(row["RATING"]), float(row["ERROR"])
                    cfs = 0.5 * math.erfc(-elo / (error / 1.959964) / math.sqrt(2)) if error else 0.5
                    found[row["PLAYER"], anchor] = (elo, elo - error, elo + error, cfs)
    return found


class Tally:
    def __init__(self):
        self.held = self.intervals = 0
        self.widths, self.bands = [], {0.6: [], 0.8: [], 0.9: []}

    def add(self, estimate, truth):
        elo, lower, upper, cfs = estimate
        self.intervals += 1
        self.held += lower <= truth <= upper
        self.widths.append((upper - lower) / 2)
        certain, is_right = max(cfs, 1 - cfs), (cfs > 0.5) == (truth > 0)
        for low, high in ((0.6, 0.8), (0.8, 0.9), (0.9, 0.98)):
            if low <= certain < high and truth != 0:
                self.bands[low].append((certain, is_right))

    def text(self):
        widths = sorted(self.widths)
        bands = []
        for band in self.bands.values():
            said = sum(certain for certain, _ in band) / max(len(band), 1)
            seen = sum(is_right for _, is_right in band) / max(len(band), 1)
            bands.append(f"{100 * said:.0f}→{100 * seen:.0f}" if len(band) >= 30 else "–")
        return f"{100 * self.held / self.intervals:5.1f}% ± {widths[len(widths) // 2]:5.1f}   {'  '.join(bands)}"


def main():
    arbiter, ordo = sys.argv[1:3]
    tournaments = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    sigma = 30.0
    print(f"{tournaments} tournaments each, seed {sys.argv[4] if len(sys.argv) > 4 else 1}; CFS: said→seen in %, of 60–80, 80–90, 90–98")
    outside = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for shape, players, openings in (("round robin of 5", 5, 50), ("gauntlet of 5", 5, 60), ("match", 2, 150)):
            for bias in (0.0, 250.0):
                tallies = {"arbiter": Tally(), "ordo": Tally()}
                # A match has a single difference, a round robin ten.
                for _ in range(tournaments * (10 if players == 2 else 1)):
                    # The CFS assumes a flat prior of the ratings; this one is wide compared with the errors.
                    ratings = [rng.gauss(0, sigma) for _ in range(players)]
                    everybody = [(a, b) for a in range(players) for b in range(a + 1, players)]
                    meetings = [one for one in everybody if one[0] == 0] if "gauntlet" in shape else everybody
                    file = folder / "games.pgn"
                    play(ratings, meetings, openings, bias, file, rng)
                    names = [f"p{player}" for player in range(players)]
                    found = {"arbiter": of_arbiter(arbiter, file)}
                    if ordo != "-":
                        found["ordo"] = of_ordo(ordo, file, names, folder)
                    for program, estimates in found.items():
                        for (one, other), estimate in estimates.items():
                            lead = ratings[int(one[1:])] - ratings[int(other[1:])]
                            tallies[program].add(estimate, truth_of(lead, bias))
                for program, tally in tallies.items():
                    if tally.intervals:
                        book = "lopsided" if bias else "balanced"
                        print(f"  {shape:<17} {book:<9} {program:<8} {tally.text()}", flush=True)
                share = tallies["arbiter"].held / tallies["arbiter"].intervals
                outside += not 0.93 <= share <= 0.97
    print(f"{outside} of 6 outside of 93 to 97%")
    sys.exit(outside > 0)


CACHE = {}


def truth_of(lead, bias):
    """The estimated quantity: the logistic Elo of the mean score, which the book's bias and the skills shrink."""
    key = (round(lead, 1), bias)
    if key not in CACHE:
        mean = mean_score(lead, bias)
        CACHE[key] = 400 * math.log10(mean / (1 - mean))
    return CACHE[key]


main()
