#!/usr/bin/env python3
"""Plays a shard of a match on GitHub until the verdict of all, or until its time is over, and then stops in good order.

Arbiter and the engines play as another user, who has no name, no rights and no token: this script has the token, and writes
what the shard tells into the pool. That user gets a copy of the working folder, and of builds.tar.gz there. The copy's folder
`shard` comes back, its files alone; one that is there already, brought from an earlier attempt, is continued.

Usage: play.py, as root or with `sudo` that asks for no password. Environment: NEW, BASE, SHARD, COUNT, SEED, EVERY, MINUTES;
ARGUMENTS, what else `arbiter match` is told, as it would be typed; PLAYER, the folder of the other user; what pool.py needs.
Ends as arbiter does, but with 0 for every verdict and for a match that goes on.
"""

import json
import os
import pathlib
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

import pool

OUT = pathlib.Path("shard")
# H1, H0, and no verdict.
FINE = (0, 1, 3)
# Neither people nor services have these numbers; see systemd's "Users, Groups, UIDs and GIDs".
FIRST_USER = 60600
# A match that goes on has the programs and files where it began.
PLAYER = pathlib.Path(os.environ.get("PLAYER", "/var/lib/arbiter-player"))
LONGEST_LINE = 60_000
LINES_AT_ONCE = 10


class Player:
    """The other user, and the folder that this user has."""

    def __init__(self, number):
        self.user = FIRST_USER + number
        self.root = [] if os.getuid() == 0 else ["sudo", "-n"]
        self.work = PLAYER / "home" / "work"
        # sudo gives the command an environment of its own.
        rights = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", "--no-new-privs"]
        names = {"HOME": str(PLAYER / "home"), "PATH": f"{PLAYER}/home/bin:{os.defpath}", "LC_ALL": "C.UTF-8"}
        names["ARBITER_MACHINE"] = os.environ.get("ARBITER_MACHINE", "")
        self.words = [*self.root, *rights, "env", "-i", *(f"{name}={value}" for name, value in names.items())]

    def __enter__(self):
        has_root = not self.root or shutil.which("sudo") and not subprocess.run([*self.root, "true"], check=False).returncode
        if not has_root:
            sys.exit("expected root, or sudo without a password: engines play as another user, who cannot read the token")
        for folder, owner in ((PLAYER, os.getuid()), (PLAYER / "home", self.user)):
            subprocess.run([*self.root, "install", "-d", "-m", "0711", "-o", str(owner), str(folder)], check=True)
        self.run("mkdir -p home/bin home/.cache home/work", folder=PLAYER)
        return self

    def __exit__(self, *_):
        self.kill()
        subprocess.run([*self.root, "rm", "-rf", str(PLAYER)], check=False)

    def shell(self, script, *words, folder=None):
        # A folder of ours is not this user's to enter.
        return [*self.words, "sh", "-c", f'cd "$0" && {script}', str(folder or self.work), *map(str, words)]

    def run(self, script, *words, folder=None, check=True, **streams):
        return subprocess.run(self.shell(script, *words, folder=folder), check=check, cwd="/", **streams)

    def take(self):
        """Gives the player the programs, and a copy of this folder."""
        files = {pathlib.Path(shutil.which("arbiter")): "arbiter", pathlib.Path(__file__).with_name("relay.py"): "relay.py"}
        for file, name in files.items():
            with open(file, "rb") as program:
                self.run('cat >"$1" && chmod 755 "$1"', f"../bin/{name}", stdin=program)
        with subprocess.Popen(["tar", "-cf", "-", "--exclude=./builds.tar.gz", "."], stdout=subprocess.PIPE) as packed:
            self.run("tar -xf -", stdin=packed.stdout)
        if packed.returncode:
            sys.exit(f"tar: {packed.returncode}")
        builds = pathlib.Path("builds.tar.gz")
        if builds.is_file():
            with open(builds, "rb") as packed:
                self.run("tar -C ../.cache -xzf -", stdin=packed)
            self.run("find ../.cache/arbiter/book -type f -exec cp {} . ';'", check=False, stderr=subprocess.DEVNULL)

    def give(self):
        """Brings the shard here. What a link leads to would be read with our rights."""
        draft = pathlib.Path(tempfile.mkdtemp(dir="."))
        with subprocess.Popen(self.shell('tar -cf - "$1"', OUT), cwd="/", stdout=subprocess.PIPE) as packed:
            with tarfile.open(fileobj=packed.stdout, mode="r|") as archive:
                for member in archive:
                    path = pathlib.PurePosixPath(member.name)
                    if not member.isreg() or path.parts[0] != str(OUT) or ".." in path.parts:
                        continue
                    (draft / path).parent.mkdir(parents=True, exist_ok=True)
                    with open(draft / path, "wb") as file:
                        shutil.copyfileobj(archive.extractfile(member), file)
        if (draft / OUT).is_dir():
            shutil.rmtree(OUT, ignore_errors=True)
            (draft / OUT).rename(OUT)
        shutil.rmtree(draft)

    def interrupt(self):
        self.run('kill -INT "$(cat ../pid)"', check=False)

    def kill(self):
        """Ends all processes of the player, and those that they start meanwhile."""
        for _ in range(3):
            self.run("kill -9 -1", folder="/", check=False)


