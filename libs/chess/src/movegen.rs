//! The generator of legal moves.
//!
//! One walk over the pieces hands all moves to a [`MoveSink`], which lists or counts them. Checkers and pins are known
//! beforehand, so only legal moves are generated: in check, a piece lands on the checker or between it and the king; a
//! pinned piece stays on its line; the king goes to safe squares. Only en passant is tried out. The side to move is a
//! type ([`Side`]), so the compiler makes one generator per colour, with constant directions.

use super::castling::{must_be_empty, must_be_safe};
use super::{Bitboard, Color, Move, MoveList, PieceKind, Position, Rank, Square, attacks};

/// Receives moves in bulk.
pub(super) trait MoveSink {
    /// The moves of one piece, either a pinned pawn or not a pawn, to each of these squares.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// The moves of pawns to each of these squares, whose origins have a square index lower by `step`.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// Promotions on each of these squares; `W` selects the queen, all four pieces, or the three lesser ones.
    fn promotions<W: Wanted>(&mut self, targets: Bitboard, step: i8);
    fn single(&mut self, m: Move);
}

/// Which moves to generate.
///
/// Noisy moves are captures, including en passant, and promotions to a queen. Promotions to a lesser piece count as
/// quiet even if they capture. Every legal move is either noisy or quiet.
pub(super) trait Wanted {
    const NOISY: bool;
    const QUIET: bool;
}

pub(super) enum Every {}
/// Captures and promotions to a queen.
pub(super) enum Noisy {}
pub(super) enum Quiet {}

impl Wanted for Every {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Wanted for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Wanted for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

impl MoveSink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self.push(Move::normal(to.offset(-step), to));
        }
    }

    #[inline]
    fn promotions<W: Wanted>(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            let from = to.offset(-step);
            if W::NOISY {
                self.push(Move::promoting(from, to, PieceKind::Queen));
            }
            if W::QUIET {
                for kind in [PieceKind::Knight, PieceKind::Rook, PieceKind::Bishop] {
                    self.push(Move::promoting(from, to, kind));
                }
            }
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        self.push(m);
    }
}

/// Counts moves without listing them.
pub(super) struct MoveCount(pub(super) u32);

impl MoveSink for MoveCount {
    #[inline]
    fn piece(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _step: i8) {
        self.0 += targets.count();
    }

    #[inline]
    fn promotions<W: Wanted>(&mut self, targets: Bitboard, _step: i8) {
        self.0 += targets.count() * (u32::from(W::NOISY) + 3 * u32::from(W::QUIET));
    }

    #[inline]
    fn single(&mut self, _m: Move) {
        self.0 += 1;
    }
}

impl Position {
    /// All legal moves.
    #[inline]
    pub fn move_list(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate_either::<Every>(&mut moves);
        moves
    }

    /// Adds the noisy legal moves to a list: captures, including en passant, and promotions to a queen. Promotions to
    /// lesser pieces are left out even if they capture. In check, only noisy evasions are added.
    pub fn noisy_moves(&self, moves: &mut MoveList) {
        self.generate_either::<Noisy>(moves);
    }

    /// Adds the legal moves that [`noisy_moves`](Self::noisy_moves) leaves out.
    pub fn quiet_moves(&self, moves: &mut MoveList) {
        self.generate_either::<Quiet>(moves);
    }

    /// Whether the side to move has a legal move: if not, the game is over.
    pub fn has_legal_move(&self) -> bool {
        let mut count = MoveCount(0);
        match self.side_to_move() {
            Color::White => self.generate::<White, Every>(&mut count),
            Color::Black => self.generate::<Black, Every>(&mut count),
        }
        count.0 > 0
    }

    #[inline]
    fn generate_either<W: Wanted>(&self, moves: &mut MoveList) {
        match self.side_to_move() {
            Color::White => self.generate::<White, W>(moves),
            Color::Black => self.generate::<Black, W>(moves),
        }
    }

    /// Passes the wanted legal moves of the side to move, `S`, to the sink.
    #[inline]
    pub(super) fn generate<S: Side, W: Wanted>(&self, sink: &mut impl MoveSink) {
        let enemies = self.colored(!S::COLOR);
        let wanted = match (W::NOISY, W::QUIET) {
            (true, true) => !self.colored(S::COLOR),
            (true, false) => enemies,
            (false, _) => !self.occupied(),
        };
        let king = self.king(S::COLOR);
        self.generate_king::<S>(king, wanted, sink);
        if self.checkers().more_than_one() {
            return;
        }
        let mut evading = Bitboard::ALL;
        if let Some(checker) = self.checkers().first() {
            evading = attacks::between(king, checker) | checker.bitboard();
        } else if W::QUIET {
            self.generate_castling::<S>(king, sink);
        }
        self.generate_pieces::<S>(king, wanted & evading, sink);
        self.generate_pawns::<S, W>(king, evading, sink);
        if W::NOISY {
            self.generate_en_passant::<S>(sink);
        }
    }

