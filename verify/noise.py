"""Measures how the spread of pair scores depends on the way games share the machine, which should be otherwise idle.

Usage: verify/noise.py ARBITER TARRASCH [GAMES [TC]], by default 600 0.4+0.004

Tarrasch plays a copy without ProbCut, from the same openings in the same order in each set-up:

  usual         A game on each core, in the order of the openings: the games of a pair overlap.
  affinity      The same, with each game pinned to a core.
  back to back  A shard per core: each plays one game after the other, so a pair stays together.
  alone         One game at a time; the rest of the machine is idle.
  busy, nice 19 and busy
                As usual, with a busy loop on each core, at the lowest priority and at the normal one.

Engines may exceed their time by 20 ms. The spread is the standard deviation of the score of a pair, 0 to 1, with its
standard error.
"""

import concurrent.futures
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

COUNT_FOR_EVER = [sys.executable, "-c", "while True: pass"]


def play(arbiter, tarrasch, games, tc, out, *more):
    """The summary of a match."""
    engines = [f"{tarrasch}:Hash=16", f"{tarrasch}:Hash=16,ProbCut=false"]
    command = [arbiter, "match", *engines, "--tc", tc, "--games", str(games), "--seed", "1", "--timemargin", "20",
               "--draw", "move=34,count=8,score=20", "--resign", "count=3,score=600", "--no-report", "--out", out, *more]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads((pathlib.Path(out) / "summary.json").read_text())


def spread(pentanomial):
    """The number of pairs, the mean and standard deviation of their scores, and the standard error of the latter."""
    pairs = sum(pentanomial)
    mean = sum(count * half / 4 for half, count in enumerate(pentanomial)) / pairs
    variance, fourth = (sum(count * (half / 4 - mean) ** power for half, count in enumerate(pentanomial)) / pairs
                        for power in (2, 4))
    deviation = math.sqrt(variance)
    return pairs, mean, deviation, math.sqrt((fourth - variance**2) / pairs) / (2 * deviation)


def main(arbiter, tarrasch, games=600, tc="0.4+0.004"):
    arbiter, tarrasch = (str(pathlib.Path(program).resolve()) for program in (arbiter, tarrasch))
    cores = len(os.sched_getaffinity(0))
    together, single = ["--concurrency", str(cores)], ["--concurrency", "1"]
    shards = [[*single, "--shard", f"{shard}/{cores}"] for shard in range(1, cores + 1)]
    setups = [("usual", [together], None), ("affinity", [[*together, "--affinity"]], None), ("back to back", shards, None),
              ("alone", [single], None), ("busy, nice 19", [together], 19), ("busy", [together], 0)]
    print(" " * 14, " pairs  score          spread       NPS  faults  seconds")
    for name, matches, priority in setups:
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
            begun = time.monotonic()
            nice = ["nice", "-n", str(priority)]
            neighbours = [] if priority is None else [subprocess.Popen(nice + COUNT_FOR_EVER) for _ in range(cores)]
            try:
                played = [pool.submit(play, arbiter, tarrasch, int(games), tc, f"{folder}/{number}", *more)
                          for number, more in enumerate(matches)]
                summaries = [match.result() for match in played]
            finally:
                for neighbour in neighbours:
                    neighbour.kill()
            seconds = time.monotonic() - begun
        found = [summary["pairings"][0]["pentanomial"] for summary in summaries]
        pairs, mean, deviation, error = spread([sum(counts) for counts in zip(*found)])
        engines = [engine for summary in summaries for engine in summary["engines"]]
        faults = sum(sum(engine["faults"].values()) for engine in engines)
        nps = sum(engine["nodes_per_second"] for engine in engines) / len(engines)
        print(f"{name:14} {pairs:6} {mean:6.3f} {deviation:6.4f} ± {error:6.4f} {nps:9.0f} {faults:7}"
              f" {seconds:8.0f}", flush=True)


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
