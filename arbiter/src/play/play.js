// The page of a session: the human plays with mouse, touch or keyboard.

const players = { white: new PlayerLine("white"), black: new PlayerLine("black") };
const board = new Board();
board.drawing.setAttribute("tabindex", "0");
board.drawing.style.touchAction = "none";

let session = null;
let isFlipped = false;
/** The square of the selected piece, the square of the keyboard cursor, and the dragged piece. */
let chosen = null;
let cursor = null;
let dragged = null;
/** The last messages; they are shown once, so that they do not hide the answer to a command. */
let messages = "";

function showSession(state) {
  const isNewPosition = !session || session.fen !== state.fen;
  session = state;
  if (isNewPosition) {
    chosen = null;
    find("#promotion").hidden = true;
    if (state.moves.length) find("#spoken").textContent = state.moves.at(-1);
  }
  const engine = state.you === "white" ? state.black.name : state.white.name;
  document.title = `${state.white.name} – ${state.black.name}`;
  find("#title").textContent = `You vs ${engine}`;
  find("#state").textContent = state.outcome
    || (state.thinking ? `${engine} is thinking` : `Your move, ${state.you}${state.check ? "; you are in check" : ""}`);
  const news = state.messages.join("\n");
  if (isNewPosition || news !== messages) say(state.messages, news.includes(" failed: "));
  messages = news;
  for (const side of ["white", "black"]) players[side].show(state[side].name, "", state[side].left, state[side].since);
  const below = (state.you === "white") !== isFlipped ? "white" : "black";
  const [top, bottom] = below === "white" ? ["black", "white"] : ["white", "black"];
  if (find("#place").firstChild !== players[top].line) {
    find("#place").replaceChildren(players[top].line, board.drawing, players[bottom].line);
  }
  board.show({ fen: state.fen, last: state.last, check: state.check, below });
  drawAbove();
  find("#notation").textContent = state.notation === "french" ? "English notation" : "Notation française";
  find("#resign").disabled = Boolean(state.outcome);
  document.querySelector("[data-line=hint]").disabled = Boolean(state.outcome) || state.thinking;
  const moves = moveButtons(state.moves, state.first, state.white_begins, state.moves.length, () => {});
  find("#moves").replaceChildren(...moves);
  find("#moves").scrollTop = find("#moves").scrollHeight;
}

function say(lines, isTrouble = false) {
  find("#notice").classList.toggle("trouble", isTrouble);
  find("#notice").replaceChildren(...lines.map((line) => element("div", {}, line)));
}

/** Sends a line, as the user could type it in the terminal, and returns the answer. */
async function send(line) {
  try {
    const answer = await fetch("lines", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ line }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()).answer;
  } catch (error) {
    say([String(error.message || error)], true);
    return null;
  }
}

/** Shows the answer to a command; the confirmation of a move is on the board already. */
async function command(line) {
  const answer = (await send(line) || []).filter((said) => !/^\d+\.+ \S+$/.test(said));
  if (answer.length) say(answer);
}

const movesFrom = (from) => session.legal.filter((uci) => uci.startsWith(from));
const movesTo = (to) => (chosen ? movesFrom(chosen).filter((uci) => uci.slice(2, 4) === to) : []);

/** Marks the selected piece and its legal moves. */
function drawAbove() {
  const marks = [];
  if (chosen) {
    marks.push(board.tile(chosen, "chosen"));
    for (const to of new Set(movesFrom(chosen).map((uci) => uci.slice(2, 4)))) {
      const [x, y] = board.corner(to);
      marks.push(shape("circle", { cx: x + SQUARE / 2, cy: y + SQUARE / 2, r: 7, class: "goal" }));
    }
  }
  if (cursor && document.activeElement === board.drawing) marks.push(board.tile(cursor, "cursor"));
  board.above.replaceChildren(...marks);
}

