//! A mutant: our own core with one fault put in from outside.
//!
//! The core stays as it is. The mutant asks it for the legal moves, then takes away what a generator with the fault
//! would not find and adds what it would wrongly allow. What follows an illegal move is not counted: the first depth
//! that is wrong is the one at which the fault shows.

use perft_miner::Scene;

use super::Fault;
use arbiter::measure::perft::{CountError, Divide, MoveCounter};
use chess::{Bitboard, CastlingSide, Move, MoveList, PieceKind, Position, Square, attacks};
use referee::Variant;

/// A move generator with a fault; without one it is our own core.
pub struct Mutant {
    pub fault: Option<Fault>,
}

/// A position, and what a faulty generator may remember of the moves before.
#[derive(Clone)]
pub struct Node {
    pub scene: Scene,
    /// The square of a double step two plies ago that was not captured then.
    late: Option<Square>,
    /// The square of the double step of the ply before.
    previous: Option<Square>,
    /// Squares of castling rooks that are gone.
    pub ghosts: Bitboard,
}

impl MoveCounter for Mutant {
    fn name(&self) -> &str {
        self.fault.map_or("no fault", Fault::description)
    }

    fn divide_after(
        &mut self,
        fen: &str,
        variant: Variant,
        moves: &[String],
        depth: u32,
    ) -> Result<Divide, CountError> {
        let chess960 = variant == Variant::Chess960;
        let mut node = Node::new(Scene::from_fen(fen)?);
        for text in moves {
            let m = node.scene.position.parse_uci(text).expect("a move that the oracle played is legal");
            node = node.play(m, self.fault);
        }
        let Some(below) = depth.checked_sub(1) else { return Ok(Divide::default()) };
        let parts = self.moves(&node).into_iter();
        Ok(parts.map(|(m, legal)| (m.to_uci(chess960), self.count_after(&node, m, legal, below))).collect())
    }

    fn count(&mut self, fen: &str, _: Variant, depth: u32) -> Result<u64, CountError> {
        Ok(self.count_below(&Node::new(Scene::from_fen(fen)?), depth))
    }
}

impl Mutant {
    fn count_below(&self, node: &Node, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.moves(node).len() as u64,
            _ => {
                let moves = self.moves(node).into_iter();
                moves.map(|(m, legal)| self.count_after(node, m, legal, depth - 1)).sum()
            }
        }
    }

    fn count_after(&self, node: &Node, m: Move, legal: bool, depth: u32) -> u64 {
        match (legal, depth) {
            (_, 0) => 1,
            (false, _) => 0,
            (true, _) => self.count_below(&node.play(m, self.fault), depth),
        }
    }

    /// The moves of the faulty generator, and whether each is legal.
    fn moves(&self, node: &Node) -> Vec<(Move, bool)> {
        let mut legal = MoveList::new();
        node.scene.position.legal_moves(&mut legal);
        let Some(fault) = self.fault else { return legal.into_iter().map(|m| (m, true)).collect() };
        let mut moves: Vec<(Move, bool)> =
            legal.iter().filter(|m| !node.is_forgotten(**m, fault)).map(|&m| (m, true)).collect();
        let allowed = node.wrongly_allowed(fault).into_iter().filter(|m| !legal.contains(m));
        moves.extend(allowed.map(|m| (m, false)));
        moves
    }
}

impl Node {
    fn new(scene: Scene) -> Node {
        Node { scene, late: None, previous: None, ghosts: Bitboard::EMPTY }
    }

    pub fn position(&self) -> &Position {
        &self.scene.position
    }

    fn play(&self, m: Move, fault: Option<Fault>) -> Node {
        let position = self.position();
        let us = position.side_to_move();
        let mut ghosts = self.ghosts;
        if position.kind_on(m.from()) == Some(PieceKind::King) {
            ghosts &= !Bitboard::back_rank(us);
        } else if fault == Some(Fault::RightKeptWhenRookMoves) {
            ghosts |= position.castling().rooks_of(us) & m.from().bitboard();
        }
        if fault == Some(Fault::RightKeptWhenRookTaken) {
            ghosts |= position.castling().rooks_of(!us) & m.to().bitboard();
        }
        Node { scene: self.scene.play(m), late: self.previous, previous: self.scene.passed, ghosts }
    }

