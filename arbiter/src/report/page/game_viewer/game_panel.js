// The chosen game: the board, the moves, what was told about each, and the buttons.

/** How many colours the page has for engines, `--c0` and on. */
const COLOURS = 8;

class GamePanel {
  constructor(root) {
    this.root = root.querySelector(".gv-game");
    const find = (name) => this.root.querySelector(`.gv-${name}`);
    this.title = find("title");
    this.ending = find("ending");
    this.opening = find("opening");
    this.notes = find("notes");
    this.players = { top: find("top"), bottom: find("bottom") };
    this.facts = find("facts");
    this.moves = find("moves");
    this.live = find("live");
    this.copied = find("copied");
    this.legend = find("legend");
    this.isFlipped = false;
    this.board = new Board();
    find("board").replaceWith(this.board.drawing);
    this.graph = new EvaluationGraph(find("graph"), (ply) => this.goTo(ply));
    this.actions = {
      first: () => this.goTo(0),
      back: () => this.goTo(this.ply - 1),
      forward: () => this.goTo(this.ply + 1),
      last: () => this.goTo(Infinity),
      flip: () => this.flip(),
      fen: () => this.copy("FEN", this.position.fen),
      pgn: () => this.copy("PGN", this.game.pgn),
    };
    for (const button of this.root.querySelectorAll("[data-action]")) {
      button.addEventListener("click", () => this.act(button.dataset.action));
    }
  }

  /** Does what a button or a key stands for, as soon as there is a game. */
  act(action) {
    if (this.game) this.actions[action]();
  }

  get position() {
    return this.game.positions[this.ply];
  }

  show(game, ply) {
    this.game = game;
    const { entry, record } = game;
    this.title.replaceChildren(
      element("span", { class: "gv-number" }, `Game ${countText(entry.number)}`),
      ` ${entry.white} – ${entry.black} `,
      element("span", { class: "gv-score" }, entry.score),
    );
    this.ending.textContent = record.ending;
    this.ending.classList.toggle("gv-faulty", entry.isFaulty);
    this.showNotes();
    this.colour();
    this.legend.replaceChildren(
      element("span", { class: "gv-key gv-by-white" }, entry.white),
      element("span", { class: "gv-key gv-by-black" }, entry.black),
      element("span", {}, "score as White sees it"),
    );
    this.listMoves();
    this.graph.show(game);
    this.goTo(ply ?? Infinity);
  }

  /** Engines have the colours that they have in the rest of the page, and never the same. */
  colour() {
    const { white, black } = this.game.entry.seats;
    const first = white % COLOURS;
    const second = black % COLOURS === first ? (first + 1) % COLOURS : black % COLOURS;
    this.root.style.setProperty("--gv-white-line", `var(--c${first}, #0072b2)`);
    this.root.style.setProperty("--gv-black-line", `var(--c${second}, #d55e00)`);
  }

  showNotes() {
    const { entry, record } = this.game;
    const { eco, opening, variation } = record.called ?? {};
    const called = eco ? `${eco} ${[opening, variation].filter(Boolean).join(": ")}. ` : "";
    this.opening.textContent = `${called}Opening ${countText(entry.opening.number)}: ${openingText(entry.opening)}`;
    const notes = [...(record.warnings ?? [])];
    if (record.trouble) notes.push(record.trouble);
    if (entry.isAfterDecision) notes.push("In flight when the test decided; not counted.");
    this.notes.replaceChildren(...notes.map((note) => element("li", {}, note)));
    if (record.log) this.notes.append(element("li", {}, element("a", { href: record.log }, "protocol of the game")));
  }

