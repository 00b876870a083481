"""Watches a running command: its time, memory and CPU time, from proc(5)."""

import os
import time
from pathlib import Path

# The most memory that a command may map; it fails beyond that, before it can harm the machine.
MOST_MEMORY = 12 << 30


class Watched:
    def __init__(self, bench, command):
        self.output = bench.folder / "output"
        with open(self.output, "w") as output:
            limited = ["prlimit", f"--as={MOST_MEMORY}", *command]
            self.process = bench.spawn(limited, stdout=output, stderr=output)
        self.start, self.peak = time.monotonic(), 0.0

    def runs(self):
        self.peak = max(self.peak, self.memory("VmHWM"))
        return self.process.poll() is None

    def seconds(self):
        return time.monotonic() - self.start

    def memory(self, field="VmRSS"):
        """Memory in MiB; 0 if the process has ended."""
        found = [line.split()[1] for line in self.read("status").splitlines() if line.startswith(f"{field}:")]
        return int(found[0]) / 1024 if found else 0.0

    def cpu_time(self):
        """CPU time in seconds, without that of engines; 0 if the process has ended."""
        fields = self.read("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0

    def read(self, name):
        try:
            return Path(f"/proc/{self.process.pid}/{name}").read_text()
        except OSError:
            return ""

    def wait(self, until=lambda: False):
        """Waits until the command ends or `until` returns true."""
        while self.runs() and not until():
            time.sleep(0.02)
        return self.process.poll()


class Journal:
    """Counts the games of a growing journal."""

    def __init__(self, path):
        self.path, self.games, self.file, self.rest = path, 0, None, b""

    def count(self):
        if self.file is None and self.path.exists():
            self.file = open(self.path, "rb")
        while self.file and (block := self.file.read(1 << 20)):
            lines, _, self.rest = (self.rest + block).rpartition(b"\n")
            self.games += lines.count(b'"event":"game_finished"')
        return self.games
