// The list of games: what is shown of them and in which order. Rows are made as they are scrolled to.

const STEP = 100;

/** The order of each column, and what decides between equals. */
const ORDERS = {
  number: (entry) => entry.number,
  white: (entry) => entry.white,
  black: (entry) => entry.black,
  result: (entry) => ["1-0", "1/2-1/2", "0-1", "*"].indexOf(entry.result),
  ending: (entry) => `${entry.isOdd ? 0 : 1}${entry.ending}`,
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
    this.box.addEventListener("scroll", () => this.grow());
    for (const button of this.box.querySelectorAll("th button")) {
      button.addEventListener("click", () => this.sortBy(button.dataset.order));
    }
    this.refresh();
  }

  fillSelects() {
    const add = (name, values) => {
      const select = this.form.elements[name];
      select.append(...values.map((value) => element("option", { value: `is:${value}` }, value)));
    };
    add("engine", this.archive.index.engines);
    add("ending", this.archive.index.endings);
    const { ending } = this.form.elements;
    for (const [value, property] of [["odd", "isOdd"], ["warnings", "hasWarnings"], ["after", "isAfterDecision"]]) {
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
    this.rows = new Map();
    this.body.replaceChildren();
    this.box.scrollTop = 0;
    this.grow();
    this.showCurrent();
  }

  /** What the form asks for, as a test of one game. */
  filter() {
    const { engine, result, ending, opening } = Object.fromEntries(new FormData(this.form));
    const player = engine.slice(3);
    const isOf = (name) => (engine ? name === player : name !== undefined);
    const results = { won: (entry) => isOf(entry.winner), lost: (entry) => isOf(entry.loser) };
    const endings = {
      odd: (entry) => entry.isOdd,
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

  /** Makes more rows while the end of those there are is near. */
  grow(least = 0) {
    while (
      this.rows.size < this.shown.length &&
      (this.rows.size < least || this.box.scrollTop + 2 * this.box.clientHeight + 200 > this.body.offsetHeight)
    ) {
      const next = this.shown.slice(this.rows.size, this.rows.size + STEP);
      for (const entry of next) this.rows.set(entry.number, this.row(entry));
      this.body.append(...next.map((entry) => this.rows.get(entry.number)));
      if (this.box.clientHeight === 0) break;
    }
  }

  row(entry) {
    const ending = element("td", { class: entry.isOdd ? "gv-odd" : null }, entry.ending);
    if (entry.hasWarnings) ending.append(element("span", { class: "gv-flag", title: "with warnings" }, " ⚠\uFE0E"));
    if (entry.isAfterDecision) ending.append(element("span", { class: "gv-flag", title: "after the decision of the test" }, " ∗"));
    const link = element("a", { href: `#game-${entry.number}`, tabindex: -1 }, String(entry.number));
    const place = entry.opening.sans.length ? notation(entry.opening) : entry.opening.fen;
    return element(
      "tr",
      { click: (event) => event.target === link || link.click() },
      element("td", {}, link),
      element("td", { title: entry.white }, entry.white),
      element("td", { title: entry.black }, entry.black),
      element("td", {}, entry.score),
      ending,
      element("td", { title: place }, String(entry.opening.number)),
      element("td", {}, String(Math.ceil(entry.plies / 2))),
    );
  }

  /** Marks the game on the board, and rolls the list there without moving the page. */
  show(entry) {
    this.current = entry;
    this.showCurrent();
  }

  showCurrent() {
    this.currentRow?.removeAttribute("aria-current");
    this.currentRow?.querySelector("a").setAttribute("tabindex", "-1");
    const at = this.shown.indexOf(this.current);
    if (at >= 0) this.grow(at + 1);
    this.currentRow = at < 0 ? this.body.firstElementChild : this.rows.get(this.current.number);
    this.currentRow?.querySelector("a").setAttribute("tabindex", "0");
    if (at < 0) return;
    this.currentRow.setAttribute("aria-current", "true");
    const head = this.box.querySelector("thead").offsetHeight;
    const { offsetTop, offsetHeight } = this.currentRow;
    if (offsetTop - head < this.box.scrollTop) this.box.scrollTop = offsetTop - head;
    const bottom = offsetTop + offsetHeight - this.box.clientHeight;
    if (bottom > this.box.scrollTop) this.box.scrollTop = bottom;
  }

  /** The game so many rows further down. */
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

/** The moves of an opening with their numbers. */
function notation(opening) {
  let position = Position.start(opening.fen);
  const words = opening.sans.map((san, at) => {
    const isWhite = position.whiteMoves;
    const number = isWhite ? `${position.number}.` : at === 0 ? `${position.number}…` : "";
    position = Object.assign(new Position(), position, {
      whiteMoves: !isWhite,
      number: position.number + (isWhite ? 0 : 1),
    });
    return number + san;
  });
  return words.join(" ");
}