class Relay(threading.Thread):
    """Writes the lines of this shard into the pool for the player: no other shard's, and no more than it may say."""

    def __init__(self):
        super().__init__(daemon=True)
        self.path = PLAYER / "pool"
        self.every = float(os.environ["EVERY"])
        self.left, self.since = LINES_AT_ONCE, time.monotonic()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.path.chmod(0o666)
        self.listener.listen()

    def run(self):
        while True:
            client, _ = self.listener.accept()
            with client:
                client.settimeout(10)
                try:
                    client.sendall(self.answer(client.makefile("rb").readline(LONGEST_LINE)).encode())
                except OSError:
                    pass

    def answer(self, line):
        now = time.monotonic()
        self.left = min(LINES_AT_ONCE, self.left + (now - self.since) / self.every)
        self.since = now
        if self.left < 1:
            return f"expected a line every {self.every:g} seconds"
        self.left -= 1
        try:
            report = json.loads(line)
            is_ours = report["shard"] == f"{os.environ['SHARD']}/{os.environ['COUNT']}" and isinstance(report["games"], int)
        except (ValueError, KeyError, TypeError, RecursionError):
            is_ours = False
        if not is_ours:
            return "expected the line of this shard"
        try:
            return f"ok\n{pool.exchange(line.decode().strip())}\n"
        except Exception as error:  # Whatever it is, the match goes on.
            return " ".join(str(error).split()) or "no answer"


def main():
    if os.environ.get("GITHUB_ACTIONS") == "true":
        # The runner keeps its files there, some of them readable for all.
        home = pathlib.Path.home()
        home.chmod(home.stat().st_mode & 0o7770)
    with Player(int(os.environ["SHARD"])) as player:
        player.take()
        relay = Relay()
        relay.start()
        # What the player prints is no order to the runner.
        word = secrets.token_hex(16)
        print(f"::stop-commands::{word}", flush=True)
        code = play(player, shlex.join(["python3", "../bin/relay.py", str(relay.path)]))
        print(f"::{word}::", flush=True)
        player.kill()
        player.give()
    sys.exit(0 if code in FINE else code)


def play(player, pool_by):
    words = ["match", os.environ["NEW"], os.environ["BASE"], *shlex.split(os.environ.get("ARGUMENTS", ""))]
    part = ["--seed", os.environ["SEED"], "--shard", f"{os.environ['SHARD']}/{os.environ['COUNT']}", "--out", str(OUT)]
    words += [*part, "--pool-by", pool_by, "--pool-every", os.environ["EVERY"]]
    if (OUT / "events.jsonl").is_file():
        words = ["resume", str(OUT), "--pool-by", pool_by]
    print("arbiter", shlex.join(words), flush=True)
    start = player.shell('echo $$ >../pid && exec arbiter "$@"', *words)
    arbiter = subprocess.Popen(start, cwd="/", stdin=subprocess.DEVNULL, start_new_session=True)
    # A job that is cancelled: what was played is safe.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: player.interrupt())
    minutes = float(os.environ["MINUTES"])
    for wait, then, what in (
        (minutes, player.interrupt, "the time is over: the games in progress are finished"),
        (5, player.interrupt, "the games in progress are abandoned"),
        (1, player.kill, "arbiter does not end, and is ended"),
    ):
        try:
            return arbiter.wait(timeout=60 * wait)
        except subprocess.TimeoutExpired:
            print(what, flush=True)
            then()
    return arbiter.wait()


if __name__ == "__main__":
    main()
