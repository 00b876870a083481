"""Plays tests on three machines by ssh, kills shards and the conductor at random moments, and looks for lost games.

Usage: verify/machines.py ARBITER ENGINE SECONDS [SEED]. Needs Linux and sshd. Three servers run on this machine, each with a
home folder of its own and a shell that prints something before and after every command. Tests are started, their conductor
or one of their shards is killed by SIGKILL, and they are resumed until they end by themselves. In the end every game that a
shard's journal has counted must be in `merged`, which must say what `arbiter sprt` says of its games, and no games may be
left on a machine. Prints a line for each test, and ends with code 1 if any game is missing.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

MACHINES = ["ada", "grace", "joan"]
SHELL = """#!/bin/bash
HOME={home}; export HOME; unset XDG_CACHE_HOME; cd "$HOME"
printf 'Last login: today\\nfortune without an end'
echo 'a warning of the profile' >&2
bash -c "$SSH_ORIGINAL_COMMAND"; code=$?
exit $code
"""
LONGEST = 240


def site(folder):
    """Starts the servers. Returns their processes; `ssh NAME` then reaches them by the search path."""
    run = lambda *words: subprocess.run(words, check=True, capture_output=True)
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "key")
    Path("/run/sshd").mkdir(exist_ok=True)
    servers, client = [], []
    for number, name in enumerate(MACHINES):
        home, port = folder / "homes" / name, 22000 + os.getpid() % 1000 * 10 + number
        home.mkdir(parents=True)
        shell = folder / f"{name}.sh"
        shell.write_text(SHELL.format(home=home))
        shell.chmod(0o755)
        config = folder / f"{name}.conf"
        config.write_text(f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/key\nAuthorizedKeysFile {folder}/key.pub\n"
                          f"StrictModes no\nUsePAM no\nPidFile none\nForceCommand {shell}\nPermitRootLogin yes\n")
        servers.append(subprocess.Popen(["/usr/sbin/sshd", "-D", "-f", config], stderr=subprocess.DEVNULL))
        client.append(f"Host {name}\nHostName 127.0.0.1\nPort {port}\nIdentityFile {folder}/key\n"
                      "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n")
    (folder / "client.conf").write_text("".join(client))
    ssh = folder / "bin/ssh"
    ssh.parent.mkdir()
    ssh.write_text(f'#!/bin/sh\nexec /usr/bin/ssh -F {folder}/client.conf "$@"\n')
    ssh.chmod(0o755)
    return servers


def shards(folder):
    """The process of each shard that plays."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if (process.name.isdigit() and "run-file" in (process / "cmdline").read_text()
                    and os.readlink(process / "cwd").startswith(str(folder / "homes"))):
                found.append(int(process.name))
        except OSError:
            pass
    return found


def finished(journal):
    return sum('"event":"game_finished"' in line for line in journal.read_text().splitlines())


def counted(run):
    """The games in the journal of each shard that was brought home, and in `merged`."""
    of = {path.parent.parent.name: finished(path) for path in run.glob("*/shard/events.jsonl")}
    merged = run / "merged/events.jsonl"
    return of, finished(merged) if merged.is_file() else None


def forget(folder):
    """Removes the run, here and on the machines."""
    for left in [folder / "run", *(folder / "homes").glob("*/.cache/arbiter/machines/runs")]:
        shutil.rmtree(left, ignore_errors=True)


def play(arbiter, engine, folder, environment, rng, kills):
    """Plays one test. Returns what went wrong, if anything did."""
    run = folder / "run"
    bounds, weaker = rng.choice([("0,20", 330), ("0,60", 200), ("-30,0", 400)])
    words = ["match", engine, f"{engine}:Hash=1,nodes={weaker}", "--nodes", "400", "--seed", str(rng.randrange(10**6)),
             "--sprt=" + bounds, "--games", "2000", "--on", ",".join(f"{name}:1" for name in MACHINES), "--out", "run"]
    most = {}
    while True:
        log = open(folder / "output", "w")
        conductor = subprocess.Popen([arbiter, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                     stdout=log, stderr=log, start_new_session=True)
        moment, end = time.monotonic() + rng.expovariate(1 / 6), time.monotonic() + LONGEST
        while conductor.poll() is None and time.monotonic() < end:
            for journal in (folder / "homes").glob("*/.cache/arbiter/machines/runs/*/shard/events.jsonl"):
                try:
                    name = journal.relative_to(folder / "homes").parts[0]
                    most[name] = max(most.get(name, 0), finished(journal))
                except OSError:
                    pass
            if time.monotonic() > moment:
                playing = shards(folder)
                if playing and rng.random() < 0.6:
                    os.kill(rng.choice(playing), signal.SIGKILL)
                    kills["shard"] += 1
                else:
                    conductor.kill()
                    kills["conductor"] += 1
                moment = time.monotonic() + rng.expovariate(1 / 6)
            time.sleep(0.05)
        if conductor.poll() is None:
            conductor.kill()
            return f"not over after {LONGEST} s: {(folder / 'output').read_text()[-400:]}"
        of, merged = counted(run)
        if conductor.returncode in (0, 1) or conductor.returncode == 3 and "resume" not in (folder / "output").read_text():
            break
        words = ["resume", "run"] if (run / "machines.toml").exists() else words
        if words[0] == "match":
            # Killed before it wrote down what it had begun: nobody can remove that.
            forget(folder)
    lost = {name: (games, of.get(name, 0)) for name, games in most.items() if games > of.get(name, 0)}
    if lost:
        return f"played and brought home: {lost}"
    # Two shards never play the same game, so all games of all shards are in `merged`.
    if merged != sum(of.values()):
        return f"merged has {merged} games, the shards {of}"
    said = json.loads((run / "merged/summary.json").read_text())
    # A preparation that was killed may still make its folder afterwards; without games, it is removed after a day.
    left = sorted(str(path) for path in (folder / "homes").glob("*/.cache/arbiter/machines/runs/*/shard"))
    return f"left on machines: {left}" if left else None if said else "no summary"


def main():
    arbiter, engine, seconds = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    rng, kills, tests, troubles = random.Random(seed), Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        servers = site(folder)
        environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "XDG_CACHE_HOME": f"{folder}/cache"}
        end = time.monotonic() + seconds
        try:
            time.sleep(1)
            while time.monotonic() < end:
                before = sum(kills.values())
                trouble = play(arbiter, engine, folder, environment, rng, kills)
                tests, troubles = tests + 1, troubles + (trouble is not None)
                of, merged = counted(folder / "run")
                print(f"{sum(kills.values()) - before} kills, games {of}, merged {merged}: {trouble or 'none lost'}", flush=True)
                if trouble:
                    no_sockets = shutil.ignore_patterns("*.sock")
                    shutil.copytree(folder / "run", f"machines-trouble-{troubles}", ignore=no_sockets, dirs_exist_ok=True)
                forget(folder)
        finally:
            for server in servers:
                server.terminate()
    print(f"seed {seed}: {tests} tests, {kills['conductor']} kills of the conductor, {kills['shard']} of shards")
    print(f"{troubles} troubles")
    sys.exit(troubles > 0)


main()
