//! The positions of a game, with the facts by which they are filtered.

use anyhow::Result;
use referee::{Referee, Side};

use crate::games::finished_games::{FinishedGame, board_of};

/// The plies before and after a position over which its swing is computed.
const SWING_PLIES: usize = 2;

/// Scores are clamped to this many centipawns; beyond that the game is decided.
const DECIDED: i32 = 600;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePosition {
    /// The first four fields of the FEN.
    pub board: String,
    pub ply: usize,
    /// The move number, as in `23.` or `23...`.
    pub number: String,
    /// Pieces and pawns on the board, kings included.
    pub pieces: usize,
    pub legal_moves: usize,
    /// The square of the capture that led to this position, if one did.
    pub captured_on: Option<String>,
    /// The change of the players' scores around this position, in centipawns; `None` if they are unknown.
    pub swing: Option<i32>,
}

impl FinishedGame {
    /// All positions of the game in order, except the final one if the game is over there.
    pub(super) fn positions(&self) -> Result<Vec<GamePosition>> {
        let mut referee = self.start()?;
        let mut positions = Vec::with_capacity(self.moves.len() + 1);
        positions.extend(GamePosition::of(&referee, None, self.swing(0)));
        for scored in &self.moves {
            let played = self.play(&mut referee, scored)?;
            let captured_on = played.san().contains('x').then(|| played.uci()[2..4].to_owned());
            positions.extend(GamePosition::of(&referee, captured_on, self.swing(referee.ply())));
        }
        Ok(positions)
    }

    /// The difference between the highest and the lowest score around `ply`, from the point of view of that ply's
    /// player. It is large where a player missed a move or did not expect one.
    fn swing(&self, ply: usize) -> Option<i32> {
        let around = ply.saturating_sub(SWING_PLIES)..=ply + SWING_PLIES;
        let scores = around.filter_map(|other| {
            let score = self.moves.get(other)?.score?.clamped_centipawns().clamp(-DECIDED, DECIDED);
            Some(if other.abs_diff(ply).is_multiple_of(2) { score } else { -score })
        });
        let scores: Vec<i32> = scores.collect();
        Some(scores.iter().max()? - scores.iter().min()?)
    }
}

impl GamePosition {
    /// The current position; `None` if the game is over.
    fn of(referee: &Referee, captured_on: Option<String>, swing: Option<i32>) -> Option<GamePosition> {
        if referee.outcome().is_some() {
            return None;
        }
        let board = board_of(referee);
        let pieces =
            board.chars().take_while(|letter| *letter != ' ').filter(char::is_ascii_alphabetic).count();
        let dots = if referee.turn() == Side::White { "." } else { "..." };
        Some(GamePosition {
            board,
            ply: referee.ply(),
            number: format!("{}{dots}", referee.move_number()),
            pieces,
            legal_moves: referee.legal_moves().len(),
            captured_on,
            swing,
        })
    }

    /// The position to search, without earlier moves, since readers of the suite have none either.
    pub fn fen(&self) -> String {
        format!("{} 0 1", self.board)
    }
}

#[cfg(test)]
mod tests {
    use referee::Variant;
    use runner::MoveScore;

    use super::*;
    use crate::games::finished_games::{GameOutcome, ScoredMove};

    fn game(start_fen: Option<&str>, moves: &[&str]) -> FinishedGame {
        let scored = |uci: &&str| ScoredMove { uci: (*uci).to_owned(), score: None };
        FinishedGame {
            title: "a game".to_owned(),
            players: [None, None],
            variant: Variant::Standard,
            start_fen: start_fen.map(str::to_owned),
            book_plies: 0,
            moves: moves.iter().map(scored).collect(),
            outcome: GameOutcome::Unfinished,
        }
    }

    #[test]
    fn each_position_has_its_number_its_pieces_and_the_last_capture_until_the_game_is_over() {
        let positions = game(None, &["e2e4", "d7d5", "e4d5"]).positions().unwrap();
        let numbers: Vec<&str> = positions.iter().map(|position| position.number.as_str()).collect();
        assert_eq!(numbers, ["1.", "1...", "2.", "2..."]);
        let last = &positions[3];
        assert_eq!((last.ply, last.pieces, last.legal_moves), (3, 31, 28));
        assert_eq!(last.captured_on.as_deref(), Some("d5"));
        assert_eq!(positions[2].captured_on, None);
        assert_eq!(last.fen(), "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        let positions = game(None, &["f2f3", "e7e5", "g2g4", "d8h4"]).positions().unwrap();
        assert_eq!(positions.len(), 4);
        let bare = game(Some("8/8/8/3k4/8/4K3/3p4/8 w - - 0 1"), &["e3d2"]).positions().unwrap();
        assert_eq!(bare.len(), 1);
    }

    #[test]
    fn scores_swing_where_a_player_was_surprised() {
        let mut played = game(None, &["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]);
        let swings = |game: &FinishedGame| -> Vec<Option<i32>> {
            game.positions().unwrap().iter().map(|position| position.swing).collect()
        };
        assert_eq!(swings(&played), [None; 7]);
        // White sees a loss of 300 with its third move, Black a gain with its third.
        for (played, score) in played.moves[1..].iter_mut().zip([-20, 20, -20, -280, 5000]) {
            played.score = Some(MoveScore::Cp(score));
        }
        assert_eq!(swings(&played)[..4], [Some(0), Some(0), Some(300), Some(620)]);
        assert_eq!(swings(&played)[6], Some(320));
    }
}
