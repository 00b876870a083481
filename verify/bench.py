"""Shared by the scripts in which the harness plays: a folder with engines that answer at once, and its processes."""

import os
import subprocess
import time
from pathlib import Path


class Bench:
    """A folder to play in, with a book of two openings and mock engines that are named after their modes."""

    BOOK = """rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
"""

    def __init__(self, folder, arbiter, engine, modes=("well",)):
        self.folder, self.arbiter, self.engine = Path(folder), os.path.abspath(arbiter), os.path.abspath(engine)
        (self.folder / "book.epd").write_text(self.BOOK)
        for mode in modes:
            self.add_program(mode, self.engine, f"args = ['{mode}']\n")
        self.environment = {**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": f"{folder}/cache"}

    def add_program(self, name, program, more=""):
        manifest = self.folder / f"engines/{name}/engine.toml"
        manifest.parent.mkdir(parents=True)
        manifest.write_text(f"name = '{name}'\ncommand = '{program}'\n{more}")

    def run(self, command, seconds=None):
        """Runs a command to its end."""
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=seconds
        )

    def spawn(self, command, more=(), **how):
        """Starts a command; `more` is added to its environment."""
        environment = {**self.environment, **dict(more)}
        return subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, text=True, **how)

    def processes(self):
        """The command lines of the processes that run in the folder."""
        found = []
        for process in Path("/proc").iterdir():
            try:
                if process.name.isdigit() and os.readlink(process / "cwd").startswith(str(self.folder)):
                    found.append((process / "cmdline").read_text())
            except OSError:
                pass
        return found

    def processes_left(self, patience):
        """The command lines of the processes that have not ended after this many seconds."""
        end = time.monotonic() + patience
        while (left := self.processes()) and time.monotonic() < end:
            time.sleep(0.005)
        return left
