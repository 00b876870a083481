#!/usr/bin/env python3
"""Plays a shard of a match on GitHub until the verdict of all, or until its time is over, and then stops in good order.

A folder `shard` that is there already, brought from an earlier attempt, is continued.

Usage: play.py. Environment: NEW, BASE, SHARD, COUNT, SEED, EVERY, MINUTES; ARGUMENTS, what else `arbiter match` is told, as it
would be typed. Ends as arbiter does, but with 0 for every verdict and for a match that goes on.
"""

import os
import pathlib
import shlex
import signal
import subprocess
import sys

OUT = pathlib.Path("shard")
# H1, H0, and no verdict.
FINE = (0, 1, 3)


def main():
    pool = shlex.join([sys.executable, str(pathlib.Path(__file__).resolve().with_name("pool.py"))])
    words = ["match", os.environ["NEW"], os.environ["BASE"], *shlex.split(os.environ.get("ARGUMENTS", ""))]
    part = ["--seed", os.environ["SEED"], "--shard", f"{os.environ['SHARD']}/{os.environ['COUNT']}", "--out", str(OUT)]
    words += [*part, "--pool-by", pool, "--pool-every", os.environ["EVERY"]]
    if (OUT / "events.jsonl").is_file():
        words = ["resume", str(OUT), "--pool-by", pool]
    print("arbiter", shlex.join(words), flush=True)
    arbiter = subprocess.Popen(["arbiter", *words])
    # A job that is cancelled: what was played is safe.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: arbiter.send_signal(number))
    try:
        code = arbiter.wait(timeout=60 * float(os.environ["MINUTES"]))
    except subprocess.TimeoutExpired:
        print("the time is over: the games in progress are finished", flush=True)
        arbiter.send_signal(signal.SIGINT)
        try:
            code = arbiter.wait(timeout=300)
        except subprocess.TimeoutExpired:
            arbiter.send_signal(signal.SIGINT)
            code = arbiter.wait()
    sys.exit(0 if code in FINE else code)


if __name__ == "__main__":
    main()
