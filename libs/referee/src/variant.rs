//! The variants. A new one is a variant of [`Variant`] and a row of its facts; everything else in this library plays any
//! position that shakmaty plays.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::variant::{Variant as Rules, VariantPosition};
use shakmaty::{CastlingMode, PositionError, Setup};

/// The rules of a game, and how UCI writes its castling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Ordinary chess. Castling is the king's own step, `e1g1`.
    #[default]
    Standard,
    /// Fischer random chess. Castling is the king taking its own rook, `e1h1`.
    Chess960,
}

/// What sets a variant apart.
struct Facts {
    variant: Variant,
    /// Its name in files and messages, as serde has it.
    name: &'static str,
    rules: Rules,
    castling: CastlingMode,
    /// Its names in PGN, in small letters without blanks, hyphens and `chess` at the end. They are those of lichess, chess.com,
    /// FICS, TCEC, CCRL, `ChessBase`, Arena, `XBoard`, cutechess, python-chess and Scid.
    in_pgn: &'static [&'static str],
}

const ALL: [Facts; 2] = [
    Facts {
        variant: Variant::Standard,
        name: "standard",
        rules: Rules::Chess,
        castling: CastlingMode::Standard,
        in_pgn: &[
            "", "normal", "standard", "classical", "classic", "regular", "orthodox", "fromposition", "wild0",
            "wild1", "wild2", "wild3", "wild4", "wild5", "wild6", "wild7", "wild8", "wild8a",
        ],
    },
    Facts {
        variant: Variant::Chess960,
        name: "chess960",
        rules: Rules::Chess,
        castling: CastlingMode::Chess960,
        in_pgn: &[
            "chess960", "960", "chess9lx", "fischerandom", "fischerrandom", "fischerrandomchess960", "frc",
            "fr", "wildfr", "dfrc", "doublefischerrandom", "freestyle",
        ],
    },
];

impl Variant {
    /// The variant with this name in PGN, ignoring case, blanks and hyphens; an empty name is standard chess. `None` for any
    /// other variant.
    pub fn named(name: &str) -> Option<Variant> {
        let plain =
            |letter: char| (!matches!(letter, ' ' | '-' | '_' | '/')).then(|| letter.to_ascii_lowercase());
        let name: String = name.chars().filter_map(plain).collect();
        let name = name.trim_end_matches("chess");
        ALL.iter().find(|facts| facts.in_pgn.contains(&name)).map(|facts| facts.variant)
    }

    const fn facts(self) -> &'static Facts {
        &ALL[self as usize]
    }

    pub(super) const fn castling_mode(self) -> CastlingMode {
        self.facts().castling
    }

    /// The usual start position.
    pub(super) fn start(self) -> VariantPosition {
        VariantPosition::new(self.facts().rules)
    }

    #[expect(clippy::result_large_err, reason = "the error holds the position, as the value does")]
    pub(super) fn position(self, setup: Setup) -> Result<VariantPosition, PositionError<VariantPosition>> {
        VariantPosition::from_setup(self.facts().rules, setup, self.facts().castling)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.facts().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_variant_has_its_facts_at_its_place() {
        for facts in &ALL {
            assert_eq!(facts.variant.facts().variant, facts.variant);
            assert_eq!(serde_json::to_value(facts.variant).unwrap(), facts.name);
            assert!(
                facts.in_pgn.iter().all(|name| Variant::named(name) == Some(facts.variant)),
                "{}",
                facts.name
            );
        }
    }
}
