//! The starts of the miner's games: start positions of chess or Chess960 with some pieces removed and, in every other game,
//! the others scattered.
//!
//! Open boards show more cases than full ones, and their counts are small. Scattering puts pieces where random play rarely
//! takes them: pawns about to promote, kings on the rank of a double step. No side has more pieces than at the start.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use chess::{CastlingClaim, ClaimedRook, Color, File, Piece, PieceKind, Position, Rank, Setup, Square};
use referee::Variant;

/// The largest share of a side's pieces that is removed, in percent.
const MOST_OFF: u32 = 80;

/// Castling rooks are removed this many times less often.
const ROOKS_STAY: u32 = 4;

/// The pieces are scattered in one game in this many.
const SCATTERED: u32 = 2;

/// On one scattered board in this many, a side keeps its king and rooks at home, and the right to castle.
const AT_HOME: u32 = 2;

/// A variation moves the pieces of at most this many squares, most of which are empty.
const MOST_VARIED: u32 = 16;

/// One scattered piece in this many is put on a rank that its kind prefers.
const PREFERRED: u32 = 2;

/// A random start position without a check.
pub(super) fn draw_start(random: &mut ChaCha8Rng, variant: Variant) -> Position {
    loop {
        let back_rank = match variant {
            Variant::Standard => CLASSICAL,
            Variant::Chess960 => draw_back_rank(random),
        };
        let mut setup = thinned_setup(random, back_rank);
        if below(random, SCATTERED) == 0 {
            scatter(random, &mut setup);
        }
        if let Some(position) = quiet(&setup) {
            return position;
        }
    }
}

/// The position with a few pieces on other squares, but not kings and castling rooks; `None` if a king is in check then.
pub(super) fn vary(random: &mut ChaCha8Rng, position: &Position) -> Option<Position> {
    let mut setup: Setup = position.shredder_fen().parse().ok()?;
    setup.ep_square = None;
    let stays = position.castling().rooks() | position.of_kind(PieceKind::King);
    for _ in 0..=below(random, MOST_VARIED) {
        let from = below(random, 64) as usize;
        if !stays.has(Square::from_index(from))
            && let Some(piece) = setup.board[from].take()
        {
            put(random, &mut setup, piece);
        }
    }
    quiet(&setup)
}

/// A random number below `bound`; 0 below 0.
pub(super) fn below(random: &mut ChaCha8Rng, bound: u32) -> u32 {
    ((u64::from(random.next_u32()) * u64::from(bound)) >> 32) as u32
}

/// The position, if it is legal and nobody is in check.
fn quiet(setup: &Setup) -> Option<Position> {
    Position::try_from(setup).ok().filter(|position| !position.is_check())
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

/// Shuffles the pieces until the bishops are on different colours and the king is between the rooks, which is about one
/// shuffle in fifteen.
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

fn thinned_setup(random: &mut ChaCha8Rng, back_rank: [PieceKind; 8]) -> Setup {
    let mut setup = Setup {
        board: [None; 64],
        side_to_move: Color::White,
        castling: Vec::new(),
        ep_square: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };
    for color in Color::ALL {
        let percent_off = below(random, MOST_OFF + 1);
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

/// Puts the pieces on random squares, except kings and rooks of a side that stays at home.
fn scatter(random: &mut ChaCha8Rng, setup: &mut Setup) {
    let stays = Color::ALL.map(|_| below(random, AT_HOME) == 0);
    setup.castling.retain(|claim| stays[claim.color.index()]);
    let is_homely =
        |piece: &Piece| stays[piece.color.index()] && matches!(piece.kind, PieceKind::King | PieceKind::Rook);
    let homeless: Vec<Piece> =
        setup.board.iter_mut().filter_map(|square| square.take_if(|piece| !is_homely(piece))).collect();
    for piece in homeless {
        put(random, setup, piece);
    }
}

fn put(random: &mut ChaCha8Rng, setup: &mut Setup, piece: Piece) {
    loop {
        let square = &mut setup.board[draw_square(random, piece).index()];
        if square.is_none() {
            *square = Some(piece);
            return;
        }
    }
}

/// A square for a scattered piece. Pawns prefer the ranks of the double step and of its capture, kings the latter, which
/// makes en passant and its discovered checks more frequent.
fn draw_square(random: &mut ChaCha8Rng, piece: Piece) -> Square {
    let is_preferred = below(random, PREFERRED) == 0;
    let rank = match piece.kind {
        PieceKind::Pawn if is_preferred => [Rank::Second, Rank::Fifth][below(random, 2) as usize],
        PieceKind::King if is_preferred => Rank::Fifth,
        PieceKind::Pawn => Rank::ALL[1 + below(random, 6) as usize],
        _ => Rank::ALL[below(random, 8) as usize],
    };
    let file = File::ALL[below(random, 8) as usize];
    Square::new(file, rank.relative_to(piece.color))
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use chess::CastlingSide;

    #[test]
    fn every_rook_that_is_left_may_castle_where_nothing_is_scattered() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..200 {
            let setup = thinned_setup(&mut random, CLASSICAL);
            let rooks = setup.board.iter().flatten().filter(|piece| piece.kind == PieceKind::Rook).count();
            assert_eq!(setup.castling.len(), rooks);
        }
    }

    #[test]
    fn who_may_castle_is_at_home_and_nobody_is_in_check() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for variant in [Variant::Standard, Variant::Chess960] {
            let mut castling = 0;
            for _ in 0..200 {
                let start = draw_start(&mut random, variant);
                assert!(!start.is_check(), "{start}");
                for color in Color::ALL {
                    let king = start.king(color);
                    let rooks = CastlingSide::ALL.map(|side| start.castling_rook(color, side));
                    for rook in rooks.into_iter().flatten() {
                        castling += 1;
                        assert_eq!(rook.rank(), king.rank(), "{start}");
                        assert!(variant == Variant::Chess960 || king.file() == File::E, "{start}");
                    }
                }
            }
            assert!(castling > 200, "{castling} rooks may castle");
        }
    }

    #[test]
    fn varying_keeps_the_kings_and_who_may_castle() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut varied = 0;
        for _ in 0..200 {
            let start = draw_start(&mut random, Variant::Chess960);
            let Some(other) = vary(&mut random, &start) else { continue };
            varied += usize::from(start.key() != other.key());
            assert_eq!(other.occupied().count(), start.occupied().count(), "{start}");
            assert_eq!(other.of_kind(PieceKind::King), start.of_kind(PieceKind::King), "{start}");
            assert_eq!(other.castling().rooks(), start.castling().rooks(), "{start}");
            assert!(!other.is_check(), "{other}");
        }
        assert!(varied > 50, "{varied} positions varied");
    }

    #[test]
    fn scattering_keeps_the_pieces() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..200 {
            let mut setup = thinned_setup(&mut random, CLASSICAL);
            let pieces = |setup: &Setup| {
                let mut pieces: Vec<String> =
                    setup.board.iter().flatten().map(|piece| format!("{piece:?}")).collect();
                pieces.sort();
                pieces
            };
            let before = pieces(&setup);
            scatter(&mut random, &mut setup);
            assert_eq!(pieces(&setup), before);
        }
    }
}
