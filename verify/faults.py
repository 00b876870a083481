"""Plays a short match again and again while the system fails, and continues it afterwards.

Usage: verify/faults.py ARBITER MOCK_ENGINE ROUNDS SEED. Needs Linux, strace and a C compiler; full file systems are only
tested as root. Each round causes one of these faults:

- a kind of system call of the harness fails once, or from some moment on: writes and syncs of the run folder with ENOSPC
  or EIO; opening files, starting threads and processes, and making pipes with EMFILE, EAGAIN or ENOMEM;
- there are too few file descriptors, or there is too little memory;
- the file system of the run folder is full after some kilobytes, and gets more room afterwards;
- each sync takes a tenth of a second;
- the harness is stopped and continued, again and again;
- the system clock jumps back and forth by up to a year.

In every case the program must end by itself with a documented exit code, without a panic and without leaving a process,
and `arbiter resume` must play the rest. Without enough memory it may also abort, like every Rust program. If the fault
affects only the harness and not the engines, the games must be those of a match without the fault.

Not tested are failures at which Rust's standard library or tokio abort or panic themselves: no memory for a thread's
stack, and an interrupted write to an eventfd, which does not occur on Linux.
"""

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field

from bench import Bench

GAMES = 12
LONGEST = 120
# The codes in docs/guide/exit-codes.md, except for the code of a crash.
EXIT_CODES = {0, 2, 3, 4, 5}

