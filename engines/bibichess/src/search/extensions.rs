//! Forcing moves are searched more deeply (§1.2.2).

use chess::Position;

use super::LastMove;

/// Whether a node with so many legal moves is searched one ply more deeply: its side is in check or has no choice, or
/// the last move recaptured or brought a pawn to the seventh rank.
pub fn deserves_extension(position: &Position, legal_moves: usize, last: LastMove) -> bool {
    position.is_check() || legal_moves == 1 || last.is_recapture() || last.is_to_seventh()
}

#[cfg(test)]
mod tests {
    use chess::MoveList;

    use super::*;

    /// Whether the position after these moves is extended.
    fn is_extended(fen: &str, moves: &[&str]) -> bool {
        let mut position = Position::from_fen(fen).unwrap();
        let mut last = LastMove::default();
        for text in moves {
            let mv = position.parse_uci(text).unwrap();
            last = last.followed_by(&position, mv);
            position = position.play(mv);
        }
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        deserves_extension(&position, legal.len(), last)
    }

    #[test]
    fn checks_are_extended() {
        assert!(is_extended("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["a1a8"]));
        assert!(!is_extended("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["a1a7"]));
    }

    #[test]
    fn only_the_second_capture_on_a_square_is_extended() {
        let position = "4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1";
        assert!(!is_extended(position, &["e4d5"]));
        assert!(is_extended(position, &["e4d5", "c6d5"]));
        assert!(!is_extended("4k3/8/8/3p4/1p2P3/P7/8/4K3 w - - 0 1", &["e4d5", "b4a3"]));
    }

    #[test]
    fn a_single_legal_move_is_extended() {
        assert!(is_extended("k7/8/1R6/8/8/8/8/4K3 w - - 0 1", &["e1e2"]));
        assert!(!is_extended("k7/8/8/2R5/8/8/8/4K3 w - - 0 1", &["e1e2"]));
    }

    #[test]
    fn a_pawn_that_reaches_the_seventh_rank_is_extended() {
        assert!(is_extended("7k/8/1P6/8/8/p7/8/7K w - - 0 1", &["b6b7"]));
        assert!(is_extended("7k/8/1P6/8/8/p7/8/7K b - - 0 1", &["a3a2"]));
        assert!(!is_extended("7k/1P6/8/8/8/p7/8/7K w - - 0 1", &["b7b8n"]));
    }
}
