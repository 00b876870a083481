// One game, and what it is written as. There are no rules of chess here: the data say what every move changes.

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

class Position {
  static start(fen) {
    const [board, turn, ...others] = fen.split(" ");
    const [halfmoves, fullmoves] = others.splice(-2);
    const position = new Position();
    position.pieces = piecesOf(board);
    position.whiteMoves = turn === "w";
    // Pockets come first.
    position.rights = (/\[.*\]/.exec(board) ?? "") + others.join(" ");
    position.halfmoves = Number(halfmoves);
    position.number = Number(fullmoves);
    position.last = "";
    return position;
  }

  /** The position after a move, which is written as `Nf3 g1.f3N`: its name, then squares and what stands on them. */
  after(move, rights) {
    const [san, changes] = move.split(" ");
    const next = Object.assign(new Position(), this, { san, pieces: new Map(this.pieces), last: "" });
    for (const [, square, piece] of changes.matchAll(/([a-h][1-8])(\.|[A-Za-z]~?)/g)) {
      if (piece === ".") next.pieces.delete(square);
      else next.pieces.set(square, piece);
      if (next.last.length < 4) next.last += square;
    }
    next.rights = rights ?? this.rights;
    next.halfmoves = /^[a-h@]|x/.test(san) ? 0 : this.halfmoves + 1;
    next.number = this.number + (this.whiteMoves ? 0 : 1);
    next.whiteMoves = !this.whiteMoves;
    return next;
  }

  get fen() {
    const rank = (digit) => [..."abcdefgh"].map((file) => this.pieces.get(file + digit) ?? " ").join("");
    const ranks = [..."87654321"].map((digit) => rank(digit).replace(/ +/g, (gap) => gap.length));
    const turn = this.whiteMoves ? "w" : "b";
    const [, pockets = "", rights] = /^(\[.*\])?(.*)$/.exec(this.rights);
    return `${ranks.join("/")}${pockets} ${turn} ${rights} ${this.halfmoves} ${this.number}`;
  }
}

class Game {
  constructor(index, entry, record) {
    Object.assign(this, { index, entry, record });
    this.bookPlies = entry.opening.moves.length;
    const rights = new Map(record.rights);
    this.positions = [Position.start(entry.opening.fen)];
    [...entry.opening.moves, ...record.moves].forEach((move, ply) => {
      this.positions.push(this.positions[ply].after(index.moves[move], rights.get(ply + 1)));
    });
    this.clocks = this.readClocks();
  }

  /** The last ply; ply 0 is the position before the first move. */
  get plies() {
    return this.positions.length - 1;
  }

  /** Whether White made the move that led to this ply. */
  isWhite(ply) {
    return !this.positions[ply].whiteMoves;
  }

  /** `12.` or `12…` */
  moveNumber(ply) {
    return `${this.positions[ply - 1].number}${this.isWhite(ply) ? "." : "…"}`;
  }

  /** What the engine told about the move that led to this ply; nothing about moves of the opening. */
  facts(ply) {
    const at = ply - this.bookPlies - 1;
    if (at < 0) return null;
    const told = (column) => this.record[column]?.[at] ?? null;
    const depth = told("depths");
    const extension = told("seldepths");
    return {
      score: told("scores"),
      depth,
      seldepth: extension === null ? null : (depth ?? 0) + extension,
      seconds: this.record.times ? told("times") / 10_000 : null,
      clock: this.clocks[at],
      nodes: told("nodes"),
      pondered: this.record.pondered?.includes(at) ?? false,
    };
  }

  /** The clocks in seconds: the data hold only what a move gave, which is the increment nearly always. */
  readClocks() {
    const left = { true: 0, false: 0 };
    return (this.record.clocks ?? []).map((given, at) => {
      if (given === null) return null;
      const side = this.isWhite(this.bookPlies + at + 1);
      left[side] += given - (this.record.times?.[at] ?? 0);
      return left[side] / 10_000;
    });
  }

  get pgn() {
    const { entry, record, index } = this;
    const tags = [
      ["Event", index.event],
      ["Site", index.site],
      ["Date", record.started?.slice(0, 10).replaceAll("-", ".") ?? "????.??.??"],
      ["Round", `${record.pair}.${entry.number}`],
      ["White", entry.white],
      ["Black", entry.black],
      ["Result", entry.result],
    ];
    if (record.variant) tags.push(["Variant", record.variant]);
    if (record.variant === "Chess960" || entry.opening.fen !== START) {
      tags.push(["SetUp", "1"], ["FEN", entry.opening.fen]);
    }
    const { eco, opening, variation } = record.called ?? {};
    if (eco) tags.push(["ECO", eco], ["Opening", opening]);
    if (variation) tags.push(["Variation", variation]);
    tags.push(["PlyCount", String(this.plies)]);
    const [white, black] = [entry.seats.white, entry.seats.black].map((engine) => index.engines[engine]?.pace ?? "?");
    if (white === black) tags.push(["TimeControl", white]);
    else tags.push(["WhiteTimeControl", white], ["BlackTimeControl", black]);
    tags.push(["Termination", entry.termination]);
    const quoted = (value) => value.replace(/[\\"]/g, "\\$&").replace(/\p{Cc}/gu, " ");
    const head = tags.map(([name, value]) => `[${name} "${quoted(value)}"]`);
    return `${head.join("\n")}\n\n${filled(this.pgnWords())}\n`;
  }

  pgnWords() {
    const words = [];
    for (let ply = 1; ply <= this.plies; ply += 1) {
      if (this.isWhite(ply)) words.push(this.moveNumber(ply));
      else if (ply === 1 || words.at(-1).endsWith("}")) words.push(this.moveNumber(ply).replace("…", "..."));
      words.push(this.positions[ply].san);
      const comment = [this.pgnComment(ply), ply === this.plies ? this.record.ending : ""].filter(Boolean).join(", ");
      if (comment) words.push(...`{${comment.replace(/[{}\s]+/g, " ").trim()}}`.split(" "));
    }
    if (this.plies === 0) words.push(...`{${this.record.ending.replace(/[{}\s]+/g, " ").trim()}}`.split(" "));
    return [...words, this.entry.result];
  }

  /** The score as the side that moved sees it, depth and time, as in `games.pgn`. */
  pgnComment(ply) {
    const facts = this.facts(ply);
    if (!facts) return "book";
    const parts = [];
    if (facts.score !== null) {
      const seen = this.isWhite(ply) ? facts.score : opposite(facts.score);
      parts.push(scoreText(seen).replace("−", "-") + (facts.depth === null ? "" : `/${facts.depth}`));
    }
    if (facts.seconds !== null) parts.push(`${facts.seconds.toFixed(3)}s`);
    return parts.join(" ");
  }
}

/** Words in lines of at most 79 columns. */
function filled(words) {
  let column = 0;
  return words.reduce((text, word) => {
    const fits = column === 0 || column + 1 + word.length <= 79;
    const gap = column === 0 ? "" : fits ? " " : "\n";
    column = fits && gap ? column + 1 + word.length : word.length;
    return text + gap + word;
  }, "");
}
