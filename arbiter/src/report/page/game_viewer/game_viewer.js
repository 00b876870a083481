// Brings list, board and address together: `#game-17` opens a game, `#game-17-42` at that ply.

/** What the keys do; `isForAll` are those that do nothing else anywhere in a page. */
const KEYS = {
  ArrowLeft: { name: "back", isForAll: true },
  ArrowRight: { name: "forward", isForAll: true },
  f: { name: "flip", isForAll: true },
  Home: { name: "first" },
  End: { name: "last" },
  ArrowUp: { step: -1 },
  ArrowDown: { step: 1 },
};

class GameViewer {
  constructor(root, archive) {
    this.root = root;
    this.archive = archive;
    this.trouble = root.querySelector(".gv-trouble");
    this.panel = new GamePanel(root);
    this.list = new GameList(root, archive);
    this.root.addEventListener("keydown", (event) => this.press(event, true));
    document.addEventListener("keydown", (event) => {
      if (document.activeElement === document.body) this.press(event, false);
    });
    for (const button of root.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(Number(button.dataset.step)));
    }
    window.addEventListener("hashchange", () => this.follow());
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.('a[href^="#game-"]');
      // A second click on a link changes no address, and still asks for the game.
      if (link && link.hash === location.hash) this.follow(true);
    });
  }

  /** Opens what the address names, and shows it; tells whether it names a game. */
  async follow(isAskedAgain = false) {
    const [, number, ply] = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash) ?? [];
    if (number === undefined) return false;
    const entry = this.archive.byNumber.get(Number(number));
    // Who walks through the list with the keys has opened it already, and does not want to jump there.
    if (entry && entry === this.walkedTo && !isAskedAgain) return true;
    this.walkedTo = null;
    if (entry) await this.open(entry, ply === undefined ? undefined : Number(ply));
    else this.say(`Game ${number} is not on this page; games.pgn in the folder of the run has all games.`);
    this.bringIntoView();
    return true;
  }

  async open(entry, ply) {
    this.wanted = entry;
    this.list.show(entry);
    try {
      const game = await this.archive.game(entry);
      if (this.wanted !== entry) return;
      this.say("");
      this.panel.show(game, ply);
    } catch (error) {
      this.say(`Game ${entry.number} cannot be shown: ${error.message}`);
    }
  }

  /** Rolls the page to the game, or to what is wrong with it, if that is not to be seen. */
  bringIntoView() {
    const target = this.trouble.hidden ? this.panel.root : this.root;
    const { top, height: size } = target.getBoundingClientRect();
    if (top < 0 || top + Math.min(size, 500) > window.innerHeight) target.scrollIntoView({ block: "start" });
    this.panel.root.focus({ preventScroll: true });
  }

  /** The game `rows` rows further down the list, without a step in the history of the browser for each. */
  step(steps) {
    const next = this.list.neighbour(steps);
    if (!next || next === this.list.current) return;
    const isInList = this.list.box.contains(document.activeElement);
    this.walkedTo = next;
    this.open(next);
    location.replace(`#game-${next.number}`);
    if (isInList) this.list.focus(next.number);
  }

  press(event, isInside) {
    const isTyping = event.target.matches?.("input, select, textarea");
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
    const action = KEYS[event.key];
    if (!action || !(isInside || (action.isForAll && this.isBoardInView()))) return;
    event.preventDefault();
    if (action.step) this.step(action.step);
    else this.panel.act(action.name);
  }

  isBoardInView() {
    const { top, bottom } = this.panel.board.drawing.getBoundingClientRect();
    return top < window.innerHeight * 0.75 && bottom > window.innerHeight * 0.25;
  }

  say(text) {
    this.trouble.textContent = text;
    this.trouble.hidden = text === "";
  }
}

async function start() {
  const root = document.getElementById("games");
  try {
    if (typeof DecompressionStream === "undefined") {
      throw new Error("this browser is too old to unpack them (it has no DecompressionStream)");
    }
    const archive = await GameArchive.open();
    root.querySelector(".gv-app").hidden = archive.entries.length === 0;
    if (archive.entries.length === 0) return;
    const viewer = new GameViewer(root, archive);
    if (!(await viewer.follow())) await viewer.open(viewer.list.shown[0]);
  } catch (error) {
    const trouble = root.querySelector(".gv-trouble");
    const elsewhere = "They are in their PGN file: games.pgn in the folder of a run.";
    trouble.textContent = `The games cannot be shown: ${error.message}. ${elsewhere}`;
    trouble.hidden = false;
  }
}

start();
