//! The contents of a FEN, and whether the position can be played.
//!
//! Positions that no game can reach, such as one with four checkers or twelve queens, can be played too.

use super::castling::CastlingRights;
use super::{Bitboard, CastlingSide, Color, File, Piece, PieceKind, Position, Rank, Square, ZobristKey};
use std::fmt;

/// The contents of a FEN, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The pieces, indexed by square.
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub side_to_move: Color,
    /// The castling rights that the FEN claims.
    pub castling: Vec<CastlingClaim>,
    /// The square that a pawn has just passed over, as the FEN claims.
    pub ep_square: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the next move, from 1.
    pub fullmove_number: u16,
}

impl Setup {
    /// The pieces and their squares, from a8 to h1 as in a FEN.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        let squares =
            Rank::ALL.into_iter().rev().flat_map(|rank| File::ALL.map(|file| Square::new(file, rank)));
        squares.filter_map(|square| Some((square, self.board[square.index()]?)))
    }

    /// The castling rights by the outermost rook: White's, then Black's; for each, king side, then queen side.
    pub fn outer_castling(&self) -> [[bool; 2]; 2] {
        let claims = |claim| self.castling.contains(&claim);
        CastlingClaim::OUTER.map(|claims_of| claims_of.map(claims))
    }
}

/// A castling right as a FEN claims it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastlingClaim {
    /// The side that has the right.
    pub color: Color,
    /// The rook with which it castles.
    pub rook: ClaimedRook,
}

impl CastlingClaim {
    /// The four claims by the outermost rook: White's, then Black's; for each, king side, then queen side.
    const OUTER: [[Self; 2]; 2] = {
        const fn of(color: Color) -> [CastlingClaim; 2] {
            let [king, queen] = CastlingSide::ALL;
            [
                CastlingClaim { color, rook: ClaimedRook::Outermost(king) },
                CastlingClaim { color, rook: ClaimedRook::Outermost(queen) },
            ]
        }
        [of(Color::White), of(Color::Black)]
    };

    /// The claims for these rights by the outermost rook: White's, then Black's; for each, king side, then queen side.
    pub fn outer(rights: [[bool; 2]; 2]) -> Vec<Self> {
        let claims = Self::OUTER.as_flattened().iter().zip(rights.as_flattened());
        claims.filter_map(|(claim, has)| has.then_some(*claim)).collect()
    }
}

/// How a FEN names a castling rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimedRook {
    /// The outermost rook on this side of the king (`K`, `Q`).
    Outermost(CastlingSide),
    /// The rook on this file (`A` to `H`).
    OnFile(File),
}

impl fmt::Display for CastlingClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.rook {
            ClaimedRook::Outermost(CastlingSide::King) => 'k',
            ClaimedRook::Outermost(CastlingSide::Queen) => 'q',
            ClaimedRook::OnFile(file) => file.letter(),
        };
        match self.color {
            Color::White => write!(f, "{}", letter.to_ascii_uppercase()),
            Color::Black => write!(f, "{letter}"),
        }
    }
}

/// A position that cannot be played, with every problem found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal position: {}", problems.join("; "))]
pub struct IllegalPosition {
    /// The problems; at least one.
    pub problems: Vec<String>,
}

pub(super) fn misplaced(claim: CastlingClaim) -> String {
    format!("castling right \"{claim}\" without its king and rook in place")
}

impl TryFrom<&Setup> for Position {
    type Error = IllegalPosition;

    fn try_from(setup: &Setup) -> Result<Self, IllegalPosition> {
        let mut position = Self::empty();
        for (square, piece) in setup.pieces() {
            position.put_on(piece.color, piece.kind, square);
        }
        position.side_to_move = setup.side_to_move;
        position.halfmove_clock = setup.halfmove_clock;
        position.fullmove_number = setup.fullmove_number;

        let mut problems = position.material_problems();
        let kings_are_right = Color::ALL.iter().all(|&color| position.king_count(color) == 1);
        position.claim_castling(&setup.castling, &mut problems);
        let passed = setup.ep_square.filter(|&passed| position.can_have_passed(passed));
        if let (Some(square), None) = (setup.ep_square, passed) {
            problems.push(format!("no pawn has just passed over the en-passant square {square}"));
        }
        if kings_are_right {
            position.find_checkers_and_pins();
            problems.extend(position.check_problem());
        }
        if !problems.is_empty() {
            return Err(IllegalPosition { problems });
        }
        if let Some(passed) = passed {
            position.ep_square = position.is_en_passant_possible(passed).then_some(passed);
        }
        (position.key, position.pawn_key) = position.keys_from_scratch();
        Ok(position)
    }
}

