// Shared by the pages that this program serves: the clocks, the moves, and the connection to the server.

const find = (selector) => document.querySelector(selector);

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
    this.name = element("strong");
    this.remark = element("small");
    this.clock = element("span", { class: "clock" });
    this.line = element("div", { class: "player" },
      element("span", { class: `side ${side}`, title: side }), this.name, this.remark, this.clock);
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
    if (ply % 2 === 0 || index === 0) items.push(element("span", {}, `${first + Math.floor(ply / 2)}.${ply % 2 ? ".." : ""}`));
    const current = index + 1 === present ? "true" : null;
    items.push(element("button", { type: "button", "aria-current": current, click: () => choose(index + 1) }, san));
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
