//! The random moves that a game begins with.

use chess::{MoveList, Position, SplitMix};

/// What is random in a game: a sequence for each seed and number.
#[derive(Debug)]
pub struct Chance(SplitMix);

impl Chance {
    /// The sequence of a game.
    pub fn of_game(seed: u32, number: u64) -> Chance {
        // The numbers of neighbouring games, and those of neighbouring seeds, are to have nothing in common.
        let of_seed = SplitMix::new(seed.into()).next();
        Chance(SplitMix::new(SplitMix::new(of_seed ^ number).next()))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.0.next()) * u128::from(bound)) >> 64) as u32
    }

    /// The position after so many random plies, or after one more; `None` if the game ends before there is a move to
    /// search.
    pub fn opening(&mut self, plies: u32) -> Option<Position> {
        let mut position = Position::start();
        for _ in 0..plies + self.below(2) {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                return None;
            }
            position.play_unchecked(moves[self.below(moves.len() as u32) as usize]);
        }
        position.has_legal_move().then_some(position)
    }
}
