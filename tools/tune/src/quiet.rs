//! Which positions a static evaluation can be asked about.

use chess::{MoveList, Position};
use tarrasch::search::see_at_least;

/// Whether the side to move is not in check and has no capture or promotion that wins material.
///
/// A quiescence search would find the static value here, but where one side has several captures that pay only
/// together. Exchanges are counted without a search: a microsecond instead of a table, a history and a clock.
pub fn is_quiet(position: &Position) -> bool {
    if position.is_check() {
        return false;
    }
    let mut moves = MoveList::new();
    position.noisy_moves(&mut moves);
    !moves.iter().any(|&mv| see_at_least(position, mv, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hanging_piece_a_promotion_and_a_check_are_not_quiet() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", true),
            // A defended pawn, and one that is not.
            ("4k3/8/3p4/4p3/8/5N2/8/4K3 w - -", true),
            ("4k3/8/8/4p3/8/5N2/8/4K3 w - -", false),
            ("4k3/8/8/4p3/8/5N2/8/4K3 b - -", true),
            ("8/P3k3/8/8/8/8/8/4K3 w - -", false),
            ("4k3/8/8/8/8/8/4r3/4K3 w - -", false),
        ] {
            assert_eq!(is_quiet(&Position::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }
}