    #[inline]
    fn generate_king<S: Side>(&self, king: Square, wanted: Bitboard, sink: &mut impl MoveSink) {
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king(king) & wanted {
            if self.is_safe_for_king(S::COLOR, to) {
                safe |= to.bitboard();
            }
        }
        sink.piece(king, safe);
    }

    #[inline]
    fn generate_castling<S: Side>(&self, king: Square, sink: &mut impl MoveSink) {
        for rook in self.castling().rooks_of(S::COLOR) {
            if self.can_castle(king, rook) {
                sink.single(Move::castling(king, rook));
            }
        }
    }

    /// Whether a king that is not in check may castle with a rook that has the right to. The rook must not be pinned:
    /// in Chess960 it may shield the king on the back rank.
    #[inline]
    pub(super) fn can_castle(&self, king: Square, rook: Square) -> bool {
        (must_be_empty(king, rook) & self.occupied()).is_empty()
            && !self.pinned().has(rook)
            && must_be_safe(king, rook).into_iter().all(|to| self.is_safe_for_king(self.side_to_move(), to))
    }

    #[inline]
    fn generate_pieces<S: Side>(&self, king: Square, targets: Bitboard, sink: &mut impl MoveSink) {
        let pinned = self.pinned();
        let occupied = self.occupied();
        for from in self.pieces(S::COLOR, PieceKind::Knight) & !pinned {
            sink.piece(from, attacks::knight(from) & targets);
        }
        let diagonal = self.diagonal_sliders(S::COLOR);
        let straight = self.straight_sliders(S::COLOR);
        for from in diagonal & !pinned {
            sink.piece(from, attacks::bishop(from, occupied) & targets);
        }
        for from in straight & !pinned {
            sink.piece(from, attacks::rook(from, occupied) & targets);
        }
        for from in diagonal & pinned {
            sink.piece(from, attacks::bishop(from, occupied) & targets & attacks::line(king, from));
        }
        for from in straight & pinned {
            sink.piece(from, attacks::rook(from, occupied) & targets & attacks::line(king, from));
        }
    }

    /// Generates pawn moves set-wise, except for pinned pawns, which move one at a time along their line.
    #[inline]
    fn generate_pawns<S: Side, W: Wanted>(&self, king: Square, targets: Bitboard, sink: &mut impl MoveSink) {
        let pawns = self.pieces(S::COLOR, PieceKind::Pawn);
        self.generate_pawn_set::<S, W>(pawns & !self.pinned(), targets, sink);
        for from in pawns & self.pinned() {
            self.generate_pawn_set::<S, W>(from.bitboard(), targets & attacks::line(king, from), sink);
        }
    }

    #[inline]
    fn generate_pawn_set<S: Side, W: Wanted>(
        &self,
        pawns: Bitboard,
        targets: Bitboard,
        sink: &mut impl MoveSink,
    ) {
        let empty = !self.occupied();
        let enemies = self.colored(!S::COLOR) & targets;
        let forward = (pawns & !S::SEVENTH_RANK).forward(S::COLOR);
        if W::QUIET {
            let single = forward & empty;
            let double = (single & S::THIRD_RANK).forward(S::COLOR) & empty;
            sink.pawns(single & targets, S::FORWARD);
            sink.pawns(double & targets, 2 * S::FORWARD);
        }
        if W::NOISY {
            sink.pawns(forward.east() & enemies, S::FORWARD + 1);
            sink.pawns(forward.west() & enemies, S::FORWARD - 1);
        }
        let promoting = pawns & S::SEVENTH_RANK;
        if promoting.any() {
            let forward = promoting.forward(S::COLOR);
            sink.promotions::<W>(forward & empty & targets, S::FORWARD);
            sink.promotions::<W>(forward.east() & enemies, S::FORWARD + 1);
            sink.promotions::<W>(forward.west() & enemies, S::FORWARD - 1);
        }
    }

    #[inline]
    fn generate_en_passant<S: Side>(&self, sink: &mut impl MoveSink) {
        let Some(to) = self.ep_square() else { return };
        for from in attacks::pawn(!S::COLOR, to) & self.pieces(S::COLOR, PieceKind::Pawn) {
            if self.is_en_passant_safe(from, to) {
                sink.single(Move::en_passant(from, to));
            }
        }
    }
}

pub(super) trait Side {
    type Them: Side<Them = Self>;
    const COLOR: Color;
    const FORWARD: i8 = match Self::COLOR {
        Color::White => 8,
        Color::Black => -8,
    };
    /// The rank that a pawn reaches with a single step from its starting rank.
    const THIRD_RANK: Bitboard = Bitboard::of_rank(Rank::Third.relative_to(Self::COLOR));
    /// The rank from which pawns promote.
    const SEVENTH_RANK: Bitboard = Bitboard::of_rank(Rank::Seventh.relative_to(Self::COLOR));
}

pub(super) enum White {}

pub(super) enum Black {}

impl Side for White {
    type Them = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
}
