"""Flips single bits of the files of a run and of archives, and looks whether any reader says something else than before.

Usage: verify/bits.py ARBITER ENGINE [FLIPS] [SEED]. The engine, which has an option Hash, plays a short match. Its journal, its saved
state, its run file, and its PGN as .gz, .bz2, .zst and .zip each get the same share of the flips, one at a time. A flip is

- refused, if the reader ends with code 2 and an error;
- harmless, if it says the same as of the whole file, with or without a note;
- missed, if it says something else.

The run is read by `sprt --json` and `report --json`, an archive by `rate --json`. The state is a cache: a damaged one is
read anew from the journal, so it must be harmless. Prints a line for each kind, and ends with code 1 if any flip is missed.
"""

import bz2
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def run(arbiter, *words, cwd):
    return subprocess.run([arbiter, *words], cwd=cwd, capture_output=True, text=True, errors="replace", timeout=120)


def said(done):
    """What a reader says, without where the files are; `None` if it refuses."""
    if done.returncode == 2 and "error" in done.stderr:
        return None
    if done.returncode not in (0, 1, 3):
        return f"code {done.returncode}: {done.stderr[-300:]}"
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return f"no JSON: {done.stdout[:200]} {done.stderr[-200:]}"
    return json.dumps(report, sort_keys=True)


def flipped(data, bit):
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << (bit % 8)
    return bytes(changed)


def main():
    arbiter, engine = (str(Path(word).resolve()) for word in sys.argv[1:3])
    flips = int(sys.argv[3]) if len(sys.argv) > 3 else 5000
    draw = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        play = run(arbiter, "match", engine, f"{engine}:Hash=1", "--nodes", "100", "--games", "20", "--out", "run", cwd=root)
        if play.returncode not in (0, 4):
            sys.exit(play.stderr)
        folder = root / "run"
        run(arbiter, "status", "run", cwd=root)
        pgn = (folder / "games.pgn").read_bytes()
        with zipfile.ZipFile(root / "g.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("g.pgn", pgn)
        packed = {
            "g.pgn.gz": gzip.compress(pgn),
            "g.pgn.bz2": bz2.compress(pgn),
            "g.zip": (root / "g.zip").read_bytes(),
        }
        if shutil.which("zstd"):
            packed["g.pgn.zst"] = subprocess.run(["zstd", "-q", "-c", "--check"], input=pgn, capture_output=True, check=True).stdout
        of_run = ["events.jsonl", "run.toml"] + [name for name in ("state.json",) if (folder / name).exists()]
        kinds = [(name, (folder / name).read_bytes()) for name in of_run] + sorted(packed.items())
        each = -(-flips // len(kinds))
        bad = 0
        for name, data in kinds:
            is_run = name in of_run

            def ask(place):
                if is_run:
                    return [said(run(arbiter, word, "run", *more, cwd=place)) for word, more in
                            [("sprt", ["--json"]), ("report", ["--json", "--out", "/dev/stdout"])]]
                return [said(run(arbiter, "rate", name, "--json", cwd=place))]

            def one(bit):
                with tempfile.TemporaryDirectory() as spot:
                    if is_run:
                        shutil.copytree(folder, Path(spot) / "run")
                    path = Path(spot) / ("run/" + name if is_run else name)
                    before = os.stat(folder / name) if is_run else None
                    path.write_bytes(data if bit is None else flipped(data, bit))
                    if before:
                        # A flipped bit changes no time.
                        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
                    return bit, ask(Path(spot))

            _, whole = one(None)
            counts = Counter()
            bits = [draw.randrange(len(data) * 8) for _ in range(each)]
            with ThreadPoolExecutor(2) as pool:
                for bit, answers in pool.map(one, bits):
                    kinds_of = ["refused" if a is None else "harmless" if a == w else "missed" for a, w in zip(answers, whole)]
                    kind = "missed" if "missed" in kinds_of else "refused" if "refused" in kinds_of else "harmless"
                    counts[kind] += 1
                    if kind == "missed":
                        print(f"  {name}, bit {bit}: {data[max(0, bit // 8 - 20):bit // 8 + 20]!r}")
                        for a, w in zip(answers, whole):
                            if a is not None and a != w:
                                print(f"    {a[:300]}\n    {(w or '')[:300]}")
            bad += counts["missed"]
            print(f"{name:<14} {len(bits)} flips: {counts['refused']} refused, {counts['harmless']} harmless, {counts['missed']} missed",
                  flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