STRACE = ["strace", "-f", "-qq", "-o", "/dev/null"]
FILE_CALLS = ["write", "fsync", "fdatasync", "ftruncate", "openat", "rename"]
FILE_ERRORS = ["ENOSPC", "EIO", "EDQUOT"]
OTHER_CALLS = {
    "openat": ["EMFILE", "ENFILE", "EINTR"],
    "clone3": ["EAGAIN", "ENOMEM"],
    "pipe2": ["EMFILE"],
    "socket": ["EMFILE"],
    "epoll_create1": ["EMFILE"],
    "read": ["EINTR"],
}
# Every reading of the system clock is off by up to a year; the monotonic clock is unchanged.
UNSTEADY_CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (clock == CLOCK_REALTIME) time->tv_sec += random() % 63072000 - 31536000;
    return result;
}
"""


@dataclass
class Fault:
    """The fault of a round."""

    name: str
    # The command prefix and the environment variables that cause the fault.
    before: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    # The size of the file system of the run folder, in bytes.
    room: int | None = None
    is_stopped: bool = False
    # Whether engines are not affected, so that the games are the same as without the fault.
    is_repeatable: bool = True
    may_abort: bool = False


def match(bench, out):
    played = ["match", "well", "well:Hash=2", "--openings", "book.epd", "--seed", "1", "--nodes", "20"]
    return [bench.arbiter, *played, "--maxmoves", "20", "--games", str(GAMES), "--out", out]


def games(bench, out):
    """The part of games.pgn that does not differ between runs."""
    pgn = (bench.folder / out / "games.pgn").read_text().replace(f'"{out}"', "")
    return re.sub(r"\[(Date|UTC\w+|GameStartTime|GameEndTime|GameDuration|EndTime|Event|Site) .*\]\n", "", pgn)


def failing_file(rng, folder):
    call, error = rng.choice(FILE_CALLS), rng.choice(FILE_ERRORS)
    paths = [word for path in ("", "/events.jsonl", "/games.pgn", "/run.toml") for word in ("-P", f"{folder}/run{path}")]
    inject = f"inject={call}:error={error}:when={moment(rng)}"
    return Fault("failing file", [*STRACE, *paths, "-e", f"trace={call}", "-e", inject])


def failing_call(rng, _):
    call = rng.choice(list(OTHER_CALLS))
    error = rng.choice(OTHER_CALLS[call])
    when = moment(rng)
    # An interrupted call is repeated, so it must not be interrupted every time.
    when = when.rstrip("+") if error == "EINTR" else when
    inject = f"inject={call}:error={error}:when={when}"
    return Fault("failing call", [*STRACE, "-e", f"trace={call}", "-e", inject], is_repeatable=False)


def moment(rng):
    return f"{rng.choice([1, 2, 3, 5, 10, 20, 50, 100])}{rng.choice(['', '+'])}"


def few_descriptors(rng, _):
    return Fault("few descriptors", ["prlimit", f"--nofile={rng.randrange(8, 40)}"], is_repeatable=False)


def little_memory(rng, _):
    limit = rng.randrange(20, 400) << 20
    return Fault("little memory", ["prlimit", f"--as={limit}"], is_repeatable=False, may_abort=True)


def full_file_system(rng, _):
    return Fault("full file system", room=rng.randrange(4, 120) << 10)


def slow_syncs(_, folder):
    inject = "inject=fsync,fdatasync:delay_enter=100000"
    return Fault("slow syncs", [*STRACE, "-P", f"{folder}/run/events.jsonl", "-e", "trace=fsync,fdatasync", "-e", inject])


def stopped(_, __):
    return Fault("stopped", is_stopped=True)


def unsteady_clock(_, folder):
    return Fault("unsteady clock", environment={"LD_PRELOAD": f"{folder}/clock.so"})


FAULTS = [failing_file] * 4 + [failing_call] * 3
FAULTS += [few_descriptors, little_memory, slow_syncs, stopped, unsteady_clock] + [full_file_system] * (os.geteuid() == 0)


@contextlib.contextmanager
def file_system(bench, room):
    """A separate file system for the run folder, which is full after `room` bytes and gets more room afterwards."""
    place = bench.folder / "run"
    if room is None:
        yield
        return
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}", "none", place], check=True)
    try:
        yield
        subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
    except BaseException:
        subprocess.run(["umount", place], check=True)
        raise


def play(bench, rng, fault):
    """Plays the match with this fault."""
    command = [*fault.before, *match(bench, "run")]
    ran = bench.spawn(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, more=fault.environment)
    end = time.monotonic() + LONGEST
    while fault.is_stopped and ran.poll() is None and time.monotonic() < end:
        ran.send_signal(signal.SIGSTOP)
        time.sleep(rng.random() * 0.1)
        ran.send_signal(signal.SIGCONT)
        time.sleep(rng.random() * 0.1)
    try:
        _, errors = ran.communicate(timeout=max(end - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        ran.kill()
        raise
    return ran.returncode, errors


def trouble_of(bench, whole, fault, code, errors):
    """What went wrong because of the fault; None if nothing did."""
    if code == 127:
        # The fault came before the program started: its libraries were not loaded.
        return None
    is_aborted = fault.may_abort and (code == -signal.SIGABRT or "memory" in errors)
    if (code not in EXIT_CODES or "panicked" in errors) and not is_aborted:
        return f"exit code {code}: {errors[-600:]}"
    if left := bench.processes_left(LONGEST):
        return f"left behind: {left}"
    if not (bench.folder / "run/run.toml").exists() or not (bench.folder / "run/events.jsonl").exists():
        return None
    resumed = bench.run([bench.arbiter, "resume", "run"], LONGEST)
    if resumed.returncode != 0:
        return f"resume ends with {resumed.returncode}: {resumed.stderr[-600:]}"
    if fault.is_repeatable and games(bench, "run") != whole:
        return "other games than without the fault"
    return None


def main():
    arbiter, engine, rounds, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    rng = random.Random(seed)
    kinds, codes, troubles = Counter(), Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, arbiter, engine)
        (bench.folder / "clock.c").write_text(UNSTEADY_CLOCK)
        bench.run(["cc", "-shared", "-fPIC", "-o", "clock.so", "clock.c", "-ldl"]).check_returncode()
        bench.run(match(bench, "whole"), LONGEST).check_returncode()
        whole = games(bench, "whole")
        for _ in range(rounds):
            fault = rng.choice(FAULTS)(rng, folder)
            kinds[fault.name] += 1
            with file_system(bench, fault.room):
                try:
                    code, errors = play(bench, rng, fault)
                    codes[code] += 1
                except subprocess.TimeoutExpired:
                    code, errors = None, f"not over after {LONGEST} seconds"
            trouble = trouble_of(bench, whole, fault, code, errors)
            if trouble:
                troubles += 1
                print(f"{fault}\n  {trouble}", flush=True)
            if fault.room is not None:
                subprocess.run(["umount", bench.folder / "run"], check=True)
            shutil.rmtree(bench.folder / "run", ignore_errors=True)
    told = ", ".join(f"{count} {name}" for name, count in sorted(kinds.items()))
    ends = ", ".join(f"{count} ended with {code}" for code, count in sorted(codes.items()))
    print(f"seed {seed}: {rounds} faults ({told}); {ends}")
    print(f"{troubles} troubles")
    sys.exit(troubles > 0)


main()
