//! The evaluation: the worth of a position without looking ahead (§3.2).
//!
//! The document names the terms and the values of the pieces, but not the weights of the terms; those are this engine's
//! own. Each term is a function of the position and a side. The worth of the position is the difference between the
//! sides, with the values for the opening and the endgame blended by the remaining pieces.

mod pawns;
mod pieces;

use std::fmt::Write;

use chess::{Color, PieceKind, Position};
use derive_more::{Add, AddAssign, Mul, Sub};

use crate::units::Value;

pub use pawns::has_pieces;

struct Term {
    name: &'static str,
    of: fn(&Position, Color) -> Tapered,
}

const TERMS: [Term; 9] = [
    Term { name: "material", of: material },
    Term { name: "placement", of: pieces::placement },
    Term { name: "mobility", of: pieces::mobility },
    Term { name: "patterns", of: pieces::patterns },
    Term { name: "rooks", of: pieces::rooks },
    Term { name: "pawn structure", of: pawns::pawn_structure },
    Term { name: "passed pawns", of: pawns::passed_pawns },
    Term { name: "unstoppable", of: pawns::unstoppable },
    Term { name: "king attack", of: pieces::king_attack },
];

pub fn evaluate(position: &Position) -> Value {
    let us = position.side_to_move();
    let mut sum = Tapered::ZERO;
    for term in &TERMS {
        sum += (term.of)(position, us) - (term.of)(position, !us);
    }
    Value::centipawns(sum.blended(Phase::of(position)))
}

#[cfg(test)]
pub fn material_alone(position: &Position) -> Value {
    let us = position.side_to_move();
    let balance = material(position, us) - material(position, !us);
    Value::centipawns(balance.blended(Phase::of(position)))
}

pub fn explain(position: &Position) -> String {
    let phase = Phase::of(position);
    let mut text = format!("{:<16}{:>7}{:>7}{:>8}", "centipawns", "White", "Black", "balance");
    for Term { name, of } in &TERMS {
        let [white, black] = Color::ALL.map(|color| of(position, color).blended(phase));
        let _ = write!(text, "\n{name:<16}{white:>7}{black:>7}{:>8}", white - black);
    }
    let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
    let _ = write!(text, "\n{:<30}{:>8}", "for White", sign * evaluate(position).get());
    text
}

/// The value of a piece, in hundredths of a pawn. The king, which is never exchanged, is worth more than everything else.
pub const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight | PieceKind::Bishop => 300,
        PieceKind::Rook => 500,
        PieceKind::Queen => 900,
        PieceKind::King => 10_000,
    }
}

pub fn material(position: &Position, side: Color) -> Tapered {
    let kinds = PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King);
    Tapered::always(kinds.map(|kind| worth(kind) * position.pieces(side, kind).count() as i32).sum())
}

/// The weighted number of remaining pieces other than pawns. The document takes the principle from Fruit, and the weights
/// here are those of Fruit 2.1: minor piece 1, rook 2, queen 4.
#[derive(Clone, Copy, Debug)]
pub struct Phase(i32);

impl Phase {
    pub const ALL_PIECES: i32 = 24;

    pub fn of(position: &Position) -> Phase {
        let count = |kind| position.of_kind(kind).count() as i32;
        let minors = count(PieceKind::Knight) + count(PieceKind::Bishop);
        let weight = minors + 2 * count(PieceKind::Rook) + 4 * count(PieceKind::Queen);
        Phase(weight.min(Phase::ALL_PIECES))
    }
}

/// A score for the opening and one for the endgame, in hundredths of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Add, AddAssign, Sub, Mul)]
pub struct Tapered {
    pub opening: i32,
    /// With kings and pawns only.
    pub endgame: i32,
}

impl Tapered {
    pub const ZERO: Tapered = Tapered::always(0);

    pub const fn new(opening: i32, endgame: i32) -> Tapered {
        Tapered { opening, endgame }
    }

    pub const fn always(score: i32) -> Tapered {
        Tapered::new(score, score)
    }

    pub const fn blended(self, phase: Phase) -> i32 {
        let left = phase.0;
        (self.opening * left + self.endgame * (Phase::ALL_PIECES - left)) / Phase::ALL_PIECES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mirrored(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        let ranks: Vec<String> =
            fields[0].split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        format!("{} {side} - - 0 1", ranks.join("/"))
    }

    #[test]
    fn both_colours_are_judged_alike() {
        for fen in [
            "r1bn1rk1/pp2b2p/1q2pnp1/2pp2N1/3P1N2/2PB4/PPQ2PPP/R1B2RK1 w - - 0 14",
            "8/2n2kq1/3p1pbb/1ppP4/2P3Q1/1PB2NPP/4R1K1/8 w - - 0 1",
            "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
            "5k2/8/8/2P5/8/6p1/8/4K3 b - - 0 1",
            "4k2r/pp3p1p/8/2P5/8/1B6/P5P1/1RK5 w - - 0 1",
        ] {
            let value = |fen: &str| evaluate(&Position::from_fen(fen).unwrap());
            assert_eq!(value(fen), value(&mirrored(fen)), "{fen}");
        }
    }

    #[test]
    fn the_explanation_adds_up_to_the_value() {
        let text = explain(&Position::start());
        assert_eq!(text.lines().count(), TERMS.len() + 2);
        assert!(text.ends_with(" 0"), "{text}");
    }

    #[test]
    fn the_score_slides_from_the_opening_to_the_endgame_as_pieces_go() {
        let blended = |fen| Tapered::new(240, 0).blended(Phase::of(&Position::from_fen(fen).unwrap()));
        assert_eq!(blended(Position::START_FEN), 240);
        assert_eq!(blended("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"), 160);
        assert_eq!(blended("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"), 0);
    }
}
