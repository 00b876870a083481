#!/usr/bin/env python3
"""The pool of a match whose shards are jobs on GitHub, for `--pool-by`: each shard writes its line into a check run of the
tested commit, and reads those of all. That takes two requests to the API; all jobs of a repository have 1,000 an hour.

Usage: pool.py, with the line of this shard as input; prints the lines of all. Ends with 1 if GitHub cannot be reached.
       pool.py close, when all shards have ended: completes the check runs, so that the commit does not wait for them.
Environment: ARBITER_POOL, the number of the first run of the match; ARBITER_COMMIT, the tested commit; GH_TOKEN, which
needs `checks: write`; GITHUB_REPOSITORY and GITHUB_API_URL, which GitHub sets. ARBITER_TIMEOUT: seconds for an answer.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request

ATTEMPTS = 3
FENCE = "```"


class Unreachable(Exception):
    pass


def main():
    try:
        if sys.argv[1:] == ["close"]:
            close()
        else:
            print(exchange(sys.stdin.readline().strip()))
    except Unreachable as error:
        sys.exit(str(error))


def exchange(line):
    report = json.loads(line)
    # Of two with one name, which a lost answer leaves, the later one counts, for all.
    known = {run["name"]: run for run in sorted(check_runs(), key=lambda run: run["id"])}
    name = name_of(report["shard"])
    output = {
        "title": f"{report['games']} games" if "games" in report else "plays",
        "summary": f"Shard {report['shard']} of run {os.environ['ARBITER_POOL']}",
        "text": f"{FENCE}json\n{line}\n{FENCE}",
    }
    publish(name, known.get(name), {"status": "in_progress", "output": output})
    lines = {other: line_of(run) for other, run in known.items()}
    lines[name] = line
    return "\n".join(line for line in lines.values() if line)


def publish(name, known, change):
    if known:
        try:
            return ask("PATCH", f"check-runs/{known['id']}", change)
        except urllib.error.HTTPError as error:
            # It was removed, or is completed and stays so.
            if error.code not in (404, 422):
                raise Unreachable(reason(error)) from None
    # Not tried again: had the first request been heard, there would be two. The next look finds that one.
    body = {"name": name, "head_sha": os.environ["ARBITER_COMMIT"], **change}
    try:
        return ask("POST", "check-runs", body, attempts=1)
    except urllib.error.HTTPError as error:
        raise Unreachable(reason(error)) from None


def close():
    for run in check_runs():
        if run["status"] != "completed":
            publish(run["name"], run, {"status": "completed", "conclusion": "neutral"})


def name_of(shard):
    return f"arbiter {os.environ['ARBITER_POOL']} {shard}"


def check_runs():
    """The check runs of this match."""
    runs, page = [], 1
    while True:
        path = f"commits/{os.environ['ARBITER_COMMIT']}/check-runs?filter=all&per_page=100&page={page}"
        try:
            answer = ask("GET", path)
        except urllib.error.HTTPError as error:
            raise Unreachable(reason(error)) from None
        runs += [run for run in answer["check_runs"] if run["name"].startswith(name_of(""))]
        if len(answer["check_runs"]) < 100:
            return runs
        page += 1


def line_of(run):
    lines = ((run.get("output") or {}).get("text") or "").split("\n")
    return lines[1] if len(lines) == 3 and lines[0].startswith(FENCE) else None


def ask(method, path, body=None, attempts=ATTEMPTS):
    """What GitHub answers. An error of its own, and silence, is tried again, if it may be done twice."""
    server = os.environ.get("GITHUB_API_URL", "https://api.github.com")
    request = urllib.request.Request(
        f"{server}/repos/{os.environ['GITHUB_REPOSITORY']}/{path}",
        data=json.dumps(body).encode() if body else None,
        method=method,
        headers={
            "Authorization": f"Bearer {os.environ['GH_TOKEN']}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        },
    )
    for attempt in range(1, attempts + 1):
        try:
            with urllib.request.urlopen(request, timeout=float(os.environ.get("ARBITER_TIMEOUT", "20"))) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code < 500:
                raise
            problem = reason(error)
        except (OSError, ValueError) as error:
            problem = f"{server}: {error}"
        if attempt < attempts:
            time.sleep(attempt)
    raise Unreachable(problem)


def reason(error):
    limit = error.headers.get("x-ratelimit-remaining") == "0"
    what = "the requests of this hour are used up" if limit else error.reason
    return f"GitHub: {error.code} {what}"


if __name__ == "__main__":
    main()
