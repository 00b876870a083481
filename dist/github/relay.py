#!/usr/bin/env python3
"""The pool as the player of a shard on GitHub sees it, for `--pool-by`: hands the line of the shard to play.py, which has the
token, and prints what that answers.

Usage: relay.py SOCKET
"""

import socket
import sys


def main():
    with socket.socket(socket.AF_UNIX) as pool:
        pool.settimeout(200)
        try:
            pool.connect(sys.argv[1])
            pool.sendall(sys.stdin.buffer.readline())
            word, _, lines = pool.makefile(encoding="utf-8").read().partition("\n")
        except OSError as error:
            sys.exit(f"{sys.argv[1]}: {error}")
    if word != "ok":
        sys.exit(word or f"{sys.argv[1]}: no answer")
    print(lines, end="")


if __name__ == "__main__":
    main()
