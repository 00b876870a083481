//! Where the games of the miner begin: a start position of chess or Chess960 from which some pieces are taken off.
//!
//! Full boards are crowded and rarely show anything; open ones do, and their counts stay small.

use rand_chacha::ChaCha8Rng;

use super::case_miner::below;
use crate::chess::{
    CastlingClaim, ClaimedRook, Color, File, Piece, PieceKind, Position, Rank, Setup, Square,
};
use crate::referee::Variant;

/// Most pieces that are taken off, in percent of those on the board.
const MOST_OFF: u32 = 80;

/// Castling rooks stay so many times as often as other pieces.
const ROOKS_STAY: u32 = 4;

/// A start position that the generator draws. Draws again where taking pieces off leaves a king in check at the wrong
/// time.
pub(super) fn draw_start(random: &mut ChaCha8Rng, variant: Variant) -> Position {
    loop {
        let back_rank = match variant {
            Variant::Standard => CLASSICAL,
            Variant::Chess960 => draw_back_rank(random),
        };
        let percent_off = below(random, MOST_OFF + 1);
        if let Ok(position) = Position::try_from(&thinned_setup(random, back_rank, percent_off)) {
            return position;
        }
    }
}

const CLASSICAL: [PieceKind; 8] = [
    PieceKind::Rook,
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Queen,
    PieceKind::King,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Rook,
];

/// Shuffles the pieces until the bishops are on different colours and the king is between the rooks: one shuffle in
/// fifteen or so is one of the 960.
fn draw_back_rank(random: &mut ChaCha8Rng) -> [PieceKind; 8] {
    loop {
        let mut pieces = CLASSICAL;
        for last in (1..8).rev() {
            pieces.swap(last, below(random, last as u32 + 1) as usize);
        }
        let files_of = |kind| (0..8).filter(move |&file| pieces[file] == kind);
        let bishops: usize = files_of(PieceKind::Bishop).sum();
        let king = files_of(PieceKind::King).sum();
        let rooks: Vec<usize> = files_of(PieceKind::Rook).collect();
        if bishops % 2 == 1 && rooks[0] < king && king < rooks[1] {
            return pieces;
        }
    }
}

fn thinned_setup(random: &mut ChaCha8Rng, back_rank: [PieceKind; 8], percent_off: u32) -> Setup {
    let mut setup = Setup {
        board: [None; 64],
        side_to_move: Color::White,
        castling: Vec::new(),
        ep_square: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };
    for color in Color::ALL {
        for (file, kind) in File::ALL.into_iter().zip(back_rank) {
            let percent = if kind == PieceKind::Rook { percent_off / ROOKS_STAY } else { percent_off };
            if kind == PieceKind::King || below(random, 100) >= percent {
                let square = Square::new(file, Rank::First.relative_to(color));
                setup.board[square.index()] = Some(Piece { color, kind });
                if kind == PieceKind::Rook {
                    setup.castling.push(CastlingClaim { color, rook: ClaimedRook::OnFile(file) });
                }
            }
            if below(random, 100) >= percent_off {
                let square = Square::new(file, Rank::Second.relative_to(color));
                setup.board[square.index()] = Some(Piece { color, kind: PieceKind::Pawn });
            }
        }
    }
    setup
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::chess::CastlingSide;

    #[test]
    fn every_rook_that_is_left_may_castle() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for variant in [Variant::Standard, Variant::Chess960] {
            for _ in 0..200 {
                let start = draw_start(&mut random, variant);
                assert_eq!(start.castling().rooks(), start.of_kind(PieceKind::Rook), "{start}");
                for color in Color::ALL {
                    let king = start.king(color);
                    assert!(variant == Variant::Chess960 || king.file() == File::E, "{start}");
                    for side in CastlingSide::ALL {
                        assert!(
                            start.castling_rook(color, side).is_none_or(|rook| rook.rank() == king.rank())
                        );
                    }
                }
            }
        }
    }
}
