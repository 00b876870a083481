//! A finished game with all its positions, so that the page can show it without a move generator.

use serde::Serialize;

use crate::results::ending::ending;
use crate::text::number_text::minus;
use referee::{Referee, Side, Variant};
use runner::GameRecord;

/// A game to replay.
#[derive(Debug, Serialize)]
pub struct GameReplay {
    number: u32,
    white: String,
    black: String,
    result: &'static str,
    ending: String,
    start: String,
    /// Whether White makes the first move.
    white_begins: bool,
    /// The number of the first move.
    first: u32,
    moves: Vec<ReplayedMove>,
}

/// A move and the position after it.
#[derive(Debug, PartialEq, Serialize)]
struct ReplayedMove {
    san: String,
    uci: String,
    fen: String,
    /// Whether it is a move of the opening.
    book: bool,
    /// The time that it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    /// The time left after it, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u64>,
    /// The score and the depth, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    thought: Option<String>,
}

impl GameReplay {
    /// Replays a game, up to its first illegal move.
    pub fn new(record: &GameRecord, variant: Variant, engine_name: impl Fn(usize) -> String) -> GameReplay {
        let start = Referee::from_fen(&record.opening.fen, variant).unwrap_or_else(|_| Referee::new(variant));
        let mut referee = start.clone();
        let mut moves = Vec::new();
        let mut play = |uci: &str| {
            let played = referee.play(uci).ok()?;
            let (san, uci) = (played.san().to_owned(), played.uci().to_owned());
            Some(ReplayedMove {
                san,
                uci,
                fen: referee.fen(),
                book: true,
                time: None,
                left: None,
                thought: None,
            })
        };
        let opening = record.opening.moves.iter().map_while(|opening| play(&opening.uci));
        moves.extend(opening);
        let played = record.moves.iter().map_while(|own| {
            let score = own.score.map(|score| minus(&score.to_string()));
            let depth = own.depth.map(|depth| format!("depth {depth}"));
            let thought: Vec<String> = score.into_iter().chain(depth).collect();
            Some(ReplayedMove {
                book: false,
                time: Some(own.time.as_millis() as u64),
                left: own.clock_left.map(|left| left.as_millis() as u64),
                thought: Some(thought.join(", ")).filter(|thought| !thought.is_empty()),
                ..play(&own.uci)?
            })
        });
        moves.extend(played);
        GameReplay {
            number: record.game + 1,
            white: engine_name(record.white),
            black: engine_name(record.black),
            result: record.result.map_or("*", |result| result.as_str()),
            ending: ending(record),
            white_begins: start.turn() == Side::White,
            first: start.move_number(),
            start: start.fen(),
            moves,
        }
    }
}
