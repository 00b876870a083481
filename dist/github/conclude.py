#!/usr/bin/env python3
"""What a match on GitHub came to: merges the shards, and writes the outputs of the step, the trailer for a commit and the
text of a comment, comment.md.

Usage: conclude.py SHARDS OUT. SHARDS is the folder of the shards' folders. Ends with 0 for H1 and for a match that goes on, 1
for H0, otherwise as arbiter does.
"""

import json
import os
import pathlib
import subprocess
import sys

VERDICTS = {"accept-h1": "H1", "accept-h0": "H0", "continue": "undecided"}


def main():
    shards, out = sys.argv[1:]
    folders = sorted(str(journal.parent) for journal in pathlib.Path(shards).glob("*/events.jsonl"))
    if not folders:
        sys.exit(f"{shards}: expected the folders of shards, found none")
    code = subprocess.run(["arbiter", "merge", *folders, "--out", out], check=False).returncode
    if code not in (0, 1, 3):
        sys.exit(code)
    report = subprocess.run(["arbiter", "report", "--json", out], stdout=subprocess.PIPE, check=True).stdout
    run = json.loads(report)["runs"][0]
    pairing = run["summary"]["pairings"][0]
    test = pairing.get("sprt")
    verdict = VERDICTS[test["status"]] if test else "no test"
    line = trailer(run["summary"], pairing)
    text = subprocess.run(["arbiter", "report", "--markdown", out], stdout=subprocess.PIPE, text=True, check=True).stdout
    extra = f"\nFor the commit:\n\n    {line}\n"
    if verdict == "undecided":
        extra += "\nThe time is over. **Re-run all jobs** goes on with this match, and so does a run with its number,"
        extra += f" `continue: {os.environ.get('ARBITER_POOL', '')}`.\n"
    pathlib.Path("comment.md").write_text(text + extra, encoding="utf-8")
    append("GITHUB_STEP_SUMMARY", extra)
    append("GITHUB_OUTPUT", f"verdict={verdict}\ntrailer={line}\n")
    print(line)
    sys.exit(1 if verdict == "H0" else 0)


def trailer(summary, pairing):
    """`Arbiter: Elo +3.1 [+1.0, +5.2], LLR 2.95 [0, 5], games 12345`."""
    elo = pairing["elo"]
    after = pairing.get("after_sprt")
    if after:
        elo = after["elo"]
    middle, lower, upper = (float(elo[name]) for name in ("elo", "lower", "upper"))
    parts = [f"Elo {middle:+.1f} [{lower:+.1f}, {upper:+.1f}]"]
    if test := pairing.get("sprt"):
        bounds = f"[{test['test']['elo0']:g}, {test['test']['elo1']:g}]"
        parts.append(f"LLR {float(test['llr']):.2f} {bounds}")
    late = sum(summary.get("after_decision", {}).values())
    parts.append(f"games {summary['games'] - late}")
    return "Arbiter: " + ", ".join(parts)


def append(variable, text):
    if os.environ.get(variable):
        with open(os.environ[variable], "a", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
