// The list of games: what is shown of them and in which order. There are rows only for what is in sight, so that a
// list of thousands is as quick as one of ten.

/** How many rows there are above and below those in sight. */
const SPARE = 15;

/** The order of each column, and what decides between equals. */
const ORDERS = {
  number: (entry) => entry.number,
  white: (entry) => entry.white,
  black: (entry) => entry.black,
  result: (entry) => ["1-0", "1/2-1/2", "0-1", "*"].indexOf(entry.result),
  ending: (entry) => `${entry.isFaulty ? 0 : 1}${entry.ending}`,
  opening: (entry) => entry.opening.number,
  plies: (entry) => entry.plies,
};

class GameList {
  constructor(root, archive) {
    this.archive = archive;
    this.form = root.querySelector(".gv-filters");
    this.box = root.querySelector(".gv-list");
    this.body = this.box.querySelector("tbody");
    this.count = this.form.querySelector("output");
    this.order = "number";
    this.isDescending = false;
    this.fillSelects();
    this.form.addEventListener("input", () => this.refresh());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("reset", () => setTimeout(() => this.refresh()));
    this.box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.box);
    for (const button of this.box.querySelectorAll("th button")) {
      button.addEventListener("click", () => this.sortBy(button.dataset.order));
    }
    this.refresh();
  }

  fillSelects() {
    const add = (select, values) => {
      const options = values.map(({ name }) => element("option", { value: `is:${name}` }, name));
      this.form.elements[select].append(...options);
    };
    add("engine", this.archive.index.engines);
    add("ending", this.archive.index.endings);
    const { ending } = this.form.elements;
    for (const [value, property] of [["faulty", "isFaulty"], ["warnings", "hasWarnings"], ["after", "isAfterDecision"]]) {
      const option = ending.querySelector(`[value="${value}"]`);
      option.disabled = !this.archive.entries.some((entry) => entry[property]);
    }
  }

  sortBy(order) {
    this.isDescending = this.order === order && !this.isDescending;
    this.order = order;
    this.refresh();
  }

  refresh() {
    const passes = this.filter();
    const key = ORDERS[this.order];
    const direction = this.isDescending ? -1 : 1;
    const compare = (a, b) => (a < b ? -direction : a > b ? direction : 0);
    this.shown = this.archive.entries.filter(passes);
    this.shown.sort((a, b) => compare(key(a), key(b)) || a.number - b.number);
    for (const button of this.box.querySelectorAll("th button")) {
      const isActive = button.dataset.order === this.order;
      mark(button.closest("th"), "aria-sort", isActive ? (this.isDescending ? "descending" : "ascending") : null);
    }
    const [some, all] = [this.shown.length, this.archive.entries.length].map(countText);
    this.count.textContent = some === all ? `${all} games` : `${some} of ${all} games`;
    this.range = null;
    this.box.scrollTop = 0;
    this.draw();
  }

  /** What the form asks for, as a test of one game. */
  filter() {
    const { engine, result, ending, opening } = Object.fromEntries(new FormData(this.form));
    const player = engine.slice(3);
    const isOf = (name) => (engine ? name === player : name !== undefined);
    const results = { won: (entry) => isOf(entry.winner), lost: (entry) => isOf(entry.loser) };
    const endings = {
      faulty: (entry) => entry.isFaulty,
      warnings: (entry) => entry.hasWarnings,
      after: (entry) => entry.isAfterDecision,
    };
    const words = opening.trim().replace(/\d+\.+\s*/g, "");
    return (entry) =>
      (!engine || entry.white === player || entry.black === player) &&
      (!result || (results[result]?.(entry) ?? entry.result === result)) &&
      (!ending || (endings[ending]?.(entry) ?? `is:${entry.ending}` === ending)) &&
      (!words || startsFrom(entry.opening, words));
  }

  /** Makes the rows in sight, and keeps the room of the others. */
  draw() {
    const row = this.body.querySelector("tr[data-number]");
    const height = row?.offsetHeight || 30;
    const first = Math.max(0, Math.floor(this.box.scrollTop / height) - SPARE);
    const last = Math.min(this.shown.length, first + Math.ceil(this.box.clientHeight / height) + 2 * SPARE);
    const range = `${first} ${last} ${height}`;
    if (range === this.range) return;
    this.range = range;
    const focused = document.activeElement?.closest?.("tr[data-number]")?.dataset.number;
    const rows = this.shown.slice(first, last).map((entry) => this.row(entry));
    const room = (count) => element("tr", { "aria-hidden": "true", style: `height: ${count * height}px` });
    if (rows.length === 0) rows.push(element("tr", {}, element("td", { colspan: 7 }, "There is no such game.")));
    this.body.replaceChildren(room(first), ...rows, room(this.shown.length - last));
    this.showCurrent();
    if (focused) this.focus(focused);
    if (!row && this.shown.length > 0) this.draw();
  }

  row(entry) {
    const ending = element("td", { class: entry.isFaulty ? "gv-faulty" : null, title: entry.ending }, entry.ending);
    const flag = (title, sign) => ending.append(element("span", { class: "gv-flag", title }, ` ${sign}`));
    if (entry.hasWarnings) flag("with warnings", "⚠\uFE0E");
    if (entry.isAfterDecision) flag("in flight when the test decided", "∗");
    const link = element("a", { href: `#game-${entry.number}`, tabindex: -1 }, String(entry.number));
    return element(
      "tr",
      { "data-number": entry.number, click: (event) => event.target === link || link.click() },
      element("td", {}, link),
      element("td", { title: entry.white }, entry.white),
      element("td", { title: entry.black }, entry.black),
      element("td", {}, entry.score),
      ending,
      element("td", { title: openingText(entry.opening) }, String(entry.opening.number)),
      element("td", {}, String(Math.ceil(entry.plies / 2))),
    );
  }

  /** Marks the game on the board, and rolls the list there without moving the page. */
  show(entry) {
    this.current = entry;
    const at = this.shown.indexOf(entry);
    if (at >= 0) {
      const height = this.body.querySelector("tr[data-number]").offsetHeight;
      const room = this.box.clientHeight - this.box.querySelector("thead").offsetHeight;
      if (at * height < this.box.scrollTop) this.box.scrollTop = at * height;
      if ((at + 1) * height > this.box.scrollTop + room) this.box.scrollTop = (at + 1) * height - room;
    }
    this.draw();
    this.showCurrent();
  }

  /** One row can be reached with the tabulator: the current one, or else the first. */
  showCurrent() {
    const rows = [...this.body.querySelectorAll("tr[data-number]")];
    const isCurrent = (row) => row.dataset.number === String(this.current?.number);
    const reachable = rows.find(isCurrent) ?? rows[0];
    for (const row of rows) {
      mark(row, "aria-current", isCurrent(row) ? "true" : null);
      row.querySelector("a").tabIndex = row === reachable ? 0 : -1;
    }
  }

  focus(number) {
    this.body.querySelector(`tr[data-number="${number}"] a`)?.focus({ preventScroll: true });
  }

  /** The game `rows` rows further down. */
  neighbour(steps) {
    const at = this.shown.indexOf(this.current);
    return this.shown[at < 0 ? 0 : Math.min(this.shown.length - 1, Math.max(0, at + steps))];
  }
}

/** Whether an opening has this number, starts with these moves, or has this text in its position. */
function startsFrom(opening, words) {
  if (/^#?\d+$/.test(words)) return opening.number === Number(words.replace("#", ""));
  return opening.sans.join(" ").startsWith(words.replace(/\s+/g, " ")) || opening.fen.includes(words);
}

/** An opening in words: its moves with their numbers, or the position where it has none. */
function openingText({ fen, sans }) {
  let { whiteMoves, number } = Position.start(fen);
  const words = sans.map((san, at) => {
    const lead = whiteMoves ? `${number}. ` : at === 0 ? `${number}… ` : "";
    if (!whiteMoves) number += 1;
    whiteMoves = !whiteMoves;
    return lead + san;
  });
  return words.join(" ") || fen;
}
