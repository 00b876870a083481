//! A game replayed by the referee, in the format of the page.

use super::board::Board;
use referee::{Referee, Variant};
use runner::GameRecord;

/// A board without pieces, for a game whose first position cannot be read.
const EMPTY: &str = "8/8/8/8/8/8/8/8 w - - 0 1";

/// A replayed game.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The first position, as the referee writes it.
    pub start_fen: String,
    /// The moves of the opening and of the engines, as far as they are legal: name and changes, `Nf3 g1.f3N`.
    pub moves: Vec<String>,
    /// Each change of castling rights and en passant square: the ply from which it holds, and the new value. Ply 1 is
    /// the position after the first move.
    pub rights: Vec<(usize, String)>,
    /// Why moves of the record are missing.
    pub trouble: Option<String>,
}

impl Replay {
    pub fn of(record: &GameRecord, variant: Variant) -> Replay {
        match Referee::from_fen(&record.opening.fen, variant) {
            Ok(referee) => Replay::from_start(record, referee),
            Err(error) => Replay {
                start_fen: EMPTY.to_owned(),
                moves: Vec::new(),
                rights: Vec::new(),
                trouble: Some(format!("The first position of this record cannot be read: {error}.")),
            },
        }
    }

    fn from_start(record: &GameRecord, mut referee: Referee) -> Replay {
        let mut fen = referee.fen();
        let mut board = Board::of_fen(&fen);
        let mut replay =
            Replay { start_fen: fen.clone(), moves: Vec::new(), rights: Vec::new(), trouble: None };
        let book = record.opening.moves.iter().map(|played| played.uci.as_str());
        for uci in book.chain(record.moves.iter().map(|played| played.uci.as_str())) {
            let played = match referee.play(uci) {
                Ok(played) => played,
                Err(error) => {
                    replay.trouble = Some(format!("The record goes on, but {error}."));
                    break;
                }
            };
            let next = referee.fen();
            let next_board = Board::of_fen(&next);
            let changes = board.changes_to(&next_board, uci);
            replay.moves.push(format!("{} {changes}", played.san()));
            if rights(&next) != rights(&fen) {
                replay.rights.push((replay.moves.len(), rights(&next).to_owned()));
            }
            (fen, board) = (next, next_board);
        }
        replay
    }
}

/// The third and fourth field of a FEN: `KQkq -`.
fn rights(fen: &str) -> &str {
    let mut gaps = fen.match_indices(' ').map(|(at, _)| at).skip(1);
    match (gaps.next(), gaps.nth(1)) {
        (Some(from), Some(to)) => &fen[from + 1..to],
        _ => "- -",
    }
}
