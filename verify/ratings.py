"""Compares `arbiter rate` with Ordo, BayesElo, scipy and the equations that its ratings should solve.

Usage: verify/ratings.py ARBITER ORDO BAYESELO PGN… Needs scipy (pip install scipy). The PGN files are rated twice: as they
are, and with only the first word of each name, which merges the versions of an engine. Three things are tested:

- whether the rated groups are the strongly connected components of "took points from", as scipy finds them, whether each
  player's score is the one expected by its rating, and whether White's score is the one expected by White's advantage;
- how far Ordo's ratings of the largest group are from Arbiter's, and with few players how wide its intervals are;
- how far BayesElo's ratings are. Its draws weigh as much as a win and a loss, so it gets two wins for each win, a win and a
  loss for each draw, no prior and no draw model: then its model equals Arbiter's.
"""

import csv
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

TAG = re.compile(rb'^\[(White|Black|Result) "(.*)"\]\s*$')
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
# Ordo's scale: the logistic Elo of an expected score of 0.76.
ORDO_SCALE = "200.239"
# Ordo's intervals need this many solutions, of some seconds each with many players.
SIMULATIONS, MOST_SIMULATED = "100", 100
# Tolerances in Elo and in points. Ordo alternates between the ratings and White's advantage, BayesElo takes many small
# steps, and both stop when little changes.
NEAR_OTHERS, NEAR_EQUATIONS = 3.0, 1e-6


def read_games(files):
    """White, Black and White's points of each game with two players and a result."""
    for file in files:
        tags = {}
        with open(file, "rb") as lines:
            for line in lines:
                if not (match := TAG.match(line)):
                    continue
                name = match[1].decode()
                if name in tags:
                    tags = {}
                tags[name] = match[2].decode("utf-8", "replace")
                if len(tags) == 3:
                    white, black, points = tags["White"], tags["Black"], POINTS.get(tags["Result"])
                    if points is not None and white != black and not {white, black} & {"", "?"}:
                        yield white, black, points
                    tags = {}