    /// Whether a generator with this fault does not find a legal move.
    fn is_forgotten(&self, m: Move, fault: Fault) -> bool {
        let position = self.position();
        let is_double_step = || {
            position.kind_on(m.from()) == Some(PieceKind::Pawn)
                && m.from().index().abs_diff(m.to().index()) == 16
        };
        match fault {
            Fault::EnPassantNeverEvades => m.is_en_passant() && position.is_check(),
            Fault::PromotionForgotten => m.promotion().is_some(),
            Fault::PromotionToQueenOnly => m.promotion().is_some_and(|kind| kind != PieceKind::Queen),
            Fault::UnderpromotionByCaptureForgotten => {
                position.is_capture(m) && m.promotion().is_some_and(|kind| kind != PieceKind::Queen)
            }
            Fault::PinnedPieceFrozen => position.pinned().has(m.from()),
            Fault::DoubleStepNeverEvades => position.is_check() && is_double_step(),
            Fault::CastlingRefusedPastAttack => {
                m.is_castling() && castling_is_refused_past_attack(position, m)
            }
            _ => false,
        }
    }

    /// The moves that a generator with this fault allows; legal ones may be among them.
    fn wrongly_allowed(&self, fault: Fault) -> Vec<Move> {
        let position = self.position();
        let (pinned, checkers) = (position.pinned(), position.checkers());
        let in_double_check = checkers.more_than_one();
        match fault {
            Fault::EnPassantUncoversRank => self.en_passants(|from| !pinned.has(from) && checkers.is_empty()),
            Fault::EnPassantPinUnseen => self.en_passants(|from| pinned.has(from) && checkers.is_empty()),
            Fault::EnPassantIgnoresCheck => self.en_passants(|from| !pinned.has(from) && checkers.any()),
            Fault::EnPassantTooLate => self.late_en_passants(),
            Fault::PromotionForgotten => {
                let seventh =
                    self.pieces().filter(|(_, kind)| *kind == PieceKind::Pawn).map(|(from, _)| from);
                let steps = seventh.flat_map(|from| {
                    let reach = self.reach(from, PieceKind::Pawn) & Bitboard::BACK_RANKS & self.answers();
                    reach.into_iter().map(move |to| Move::normal(from, to))
                });
                steps.collect()
            }
            Fault::DoubleCheckAnswered if in_double_check => {
                let king = self.king();
                let seen = checkers
                    .first()
                    .map_or(Bitboard::EMPTY, |one| attacks::between(king, one) | one.bitboard());
                self.piece_moves(|from| if pinned.has(from) { Bitboard::EMPTY } else { seen })
            }
            Fault::PinUnseen if checkers.is_empty() => {
                self.piece_moves(|from| if pinned.has(from) { Bitboard::ALL } else { Bitboard::EMPTY })
            }
            Fault::PinnedPieceAnswersCheck if checkers.any() && !in_double_check => {
                self.piece_moves(|from| if pinned.has(from) { self.answers() } else { Bitboard::EMPTY })
            }
            Fault::DoubleStepThroughPiece => self.leaps(),
            Fault::KingStaysOnLine | Fault::KingTakesProtected | Fault::KingBesideKing => {
                self.king_steps(fault)
            }
            Fault::CaptureRoundTheEdge => self.captures_round_the_edge(),
            _ => wrong_castlings(self, fault),
        }
    }

    pub fn king(&self) -> Square {
        self.position().king(self.position().side_to_move())
    }

    pub fn enemies(&self) -> Bitboard {
        self.position().colored(!self.position().side_to_move())
    }

    /// Where a piece other than the king answers a check.
    fn answers(&self) -> Bitboard {
        let checkers = self.position().checkers();
        match checkers.first() {
            None => Bitboard::ALL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(self.king(), checker) | checkers,
        }
    }

