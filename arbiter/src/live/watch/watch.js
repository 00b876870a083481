// The page of a run: live boards, the score, and the finished games, one of which can be played through.

/** A game in progress. */
class LiveTable {
  constructor() {
    this.board = new Board();
    this.players = { white: new PlayerLine("white"), black: new PlayerLine("black") };
    this.title = element("h3");
    this.moves = element("p");
    this.card = element("article", {}, this.title, this.players.black.line, this.board.drawing, this.players.white.line,
      this.moves);
  }

  show(game) {
    this.title.textContent = `Game ${game.number}`;
    this.card.dataset.number = game.number;
    const turn = turnOf(game.fen);
    for (const side of ["white", "black"]) {
      const { name, thought, left } = game[side];
      this.players[side].show(name, thought, left, side === turn ? game.since : null);
    }
    if (this.fen !== game.fen) this.board.show(game);
    this.fen = game.fen;
    this.moves.textContent = game.moves;
  }

  tick() {
    Object.values(this.players).forEach((player) => player.tick());
  }
}

const tables = new Map();

function showTables(games) {
  const present = new Set(games.map((game) => game.number));
  for (const [number, table] of tables) {
    if (present.has(number)) continue;
    table.card.remove();
    tables.delete(number);
  }
  for (const game of games) {
    if (!tables.has(game.number)) {
      tables.set(game.number, new LiveTable());
      // Sorted by number, so that no board moves while the user looks at it.
      const next = [...find("#tables").children].find((card) => Number(card.dataset.number) > game.number);
      find("#tables").insertBefore(tables.get(game.number).card, next || null);
    }
    tables.get(game.number).show(game);
  }
}

function showState(state) {
  document.title = `${state.games} of ${state.planned} · ${state.title}`;
  find("#verdict").textContent = state.verdict;
  find("#state").textContent = `${state.title}, ${state.state}`;
  find("#trouble").hidden = !state.trouble;
  find("#trouble").textContent = state.trouble || "";
  find("#figures").replaceChildren(...state.figures.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value))));
  find("#live").hidden = !state.is_live;
  showTables(state.boards);
  find("#more").hidden = state.more_boards === 0;
  find("#more").textContent = `and ${state.more_boards} more`;
  find("#table").replaceChildren(...state.standings.map((row) => element("tr", {},
    ...[row.name, row.games, row.wins, row.draws, row.losses, row.points, row.elo].map((cell) => element("td", {}, String(cell))))));
  showList(state.finished);
}

let listed = "";

function showList(games) {
  const key = games.map((game) => game.number).join();
  if (key === listed) return;
  listed = key;
  find("#none").hidden = games.length > 0;
  find(".list").hidden = games.length === 0;
  find("#list").replaceChildren(...games.map((game) => element("tr", {},
    element("td", {}, element("a", { href: `#game-${game.number}` }, String(game.number))),
    ...[game.white, game.black, game.result, game.moves, game.ending].map((cell) => element("td", {}, String(cell))))));
}

/** The finished game that was chosen. */
const chosen = { board: null, game: null, ply: 0, below: "white" };

async function openGame() {
  const number = /^#game-(\d+)$/.exec(location.hash);
  if (!number) return;
  const answer = await fetch(`games/${number[1]}`);
  find("#game").hidden = false;
  if (!answer.ok) {
    find("#players").textContent = await answer.text();
    return;
  }
  chosen.game = await answer.json();
  if (!chosen.board) {
    chosen.board = new Board();
    chosen.players = { white: new PlayerLine("white"), black: new PlayerLine("black") };
  }
  const { white, black, result, ending } = chosen.game;
  find("#players").textContent = `Game ${chosen.game.number}: ${white} – ${black} ${result}`;
  find("#ending").textContent = ending;
  goTo(chosen.game.moves.length);
  find("#game").focus({ preventScroll: true });
  find("#game").scrollIntoView({ block: "nearest" });
}

function goTo(ply) {
  const { board, game, below, players } = chosen;
  chosen.ply = Math.max(0, Math.min(game.moves.length, ply));
  const move = game.moves[chosen.ply - 1];
  board.show({ fen: move ? move.fen : game.start, last: move && move.uci, check: move && /[+#]$/.test(move.san), below });
  const leftOf = (side) => {
    for (let at = chosen.ply - 1; at >= 0; at -= 1) {
      if (turnOf(game.moves[at].fen) !== side) return game.moves[at].left;
    }
    return null;
  };
  for (const side of ["white", "black"]) players[side].show(game[side], "", leftOf(side), null);
  const [top, bottom] = below === "white" ? ["black", "white"] : ["white", "black"];
  find("#place").replaceChildren(players[top].line, board.drawing, players[bottom].line);
  const seconds = move && move.time !== undefined ? [`${(move.time / 1000).toFixed(move.time < 10000 ? 2 : 0)} s`] : [];
  const remarks = move ? [...(move.book ? ["opening"] : []), ...(move.thought ? [move.thought] : []), ...seconds] : [];
  find("#thought").textContent = move ? [move.san, ...remarks].join(", ") : "before the first move";
  find("#moves").replaceChildren(...moveButtons(game.moves.map(({ san }) => san), game.first, game.white_begins, chosen.ply, goTo));
  const current = find("#moves [aria-current]");
  if (current) find("#moves").scrollTop = current.offsetTop - find("#moves").offsetTop - 80;
}

const STEPS = {
  first: () => goTo(0),
  back: () => goTo(chosen.ply - 1),
  on: () => goTo(chosen.ply + 1),
  last: () => goTo(chosen.game.moves.length),
  flip: () => {
    chosen.below = chosen.below === "white" ? "black" : "white";
    goTo(chosen.ply);
  },
};
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", f: "flip" };

for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => STEPS[button.dataset.step]());
}
document.addEventListener("keydown", (event) => {
  if (!chosen.game || !KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  STEPS[KEYS[event.key]]();
});
addEventListener("hashchange", openGame);
setInterval(() => tables.forEach((table) => table.tick()), 100);
listen(showState);
openGame();
