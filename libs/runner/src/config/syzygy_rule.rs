//! The rule for adjudication by Syzygy tablebases.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use referee::Tablebases;

/// Ends a game with the result that Syzygy tablebases have for its position.
///
/// Only WDL tables are needed, whose results hold right after a capture or a pawn move. So with the fifty-move rule a
/// game is ended only when the halfmove clock is 0, which happens on the way to every win in the tables; later the same
/// position may be a win that comes too late. Wins that the rule prevents are draws. If the rule is ignored, such wins
/// count and positions are looked up at any time. No table has positions in which castling is possible; these are played
/// on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyzygyRule {
    /// The folders with the tables, which are files such as `KQvKR.rtbw`.
    pub folders: Vec<PathBuf>,
    /// The maximum number of pieces, including kings, of positions that are looked up; 3 to 7.
    #[serde(default = "all_pieces")]
    pub pieces: usize,
    /// Whether wins count that take more than fifty moves without a capture or pawn move.
    #[serde(default)]
    pub ignore_50: bool,
    /// The results that may end a game.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub results: SyzygyResults,
    /// Whether positions are looked up after every move, as in cutechess-cli; this needs DTZ files (`.rtbz`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub every_move: bool,
}

/// The results with which tablebases may end games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SyzygyResults {
    /// Wins and draws.
    #[default]
    All,
    /// Wins only.
    Wins,
    /// Draws only.
    Draws,
}

fn all_pieces() -> usize {
    Tablebases::MOST_PIECES
}