impl Position {
    fn king_count(&self, color: Color) -> u32 {
        self.pieces(color, PieceKind::King).count()
    }

    fn material_problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for color in Color::ALL {
            match self.king_count(color) {
                0 => problems.push(format!("{color:?} has no king")),
                1 => {}
                count => problems.push(format!("{color:?} has {count} kings")),
            }
            // With more pieces, a side might have more moves than a move list holds.
            if self.colored(color).count() > 16 {
                problems.push(format!("{color:?} has more than 16 pieces"));
            }
        }
        let misplaced = self.of_kind(PieceKind::Pawn) & Bitboard::BACK_RANKS;
        problems.extend(misplaced.into_iter().map(|square| format!("a pawn on {square}")));
        problems
    }

    fn claim_castling(&mut self, claims: &[CastlingClaim], problems: &mut Vec<String>) {
        let mut rooks = Bitboard::EMPTY;
        for &claim in claims {
            match self.claimed_rook(claim) {
                Some(rook) => rooks |= rook.bitboard(),
                None => problems.push(misplaced(claim)),
            }
        }
        for color in Color::ALL {
            let king = self.king(color);
            for side in CastlingSide::ALL {
                let same_side = |&rook: &Square| CastlingSide::of(king, rook) == side;
                let claimed = (rooks & Bitboard::back_rank(color)).into_iter().filter(same_side);
                // Only one rook on a side can have the right: every claim but the first is wrong.
                problems.extend(
                    claimed.skip(1).map(|rook| {
                        misplaced(CastlingClaim { color, rook: ClaimedRook::OnFile(rook.file()) })
                    }),
                );
            }
        }
        self.castling = CastlingRights::from_rooks(rooks);
    }

    /// The rook that a castling claim refers to, if king and rook stand where the claim requires.
    pub(super) fn claimed_rook(&self, claim: CastlingClaim) -> Option<Square> {
        let back_rank = Bitboard::back_rank(claim.color);
        let king = (self.pieces(claim.color, PieceKind::King) & back_rank).first()?;
        let rooks = self.pieces(claim.color, PieceKind::Rook) & back_rank;
        match claim.rook {
            ClaimedRook::Outermost(CastlingSide::King) => rooks.last().filter(|&rook| rook > king),
            ClaimedRook::Outermost(CastlingSide::Queen) => rooks.first().filter(|&rook| rook < king),
            ClaimedRook::OnFile(file) => Some(Square::new(file, king.rank())).filter(|&rook| rooks.has(rook)),
        }
    }

    /// Whether an enemy pawn can have passed over this square with its last move.
    fn can_have_passed(&self, passed: Square) -> bool {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let crossed = passed.bitboard() | passed.bitboard().forward(us);
        passed.rank() == Rank::Sixth.relative_to(us)
            && (crossed & self.occupied()).is_empty()
            && (passed.bitboard().forward(them) & self.pieces(them, PieceKind::Pawn)).any()
    }

    /// The error if the side not to move is in check. Both sides must have one king.
    fn check_problem(&self) -> Option<String> {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let takers = self.attackers_to(self.king(them), self.occupied()) & self.colored(us);
        takers.any().then(|| format!("{them:?} is in check but not to move"))
    }

    /// The keys computed from the board, to test the incrementally updated ones.
    pub fn keys_from_scratch(&self) -> (ZobristKey, ZobristKey) {
        let (mut key, mut pawn_key) = (ZobristKey::of_castling(self.castling.rooks()), ZobristKey::ZERO);
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                key ^= ZobristKey::of_piece(piece, square);
                if piece.kind == PieceKind::Pawn {
                    pawn_key ^= ZobristKey::of_piece(piece, square);
                }
            }
        }
        if self.side_to_move == Color::Black {
            key ^= ZobristKey::of_black_to_move();
        }
        if let Some(square) = self.ep_square {
            key ^= ZobristKey::of_en_passant(square.file());
        }
        (key, pawn_key)
    }
}