    /// The pieces of the side to move other than the king.
    fn pieces(&self) -> impl Iterator<Item = (Square, PieceKind)> + '_ {
        let position = self.position();
        let own = position.colored(position.side_to_move()).into_iter();
        let named = own.filter_map(|from| Some((from, position.kind_on(from)?)));
        named.filter(|(_, kind)| *kind != PieceKind::King)
    }

    /// Where a piece goes if its king does not matter.
    fn reach(&self, from: Square, kind: PieceKind) -> Bitboard {
        let position = self.position();
        let us = position.side_to_move();
        if kind != PieceKind::Pawn {
            return attacks::of_kind(kind, from, position.occupied()) & !position.colored(us);
        }
        let step = from.bitboard().forward(us) & !position.occupied();
        let third_rank = Bitboard::back_rank(us).forward(us).forward(us);
        let double_step = (step & third_rank).forward(us) & !position.occupied();
        step | double_step | (attacks::pawn(us, from) & self.enemies())
    }

    /// The moves of pieces other than the king to the squares that are allowed from each. Promotions are to queens.
    fn piece_moves(&self, allowed: impl Fn(Square) -> Bitboard) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, kind) in self.pieces() {
            for to in self.reach(from, kind) & allowed(from) {
                let promotes = kind == PieceKind::Pawn && Bitboard::BACK_RANKS.has(to);
                moves.push(if promotes {
                    Move::promoting(from, to, PieceKind::Queen)
                } else {
                    Move::normal(from, to)
                });
            }
        }
        moves
    }

    /// The captures en passant, legal or not, by the pawns that are allowed to.
    fn en_passants(&self, allowed: impl Fn(Square) -> bool) -> Vec<Move> {
        let Some(passed) = self.scene.passed else { return Vec::new() };
        let us = self.position().side_to_move();
        let captors = attacks::pawn(!us, passed) & self.position().pieces(us, PieceKind::Pawn);
        captors.into_iter().filter(|from| allowed(*from)).map(|from| Move::en_passant(from, passed)).collect()
    }

    /// The captures of a pawn whose double step was two plies ago, where it still stands and nobody is pinned.
    fn late_en_passants(&self) -> Vec<Move> {
        let position = self.position();
        let us = position.side_to_move();
        let Some(passed) = self.late.filter(|square| !position.occupied().has(*square)) else {
            return Vec::new();
        };
        let victim = passed.bitboard().forward(!us) & position.pieces(!us, PieceKind::Pawn);
        if victim.is_empty() || position.is_check() {
            return Vec::new();
        }
        let captors = attacks::pawn(!us, passed) & position.pieces(us, PieceKind::Pawn) & !position.pinned();
        captors.into_iter().map(|from| Move::en_passant(from, passed)).collect()
    }

    /// Double steps over a piece on the third rank.
    fn leaps(&self) -> Vec<Move> {
        let position = self.position();
        let us = position.side_to_move();
        let second_rank = Bitboard::back_rank(us).forward(us);
        let pawns = position.pieces(us, PieceKind::Pawn) & second_rank & !position.pinned();
        let leap = |from: Square| {
            let over = from.bitboard().forward(us);
            let to = over.forward(us) & !position.occupied() & self.answers();
            to.first().filter(|_| (over & position.occupied()).any()).map(|to| Move::normal(from, to))
        };
        pawns.into_iter().filter_map(leap).collect()
    }

    /// Steps of the king that this fault allows.
    fn king_steps(&self, fault: Fault) -> Vec<Move> {
        let position = self.position();
        let (king, enemies) = (self.king(), self.enemies());
        let enemy_king = position.pieces(!position.side_to_move(), PieceKind::King);
        let without_king = position.occupied() & !king.bitboard();
        let is_allowed = |to: &Square| {
            let attackers = position.attackers_to(*to, without_king) & enemies & !to.bitboard();
            match fault {
                Fault::KingStaysOnLine => {
                    (position.attackers_to(*to, position.occupied()) & attackers).is_empty()
                }
                Fault::KingTakesProtected => enemies.has(*to),
                _ => (attackers & !enemy_king).is_empty(),
            }
        };
        let steps = attacks::king(king) & !position.colored(position.side_to_move());
        steps.into_iter().filter(is_allowed).map(|to| Move::normal(king, to)).collect()
    }

    /// Captures of pawns on the edge, reckoned by square numbers alone.
    fn captures_round_the_edge(&self) -> Vec<Move> {
        let position = self.position();
        let us = position.side_to_move();
        let mut moves = Vec::new();
        if position.is_check() {
            return moves;
        }
        for from in position.pieces(us, PieceKind::Pawn) & !position.pinned() {
            let ahead = from.bitboard().forward(us).first().map_or(from, |ahead| ahead);
            for to in [ahead.offset(-1), ahead.offset(1)] {
                let wraps = ahead.file().index().abs_diff(to.file().index()) == 7;
                if wraps && self.enemies().has(to) && !Bitboard::BACK_RANKS.has(to) {
                    moves.push(Move::normal(from, to));
                }
            }
        }
        moves
    }
}

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
