//! The phases of a game, by the number of pieces.

use crate::results::GameAverages;
use referee::Side;
use runner::GameRecord;

/// The fewest pieces, kings and pawns included, of the opening and of the middlegame. Definitions vary; this one needs
/// only the captures.
const OPENING: usize = 26;
const MIDDLEGAME: usize = 14;

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// 26 pieces or more, pawns and kings included.
    Opening,
    /// 14 to 25 pieces.
    Middlegame,
    /// 13 pieces or fewer.
    Endgame,
}

impl Phase {
    /// The phases in the order of a game.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The phase of a position with this many pieces.
    pub const fn of(pieces: usize) -> Phase {
        match pieces {
            OPENING.. => Phase::Opening,
            MIDDLEGAME.. => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }
}

/// Depth and speed of one engine in each phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhaseAverages {
    phases: [GameAverages; 3],
}

impl PhaseAverages {
    /// Counts the moves of the engine that played `side`.
    pub fn add(&mut self, game: &GameRecord, side: Side) {
        let mut pieces = pieces_after_the_opening(game);
        let mut mover = game.first_to_move();
        for played in &game.moves {
            if mover == side {
                self.phases[Phase::of(pieces) as usize].add(&GameAverages::of(std::iter::once(played)));
            }
            pieces = pieces.saturating_sub(captured(&played.san));
            mover = mover.other();
        }
    }

    /// The averages of a phase.
    pub const fn of(&self, phase: Phase) -> &GameAverages {
        &self.phases[phase as usize]
    }
}

fn pieces_after_the_opening(game: &GameRecord) -> usize {
    let board = game.opening.fen.split(' ').next().unwrap_or_default();
    let pieces = board.chars().filter(char::is_ascii_alphabetic).count();
    pieces.saturating_sub(game.opening.moves.iter().map(|played| captured(&played.san)).sum())
}

/// The number of pieces that a move captures; SAN writes en passant as a capture, too.
fn captured(san: &str) -> usize {
    usize::from(san.contains('x'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::game;

    #[test]
    fn a_move_belongs_to_the_phase_in_which_it_was_thought_about() {
        let mut record = game(0, (0, 1), None);
        record.opening.fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNB1K3 w - - 0 1".to_owned();
        record.opening.moves.clear();
        let mut played = record.moves[0].clone();
        played.san = "Bxb7".into();
        record.moves = vec![played; 9];
        let mut averages = PhaseAverages::default();
        averages.add(&record, Side::White);
        let moves = Phase::ALL.map(|phase| averages.of(phase).moves());
        assert_eq!(moves, [0, 4, 1], "21 pieces at the first move, 13 at the ninth");
    }
}
