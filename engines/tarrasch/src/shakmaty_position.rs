//! Positions for shakmaty, which looks them up in books and tablebases.

use std::num::NonZeroU32;

use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, PositionError, Setup, Square};

use chess::{Color, PieceKind, Position};

/// The same position for shakmaty; `None` if shakmaty takes it for illegal. Impossible checks are allowed.
pub fn shakmaty_position(position: &Position) -> Option<Chess> {
    let kind = |kind| Bitboard(position.of_kind(kind).bits());
    let side = |color| Bitboard(position.colored(color).bits());
    let by_role = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let by_color = ByColor { black: side(Color::Black), white: side(Color::White) };
    let setup = Setup {
        board: Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: shakmaty::Color::from_white(position.side_to_move() == Color::White),
        castling_rights: Bitboard(position.castling().rooks().bits()),
        ep_square: position.ep_square().map(|square| Square::new(square.index() as u32)),
        halfmoves: position.halfmove_clock().into(),
        fullmoves: NonZeroU32::new(position.fullmove_number().into()).unwrap_or(NonZeroU32::MIN),
        ..Setup::empty()
    };
    setup.position(CastlingMode::Chess960).or_else(PositionError::ignore_impossible_check).ok()
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn a_position_is_the_one_that_its_fen_describes() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pp1p1ppp/8/2pPp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 12 34",
            "8/8/8/4k3/8/8/1q6/K2R4 w - - 99 120",
        ] {
            let read: Fen = fen.parse().unwrap();
            let expected: Chess = read.into_position(CastlingMode::Chess960).unwrap();
            assert_eq!(shakmaty_position(&Position::from_fen(fen).unwrap()), Some(expected), "{fen}");
        }
    }
}
