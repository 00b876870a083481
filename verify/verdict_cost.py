"""The cost of a verdict in seconds of engine time, with fastchess's usual set-up and with ours, for planted differences.

Usage: verify/verdict_cost.py ARBITER TARRASCH USUAL_BOOK FOLDER [GAMES]. Tarrasch plays weakened copies of itself, with
node limits and without adjudication, from the book of fastchess's manual (or a similar one) and from ours, into run folders
below FOLDER; existing games are not played again. Then each set-up's adjudication is applied to these games. Sequential tests
are simulated with the resulting pairs, as they are and shifted to the difference of everyday patches, and as many real tests
as the games allow are run in order. Prints rows of CSV for each difference and set-up.

The mean time to a verdict is the mean number of games to it times the mean time of a game (Wald's identity).
"""

import gzip
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

# Simulated tests per difference, games per run, nodes per move of the better engine.
TESTS, GAMES, NODES = "1000", 4000, "2000"
# Differences of everyday patches in nElo, and the hypotheses of their test.
EVERYDAY, BOUNDS = [-3.0, -1.0, 0.0, 1.0, 3.0, 5.0], "0,5"
# The weaker engine's handicaps.
DIFFERENCES = {"nodes-10": "nodes=1800", "eval": "CorrectionHistory=false"}
OUR_BOOK = "arbiter-unbalanced.epd"
# Draw rules, and resign rules with whether the winner must agree: fastchess's manual's, and those of `--sprt`.
USUAL, OURS = ((34, 8, 20), (3, 600, False)), ((34, 8, 20), (3, 400, True))
SETUPS = {
    "usual": ("usual", USUAL, "wald"),
    "our test": ("usual", USUAL, "curved"),
    "our adjudication": ("usual", OURS, "wald"),
    "our book": ("ours", USUAL, "wald"),
    "ours": ("ours", OURS, "curved"),
}


def play(arbiter, engine, name, handicap, kind, book, folder, games):
    """Plays a match, or the games missing in its folder."""
    out = folder / f"{name}-{kind}"
    words = ["resume", "--no-report", out] if out.exists() else [
        "match", engine, f"{engine}:{handicap}", "--no-report", "--seed", "1", "--out", out, "--nodes", NODES, "--games", str(games),
        "--openings", book,
    ]
    subprocess.run([arbiter, *words], check=True, stdout=subprocess.DEVNULL)
    return out


def centipawns(score):
    if score is None or "cp" in score:
        return score and score["cp"]
    return 30_000 if score["mate"] > 0 else -30_000


