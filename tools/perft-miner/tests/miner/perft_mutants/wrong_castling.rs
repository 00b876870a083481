//! Castling that only a faulty generator allows, and castling that one refuses.

use chess::{Bitboard, CastlingSide, Move, Position, Square, attacks};

use super::fault::Fault;
use super::mutant::Node;

/// What is true of castling with one rook.
#[expect(clippy::struct_excessive_bools, reason = "each is one question of the rules")]
struct Castling {
    king_way_is_free: bool,
    rook_way_is_free: bool,
    in_check: bool,
    passes_attack: bool,
    ends_on_attack: bool,
    uncovers_king: bool,
    only_rook_passes_attack: bool,
}

impl Castling {
    fn new(position: &Position, king: Square, rook: Square) -> Castling {
        let side = CastlingSide::of(king, rook);
        let king_to = Square::new(side.king_file(), king.rank());
        let rook_to = Square::new(side.rook_file(), king.rank());
        let movers = king.bitboard() | rook.bitboard();
        let king_way = (attacks::between(king, king_to) | king_to.bitboard()) & !movers;
        let rook_way = (attacks::between(rook, rook_to) | rook_to.bitboard()) & !movers;
        let occupied = position.occupied();
        let enemies = position.colored(!position.side_to_move());
        let attacked_on =
            |to: Square, occupied: Bitboard| (position.attackers_to(to, occupied) & enemies & !movers).any();
        let is_attacked = |to: Square| attacked_on(to, occupied & !king.bitboard());
        let after = (occupied & !movers) | king_to.bitboard() | rook_to.bitboard();
        let ends_on_attack = king_to != king && is_attacked(king_to);
        Castling {
            king_way_is_free: (king_way & occupied).is_empty(),
            rook_way_is_free: (rook_way & occupied).is_empty(),
            in_check: position.is_check(),
            passes_attack: attacks::between(king, king_to).into_iter().any(is_attacked),
            ends_on_attack,
            uncovers_king: !ends_on_attack && attacked_on(king_to, after),
            only_rook_passes_attack: (rook_way & !king_way).into_iter().any(is_attacked),
        }
    }

    /// Whether a generator with this fault allows it.
    fn is_allowed_by(&self, fault: Fault) -> bool {
        let is = |wanted: Fault| fault == wanted;
        self.king_way_is_free
            && (self.rook_way_is_free || is(Fault::CastlingRookWayUnseen))
            && (!self.in_check || is(Fault::CastlingOutOfCheck))
            && (!self.passes_attack || is(Fault::CastlingThroughCheck))
            && (!self.ends_on_attack || is(Fault::CastlingIntoCheck))
            && (!self.uncovers_king || is(Fault::CastlingRookPinUnseen))
    }
}

/// The castling moves that a generator with this fault allows; legal ones may be among them.
pub fn wrong_castlings(node: &Node, fault: Fault) -> Vec<Move> {
    let position = node.position();
    let us = position.side_to_move();
    let rooks = position.castling().rooks_of(us) | (node.ghosts & Bitboard::back_rank(us));
    let king = node.king();
    let allowed = rooks.into_iter().filter(|rook| Castling::new(position, king, *rook).is_allowed_by(fault));
    allowed.map(|rook| Move::castling(king, rook)).collect()
}

/// Whether a legal castling takes the rook, but not the king, past an attacked square.
pub fn castling_is_refused_past_attack(position: &Position, m: Move) -> bool {
    Castling::new(position, m.from(), m.to()).only_rook_passes_attack
}
