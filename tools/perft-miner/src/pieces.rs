//! Cases of moves other than castling: pins, answers to a check, king steps, en passant, promotions and checks.

use super::classifier::Classifier;
use super::rule_case::RuleCase;
use chess::{Bitboard, CastlingSide, Move, PieceKind, Position, Square, attacks};

/// The cases of a pinned piece that would leave its line: rank, file, rising and falling diagonal.
const OFF_LINE: [[RuleCase; 4]; 5] = [
    [RuleCase::PawnOffRank, RuleCase::PawnOffFile, RuleCase::PawnOffRising, RuleCase::PawnOffFalling],
    [RuleCase::KnightOffRank, RuleCase::KnightOffFile, RuleCase::KnightOffRising, RuleCase::KnightOffFalling],
    [RuleCase::BishopOffRank, RuleCase::BishopOffFile, RuleCase::BishopOffRising, RuleCase::BishopOffFalling],
    [RuleCase::RookOffRank, RuleCase::RookOffFile, RuleCase::RookOffRising, RuleCase::RookOffFalling],
    [RuleCase::QueenOffRank, RuleCase::QueenOffFile, RuleCase::QueenOffRising, RuleCase::QueenOffFalling],
];

/// The case of a pinned piece that moves along its line, where it can.
const fn along_line(kind: PieceKind, line: usize) -> Option<RuleCase> {
    Some(match (kind, line) {
        (PieceKind::Pawn, 1) => RuleCase::PawnAlongFile,
        (PieceKind::Pawn, 2) => RuleCase::PawnAlongRising,
        (PieceKind::Pawn, 3) => RuleCase::PawnAlongFalling,
        (PieceKind::Bishop, 2) => RuleCase::BishopAlongRising,
        (PieceKind::Bishop, 3) => RuleCase::BishopAlongFalling,
        (PieceKind::Rook, 0) => RuleCase::RookAlongRank,
        (PieceKind::Rook, 1) => RuleCase::RookAlongFile,
        (PieceKind::Queen, 0) => RuleCase::QueenAlongRank,
        (PieceKind::Queen, 1) => RuleCase::QueenAlongFile,
        (PieceKind::Queen, 2) => RuleCase::QueenAlongRising,
        (PieceKind::Queen, 3) => RuleCase::QueenAlongFalling,
        _ => return None,
    })
}

/// The line through a king and another square: 0 the rank, 1 the file, 2 the rising diagonal, 3 the falling one.
fn line_between(king: Square, other: Square) -> usize {
    if king.rank() == other.rank() {
        0
    } else if king.file() == other.file() {
        1
    } else if (king.file() < other.file()) == (king.rank() < other.rank()) {
        2
    } else {
        3
    }
}