def write_games(file, games):
    """Writes games without moves."""
    results = {points: result for result, points in POINTS.items()}
    with open(file, "w", encoding="utf-8") as out:
        for white, black, points in games:
            result = results[points]
            out.write(f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n{result}\n\n')


def rate(arbiter, file):
    ran = subprocess.run([arbiter, "rate", "--json", file], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def finite_players(report):
    """The finite ratings and the half widths of their intervals, by group and player."""
    groups = defaultdict(dict)
    for player in report["players"]:
        rating = player["rating"]
        if rating and isinstance(rating["elo"], (int, float)):
            upper, lower = float(rating["upper"]), float(rating["lower"])
            groups[player["group"]][player["name"]] = rating["elo"], (upper - lower) / 2
    return groups


def components(games):
    """The sets of at least two players in which every two took points from each other, directly or by a chain."""
    names = sorted({name for game in games for name in game[:2]})
    index = {name: place for place, name in enumerate(names)}
    taken = Counter()
    for white, black, points in games:
        taken[index[white], index[black]] += points
        taken[index[black], index[white]] += 1 - points
    edges = [edge for edge, points in taken.items() if points]
    rows, columns = zip(*edges)
    graph = coo_array(([1] * len(edges), (rows, columns)), shape=(len(names), len(names)))
    _, labels = connected_components(graph, directed=True, connection="strong")
    found = defaultdict(set)
    for name, label in zip(names, labels):
        found[label].add(name)
    return {frozenset(members) for members in found.values() if len(members) > 1}


def furthest_from_equations(groups, advantage, games):
    """The largest difference in points between a player's or White's score and the score expected by the ratings."""
    group_of = {name: (group, rating) for group, members in groups.items() for name, (rating, _) in members.items()}
    surplus, of_white = Counter(), 0.0
    for white, black, points in games:
        (group, of_one), (other_group, of_other) = (group_of.get(name, (None, 0)) for name in (white, black))
        if group is None or group != other_group:
            continue
        expected = 1 / (1 + 10 ** ((of_other - of_one - advantage) / 400))
        surplus[white] += points - expected
        surplus[black] -= points - expected
        of_white += points - expected
    return max(abs(of_white), *map(abs, surplus.values()))


def ordo(program, file, folder, simulations):
    """The columns of Ordo's table, by player."""
    table = folder / "ordo.csv"
    command = [program, "-q", "-p", file, "-c", table, "-z", ORDO_SCALE, "-W", "-D", "-N", "6", *simulations]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    with open(table, encoding="utf-8") as rows:
        return {row["PLAYER"]: row for row in csv.DictReader(rows)}


def bayeselo(program, games, folder):
    """BayesElo's ratings, by player."""
    file = folder / "doubled.pgn"
    halves = {1.0: (1.0, 1.0), 0.5: (1.0, 0.0), 0.0: (0.0, 0.0)}
    write_games(file, [(white, black, half) for white, black, points in games for half in halves[points]])
    # A draw Elo of zero would divide by zero. The scale prints hundredths as whole numbers.
    words = ["prompt off", f"readpgn {file}", "elo", "prior 0", "drawelo 0.0001", "mm 1 0", "scale 100", "ratings"]
    said = subprocess.run([program], input="\n".join(words) + "\n", capture_output=True, text=True, check=True).stdout
    names = {name for game in games for name in game[:2]}
    found = {}
    for line in said.splitlines():
        # Rank, name, rating, two bounds, games, score, opponents, draws.
        match = re.match(r"\s*\d+ (.*?)\s+(-?\d+)\s+-?\d+\s+-?\d+\s+\d+\s+\d+%\s+-?\d+\s+\d+%", line)
        if match and match[1] in names:
            found[match[1]] = float(match[2]) / 100
    return found


def furthest(ours, theirs):
    """The largest difference between two lists of ratings, shifted to the same average."""
    if ours.keys() != theirs.keys():
        sys.exit(f"expected {len(ours)} players, found {len(theirs)}")
    shift = numpy.mean([*theirs.values()]) - numpy.mean([*ours.values()])
    return max(abs(theirs[name] - shift - rating) for name, rating in ours.items())


def compare(name, games, programs, folder):
    """Prints how far Arbiter is from the others, and returns the differences that are too large."""
    arbiter, ordo_program, bayeselo_program = programs
    file = folder / "games.pgn"
    write_games(file, games)
    report = rate(arbiter, file)
    groups = finite_players(report)
    from_equations = furthest_from_equations(groups, report["white_advantage"]["elo"], games)
    wrong = []
    if report["games"] != len(games):
        wrong.append(f"{report['games']} games rated")
    # Groups of one player have no counterpart among scipy's components.
    if {frozenset(members) for members in groups.values() if len(members) > 1} != components(games):
        wrong.append("other groups than scipy's")
    print(f"{name}: {len(games)} games, {len(report['players'])} players, {len(report['groups'])} groups")
    print(f"  equations: met within {from_equations:.1e} points")

    largest = groups[0]
    inside = [game for game in games if game[0] in largest and game[1] in largest]
    write_games(file, inside)
    ours = finite_players(rate(arbiter, file))[0]
    ratings = {player: rating for player, (rating, _) in ours.items()}
    is_simulated = len(ours) <= MOST_SIMULATED
    theirs = ordo(ordo_program, file, folder, ["-s", SIMULATIONS] if is_simulated else [])
    from_ordo = furthest(ratings, {player: float(row["RATING"]) for player, row in theirs.items()})
    from_bayeselo = furthest(ratings, bayeselo(bayeselo_program, inside, folder))
    spread = max(ratings.values()) - min(ratings.values())
    print(f"  largest group: {len(inside)} games, {len(ours)} players, {spread:.0f} Elo from first to last")
    print(f"  Ordo: at most {from_ordo:.2f} Elo away")
    if is_simulated:
        widths = numpy.median([ours[player][1] / float(row["ERROR"]) for player, row in theirs.items()])
        print(f"  our intervals have {widths:.2f} times the width of Ordo's, which are simulated")
    print(f"  BayesElo: at most {from_bayeselo:.2f} Elo away", flush=True)
    limits = [(from_equations, NEAR_EQUATIONS), (from_ordo, NEAR_OTHERS), (from_bayeselo, NEAR_OTHERS)]
    return wrong + [f"{found:.3g} where at most {limit:g} was expected" for found, limit in limits if found > limit]


def main():
    *programs, files = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    games = list(read_games(files))
    families = [(white.split()[0], black.split()[0], points) for white, black, points in games]
    families = [game for game in families if game[0] != game[1]]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, chosen in (("as they are", games), ("by the first word", families)):
            wrong += [f"{name}: {what}" for what in compare(name, chosen, programs, Path(folder))]
            if families == games:
                break
    print(*wrong, f"{len(wrong)} differences", sep="\n")
    sys.exit(len(wrong) > 0)


main()
