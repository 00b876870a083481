//! Pieces other than the king: pins, and answers to a check.

use super::classifier::Classifier;
use super::rule_case::RuleCase;
use chess::{Bitboard, PieceKind, Square, attacks};

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

/// Which of the four lines through a king another square is on: 0 the rank, 1 the file, 2 the rising diagonal, 3 the
/// falling one.
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

    /// What a piece that is not pinned can do about a check.
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