impl Classifier<'_> {
    pub(super) fn add_pieces(&mut self) {
        for (from, kind) in self.own_pieces() {
            if kind == PieceKind::King {
                continue;
            }
            let reach = self.reach(from, kind);
            let promotes = kind == PieceKind::Pawn && (reach & Bitboard::BACK_RANKS).any();
            if self.position.pinned().has(from) {
                self.add_pinned(from, kind, reach, promotes);
            } else if self.checkers.any() {
                self.add_answers(from, kind, reach, promotes);
            }
        }
        self.add_if(self.checkers.more_than_one(), RuleCase::DoubleCheck);
    }

    fn add_pinned(&mut self, from: Square, kind: PieceKind, reach: Bitboard, promotes: bool) {
        let line = attacks::line(self.king, from);
        if self.checkers.any() {
            // A pinned piece never answers a check: its line is not that of the checker.
            let answers = if self.is_single_check() { reach & self.evading } else { Bitboard::EMPTY };
            self.add_if((answers & self.checkers).any(), RuleCase::PinnedTakesChecker);
            self.add_if((answers & !self.checkers).any(), RuleCase::PinnedBlocks);
            return;
        }
        let direction = line_between(self.king, from);
        self.add_if((reach & !line).any(), OFF_LINE[kind.index()][direction]);
        self.add_if(promotes && (reach & !line).any(), RuleCase::PromotionOffPin);
        self.add_if(promotes && (reach & line).any(), RuleCase::PromotionAlongPin);
        if let Some(case) = along_line(kind, direction) {
            self.add_if((reach & line).any(), case);
        }
    }

    /// The answers to a check of a piece that is not pinned.
    fn add_answers(&mut self, from: Square, kind: PieceKind, reach: Bitboard, promotes: bool) {
        if self.checkers.more_than_one() {
            let blocks = self.checkers.into_iter().map(|checker| attacks::between(self.king, checker));
            let blocks = blocks.fold(Bitboard::EMPTY, |all, squares| all | squares);
            self.add_if((reach & self.checkers).any(), RuleCase::DoubleCheckTake);
            self.add_if((reach & blocks).any(), RuleCase::DoubleCheckBlock);
            return;
        }
        let takes = (reach & self.checkers).any();
        let blocks = reach & self.evading & !self.checkers;
        let ignores = (reach & !self.evading).any();
        self.add_if(ignores, RuleCase::IgnoresCheck);
        self.add_if(ignores && promotes, RuleCase::PromotionIgnoresCheck);
        if promotes {
            self.add_if(takes, RuleCase::PromotionTakesChecker);
            self.add_if(blocks.any(), RuleCase::PromotionBlocks);
        } else if kind == PieceKind::Pawn {
            let is_double = |to: Square| to.index().abs_diff(from.index()) == 16;
            self.add_if(takes, RuleCase::PawnTakesChecker);
            self.add_if(blocks.into_iter().any(is_double), RuleCase::DoubleStepBlocks);
            self.add_if(!blocks.into_iter().all(is_double), RuleCase::PawnBlocks);
        } else {
            self.add_if(takes, RuleCase::PieceTakesChecker);
            self.add_if(blocks.any(), RuleCase::PieceBlocks);
        }
    }
}

impl Classifier<'_> {
    pub(super) fn add_king_steps(&mut self) {
        let own = self.position.colored(self.us);
        for to in attacks::king(self.king) & !own {
            // The king does not shield squares behind itself.
            let without_king = self.occupied & !self.king.bitboard();
            let attackers = self.attackers(to, without_king) & !to.bitboard();
            if attackers.is_empty() {
                self.add_safe_step(to);
                continue;
            }
            for attacker in attackers {
                let case = match self.position.kind_on(attacker) {
                    Some(PieceKind::Pawn) => RuleCase::KingToPawn,
                    Some(PieceKind::Knight) => RuleCase::KingToKnight,
                    Some(PieceKind::Bishop) => RuleCase::KingToBishop,
                    Some(PieceKind::Rook) => RuleCase::KingToRook,
                    Some(PieceKind::Queen) => RuleCase::KingToQueen,
                    _ => RuleCase::KingBesideKing,
                };
                self.add(case);
            }
            self.add_if(self.enemies.has(to), RuleCase::KingTakesProtected);
            let hidden = attackers & !self.attackers(to, self.occupied);
            self.add_if(hidden.any(), RuleCase::KingStaysOnLine);
        }
    }

    fn add_safe_step(&mut self, to: Square) {
        if self.checkers.has(to) {
            let is_double = self.checkers.more_than_one();
            self.add(if is_double { RuleCase::DoubleCheckKingTakes } else { RuleCase::KingTakesChecker });
        } else {
            self.add_if(self.checkers.any(), RuleCase::KingEvades);
        }
        self.add_if(self.position.castling().rooks_of(self.us).any(), RuleCase::CastlingKingMoves);
    }
}

impl Classifier<'_> {
    pub(super) fn add_en_passant(&mut self) {
        let Some(passed) = self.scene.passed else { return };
        let mut legal = 0;
        for from in self.scene.captors() {
            let victim = Square::new(passed.file(), from.rank());
            let gone = from.bitboard() | victim.bitboard();
            let occupied = (self.occupied & !gone) | passed.bitboard();
            let attackers = self.attackers(self.king, occupied);
            if let Some(attacker) = attackers.first() {
                self.add_refused_en_passant(from, attacker, attackers & self.checkers);
            } else {
                legal += 1;
                self.add_legal_en_passant(from, victim, passed);
            }
        }
        self.add_if(legal > 0, RuleCase::EnPassant);
        self.add_if(legal == 2, RuleCase::EnPassantByTwo);
    }

    fn add_refused_en_passant(&mut self, from: Square, attacker: Square, still_checking: Bitboard) {
        if still_checking.any() {
            self.add(RuleCase::EnPassantIgnoresCheck);
        } else if attacker.rank() == self.king.rank() {
            self.add(RuleCase::EnPassantOffRank);
        } else if attacker.file() == self.king.file() {
            self.add(RuleCase::EnPassantOffFile);
        } else {
            self.add_if(self.position.pinned().has(from), RuleCase::EnPassantOffDiagonal);
        }
    }

    fn add_legal_en_passant(&mut self, from: Square, victim: Square, passed: Square) {
        self.add_if(self.checkers.has(victim), RuleCase::EnPassantEvades);
        self.add_if(self.position.pinned().has(from), RuleCase::EnPassantAlongPin);
        let without_victim = self.occupied & !victim.bitboard();
        let behind = self.attackers(self.king, without_victim) & attacks::line(self.king, victim);
        let refills = behind.any() && attacks::line(self.king, victim).has(passed);
        self.add_if(refills && self.king.file() == victim.file(), RuleCase::EnPassantRefillsFile);
    }
}

