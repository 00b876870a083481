"""Attacks the page of a match in progress, and checks whether the engines get slower.

Usage: verify/neighbours.py ARBITER TARRASCH ROUNDS. Needs Linux. Each round plays one match whose page is open but unused,
and the same match under attack: hundreds of connections that send a byte per second, streams that nobody reads, requests of
megabytes, forged hosts and origins, and random bytes. Prints the engines' nodes per second in both. The page may refuse other
requests, but it must answer a local browser during the attack, and refuse every forged request with status 403. The
attackers sleep most of the time, because the engines lack the CPU time that they use.
"""

import json
import os
import random
import re
import socket
import sys
import tempfile
import threading
import time

from bench import Bench

SLOW = 300
STREAMS = 50
PAUSE = 0.05
GAMES = 12


def request(port, head, body=b"", patience=10.0):
    """The status of the answer to a request; 0 if the connection was closed."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=patience) as connection:
            connection.sendall(head.encode() + body)
            status = re.match(rb"HTTP/1.1 (\d+)", connection.recv(64))
            return int(status[1]) if status else 0
    except OSError:
        return 0


def get(port, host, home, more=""):
    return request(port, f"GET {home} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n")


class Attack:
    """All attacks at once, until they are stopped."""

    def __init__(self, port, home):
        self.home = home
        self.port, self.over = port, threading.Event()
        self.forged, self.answered, self.asked, self.made = [], 0, 0, 0
        jobs = [self.slow, self.streams, self.requests]
        self.threads = [threading.Thread(target=job) for job in jobs]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def held(self, count, head):
        """Keeps `count` connections open that have sent `head`, and reopens those that are closed."""
        connections = []
        while not self.over.wait(1.0):
            while len(connections) < count:
                try:
                    connection = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                    connection.sendall(head)
                    connections.append(connection)
                    self.made += 1
                except OSError:
                    break
            yield connections
        for connection in connections:
            connection.close()

    def slow(self):
        for connections in self.held(SLOW, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "):
            for connection in list(connections):
                try:
                    connection.sendall(b"x")
                except OSError:
                    connections.remove(connection)

    def streams(self):
        head = f"GET {self.home}events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode()
        for _ in self.held(STREAMS, head):
            pass

    def requests(self):
        own = f"127.0.0.1:{self.port}"
        for turn in range(10**9):
            if self.over.wait(PAUSE):
                return
            kind = turn % 5
            if kind == 0:
                self.asked += 1
                self.answered += get(self.port, own, self.home) == 200
            elif kind == 1:
                self.forged.append(get(self.port, "evil.example", self.home))
            elif kind == 2:
                head = f"POST / HTTP/1.1\r\nHost: {own}\r\nOrigin: http://evil.example\r\nContent-Length: 2\r\n\r\n"
                self.forged.append(request(self.port, head, b"{}"))
            elif kind == 3:
                request(self.port, f"POST / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 4000000\r\n\r\n", b"x" * 100_000)
            else:
                request(self.port, "", random.randbytes(2000), patience=0.2)


def play(arbiter, engine, attacked):
    """Plays a match. Returns nodes per second, faults, and the attack."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, arbiter, engine)
        bench.add_program("tarrasch", bench.engine)
        played = ["match", "tarrasch", "tarrasch:Hash=8", "--movetime", "40", "--timemargin", "1000", "--games", str(GAMES)]
        cores = ["--maxmoves", "30", "--concurrency", str(max(1, os.cpu_count() // 2)), "--seed", "1"]
        match = bench.spawn([bench.arbiter, *played, *cores, "--no-report", "--out", "run"], stdout=-3, stderr=-3)
        while not (bench.folder / "run/events.jsonl").exists():
            time.sleep(0.05)
        watch = bench.spawn([bench.arbiter, "watch", "run"], stdout=-1, stderr=-2)
        found = None
        while found is None:
            found = re.search(r"127\.0\.0\.1:(\d+)(/\S*)", watch.stdout.readline())
        port, home = int(found[1]), found[2]
        attack = Attack(port, home) if attacked else None
        match.wait()
        if attack:
            attack.stop()
        else:
            assert get(port, f"127.0.0.1:{port}", home) == 200, "expected a page"
        watch.terminate()
        watch.wait()
        summary = json.loads((bench.folder / "run/summary.json").read_text())
        engines = summary["engines"]
        faults = [f"{engine['name']}: {engine['faults']}" for engine in engines if engine["faults"]]
        return sum(engine["nodes_per_second"] for engine in engines) / 2, faults, attack


def main():
    arbiter, engine, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    troubles, ratios = [], []
    for number in range(1, rounds + 1):
        quiet, faults, _ = play(arbiter, engine, attacked=False)
        loud, more_faults, attack = play(arbiter, engine, attacked=True)
        ratios.append(loud / quiet)
        print(
            f"round {number}: NPS {quiet:.0f} in peace, {loud:.0f} attacked ({ratios[-1]:.3f}); "
            f"{attack.made} slow connections, {len(attack.forged)} forged requests, "
            f"{attack.answered} of {attack.asked} own requests answered",
            flush=True,
        )
        troubles += faults + more_faults
        troubles += [f"round {number}: a forged request got {status}" for status in attack.forged if status != 403]
        troubles += [f"round {number}: the page went away"] * (attack.answered < attack.asked)
    print(f"NPS attacked / in peace: {sum(ratios) / rounds:.3f}")
    print(f"{len(troubles)} troubles", *troubles, sep="\n  ")
    sys.exit(len(troubles) > 0)


main()