function choose(square) {
  const moves = movesTo(square);
  if (moves.length) {
    play(moves);
  } else {
    chosen = square && square !== chosen && movesFrom(square).length ? square : null;
    if (square && !chosen && session.legal.length === 0 && !session.outcome) say(["it is not your move"]);
  }
  drawAbove();
}

/** Plays the move, or asks for the promotion piece. */
function play(moves) {
  chosen = null;
  if (moves.length === 1) {
    command(moves[0]);
    return;
  }
  const names = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };
  const buttons = Object.entries(names).map(([letter, name]) => element("button", {
    type: "button",
    click: () => {
      find("#promotion").hidden = true;
      command(moves.find((uci) => uci.endsWith(letter)));
    },
  }, name));
  find("#promotion").replaceChildren(...buttons);
  find("#promotion").hidden = false;
  buttons[0].focus();
}

board.drawing.addEventListener("pointerdown", (event) => {
  if (!session || event.button !== 0) return;
  const square = board.squareAt(event);
  cursor = square;
  const begins = square !== chosen && movesFrom(square).length > 0 && !movesTo(square).length;
  choose(square);
  if (!begins) return;
  dragged = { square, piece: board.pieces.querySelector(`[data-square="${square}"]`) };
  board.drawing.setPointerCapture(event.pointerId);
});
board.drawing.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  const box = board.drawing.getBoundingClientRect();
  const at = (offset, length) => (offset / length) * 8 * SQUARE - SQUARE / 2;
  dragged.piece.setAttribute("x", at(event.clientX - box.left, box.width));
  dragged.piece.setAttribute("y", at(event.clientY - box.top, box.height));
});
board.drawing.addEventListener("pointerup", (event) => {
  if (!dragged) return;
  const { square, piece } = dragged;
  dragged = null;
  const [x, y] = board.corner(square);
  piece.setAttribute("x", x);
  piece.setAttribute("y", y);
  const target = board.squareAt(event);
  if (target && target !== square) choose(target);
});
board.drawing.addEventListener("pointercancel", () => {
  dragged = null;
  board.show(board.view);
});

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

board.drawing.addEventListener("keydown", (event) => {
  if (ARROWS[event.key]) {
    const turned = board.below === "white" ? 1 : -1;
    const from = cursor || (board.below === "white" ? "e1" : "e8");
    const step = (at, by, names) => names[Math.max(0, Math.min(7, names.indexOf(at) + by * turned))];
    const [right, up] = ARROWS[event.key];
    cursor = cursor ? step(from[0], right, "abcdefgh") + step(from[1], up, "12345678") : from;
    find("#spoken").textContent = cursor;
  } else if (event.key === "Enter" || event.key === " ") {
    if (cursor) choose(cursor);
  } else if (event.key === "Escape") {
    chosen = null;
  } else {
    return;
  }
  event.preventDefault();
  drawAbove();
});
board.drawing.addEventListener("focus", drawAbove);
board.drawing.addEventListener("blur", drawAbove);

find("#typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const line = find("#line").value.trim();
  if (!line) return;
  find("#line").value = "";
  command(line);
});
for (const button of document.querySelectorAll("[data-line]")) {
  button.addEventListener("click", () => command(button.dataset.line));
}
find("#notation").addEventListener("click", () => command(`notation ${session.notation === "french" ? "english" : "french"}`));
find("#flip").addEventListener("click", () => {
  isFlipped = !isFlipped;
  showSession(session);
});
find("#save").addEventListener("click", () => { location.href = "game.pgn"; });
find("#resign").addEventListener("click", () => {
  const button = find("#resign");
  if (button.dataset.sure) {
    command("resign");
  } else {
    button.dataset.sure = "yes";
    button.textContent = "Really resign?";
  }
  setTimeout(() => {
    delete button.dataset.sure;
    button.textContent = "Resign";
  }, button.dataset.sure ? 3000 : 0);
});
setInterval(() => Object.values(players).forEach((player) => player.tick()), 100);
listen(showSession);