  listMoves() {
    const { game } = this;
    this.buttons = [null];
    const rows = [];
    for (let ply = 1; ply <= game.plies; ply += 1) {
      if (game.isWhite(ply) || ply === 1) {
        rows.push(element("li", {}, element("span", { class: "gv-count" }, `${game.positions[ply - 1].number}.`)));
        if (!game.isWhite(ply)) rows.at(-1).append(element("span", { class: "gv-gap" }, "…"));
      }
      const facts = game.facts(ply);
      const button = element(
        "button",
        { type: "button", tabindex: -1, class: facts ? null : "gv-from-book", click: () => this.goTo(ply) },
        game.positions[ply].san,
        element("small", {}, facts ? scoreText(facts.score) : "book"),
      );
      rows.at(-1).append(button);
      this.buttons.push(button);
    }
    this.moves.replaceChildren(...rows);
  }

  goTo(ply) {
    this.ply = Math.min(this.game.plies, Math.max(0, ply));
    this.showBoard();
    this.graph.point(this.ply);
    this.showPlayers();
    this.showFacts();
    this.markMove();
  }

  /** Marks the present move among the others, and rolls it into sight. */
  markMove() {
    for (const button of this.moves.querySelectorAll("[aria-current]")) mark(button, "aria-current", null);
    const button = this.buttons[this.ply];
    if (button) mark(button, "aria-current", "true");
    const row = button?.parentElement;
    this.moves.scrollTop = row ? row.offsetTop - (this.moves.clientHeight - row.offsetHeight) / 2 : 0;
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.showBoard();
    this.showPlayers();
  }

  showBoard() {
    const { fen, last, san } = this.position;
    const label = `The board ${san ? `after ${san}` : "before the first move"}`;
    this.board.show({ fen, last, check: /[+#]$/.test(san), below: this.isFlipped ? "black" : "white", label });
  }

  /** Names and clocks beside the board, as after the present move. */
  showPlayers() {
    for (const [place, isWhite] of [["top", this.isFlipped], ["bottom", !this.isFlipped]]) {
      const { entry } = this.game;
      let ply = this.ply;
      while (ply > 0 && this.game.isWhite(ply) !== isWhite) ply -= 1;
      const facts = ply > 0 ? this.game.facts(ply) : null;
      const isToMove = this.position.whiteMoves === isWhite && this.ply < this.game.plies;
      this.players[place].replaceChildren(
        element("span", { class: `gv-side ${isWhite ? "gv-side-white" : "gv-side-black"}` }),
        element("strong", {}, isWhite ? entry.white : entry.black),
        element("span", { class: isToMove ? "gv-turn" : null }, isToMove ? "to move" : ""),
        element("span", { class: "gv-clock" }, clockText(facts?.clock)),
      );
    }
  }

  showFacts() {
    const { game, ply } = this;
    const facts = ply > 0 ? game.facts(ply) : null;
    const move = ply > 0 ? `${game.moveNumber(ply)} ${this.position.san}` : "Before the first move";
    const depth = facts?.depth ?? null;
    const pairs = [
      ["Move", move],
      ["Score", facts ? scoreText(facts.score) : ply > 0 ? "book" : "–"],
      ["Depth", depth === null ? "–" : facts.seldepth === null ? `${depth}` : `${depth}/${facts.seldepth}`],
      ["Time", timeText(facts?.seconds)],
      ["Nodes", countText(facts?.nodes ?? null)],
      ["Speed", facts ? speedText(facts) : "–"],
    ];
    if (facts?.pondered) pairs.push(["Pondered", "yes"]);
    this.facts.replaceChildren(
      ...pairs.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
    );
    this.live.textContent = facts ? `${move}, ${scoreText(facts.score)}` : move;
  }

  async copy(name, text) {
    const isDone = await intoClipboard(text);
    clearTimeout(this.forgetting);
    if (isDone) {
      this.copied.textContent = `${name} copied`;
      this.forgetting = setTimeout(() => this.copied.replaceChildren(), 3000);
    } else {
      const area = element("textarea", { readonly: "", rows: 6, "aria-label": name }, text);
      this.copied.replaceChildren("The browser does not let this page copy; here it is:", area);
      area.select();
    }
  }
}

/** Whether the text is in the clipboard now. Browsers differ in what they let a page from disk do. */
async function intoClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { readonly: "", class: "gv-live" }, text);
    document.body.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    return isDone;
  }
}
