//! Shows any game of a run on a board, move by move, with a graph of the evaluations.
//!
//! The report contains everything: style, drawings of the pieces, script and data. So it opens from disk without a
//! network. The script does not know the rules of chess: the referee replays every game here, and the data hold the
//! changes of each move on the board. A test steps through games in a browser, and compares them with the referee's.
//!
//! The data are an index of the games, for the list, and blocks of games. Each block is compressed separately, so that a
//! phone unpacks only what it shows.

mod game_block;
mod game_index;
#[cfg(test)]
mod tests;

use crate::html::{BOARD_SCRIPTS, PIECE_DRAWINGS};
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

/// The number of games in a block: enough to compress well, and few enough to unpack quickly.
const GAMES_IN_BLOCK: usize = 100;

/// The most bytes of games on a page. A game of 55 moves takes about 1,600 bytes.
const MOST_BYTES: usize = 15_000_000;

/// The compression level. Level 9 takes almost half of the time to make a page; this one takes a quarter of that time and
/// is 3% larger (zlib, on the games of results/tarrasch-glaurung).
const LEVEL: Compression = Compression::new(5);

const ON_PAPER: &str =
    "The games are not printed. They can be played through where this page is shown on a screen.";

/// The parts of the script that follow the board script. Each uses only the parts before it.
const SCRIPTS: [&str; 6] = [
    include_str!("game_viewer/readings.js"),
    include_str!("game_viewer/game.js"),
    include_str!("game_viewer/game_archive.js"),
    include_str!("game_viewer/evaluation_graph.js"),
    include_str!("game_viewer/game_list.js"),
    include_str!("game_viewer/game_panel.js"),
];

const START: &str = include_str!("game_viewer/game_viewer.js");

/// The section with the games; its id is `games`.
///
/// A link to `#game-17` from anywhere on the page opens game 17, and `#game-17-42` opens it at half-move 42.
#[derive(Clone, Debug)]
pub struct GameViewer {
    note: String,
    index: String,
    blocks: Vec<String>,
}

impl GameViewer {
    /// The games of a run, in any order.
    ///
    /// If there are too many for one page, games with faults come first, then the others in order, with a note. A game
    /// with an illegal move is shown up to that move.
    pub fn new(config: &RunConfig, games: &[GameRecord]) -> GameViewer {
        GameViewer::within(MOST_BYTES, config, games)
    }

    fn within(most_bytes: usize, config: &RunConfig, games: &[GameRecord]) -> GameViewer {
        let games: BTreeMap<u32, &GameRecord> = games.iter().map(|record| (record.game, record)).collect();
        let mut wanted: Vec<&GameRecord> = games.into_values().collect();
        wanted.sort_by_key(|record| !record.termination.is_fault());
        let mut index = GameIndex::new(config);
        let mut blocks = Vec::new();
        let mut bytes = 0;
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
        let note = note(index.len(), wanted.len());
        GameViewer { note, index: pack(&index.finished()), blocks }
    }
}

fn note(shown: usize, all: usize) -> String {
    let [room, games] = [shown, all].map(|number| thousands(number as u64));
    match all {
        0 => "There are no games yet.".to_owned(),
        _ if shown == all => String::new(),
        _ => format!(
            "This page has room for {room} of the {games} games; those with a fault come first. The PGN has all."
        ),
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
                (PreEscaped(PIECE_DRAWINGS))
                (PreEscaped(include_str!("game_viewer/game_viewer.html")))
                (data("games-index", &self.index))
                @for (number, block) in self.blocks.iter().enumerate() {
                    (data(&format!("games-block-{number}"), block))
                }
                script {
                    (PreEscaped("(() => {\n\"use strict\";\n"))
                    @for script in BOARD_SCRIPTS.iter().chain(&SCRIPTS).chain([&START]) { (PreEscaped(script)) "\n" }
                    (PreEscaped("})();\n"))
                }
            }
        }
    }
}

/// Data that the browser does not interpret; base64 cannot contain the end tag.
fn data(id: &str, base64: &str) -> Markup {
    html! { script type="application/octet-stream" id=(id) { (PreEscaped(base64)) } }
}

/// JSON compressed with zlib (RFC 1950), which browsers call `deflate`, in base64.
fn pack(data: &impl Serialize) -> String {
    let json = serde_json::to_vec(data).expect("texts and whole numbers can be written as JSON");
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(json.len() / 3), LEVEL);
    encoder.write_all(&json).expect("a vector takes whatever is written");
    STANDARD.encode(encoder.finish().expect("a vector takes whatever is written"))
}
