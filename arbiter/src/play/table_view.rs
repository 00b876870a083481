//! What the page of a game is told: everything that it shows, as one piece of JSON.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use super::notation::Notation;
use super::outcome::Outcome;
use super::sitting::Sitting;
use referee::Side;

/// The table as the page shows it.
#[derive(Debug, Serialize)]
pub struct TableView {
    /// The person's side.
    you: Side,
    white: SeatView,
    black: SeatView,
    fen: String,
    last: Option<String>,
    check: bool,
    /// What the person may play now, in UCI notation.
    legal: Vec<String>,
    /// All moves, in the notation that is set.
    moves: Vec<String>,
    /// The number of the first move, and whether White makes it.
    first: u32,
    white_begins: bool,
    thinking: bool,
    /// How it ended, in words.
    outcome: Option<String>,
    /// What was said about the game last.
    told: Vec<String>,
    notation: Notation,
}

/// A side of the board.
#[derive(Debug, Serialize)]
struct SeatView {
    name: String,
    /// What the clock shows, in milliseconds; that of the side to move at the moment `since`.
    left: Option<u64>,
    /// Milliseconds since 1970, when the clock began to run; none where it stands.
    since: Option<i64>,
}

impl TableView {
    /// The table at this moment.
    pub fn new(sitting: &Sitting, told: &[String]) -> TableView {
        let game = sitting.game();
        let is_persons_turn = game.outcome().is_none() && game.turn() == game.person();
        TableView {
            you: game.person(),
            white: SeatView::new(sitting, Side::White),
            black: SeatView::new(sitting, Side::Black),
            fen: game.referee().fen(),
            last: game.moves().last().map(|played| played.uci().to_owned()),
            check: game.referee().is_check(),
            legal: if is_persons_turn { game.referee().legal_moves() } else { Vec::new() },
            moves: game.moves().map(|played| sitting.notation().show(played.san())).collect(),
            first: game.start().move_number(),
            white_begins: game.start().turn() == Side::White,
            thinking: game.awaits_engine(),
            outcome: game.outcome().map(Outcome::words),
            told: told.to_vec(),
            notation: sitting.notation(),
        }
    }

    /// The text for the page.
    pub fn to_json(&self) -> String {
        // It consists of texts and numbers, none of which can fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl SeatView {
    fn new(sitting: &Sitting, side: Side) -> SeatView {
        let game = sitting.game();
        let left = game.time_left(Duration::ZERO)[usize::from(side == Side::Black)];
        let runs = left.is_some() && game.outcome().is_none() && game.turn() == side;
        let now = Timestamp::now().as_millisecond();
        SeatView {
            name: sitting.players().name_of(side, game.person()).to_owned(),
            left: left.map(|left| left.as_millis() as u64),
            since: runs.then(|| now - sitting.thinking_time().as_millis() as i64),
        }
    }
}