impl Classifier<'_> {
    pub(super) fn add_played_moves(&mut self) {
        for m in self.legal.clone() {
            if m.promotion().is_some() {
                let captures = self.position.is_capture(m);
                self.add(if captures { RuleCase::PromotionCapture } else { RuleCase::PromotionStep });
            }
            if self.position.gives_check(m) {
                self.add_check(m, &self.position.play(m));
            }
        }
    }

    fn add_check(&mut self, m: Move, next: &Position) {
        let checkers = next.checkers();
        if m.is_castling() {
            let is_short = CastlingSide::of(m.from(), m.to()) == CastlingSide::King;
            self.add(if is_short { RuleCase::ShortChecks } else { RuleCase::LongChecks });
        } else if m.is_en_passant() {
            self.add_if(checkers.has(m.to()), RuleCase::EnPassantChecks);
            self.add_if((checkers & !m.to().bitboard()).any(), RuleCase::EnPassantUncovers);
            self.add_if(checkers.more_than_one(), RuleCase::EnPassantDoubleCheck);
        } else if let Some(kind) = m.promotion() {
            self.add_promotion_check(m, kind, checkers);
            self.add_if(!next.has_legal_move(), RuleCase::PromotionMates);
        } else if let Some(kind) = self.position.kind_on(m.from()) {
            let case = if checkers.more_than_one() { double_check(kind) } else { uncovered_check(kind) };
            if let Some(case) = case {
                self.add_if(checkers.more_than_one() || !checkers.has(m.to()), case);
            }
        }
    }

    fn add_promotion_check(&mut self, m: Move, kind: PieceKind, checkers: Bitboard) {
        let direct = match kind {
            PieceKind::Knight => RuleCase::PromotionChecksKnight,
            PieceKind::Bishop => RuleCase::PromotionChecksBishop,
            PieceKind::Rook => RuleCase::PromotionChecksRook,
            _ => RuleCase::PromotionChecksQueen,
        };
        self.add_if(checkers.has(m.to()), direct);
        self.add_if((checkers & !m.to().bitboard()).any(), RuleCase::PromotionUncovers);
        self.add_if(checkers.more_than_one(), RuleCase::PromotionDoubleCheck);
    }
}

/// The case of a piece that uncovers a check. A queen cannot: on the line it would leave, it gives check itself.
const fn uncovered_check(kind: PieceKind) -> Option<RuleCase> {
    match kind {
        PieceKind::Pawn => Some(RuleCase::PawnUncovers),
        PieceKind::Knight => Some(RuleCase::KnightUncovers),
        PieceKind::Bishop => Some(RuleCase::BishopUncovers),
        PieceKind::Rook => Some(RuleCase::RookUncovers),
        PieceKind::King => Some(RuleCase::KingUncovers),
        PieceKind::Queen => None,
    }
}

/// The case of a piece that gives one of two checks.
const fn double_check(kind: PieceKind) -> Option<RuleCase> {
    match kind {
        PieceKind::Pawn => Some(RuleCase::PawnDoubleCheck),
        PieceKind::Knight => Some(RuleCase::KnightDoubleCheck),
        PieceKind::Bishop => Some(RuleCase::BishopDoubleCheck),
        PieceKind::Rook => Some(RuleCase::RookDoubleCheck),
        PieceKind::Queen | PieceKind::King => None,
    }
}
