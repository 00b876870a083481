//! What a position is worth, without looking ahead (§3.2).
//!
//! The document names the terms and the values of the pieces; how much each term counts it does not say, so the other
//! numbers are this engine's own. Each term is a file that says what it gives one side. The position is worth the
//! difference between the sides, with the values for the opening and the endgame blended by the pieces left.

mod king_attack;
mod material;
mod mobility;
mod passed_pawns;
mod patterns;
mod pawns;
mod phase;
mod placement;
mod rooks;
mod tapered;
mod unstoppable;

use std::fmt::Write;

use chess::{Color, Position};

pub use self::material::worth;
use self::phase::Phase;
use self::tapered::Tapered;
use crate::value::Value;

/// What one side gets for one aspect of its position.
struct Term {
    name: &'static str,
    of: fn(&Position, Color) -> Tapered,
}

const TERMS: [Term; 9] = [
    Term { name: "material", of: material::of },
    Term { name: "placement", of: placement::of },
    Term { name: "mobility", of: mobility::of },
    Term { name: "patterns", of: patterns::of },
    Term { name: "rooks", of: rooks::of },
    Term { name: "pawn structure", of: pawns::of },
    Term { name: "passed pawns", of: passed_pawns::of },
    Term { name: "unstoppable", of: unstoppable::of },
    Term { name: "king attack", of: king_attack::of },
];

/// The value for the side to move.
pub fn evaluate(position: &Position) -> Value {
    let us = position.side_to_move();
    let mut sum = Tapered::ZERO;
    for term in &TERMS {
        sum += (term.of)(position, us) - (term.of)(position, !us);
    }
    Value::centipawns(sum.blended(Phase::of(position)))
}

/// The value for the side to move by material alone.
#[cfg(test)]
pub fn material_alone(position: &Position) -> Value {
    let us = position.side_to_move();
    let balance = material::of(position, us) - material::of(position, !us);
    Value::centipawns(balance.blended(Phase::of(position)))
}

/// The terms for people, in several lines.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The same position with the colours exchanged.
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
}
