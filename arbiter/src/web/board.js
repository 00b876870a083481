// Shared by all pages: elements, the board, the clocks, and the connection to the server.

const SVG = "http://www.w3.org/2000/svg";
const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const SQUARE = 45;

/** Creates an HTML element with attributes (functions are listeners) and children. Strings become text nodes. */
const make = (name, attributes = {}, ...children) => furnish(document.createElement(name), attributes, children);

/** The same for an SVG element. */
const draw = (name, attributes = {}, ...children) =>
  furnish(document.createElementNS(SVG, name), attributes, children);

function furnish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const find = (selector) => document.querySelector(selector);

/** The pieces of a FEN by the names of their squares. */
function piecesOf(fen) {
  const pieces = new Map();
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else pieces.set("abcdefgh"[file++] + (8 - index), letter);
    }
  });
  return pieces;
}

const turnOf = (fen) => (fen.split(" ")[1] === "b" ? "black" : "white");

/** A board. `view` has a FEN, and optionally the last move, check, and the side at the bottom. */
class Board {
  constructor() {
    this.below = "white";
    this.layers = ["squares", "marks", "letters", "pieces", "above"].map((name) => draw("g", { class: name }));
    this.drawing = draw("svg", { class: "board", viewBox: "0 0 360 360", role: "img" }, ...this.layers);
    [this.squares, this.marks, this.letters, this.pieces, this.above] = this.layers;
    this.drawGround();
  }

  show(view) {
    if (view.below && view.below !== this.below) {
      this.below = view.below;
      this.drawGround();
    }
    this.view = view;
    const pieces = piecesOf(view.fen);
    const last = view.last ? [view.last.slice(0, 2), view.last.slice(2, 4)] : [];
    const king = view.check && [...pieces].find(([, piece]) => piece === (turnOf(view.fen) === "white" ? "K" : "k"));
    this.marks.replaceChildren(...last.map((name) => this.tile(name, "last")));
    if (king) this.marks.append(this.tile(king[0], "check"));
    this.pieces.replaceChildren(...[...pieces].map(([name, piece]) => this.piece(name, piece)));
    this.drawing.dataset.fen = view.fen;
    this.drawing.setAttribute("aria-label", view.label || `The board, ${turnOf(view.fen)} to move`);
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
    return draw("rect", { x, y, width: SQUARE, height: SQUARE, class: kind });
  }

  piece(name, letter) {
    const [x, y] = this.corner(name);
    const side = letter === letter.toUpperCase() ? "white" : "black";
    const href = `#gv-${PIECES[letter.toLowerCase()]}`;
    return draw("use", { href, x, y, width: SQUARE, height: SQUARE, class: side, "data-square": name });
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
        ...(name[1] === lowest ? [draw("text", { ...written, x: x + 42, y: y + 42, "text-anchor": "end" }, name[0])] : []),
        ...(name[0] === leftmost ? [draw("text", { ...written, x: x + 3, y: y + 11 }, name[1])] : []),
      ];
    });
    this.letters.replaceChildren(...letters);
  }
}

/** The text of a clock, rounded down. */
function clockText(millis) {
  const left = Math.max(0, millis);
  const seconds = Math.floor(left / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  const tenths = left < 20000 ? `.${Math.floor(left / 100) % 10}` : "";
  return `${minutes}:${two(seconds % 60)}${tenths}`;
}

/** A line with a player's name, a remark and a clock. */
class PlayerLine {
  constructor(side) {
    this.name = make("strong");
    this.remark = make("small");
    this.clock = make("span", { class: "clock" });
    this.line = make("div", { class: "player" },
      make("span", { class: `side ${side}`, title: side }), this.name, this.remark, this.clock);
  }

  /** `left` is in milliseconds at the time `since`, which is null while the clock is stopped. */
  show(name, remark, left, since) {
    Object.assign(this, { left, since });
    this.name.textContent = name;
    this.remark.textContent = remark;
    this.clock.classList.toggle("runs", since !== null && since !== undefined);
    this.tick();
  }

  tick() {
    const hasClock = this.left !== null && this.left !== undefined;
    this.clock.hidden = !hasClock;
    if (!hasClock) return;
    const spent = this.since === null || this.since === undefined ? 0 : Math.max(0, Date.now() - this.since);
    this.clock.textContent = clockText(this.left - spent);
  }
}

/** Moves as buttons, with their numbers; `choose` gets the number of half-moves. */
function moveButtons(moves, first, whiteBegins, present, choose) {
  const items = [];
  moves.forEach((san, index) => {
    const ply = index + (whiteBegins ? 0 : 1);
    if (ply % 2 === 0 || index === 0) items.push(make("span", {}, `${first + Math.floor(ply / 2)}.${ply % 2 ? ".." : ""}`));
    const current = index + 1 === present ? "true" : null;
    items.push(make("button", { type: "button", "aria-current": current, click: () => choose(index + 1) }, san));
  });
  return items;
}

/** Shows each state that the server sends. The browser reconnects after a lost connection. */
function listen(show) {
  const lost = find("#lost");
  const source = new EventSource("events");
  source.onmessage = (event) => {
    lost.hidden = true;
    show(JSON.parse(event.data));
  };
  source.onerror = () => { lost.hidden = false; };
}
