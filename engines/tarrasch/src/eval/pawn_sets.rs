//! Pawn fills and spans, for all pawns of a set at once (Chess Programming Wiki, "Pawn Spans").

use chess::{Bitboard, Color, PieceKind, Position};

/// The squares to the left and right of the set.
pub fn beside(set: Bitboard) -> Bitboard {
    set.east() | set.west()
}

/// The squares that pawns of this colour attack.
pub fn attacks(pawns: Bitboard, color: Color) -> Bitboard {
    beside(pawns.forward(color))
}

/// The front span: all squares in front of squares of the set.
pub fn in_front(set: Bitboard, color: Color) -> Bitboard {
    let mut filled = set.forward(color).bits();
    for shift in [8, 16, 32] {
        filled |= match color {
            Color::White => filled << shift,
            Color::Black => filled >> shift,
        };
    }
    Bitboard::new(filled)
}

/// All squares of the files of the set.
pub fn files(set: Bitboard) -> Bitboard {
    set | in_front(set, Color::White) | in_front(set, Color::Black)
}

/// The squares that pawns of this colour attack or could attack after advancing.
pub fn attack_span(pawns: Bitboard, color: Color) -> Bitboard {
    beside(in_front(pawns, color))
}

/// The passed pawns of this colour, only the foremost of each file.
pub fn passed(position: &Position, us: Color) -> Bitboard {
    let (ours, theirs) = (position.pieces(us, PieceKind::Pawn), position.pieces(!us, PieceKind::Pawn));
    let guarded = in_front(theirs, !us) | attack_span(theirs, !us);
    ours & !guarded & !in_front(ours, !us)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    fn set(squares: &str) -> Bitboard {
        squares.split(' ').map(|square| square.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn in_front_is_seen_from_the_owner() {
        assert_eq!(in_front(set("c6"), Color::White), set("c7 c8"));
        assert_eq!(in_front(set("c3"), Color::Black), set("c2 c1"));
        assert_eq!(attack_span(set("a6"), Color::White), set("b7 b8"));
    }

    #[test]
    fn a_pawn_is_passed_when_no_enemy_pawn_is_before_it_or_beside_its_way() {
        let position = Position::from_fen("4k3/1p5p/8/P1P1P3/4P3/8/6P1/4K3 w - - 0 1").unwrap();
        assert_eq!(passed(&position, Color::White), set("e5"));
        assert_eq!(passed(&position, Color::Black), Bitboard::EMPTY);
    }
}
