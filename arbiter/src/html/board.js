// A board, on every page that has one. Squares go by their names.

const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const SQUARE = 45;

/** The pieces of a FEN by the names of their squares. */
function piecesOf(fen) {
  const pieces = new Map();
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const [letter] of row.replace(/\[.*/, "").matchAll(/\d|\w~?/g)) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else pieces.set("abcdefgh"[file++] + (8 - index), letter);
    }
  });
  return pieces;
}

const isWhite = (piece) => piece < "a";

/** What a FEN has beside the board, of White and Black: the pieces in their pockets, or the checks that they still need. */
function besideOf(fen) {
  const pockets = /\[(.*)\]/.exec(fen)?.[1];
  if (pockets !== undefined) {
    return [true, false].map((white) => [..."QRBNPqrbnp"].filter((letter) => isWhite(letter) === white)
      .map((letter) => ({ letter, count: pockets.split(letter).length - 1 })).filter(({ count }) => count > 0));
  }
  return / (\d)\+(\d) /.exec(fen)?.slice(1).map((left) => [{ letter: "", count: `${left} left` }]);
}

const turnOf = (fen) => (fen.split(" ")[1] === "b" ? "black" : "white");

/** A board. `view` has a FEN, and optionally the last move, check, and the side at the bottom. */
class Board {
  constructor() {
    this.below = "white";
    this.layers = ["squares", "marks", "letters", "pieces", "above", "beside"].map((name) => shape("g", { class: name }));
    this.drawing = shape("svg", { class: "board", viewBox: "0 0 360 360", role: "img" }, ...this.layers);
    [this.squares, this.marks, this.letters, this.pieces, this.above, this.beside] = this.layers;
    this.drawGround();
  }

  show(view) {
    if (view.below && view.below !== this.below) {
      this.below = view.below;
      this.drawGround();
    }
    this.view = view;
    const pieces = piecesOf(view.fen);
    // A drop, N@f3, has one square.
    const last = view.last?.match(/[a-h][1-8]/g)?.slice(0, 2) ?? [];
    const king = view.check && [...pieces].find(([, piece]) => piece === (turnOf(view.fen) === "white" ? "K" : "k"));
    this.marks.replaceChildren(...last.map((name) => this.tile(name, "last")));
    if (king) this.marks.append(this.tile(king[0], "check"));
    this.pieces.replaceChildren(...[...pieces].map(([name, piece]) => this.piece(name, piece)));
    this.showBeside(besideOf(view.fen));
    this.drawing.dataset.fen = view.fen;
    this.drawing.setAttribute("aria-label", view.label || `The board, ${turnOf(view.fen)} to move`);
  }

  /** Pockets or checks, in a column at the right, each at its side's end. */
  showBeside(sides) {
    const width = sides ? 9 : 8;
    this.drawing.setAttribute("viewBox", `0 0 ${width * SQUARE} 360`);
    this.drawing.style.aspectRatio = `${width} / 8`;
    this.beside.replaceChildren(...(sides ?? []).flatMap((entries, side) => entries.flatMap(({ letter, count }, place) => {
      const isBelow = (side === 0) === (this.below === "white");
      const y = isBelow ? 324 - 36 * place : 36 * place;
      const text = shape("text", { x: 362, y: y + 32, class: "on-light" }, String(count));
      if (!letter) return [text];
      const href = `#gv-${PIECES[letter.toLowerCase()]}`;
      return [shape("use", { href, x: 369, y, width: 36, height: 36, class: isWhite(letter) ? "white" : "black" }), text];
    })));
  }

  /** The upper left corner of a square. */
  corner(name) {
    const [file, rank] = ["abcdefgh".indexOf(name[0]), Number(name[1]) - 1];
    const [column, row] = this.below === "white" ? [file, 7 - rank] : [7 - file, rank];
    return [column * SQUARE, row * SQUARE];
  }

  /** The square at a point of the window. */
  squareAt(event) {
    const box = this.drawing.getBoundingClientRect();
    const [column, row] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((at) =>
      Math.floor(at * 8));
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return this.below === "white" ? "abcdefgh"[column] + (8 - row) : "abcdefgh"[7 - column] + (row + 1);
  }

  tile(name, kind) {
    const [x, y] = this.corner(name);
    return shape("rect", { x, y, width: SQUARE, height: SQUARE, class: kind });
  }

  piece(name, letter) {
    const [x, y] = this.corner(name);
    const side = isWhite(letter) ? "white" : "black";
    const href = `#gv-${PIECES[letter[0].toLowerCase()]}`;
    return shape("use", { href, x, y, width: SQUARE, height: SQUARE, class: side, "data-square": name });
  }

  drawGround() {
    const names = [..."abcdefgh"].flatMap((file) => [..."12345678"].map((rank) => file + rank));
    const shade = (name) => ("abcdefgh".indexOf(name[0]) + Number(name[1])) % 2 === 0 ? "light" : "dark";
    this.squares.replaceChildren(...names.map((name) => this.tile(name, shade(name))));
    const lowest = this.below === "white" ? "1" : "8";
    const leftmost = this.below === "white" ? "a" : "h";
    const letters = names.flatMap((name) => {
      const [x, y] = this.corner(name);
      const written = { class: `on-${shade(name)}` };
      return [
        ...(name[1] === lowest ? [shape("text", { ...written, x: x + 42, y: y + 42, "text-anchor": "end" }, name[0])] : []),
        ...(name[0] === leftmost ? [shape("text", { ...written, x: x + 3, y: y + 11 }, name[1])] : []),
      ];
    });
    this.letters.replaceChildren(...letters);
  }
}
