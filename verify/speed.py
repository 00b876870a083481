"""Tests how far `arbiter speed` can be trusted: a program against a copy of itself, and against a slower copy.

Usage: verify/speed.py ARBITER SLOWED_TARRASCH [RUNS [ROUNDS [THOUSANDTHS [NODES]]]]. Compares the program with itself RUNS
times (20), with ROUNDS rounds each (1). After every fifth comparison it compares the program with a copy that is THOUSANDTHS
(10) slower. Prints a CSV row for each. With NODES nodes per search, the suite has two positions: 12000 nodes make a comparison
of 8 seconds, which shows false alarms; 50000 make one of 15 seconds, which also shows a slowdown.
"""

import json
import shutil
import sys
import tempfile
import time

from bench import Bench

# A slowdown must be found within this many seconds.
PATIENCE = 120
# A middlegame and an endgame.
TWO_POSITIONS = """r1bq1rk1/1p2bpp1/p1n4p/2pNp3/2P1P3/3P4/PP2B1PP/R1BQK2R w KQ -
1r6/2Rbk3/1N2pnpp/4p3/4P3/3BP2P/4K1P1/8 w - -
"""


def main():
    arbiter, engine, *numbers = sys.argv[1:]
    runs, rounds, thousandths, nodes = [int(number) for number in numbers] + [20, 1, 10, 0][len(numbers) :]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, arbiter, engine)
        (bench.folder / "two.epd").write_text(TWO_POSITIONS)
        options = ["--rounds", str(rounds), *(["--suite", "two.epd", "--nodes", str(nodes)] if nodes else []), "--json"]
        (bench.folder / "a").mkdir()
        program = shutil.copy(engine, bench.folder / "a/engine")
        print("kind,run,seconds,ratio,lower,upper,resolution,wall_ratio,verdict,cpu_share")
        seen = {"same": [], "slowed": []}
        # Slowed comparisons alternate with the others, so that other load on the machine affects both.
        for run in range(1, runs + 1):
            for kind in ("same", "slowed")[: 1 + (run % 5 == 0)]:
                opponent = program if kind == "same" else f"{program}:Slowdown={thousandths}"
                start = time.monotonic()
                done = bench.run([bench.arbiter, "speed", program, opponent, *options])
                seconds = time.monotonic() - start
                if done.returncode:
                    sys.exit(done.stderr)
                report = json.loads(done.stdout)
                compared = report["comparisons"][0]
                ratio, wall = compared["by_cpu_time"] or compared["by_wall_time"], compared["by_wall_time"]
                share = min((engine.get("cpu_seconds") or 0) / engine["wall_seconds"] for engine in report["engines"])
                figures = [ratio["ratio"], ratio["lower"], ratio["upper"], report.get("resolution") or 0, wall["ratio"]]
                row = ",".join(f"{figure:.5f}" for figure in figures)
                print(f"{kind},{run},{seconds:.1f},{row},{compared['verdict']},{share:.3f}", flush=True)
                seen[kind].append((seconds, compared["verdict"]))
    claimed = sum(verdict in ("faster", "slower") for _, verdict in seen["same"])
    found = sum(verdict == "faster" and seconds < PATIENCE for seconds, verdict in seen["slowed"])
    print(f"the same program: a difference claimed in {claimed} of {runs}", file=sys.stderr)
    print(f"slowed by {thousandths} thousandths: found in less than two minutes in {found} of {len(seen['slowed'])}", file=sys.stderr)


main()
