#!/usr/bin/env python3
"""The plan of a match on GitHub: which commits meet, and which shards play.

A name is looked for among the branches and tags of this repository, then as a commit that one of them has. A commit of a
fork is refused, since GitHub keeps those in the same place and the jobs have a token: only a pull request's own head is
taken, for the event `pull_request`, in which a fork's jobs get neither secrets nor a token that writes.

Usage: plan.py FILE, in a clone with all branches and tags; writes the plan, NAME=value a line. A file that is there is the
plan of an earlier attempt and stays; that of another run counts only if no fork's code was run there. Environment: ENGINE;
NEW and BASE, names, tags or commits, or empty; SHARDS; ARBITER_POOL, the number of the first run of the match; GH_TOKEN;
what GitHub sets.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import pool

# Requests to the API of GitHub in an hour, of the 1,000 that all jobs of a repository have together: the pool's.
REQUESTS = 800
REQUESTS_OF_A_LOOK = 2


def main():
    plan = pathlib.Path(sys.argv[1])
    if os.environ["ARBITER_POOL"] != os.environ["GITHUB_RUN_ID"]:
        check_earlier_run(plan)
    if not plan.is_file():
        plan.write_text(new_plan(), encoding="utf-8")
    print(plan.read_text(encoding="utf-8"), end="")


def check_earlier_run(plan):
    number, repository = os.environ["ARBITER_POOL"], os.environ["GITHUB_REPOSITORY"]
    if not re.fullmatch(r"[0-9]+", number):
        sys.exit(f"continue: expected the number of a run, found `{number}`")
    try:
        run = pool.ask("GET", f"actions/runs/{number}")
    except pool.Unreachable as error:
        sys.exit(f"continue: {error}")
    except pool.urllib.error.HTTPError as error:
        sys.exit(f"continue: run {number}: {pool.reason(error)}")
    if (run.get("head_repository") or {}).get("full_name") != repository:
        sys.exit(f"continue: run {number} has the programs of a fork, which are refused")
    if not plan.is_file():
        sys.exit(f"continue: run {number} has no plan of a match; GitHub keeps artifacts for 90 days, or as many as are set")


def new_plan():
    event = {}
    if os.environ.get("GITHUB_EVENT_PATH"):
        with open(os.environ["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
            event = json.load(file)
    engine = os.environ["ENGINE"]
    if not re.fullmatch(r"[A-Za-z0-9_][\w.+-]*", engine):
        sys.exit(f"engine: expected the name of a manifest, engines/NAME/engine.toml; found `{engine}`")
    count = os.environ.get("SHARDS") or "20"
    if not re.fullmatch(r"[0-9]{1,3}", count) or not 1 <= int(count) <= 200:
        sys.exit(f"shards: expected a number from 1 to 200, found `{count}`")
    new, base = pair(event, os.environ.get("NEW", ""), os.environ.get("BASE", ""))
    if new == base:
        sys.exit(f"new and base are the same commit, {new}")
    every = max(60, -(-int(count) * REQUESTS_OF_A_LOOK * 3600 // REQUESTS))
    outputs = {
        "new": f"{engine}@{new}",
        "base": f"{engine}@{base}",
        "commit": new,
        "shards": json.dumps(list(range(1, int(count) + 1))),
        "count": count,
        "every": str(every),
        # The same for all shards, and in every attempt.
        "seed": str(int(new[:12], 16)),
    }
    return "".join(f"{name}={value}\n" for name, value in outputs.items())


def pair(event, new, base):
    """The two commits: what was asked for, or those of the pull request, or this commit and the default branch."""
    request = event.get("pull_request") or {}
    if not request:
        branch = (event.get("repository") or {}).get("default_branch") or "main"
        return resolve("new", new or os.environ.get("GITHUB_SHA", "HEAD")), resolve("base", base or branch)
    head, repository = request["head"], os.environ["GITHUB_REPOSITORY"]
    is_own = (head.get("repo") or {}).get("full_name") == repository
    if not is_own and os.environ.get("GITHUB_EVENT_NAME") != "pull_request":
        sys.exit(
            f"a fork's pull request is refused for the event {os.environ.get('GITHUB_EVENT_NAME')}, in which its code"
            " could use this repository's token and secrets; use `pull_request`, or push the branch to this repository"
        )
    base = resolve("base", base or request["base"]["sha"])
    if not new or new == head["sha"]:
        return commit(head["sha"]) or sys.exit(f"new: {head['sha']} is not in this clone"), base
    return resolve("new", new), base


def resolve(what, name):
    """A commit of this repository by a branch, a tag or its hash."""
    for place in (f"refs/remotes/origin/{name}", f"refs/tags/{name}"):
        if found := commit(place):
            return found
    found = commit(name) if re.fullmatch(r"[0-9a-f]{7,40}|HEAD", name) else None
    if not found:
        sys.exit(f"{what}: expected a branch, a tag or a commit of this repository; found `{name}`")
    if not git("for-each-ref", "--count=1", f"--contains={found}", "refs/remotes/origin", "refs/tags"):
        sys.exit(f"{what}: no branch or tag of this repository has {name}: a fork's commit is refused; push it to a branch")
    return found


def commit(name):
    return git("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}")


def git(*words):
    return subprocess.run(["git", *words], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    main()
