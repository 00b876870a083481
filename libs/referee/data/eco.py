"""Makes eco.txt of the five files of github.com/lichess-org/chess-openings: python3 eco.py a.tsv b.tsv c.tsv d.tsv e.tsv > eco.txt

Of a name the opening and its variation are kept (`Sicilian Defense: Najdorf Variation`), not what a second comma divides.
A line that ends under the same code and name as the longest line it continues says nothing new and is left out.
"""

import re
import sys

HEAD = """\
# ECO codes and names of openings, for the tags of games and for pages. Facts of github.com/lichess-org/chess-openings
# (public domain, CC0) at 51b88624, made into this table by eco.py beside it; `cargo test -p arbiter-referee` plays all lines.
# A row: plies shared with the row above, further moves, code, name. `:` at the front of a name is the opening of the row
# above, and `=` is the whole name of the row above.
"""

lines = {}
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as rows:
        for row in list(rows)[1:]:
            code, name, moves = row.rstrip("\n").split("\t")
            moves = tuple(re.sub(r"\d+\.+ *", "", moves).split())
            lines[moves] = (code, name.split(",")[0])

print(HEAD, end="")
path, last = (), ""
for moves in sorted(lines):
    code, name = lines[moves]
    before = next((lines[moves[:n]] for n in range(len(moves) - 1, 0, -1) if moves[:n] in lines), None)
    if before == (code, name):
        continue
    shared = next((n for n, (a, b) in enumerate(zip(moves, path)) if a != b), min(len(moves), len(path)))
    opening = name.split(":")[0]
    short = "=" if name == last else name[len(opening):] if ":" in name and opening == last.split(":")[0] else name
    print(shared, *moves[shared:], code, short)
    path, last = moves, name