def adjudicated(game, rules):
    """White's result and the number of moves of a game under the rules, which do not apply after its last move."""
    (from_move, draw_count, draw_score), (resign_count, resign_score, two_sided) = rules
    fen = game["opening"]["fen"].split()
    book = game["opening"].get("moves", [])
    plies = (fen[1] == "b") + len(book)
    side, quiet, lost, won = plies % 2, 0, [0, 0], [0, 0]
    for number, move in enumerate(game["moves"][:-1], 1):
        score = centipawns(move.get("score"))
        lost[side] = lost[side] + 1 if score is not None and score <= -resign_score else 0
        won[side] = won[side] + 1 if score is not None and score >= resign_score else 0
        if lost[side] >= resign_count and (not two_sided or won[1 - side] >= resign_count):
            return float(side), number
        if "x" in move["san"] or move["san"][0] in "abcdefgh":
            quiet = 0
        quiet = quiet + 1 if score is not None and abs(score) <= draw_score else 0
        if int(fen[5]) + (plies + number) // 2 > from_move and quiet >= 2 * draw_count:
            return 0.5, number
        side = 1 - side
    return {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[game["result"]], len(game["moves"])


def pairs_of(arbiter, run, rules):
    """For each completed pair, both games' half points of the first engine and seconds of both engines."""
    journal = run / "events.jsonl"
    opened = open(journal, encoding="utf-8") if journal.exists() else gzip.open(f"{journal}.gz", "rt", encoding="utf-8")
    pairs, ended, saved = defaultdict(list), 0, 0
    with opened as lines:
        for event in map(json.loads, lines):
            if event["event"] != "game_finished" or event.get("result") is None:
                continue
            of_white, moves = adjudicated(event, rules)
            ended, saved = ended + (moves < len(event["moves"])), saved + len(event["moves"]) - moves
            seconds = sum(move["time_us"] for move in event["moves"][:moves]) / 1e6
            pairs[event["pair"]].append((round(2 * (of_white if event["white"] == 0 else 1 - of_white)), seconds))
    hold_against(arbiter, run, rules, ended, saved)
    return [pair for _, pair in sorted(pairs.items()) if len(pair) == 2]


def hold_against(arbiter, run, rules, ended, saved):
    """Checks the result with `arbiter sprt adjudication`, which applies the same rules to games that were played out."""
    draw, resign = rules
    words = ["--draw", "move={},count={},score={}".format(*draw)]
    words += ["--resign", "count={},score={},twosided={}".format(*resign[:2], str(resign[2]).lower())]
    said = subprocess.run([arbiter, "sprt", "adjudication", run, "--json", *words], check=True, capture_output=True).stdout
    report = json.loads(said)
    both = report["rules"][-1]
    if not report["not_played_out"] and (both["ended"], both["plies_saved"]) != (ended, saved):
        sys.exit(f"{run}: {ended} games ended {saved} plies early, by `arbiter sprt adjudication` {both['ended']} and {both['plies_saved']}")


def sprt(arbiter, counts, test, *words):
    """The report of `arbiter sprt` for these counts."""
    given = ["--ptnml", ",".join(map(str, counts)), "--sprt", BOUNDS, "--sprt-test", test, "--json", *words]
    return json.loads(subprocess.run([arbiter, "sprt", *given], capture_output=True, check=False).stdout)


def real_tests(arbiter, pairs, test):
    """The number of verdicts, how many accepted H0, and mean seconds per verdict; each test starts where the last ended."""
    decided, for_h0, spent = 0, 0, 0.0
    counts, time = [0] * 5, 0.0
    for (one, first), (other, second) in pairs:
        counts[one + other] += 1
        time += first + second
        status = sprt(arbiter, counts, test)["sprt"]["status"]
        if status != "continue":
            decided, for_h0, spent = decided + 1, for_h0 + (status == "accept-h0"), spent + time
            counts, time = [0] * 5, 0.0
    return decided, for_h0, spent / decided if decided else float("nan")


def main():
    arbiter, engine, usual_book, folder = sys.argv[1:5]
    games = int(sys.argv[5]) if len(sys.argv) > 5 else GAMES
    print(
        "difference,setup,pairs,nelo,nelo_margin,seconds_per_game,truth,games,engine_seconds,accepted_h1,real_tests,"
        "real_accepted_h0,real_mean_seconds"
    )
    for name, handicap in DIFFERENCES.items():
        books = {"usual": usual_book, "ours": OUR_BOOK}
        runs = {kind: play(arbiter, engine, name, handicap, kind, book, Path(folder), games) for kind, book in books.items()}
        for setup, (kind, rules, test) in SETUPS.items():
            pairs = pairs_of(arbiter, runs[kind], rules)
            counts = [sum(one[0] + other[0] == points for one, other in pairs) for points in range(5)]
            per_game = sum(seconds for pair in pairs for _, seconds in pair) / (2 * len(pairs))
            nelo = sprt(arbiter, counts, test)["normalized_elo"]
            margin = (nelo["upper"] - nelo["lower"]) / 2
            expected = ",".join(map(str, [nelo["nelo"], *EVERYDAY]))
            real = real_tests(arbiter, pairs, test)
            forecasts = sprt(arbiter, counts, test, f"--expect={expected}", "--simulations", TESTS)["forecast"]["forecasts"]
            for forecast in forecasts:
                to_verdict = forecast["mean_games"] or float("inf")
                print(
                    f"{name},{setup},{len(pairs)},{nelo['nelo']:.1f},{margin:.1f},{per_game:.4f},{forecast['elo']:.1f},{to_verdict:.0f},"
                    f"{to_verdict * per_game:.0f},{forecast['accepted_h1'] / forecast['tests']:.4f},{real[0]},{real[1]},{real[2]:.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
