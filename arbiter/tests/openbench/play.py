#!/usr/bin/env python3
"""Runs OpenBench on one machine with Arbiter as the runner of its workers: the unchanged server and worker, over the loopback
address. Two workers in turn play a test of Tarrasch against Tarrasch with fewer nodes; the first worker is killed in the
middle. Then the server's counts are compared with the games in Arbiter's own records.

Usage: play.py OPENBENCH ARBITER TARRASCH BOOK.epd [GAMES [PORT]]
  OPENBENCH  a clone of https://github.com/AndyGrant/OpenBench
  GAMES      the least number of games on the server, 200 by default

Needs git, and Django, scipy, psutil, requests and others from PyPI, which it installs into a folder that it removes.
"""

import hashlib
import io
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = "https://github.com/site/Tarrasch"
BRANCHES = ("dev", "base")
USER = "arbiter"


def main():
    if len(sys.argv) not in (5, 6, 7):
        sys.exit(__doc__)
    clone, arbiter, tarrasch, book = (pathlib.Path(path).resolve() for path in sys.argv[1:5])
    games = int(sys.argv[5]) if len(sys.argv) > 5 else 200
    port = int(sys.argv[6]) if len(sys.argv) > 6 else 18200
    work = pathlib.Path(tempfile.mkdtemp(prefix="openbench-"))
    site = Site(work, port)
    try:
        site.lay(clone, arbiter, tarrasch, book)
        site.serve()
        site.create_test()
        site.work_until(games // 2)
        reported = site.counts()
        print("a worker is killed after", reported["games"], "games were reported")
        site.work_until(games)
        site.compare(reported)
    finally:
        site.stop()
        shutil.rmtree(work, ignore_errors=True)


class Site:
    def __init__(self, work, port):
        self.work, self.port = work, port
        self.openbench, self.files, self.records = work / "OpenBench", work / "files", work / "records"
        self.python = work / "venv/bin/python"
        self.groups = []
        # The worker kills processes by name on the whole machine; here only this script may end any.
        bin = work / "bin"
        bin.mkdir()
        (bin / "pkill").write_text("#!/bin/sh\nexit 0\n")
        (bin / "pkill").chmod(0o755)
        self.environment = dict(os.environ, OPENBENCH_FILES=str(self.files), PYTHONPATH=str(HERE),
                                PATH=f"{bin}:{os.environ['PATH']}", PYTHONDONTWRITEBYTECODE="1")

    def lay(self, clone, arbiter, tarrasch, book):
        """The site: OpenBench itself, its configuration, and the files that it requests from GitHub."""
        run(["git", "clone", "-q", str(clone), str(self.openbench)])
        run([sys.executable, "-m", "venv", str(self.work / "venv")])
        lists = [str(self.openbench / name) for name in ("requirements.txt", "Client/requirements.txt")]
        run([str(self.work / "venv/bin/pip"), "install", "-q", "--disable-pip-version-check", "-r", lists[0], "-r", lists[1]])
        self.records.mkdir()

        config_file = self.openbench / "Config/config.json"
        config = json.loads(config_file.read_text())
        config.update(engines=["Tarrasch"], books=[book.name])
        config_file.write_text(json.dumps(config))
        # The runner keeps a run folder per call, named by its process number.
        wrapper = f'#!/bin/sh\nexec "{arbiter}" fastchess "$@" $([ $# -gt 3 ] && echo -outdir "{self.records}/$$")\n'
        self.put_zip(f"{config['fastchess_repo_url']}/archive/{config['fastchess_repo_ref']}.zip",
                     {"runner/Makefile": "all:\n\tinstall -m 755 wrapper fastchess\n", "runner/wrapper": wrapper})

        output = subprocess.run([str(tarrasch), "bench"], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout.decode()
        numbers = [int(line.split(":")[1]) for line in output.splitlines() if line.startswith("Nodes")]
        nodes, speed = numbers[0], numbers[1]
        build = {"path": "", "compilers": ["gcc"], "cpuflags": [], "systems": ["Linux"]}
        engine = {"private": False, "nps": speed, "source": SOURCE, "build": build}
        (self.openbench / "Engines/Tarrasch.json").write_text(json.dumps(engine))
        api = SOURCE.replace("github.com", "api.github.com/repos")
        for branch in BRANCHES:
            sha = hashlib.sha1(branch.encode()).hexdigest()
            commit = {"sha": sha, "commit": {"message": f"{branch}\n\nBench: {nodes}"}}
            self.put(f"{api}/branches/{branch}", json.dumps({"commit": commit}).encode())
            self.put(f"{api}/commits/{sha}", json.dumps(commit).encode())
            self.put_zip(f"{api}/zipball/{sha}", {
                f"Tarrasch-{sha[:7]}/Makefile": "EXE ?= Tarrasch\nall:\n\tinstall -m 755 tarrasch $(EXE)\n",
                f"Tarrasch-{sha[:7]}/tarrasch": f'#!/bin/sh\nexec "{tarrasch}" "$@"\n# {branch}\n',
            })

        address = f"https://raw.githubusercontent.com/site/books/{book.name}.zip"
        self.put_zip(address, {book.name: book.read_text()})
        described = {"sha": hashlib.sha256(book.read_text().encode()).hexdigest(), "source": address}
        (self.openbench / "Books" / f"{book.name}.json").write_text(json.dumps(described))

        self.manage("migrate", "-v", "0")
        self.manage("shell", "-c", "\n".join([
            "from django.contrib.auth.models import User",
            "from OpenBench.models import Profile",
            f"user = User.objects.create_superuser('{USER}', 'site@localhost', '{USER}')",
            "Profile.objects.create(user=user, enabled=True, approver=True)",
        ]))

    def put(self, address, content):
        file = self.files / address.split("://")[1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def put_zip(self, address, members):
        raw = io.BytesIO()
        with zipfile.ZipFile(raw, "w") as archive:
            for name, text in members.items():
                archive.writestr(name, text)
        self.put(address, raw.getvalue())

    def manage(self, *args):
        # Django's threads complain while the database is being created.
        with open(self.work / "manage.log", "a") as log:
            run([str(self.python), "manage.py", *args], cwd=self.openbench, env=self.environment, stderr=log)

    def start(self, name, args, folder):
        """Starts a process in its own process group."""
        log = open(self.work / f"{name}.log", "a")
        process = subprocess.Popen(args, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=log, start_new_session=True)
        self.groups.append(process)
        return process

    def serve(self):
        server = [str(self.python), "manage.py", "runserver", "--noreload", "--insecure", f"127.0.0.1:{self.port}"]
        self.start("server", server, self.openbench)

    def create_test(self):
        fields = {
            "action": "CREATE_TEST", "username": USER, "password": USER, "info": "", "test_mode": "SPRT",
            "test_bounds": "[0.00, 5.00]", "test_confidence": "[0.05, 0.05]", "test_max_games": "0",
            "book_name": next((self.openbench / "Books").glob("*.epd.json")).name[:-5], "upload_pgns": "COMPACT",
            "throughput": "1000", "workload_size": "4", "priority": "0", "syzygy_wdl": "DISABLED", "syzygy_adj": "DISABLED",
            "scale_method": "BASE", "scale_nps": "1000000", "win_adj": "movecount=3 score=400",
            "draw_adj": "movenumber=30 movecount=6 score=10",
        }
        config = json.loads((self.openbench / "Config/config.json").read_text())
        fields["book_name"] = config["books"][0]
        for branch, nodes in zip(BRANCHES, (2200, 2000)):
            fields.update({
                f"{branch}_engine": "Tarrasch", f"{branch}_repo": SOURCE, f"{branch}_branch": branch, f"{branch}_bench": "",
                f"{branch}_network": "", f"{branch}_options": "Threads=1 Hash=8", f"{branch}_time_control": f"N={nodes}",
            })
        post = "import json, requests, sys; print(requests.post(sys.argv[1], data=json.load(sys.stdin)).url)"
        address = f"http://127.0.0.1:{self.port}/scripts/"
        for _ in range(50):
            answer = subprocess.run([str(self.python), "-c", post, address], input=json.dumps(fields), text=True,
                                    capture_output=True, env=self.environment)
            if answer.returncode == 0:
                break
            time.sleep(0.4)
        if not answer.stdout.strip().endswith("/index/"):
            raise SystemExit(f"the site did not take the test: {answer.stdout}{answer.stderr}")

    def work_until(self, games, seconds=600):
        """Runs a worker, and kills it with its children once the server has this many games or the test has ended."""
        args = [str(self.python), "-u", "client.py", "-U", USER, "-P", USER, "-S", f"http://127.0.0.1:{self.port}",
                "-T", "2", "-N", "1", "-I", "machine", "--no-client-downloads"]
        worker = self.start("worker", args, self.openbench / "Client")
        deadline = time.monotonic() + seconds
        while self.counts()["games"] < games and not self.counts()["finished"]:
            if worker.poll() is not None or time.monotonic() > deadline:
                print((self.work / "worker.log").read_text()[-3000:], file=sys.stderr)
                raise SystemExit("the worker ended, or took too long")
            time.sleep(0.5)
        self.kill(worker)

    def kill(self, process):
        # Arbiter's guard process ends the engines, which have process groups of their own.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def stop(self):
        for process in self.groups:
            self.kill(process)

    def counts(self):
        with sqlite3.connect(f"file:{self.openbench}/db.sqlite3?mode=ro", uri=True, timeout=30) as database:
            database.row_factory = sqlite3.Row
            row = database.execute("select * from OpenBench_test").fetchone()
            errors = database.execute("select count(*) from OpenBench_logevent where machine_id <> 0").fetchone()[0]
        counts = {name: row[name] for name in ("games", "wins", "losses", "draws", "finished")} if row else {"games": 0, "finished": 0}
        return dict(counts, errors=errors)

    def compare(self, earlier):
        """Checks that the server still has the games from before the kill, and none that is missing from the records."""
        counts = self.counts()
        recorded = {"games": 0, "wins": 0, "losses": 0, "draws": 0}
        for journal in self.records.glob("*/events.jsonl"):
            results = {}
            for line in journal.read_text().splitlines():
                try:
                    event = json.loads(line)
                except ValueError:
                    # The last, incomplete line of a killed runner.
                    continue
                if event["event"] == "game_finished" and event["result"]:
                    results[event["game"]] = (event["white"], event["result"])
            for white, result in results.values():
                points = {"1/2-1/2": "draws", "1-0": "losses" if white else "wins", "0-1": "wins" if white else "losses"}
                recorded["games"] += 1
                recorded[points[result]] += 1
        print("server:  ", counts)
        print("records: ", recorded)
        lost = recorded["games"] - counts["games"]
        print(lost, "games were played and not reported when the workers were killed")
        fine = counts["games"] >= earlier["games"] and counts["errors"] == 0
        fine &= all(earlier[name] <= counts[name] <= recorded[name] for name in ("wins", "losses", "draws"))
        fine &= 0 <= lost <= 2 * 64
        if not fine:
            raise SystemExit("the counts do not fit")


def run(args, **options):
    subprocess.run(args, check=True, **options)


if __name__ == "__main__":
    main()
