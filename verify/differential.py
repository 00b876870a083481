"""Compares the referee and our own core with python-chess, over the positions of random games.

Usage: verify/differential.py PROGRAM POSITIONS SEED [VARIANT…], where PROGRAM is the example rule_facts of the harness. Needs
python-chess (pip install chess). Half of the games are standard chess, half begin in a Chess960 position; if variants are
named (crazyhouse, 3check, …), the games are of these in turn, and the core, which plays chess only, has no part in it. To make rare
events occur, a side castles at every second opportunity, one move in three takes back the last move of its side if that is legal,
and every second game avoids captures and pawn moves.
"""

import random
import re
import subprocess
import sys
from collections import Counter

import chess
import chess.variant

LENGTHS = [40, 120, 400]


def random_move(board, rng, is_quiet):
    """A random legal move, chosen as described at the top of the file."""
    moves = list(board.legal_moves)
    castlings = [m for m in moves if board.is_castling(m)]
    if castlings and rng.random() < 0.5:
        return rng.choice(castlings)
    if len(board.move_stack) >= 2 and rng.random() < 0.33:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    if is_quiet:
        moves = [m for m in moves if not board.is_zeroing(m)] or moves
    return rng.choice(moves)


def end_of(board):
    """How the game ended, in the referee's order of precedence and in its words."""
    if board.is_variant_win() or board.is_variant_loss():
        return ("White" if board.turn == board.is_variant_win() else "Black") + " wins by the variant"
    if board.is_variant_draw():
        return "drawn by the variant"
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.is_repetition(3):
        return "threefold repetition"
    if board.halfmove_clock >= 100 and not isinstance(board, chess.variant.CrazyhouseBoard):
        return "fifty moves"
    return "-"


def agreed(fen):
    """The FEN, in crazyhouse without what programs do not agree on and no rule depends on: the order of the pieces in pockets,
    and whether the halfmove clock begins anew when a pawn is dropped."""
    fen = re.sub(r"\[(.*)\]", lambda found: "[" + "".join(sorted(found[1])) + "]", fen)
    return re.sub(r"\d+ (\d+)$", r"\1", fen) if "[" in fen else fen


def expected_lines(board, moves):
    """The expected answer of the program for the game from this position."""
    board = board.copy()
    for move in [*moves, None]:
        fen = agreed(board.fen(en_passant="legal"))
        legal = " ".join(sorted(board.uci(m) for m in board.legal_moves))
        end = end_of(board)
        san = board.san(move) if move else ""
        insufficient = str(board.is_insufficient_material()).lower()
        is_chess = type(board) is chess.Board
        yield [fen, fen, legal, legal, end, insufficient, san] if is_chess else [fen, "", legal, "", end, "", san]
        if move:
            board.push(move)


def random_game(rng, number, variants):
    """The start and the moves of a game."""
    is_chess960 = number % 2 == 1
    if variants:
        start = chess.variant.find_variant(variants[number % len(variants)])()
    else:
        start = chess.Board.from_chess960_pos(rng.randrange(960)) if is_chess960 else chess.Board()
    board = start.copy()
    is_quiet = number // max(len(variants), 2) % 2 == 1
    longest = rng.choice(LENGTHS)
    while len(board.move_stack) < longest and any(board.legal_moves):
        board.push(random_move(board, rng, is_quiet))
    return start, list(board.move_stack)


def main():
    program, wanted, seed, *variants = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]
    rng = random.Random(seed)
    facts = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    positions = games = differences = 0
    ends, rare = Counter(), Counter()
    while positions < wanted:
        start, moves = random_game(rng, games, variants)
        variant = variants[games % len(variants)] if variants else "chess960" if start.chess960 else "standard"
        board, texts = start.copy(), []
        for move in moves:
            texts.append(board.uci(move))
            kinds = [("castlings", board.is_castling(move)), ("en passant", board.is_en_passant(move))]
            kinds.append(("drops", move.drop))
            rare.update(kind for kind, is_so in [*kinds, ("promotions", move.promotion)] if is_so)
            board.push(move)
        facts.stdin.write(f"{variant} {start.fen()} moves {' '.join(texts)}\n")
        facts.stdin.flush()
        for expected in expected_lines(start, moves):
            found = facts.stdout.readline().rstrip("\n").split("\t")
            found[0] = agreed(found[0])
            positions += 1
            ends[expected[4]] += 1
            if found != expected:
                differences += 1
                print(f"{variant} {start.fen()} moves {' '.join(texts)}\n  expected {expected}\n  found    {found}")
        games += 1
    facts.stdin.close()
    told = ", ".join(f"{count} {what}" for what, count in sorted((ends + rare).items()) if what != "-")
    print(f"python-chess {chess.__version__}, seed {seed}: {positions} positions of {games} games; {told}")
    print(f"{differences} differences")
    sys.exit(differences > 0)


main()
