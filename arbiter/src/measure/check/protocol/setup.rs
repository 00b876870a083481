//! A position for the engine, and the same position for the referee.

use referee::{FenError, Referee, Variant};

/// A `position` line with legal moves, and its position.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) line: String,
    pub(super) referee: Referee,
}

impl Setup {
    /// The start position and moves from it.
    pub(super) fn startpos(moves: &str) -> Setup {
        Setup::with_moves("position startpos".to_owned(), Referee::new(Variant::Standard), moves)
    }

    /// A position as FEN and moves from it.
    pub(super) fn fen(fen: &str, moves: &str, variant: Variant) -> Result<Setup, FenError> {
        let referee = Referee::from_fen(fen, variant)?;
        Ok(Setup::with_moves(format!("position fen {fen}"), referee, moves))
    }

    fn with_moves(mut line: String, mut referee: Referee, moves: &str) -> Setup {
        for (index, mv) in moves.split_whitespace().enumerate() {
            if referee.play(mv).is_err() {
                break;
            }
            line += if index == 0 { " moves " } else { " " };
            line += mv;
        }
        Setup { line, referee }
    }

    /// An unfinished game of `plies` plies without a claimable draw: mostly quiet moves, and a pawn move or capture in
    /// time for the fifty-move rule. Always the same game.
    pub(super) fn long_game(plies: usize) -> Setup {
        // Halfway to the fifty-move rule.
        const QUIET_PLIES: u32 = 50;
        let mut setup = Setup::startpos("");
        let mut number = 1_u64;
        while setup.referee.ply() < plies {
            let mut moves = setup.referee.legal_moves();
            moves.sort_unstable();
            // Knuth's MMIX generator; any sequence would do.
            number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let first = (number >> 33) as usize % moves.len();
            moves.rotate_left(first);
            let clock = setup.referee.halfmove_clock();
            let continuations = moves.iter().filter_map(|mv| {
                let mut referee = setup.referee.clone();
                referee.play(mv).ok()?;
                referee.outcome().is_none().then_some((mv, referee))
            });
            let wants_quiet = clock < QUIET_PLIES;
            let continuations: Vec<_> = continuations.collect();
            let best = continuations
                .iter()
                .find(|(_, after)| (after.halfmove_clock() > 0) == wants_quiet)
                .or(continuations.first());
            let Some((mv, referee)) = best else { break };
            setup.line += if setup.referee.ply() == 0 { " moves " } else { " " };
            setup.line += mv;
            setup.referee = referee.clone();
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_game_has_the_wanted_length_and_is_not_over() {
        let setup = Setup::long_game(900);
        assert_eq!(setup.referee.ply(), 900);
        assert_eq!(setup.referee.outcome(), None);
        let moves = setup.line.split_once(" moves ").unwrap().1;
        assert_eq!(Setup::startpos(moves).referee.fen(), setup.referee.fen());
    }
}
