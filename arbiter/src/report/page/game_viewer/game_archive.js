// The data of the page: an index of the games, and their moves in blocks that are unpacked when one is looked at.

/** Undoes what `packed.rs` did: base64 around zlib around JSON. */
async function unpack(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** One line of the list. */
class GameEntry {
  constructor(index, [number, white, black, result, ending, opening, plies, marks, block, place]) {
    Object.assign(this, { number, plies, block, place, seats: { white, black } });
    this.white = index.engines[white]?.name ?? "?";
    this.black = index.engines[black]?.name ?? "?";
    this.result = ["1-0", "1/2-1/2", "0-1", "*"][result];
    this.ending = index.endings[ending].name;
    this.termination = index.endings[ending].pgn;
    this.opening = index.openings[opening];
    this.isFaulty = (marks & 1) !== 0;
    this.hasWarnings = (marks & 2) !== 0;
    this.isAfterDecision = (marks & 4) !== 0;
  }

  /** The result as it is printed. */
  get score() {
    return { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "*": "–" }[this.result];
  }

  /** The engine that won, if one did. */
  get winner() {
    return { "1-0": this.white, "0-1": this.black }[this.result];
  }

  /** The one that lost. */
  get loser() {
    return { "1-0": this.black, "0-1": this.white }[this.result];
  }
}

class GameArchive {
  static async open() {
    return new GameArchive(await unpack("games-index"));
  }

  constructor(index) {
    this.index = index;
    for (const opening of index.openings) {
      opening.sans = opening.moves.map((move) => index.moves[move].split(" ")[0]);
    }
    this.entries = index.games.map((row) => new GameEntry(index, row));
    this.byNumber = new Map(this.entries.map((entry) => [entry.number, entry]));
    this.blocks = new Map();
  }

  /** A game with its moves. */
  async game(entry) {
    if (!this.blocks.has(entry.block)) this.blocks.set(entry.block, unpack(`games-block-${entry.block}`));
    const block = await this.blocks.get(entry.block);
    return new Game(this.index, entry, block[entry.place]);
  }
}
