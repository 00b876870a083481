// How the engines judged the game as it went by, and how long they thought about each move.

const LINES = [
  ["+M", 1],
  ["+5", height(500)],
  ["+2", height(200)],
  ["+1", height(100)],
  ["0", 0],
  ["−1", height(-100)],
  ["−2", height(-200)],
  ["−5", height(-500)],
  ["−M", -1],
];
const MARGIN = { left: 34, right: 8, top: 8 };
const SCORES = 170;
const GAP = 28;
const TIMES = 56;

class EvaluationGraph {
  /** `goTo` is called with the ply that was pointed at. */
  constructor(drawing, goTo) {
    this.drawing = drawing;
    this.goTo = goTo;
    const follow = (event) => {
      if (this.game && (event.type === "pointerdown" || event.buttons === 1)) goTo(this.plyAt(event));
    };
    drawing.addEventListener("pointerdown", follow);
    drawing.addEventListener("pointermove", follow);
    new ResizeObserver(() => this.game && this.draw()).observe(drawing);
  }

  show(game) {
    this.game = game;
    this.ply = game.plies;
    this.draw();
  }

  /** Moves the mark of the present move. */
  point(ply) {
    this.ply = ply;
    mark(this.cursor, "x1", this.x(ply));
    mark(this.cursor, "x2", this.x(ply));
    const score = ply > 0 ? this.game.facts(ply)?.score ?? null : null;
    mark(this.dot, "display", score === null ? "none" : null);
    if (score !== null) {
      mark(this.dot, "cx", this.x(ply));
      mark(this.dot, "cy", this.y(score));
      mark(this.dot, "class", this.game.isWhite(ply) ? "gv-dot gv-by-white" : "gv-dot gv-by-black");
    }
  }

  x(ply) {
    return MARGIN.left + (ply / Math.max(1, this.game.plies)) * this.width;
  }

  y(score) {
    return this.level(height(score));
  }

  level(share) {
    return MARGIN.top + ((1 - share) / 2) * SCORES;
  }

  plyAt(event) {
    const x = event.clientX - this.drawing.getBoundingClientRect().left;
    const share = (x - MARGIN.left) / this.width;
    return Math.round(Math.min(1, Math.max(0, share)) * this.game.plies);
  }

  draw() {
    const full = this.drawing.clientWidth || 600;
    this.width = full - MARGIN.left - MARGIN.right;
    this.drawing.setAttribute("viewBox", `0 0 ${full} ${MARGIN.top + SCORES + GAP + TIMES}`);
    this.cursor = shape("line", { class: "gv-cursor", y1: MARGIN.top, y2: MARGIN.top + SCORES + GAP + TIMES });
    this.dot = shape("circle", { r: 4.5 });
    this.drawing.replaceChildren(
      ...this.scale(),
      ...this.times(),
      this.cursor,
      this.curve(false),
      this.curve(true),
      this.dot,
    );
    this.point(this.ply);
  }

  scale() {
    const width = this.x(this.game.bookPlies) - MARGIN.left;
    const book = shape("rect", { class: "gv-book", x: MARGIN.left, y: MARGIN.top, width, height: SCORES });
    const name = shape("text", { x: MARGIN.left + 6, y: MARGIN.top + SCORES - 6 }, width > 40 ? "opening" : "");
    const lines = LINES.flatMap(([name, share]) => {
      const y = this.level(share);
      return [
        this.rule(y, share === 0),
        shape("text", { x: MARGIN.left - 6, y: y + 3.5, "text-anchor": "end" }, name),
      ];
    });
    return [book, name, ...lines];
  }

  /** A line across the graph. */
  rule(y, isZero) {
    const name = isZero ? "gv-zero" : "gv-rule";
    return shape("line", { class: name, x1: MARGIN.left, x2: MARGIN.left + this.width, y1: y, y2: y });
  }

  /** The scores of one engine, as a line through its own moves. */
  curve(isWhite) {
    const points = [];
    for (let ply = this.game.bookPlies + 1; ply <= this.game.plies; ply += 1) {
      const score = this.game.facts(ply).score;
      if (this.game.isWhite(ply) === isWhite && score !== null) {
        points.push(`${this.x(ply).toFixed(1)},${this.y(score).toFixed(1)}`);
      }
    }
    const name = isWhite ? "gv-curve gv-by-white" : "gv-curve gv-by-black";
    return shape("polyline", { class: name, points: points.join(" ") });
  }

  /** Time per move: White's up, Black's down. */
  times() {
    const { game } = this;
    const middle = MARGIN.top + SCORES + GAP + TIMES / 2;
    const plies = Array.from({ length: game.plies - game.bookPlies }, (_, at) => game.bookPlies + 1 + at);
    if (plies.length === 0 || !game.record.times) return [];
    const longest = Math.max(...plies.map((ply) => game.facts(ply).seconds), 1e-9);
    const width = Math.max(1, Math.min(6, (this.width / Math.max(1, game.plies)) * 1.4));
    const bars = plies.map((ply) => {
      const length = (game.facts(ply).seconds / longest) * (TIMES / 2 - 1);
      const isWhite = game.isWhite(ply);
      const y = isWhite ? middle - length : middle;
      const name = isWhite ? "gv-bar gv-by-white" : "gv-bar gv-by-black";
      return shape("rect", { class: name, x: this.x(ply) - width / 2, y, width, height: length });
    });
    return [
      this.rule(middle, true),
      shape("text", { x: MARGIN.left - 6, y: middle + 3.5, "text-anchor": "end" }, "0 s"),
      shape(
        "text",
        { x: MARGIN.left, y: middle - TIMES / 2 - 6 },
        `time per move, at most ${timeText(longest)}`,
      ),
      ...bars,
    ];
  }
}
