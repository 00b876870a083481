//! Any game of a run on a board, move by move, with the graph of the evaluations.
//!
//! The section is written whole into the report: style, drawings of the pieces, script and data, so that it needs no
//! network and opens from disk. The script knows no rules of chess. The referee plays every game again here, and the
//! data say of each move what it changes on the board; whatever the page shows, a test can read back from the data.
//!
//! The data are an index of the games, which the list is made from, and the games themselves in blocks, each compressed
//! by itself, so that a telephone unpacks only those that are looked at.

mod board;
mod game_block;
mod game_index;
mod move_columns;
mod replay;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use maud::{Markup, PreEscaped, Render, html};
use serde::Serialize;

use game_block::GameBlock;
use game_index::GameIndex;

use crate::text::number_text::thousands;
use runner::{GameRecord, RunConfig};

/// How many games are compressed together: enough for the compression to find what they have in common, and few enough
/// to be unpacked in no time.
const GAMES_IN_BLOCK: usize = 100;

/// The most bytes of games in one page. A game of 55 moves takes about 1,600 of them.
const MOST_BYTES: usize = 15_000_000;

/// How hard to compress. The hardest level, 9, takes almost half of the time that a page takes; this one takes a
/// quarter of that, for three bytes more in a hundred (zlib, on the games of results/tarrasch-glaurung).
const LEVEL: Compression = Compression::new(5);

/// What stands in a printed page in place of the board.
const ON_PAPER: &str = "The games are not printed. They can be played through where this page is shown on a screen, and \
                        are in games.pgn in the folder of the run.";

/// The parts of the script, each of which uses only those before it.
const SCRIPTS: [&str; 8] = [
    include_str!("game_viewer/elements.js"),
    include_str!("game_viewer/readings.js"),
    include_str!("game_viewer/game.js"),
    include_str!("game_viewer/game_archive.js"),
    include_str!("game_viewer/board_view.js"),
    include_str!("game_viewer/evaluation_graph.js"),
    include_str!("game_viewer/game_list.js"),
    include_str!("game_viewer/game_panel.js"),
];

/// The last part, which starts it.
const START: &str = include_str!("game_viewer/game_viewer.js");

/// The section with the games, whose id is `games`.
///
/// A link to `#game-17` from anywhere in the page opens the seventeenth game, and one to `#game-17-42` opens it at its
/// forty-second half-move.
#[derive(Clone, Debug)]
pub struct GameViewer {
    /// What is not there, in words.
    note: String,
    index: String,
    blocks: Vec<String>,
}

impl GameViewer {
    /// The games of a run, in any order.
    ///
    /// Where they are too many for one page, those that ended oddly are taken first, then the others in their order,
    /// and the section says so. A game whose moves are not legal is shown as far as they are.
    pub fn new(config: &RunConfig, games: &[GameRecord]) -> GameViewer {
        GameViewer::within(MOST_BYTES, config, games)
    }

    fn within(most_bytes: usize, config: &RunConfig, games: &[GameRecord]) -> GameViewer {
        let games: BTreeMap<u32, &GameRecord> = games.iter().map(|record| (record.game, record)).collect();
        let (odd, others): (Vec<&GameRecord>, Vec<&GameRecord>) =
            games.into_values().partition(|record| is_faulty(record));
        let mut index = GameIndex::new(config);
        let mut blocks = Vec::new();
        let mut bytes = 0;
        let wanted: Vec<&GameRecord> = odd.iter().chain(&others).copied().collect();
        for games in wanted.chunks(GAMES_IN_BLOCK) {
            let block = GameBlock::new(games, &mut index);
            let packed = pack(&block.games);
            bytes += packed.len();
            if bytes > most_bytes {
                break;
            }
            index.add(blocks.len(), block.rows);
            blocks.push(packed);
        }
        let note = note(index.len(), odd.len(), others.len());
        GameViewer { note, index: pack(&index.finished()), blocks }
    }
}

/// Whether a game is one that an engine's author will want to look at first.
fn is_faulty(record: &GameRecord) -> bool {
    record.termination.is_fault()
}

/// How many of the games are in the page, where it is not all of them; else nothing.
fn note(shown: usize, odd: usize, others: usize) -> String {
    let all = odd + others;
    let count = |number: usize| thousands(number as u64);
    let where_else = "All of them are in games.pgn in the folder of the run.";
    if all == 0 {
        "There are no games yet.".to_owned()
    } else if shown == all {
        String::new()
    } else if shown <= odd {
        format!(
            "This page has room for {} of the {} games: the first of the {} that ended oddly. {where_else}",
            count(shown),
            count(all),
            count(odd)
        )
    } else if odd == 0 {
        format!("This page has room for the first {} of the {} games. {where_else}", count(shown), count(all))
    } else {
        format!(
            "This page has room for {} of the {} games: the {} that ended oddly and the first {} of the others. \
             {where_else}",
            count(shown),
            count(all),
            count(odd),
            count(shown - odd)
        )
    }
}

impl Render for GameViewer {
    fn render(&self) -> Markup {
        html! {
            section #games {
                style { (PreEscaped(include_str!("game_viewer/game_viewer.css"))) }
                h2 { "Games" }
                @if !self.note.is_empty() { p.gv-note { (self.note) } }
                @if !self.blocks.is_empty() { p.gv-paper { (ON_PAPER) } }
                (PreEscaped(include_str!("game_viewer/pieces.svg")))
                (PreEscaped(include_str!("game_viewer/game_viewer.html")))
                (data("games-index", &self.index))
                @for (number, block) in self.blocks.iter().enumerate() {
                    (data(&format!("games-block-{number}"), block))
                }
                script {
                    (PreEscaped("(() => {\n\"use strict\";\n"))
                    @for script in SCRIPTS.iter().chain([&START]) { (PreEscaped(script)) "\n" }
                    (PreEscaped("})();\n"))
                }
            }
        }
    }
}

/// Data that the browser keeps and does not look at. They are written in base64, which has no letter that ends them.
fn data(id: &str, base64: &str) -> Markup {
    html! { script type="application/octet-stream" id=(id) { (PreEscaped(base64)) } }
}

/// JSON in zlib (RFC 1950), which browsers call `deflate`, in base64.
fn pack(data: &impl Serialize) -> String {
    let json = serde_json::to_vec(data).expect("texts and whole numbers can be written as JSON");
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(json.len() / 3), LEVEL);
    encoder.write_all(&json).expect("a vector takes whatever is written");
    STANDARD.encode(encoder.finish().expect("a vector takes whatever is written"))
}
