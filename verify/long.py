"""Plays one long match between engines that answer at once, and watches the memory and the speed of the harness.

Usage: verify/long.py ARBITER MOCK_ENGINE GAMES CONCURRENCY. Needs Linux. Prints a row for each tenth of the games. No game
may be lost on time or by another fault. After the first tenth, the memory of the harness may grow by GROWTH bytes per game,
less than a game takes; only matches of at least LONG games must meet this, since the report keeps 3,300 games to replay.
"""

import json
import sys
import tempfile

from bench import Bench
from watched import Journal, Watched

GROWTH = 100
LONG = 50_000


def main():
    arbiter, engine, games, concurrency = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, arbiter, engine)
        played = ["match", "well", "well:Hash=2", "--tc", "10+0.1", "--games", str(games), "--seed", "1"]
        match = Watched(bench, [bench.arbiter, *played, "--concurrency", concurrency, "--out", "run"])
        journal, held, before = Journal(bench.folder / "run/events.jsonl"), [], (0.0, 0.0)
        print("  games   games/s   ms of CPU/game     MiB")
        for tenth in range(1, 11):
            match.wait(lambda: journal.count() >= games * tenth // 10)
            now = match.seconds(), match.cpu_time()
            seconds, cpu = (then - earlier for then, earlier in zip(now, before))
            before, share = now, games / 10
            held.append(match.memory())
            print(f"{journal.games:>7} {share / seconds:>9.1f} {1000 * cpu / share:>16.2f} {held[-1]:>7.1f}", flush=True)
        code = match.wait()
        ended = match.seconds() - before[0]
        report = Watched(bench, [bench.arbiter, "report", "run"])
        report.wait()
        summary = json.loads((bench.folder / "run/summary.json").read_text())
        faults = [f"{engine['name']}: {engine['faults']}" for engine in summary["engines"] if engine["faults"]]
        growth = (held[-1] - held[0]) * 2**20 / (0.9 * games)
        print(f"last game to end {ended:.1f} s, at most {match.peak:.1f} MiB, {growth:.0f} bytes more for each game")
        print(f"a report later {report.seconds():.1f} s, at most {report.peak:.1f} MiB")
        said = match.output.read_text()[-300:]
    wrong = [said] * (code != 0 or summary["games"] != games) + faults
    wrong += ["memory grows"] * (games >= LONG and growth > GROWTH)
    print(f"{len(wrong)} troubles", *wrong, sep="\n  ")
    sys.exit(len(wrong) > 0)


main()
