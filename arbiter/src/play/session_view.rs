//! The JSON for the page of a session: everything that it shows.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use super::notation::Notation;
use super::outcome::Outcome;
use super::session::Session;
use referee::Side;

/// The session as the page shows it.
#[derive(Debug, Serialize)]
pub struct SessionView {
    /// The side of the human.
    you: Side,
    white: PlayerView,
    black: PlayerView,
    fen: String,
    last: Option<String>,
    check: bool,
    /// The legal moves of the human, in UCI notation; empty on the engine's turn.
    legal: Vec<String>,
    /// All moves, in the notation of the session.
    moves: Vec<String>,
    /// The number of the first move.
    first: u32,
    /// Whether White makes the first move.
    white_begins: bool,
    /// Whether the engine is thinking.
    thinking: bool,
    /// The outcome, in words.
    outcome: Option<String>,
    /// The last messages about the game.
    messages: Vec<String>,
    notation: Notation,
}

/// A player.
#[derive(Debug, Serialize)]
struct PlayerView {
    name: String,
    /// The time left in milliseconds; for the side to move at the time `since`.
    left: Option<u64>,
    /// When the clock started, in milliseconds since 1970; `None` while it is stopped.
    since: Option<i64>,
}

impl SessionView {
    /// The session at this moment.
    pub fn new(session: &Session, messages: &[String]) -> SessionView {
        let game = session.game();
        let is_humans_turn = game.outcome().is_none() && game.turn() == game.human();
        SessionView {
            you: game.human(),
            white: PlayerView::new(session, Side::White),
            black: PlayerView::new(session, Side::Black),
            fen: game.referee().fen(),
            last: game.moves().last().map(|played| played.uci().to_owned()),
            check: game.referee().is_check(),
            legal: if is_humans_turn { game.referee().legal_moves() } else { Vec::new() },
            moves: game.moves().map(|played| session.notation().show(played.san())).collect(),
            first: game.start().move_number(),
            white_begins: game.start().turn() == Side::White,
            thinking: game.awaits_engine(),
            outcome: game.outcome().map(Outcome::words),
            messages: messages.to_vec(),
            notation: session.notation(),
        }
    }

    /// The JSON text.
    pub fn to_json(&self) -> String {
        // It has only strings and numbers, so that serialization cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl PlayerView {
    fn new(session: &Session, side: Side) -> PlayerView {
        let game = session.game();
        let left = game.time_left(Duration::ZERO)[usize::from(side == Side::Black)];
        let runs = left.is_some() && game.outcome().is_none() && game.turn() == side;
        let now = Timestamp::now().as_millisecond();
        PlayerView {
            name: session.players().name_of(side, game.human()).to_owned(),
            left: left.map(|left| left.as_millis() as u64),
            since: runs.then(|| now - session.thinking_time().as_millis() as i64),
        }
    }
}
