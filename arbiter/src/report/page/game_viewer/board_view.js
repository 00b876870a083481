// The board with its pieces.

const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const SQUARE = 45;

class BoardView {
  constructor(drawing) {
    this.drawing = drawing;
    this.isFlipped = false;
    this.squares = shape("g");
    this.marks = shape("g");
    this.letters = shape("g", { class: "gv-letters" });
    this.pieces = shape("g");
    this.drawing.append(this.squares, this.marks, this.letters, this.pieces);
    for (let number = 0; number < 64; number += 1) this.squares.append(this.tile(number, squareColour(number)));
    this.drawLetters();
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.drawLetters();
    this.show(this.position);
  }

  show(position) {
    this.position = position;
    this.marks.replaceChildren(...position.last.map((number) => this.tile(number, "gv-last")));
    if (position.checkedKing >= 0) this.marks.append(this.tile(position.checkedKing, "gv-check"));
    const pieces = position.squares.flatMap((piece, number) => (piece === " " ? [] : [this.piece(piece, number)]));
    this.pieces.replaceChildren(...pieces);
    this.drawing.dataset.fen = position.fen;
    const moment = position.san ? `after ${position.san}` : "before the first move";
    this.drawing.setAttribute("aria-label", `The board ${moment}`);
  }

  /** Left upper corner of a square. */
  corner(number) {
    const [column, row] = [number % 8, Math.floor(number / 8)];
    return (this.isFlipped ? [7 - column, 7 - row] : [column, row]).map((at) => at * SQUARE);
  }

  tile(number, name) {
    const [x, y] = this.corner(number);
    return shape("rect", { x, y, width: SQUARE, height: SQUARE, class: name });
  }

  piece(letter, number) {
    const [x, y] = this.corner(number);
    const colour = letter === letter.toUpperCase() ? "gv-white" : "gv-black";
    const href = `#gv-${PIECES[letter.toLowerCase()]}`;
    return shape("use", { href, x, y, width: SQUARE, height: SQUARE, class: colour });
  }

  /** The names of files in the lowest squares, of ranks in those on the left. */
  drawLetters() {
    const letters = [];
    for (let at = 0; at < 8; at += 1) {
      const [file, rank] = this.isFlipped ? ["hgfedcba"[at], at + 1] : ["abcdefgh"[at], 8 - at];
      const name = (row, column) => ((row + column) % 2 === 0 ? "gv-on-light" : "gv-on-dark");
      letters.push(
        shape("text", { x: at * SQUARE + 42, y: 357, "text-anchor": "end", class: name(7, at) }, file),
        shape("text", { x: 3, y: at * SQUARE + 11, class: name(at, 0) }, String(rank)),
      );
    }
    this.letters.replaceChildren(...letters);
  }
}

const squareColour = (number) => ((number + Math.floor(number / 8)) % 2 === 0 ? "gv-light" : "gv-dark");
