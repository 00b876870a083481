//! The variants. A new one is a variant of [`Variant`] and a row of its facts; everything else in this library plays any
//! position that shakmaty plays.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::variant::{Variant as Rules, VariantPosition};
use shakmaty::{CastlingMode, PositionError, Setup};

use super::Side;

/// The rules of a game, and how UCI writes its castling. All but the first two are variants as lichess plays them, and
/// castle as standard chess does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Ordinary chess. Castling is the king's own step, `e1g1`.
    #[default]
    Standard,
    /// Fischer random chess. Castling is the king taking its own rook, `e1h1`.
    Chess960,
    /// Captured pieces change sides and are dropped on the board, `P@e4`. There is no fifty-move rule.
    Crazyhouse,
    /// A capture explodes; whose king explodes has lost.
    Atomic,
    /// Captures are compulsory, and whoever cannot move has won.
    Antichess,
    /// White has 36 pawns and no king, and loses with the last of them.
    Horde,
    /// A king in the centre wins.
    KingOfTheHill,
    /// A king on the eighth rank wins; nobody may give check.
    RacingKings,
    /// The third check wins.
    #[serde(rename = "3check")]
    ThreeCheck,
}

/// What sets a variant apart.
struct Facts {
    variant: Variant,
    /// Its name on command lines, in files, and as the value of `UCI_Variant`, as serde has it. But for Chess960, it is
    /// cutechess-cli's name too.
    name: &'static str,
    rules: Rules,
    castling: CastlingMode,
    /// Its name in sentences and, but for standard chess, in the tag `Variant`, as lichess writes it.
    in_words: &'static str,
    /// Its names in PGN, in small letters without blanks, hyphens and `chess` at the end. They are those of lichess, chess.com,
    /// FICS, TCEC, CCRL, `ChessBase`, Arena, `XBoard`, cutechess, python-chess and Scid.
    in_pgn: &'static [&'static str],
    /// A win by its own rules in cutechess-cli's words, with `{winner}` or `{loser}` for a side; empty if it has none.
    win: &'static str,
}

const CHESS: Facts = Facts {
    variant: Variant::Standard,
    name: "standard",
    rules: Rules::Chess,
    castling: CastlingMode::Standard,
    in_words: "standard chess",
    in_pgn: &[
        "", "normal", "standard", "classical", "classic", "regular", "orthodox", "fromposition", "wild0",
        "wild1", "wild2", "wild3", "wild4", "wild5", "wild6", "wild7", "wild8", "wild8a",
    ],
    win: "",
};

const ALL: [Facts; 9] = [
    CHESS,
    Facts {
        variant: Variant::Chess960,
        name: "chess960",
        castling: CastlingMode::Chess960,
        in_words: "Chess960",
        in_pgn: &[
            "chess960", "960", "chess9lx", "fischerandom", "fischerrandom", "fischerrandomchess960", "frc",
            "fr", "wildfr", "dfrc", "doublefischerrandom", "freestyle",
        ],
        ..CHESS
    },
    Facts {
        variant: Variant::Crazyhouse,
        name: "crazyhouse",
        rules: Rules::Crazyhouse,
        in_words: "Crazyhouse",
        in_pgn: &["crazyhouse", "house", "zh"],
        ..CHESS
    },
    Facts {
        variant: Variant::Atomic,
        name: "atomic",
        rules: Rules::Atomic,
        in_words: "Atomic",
        in_pgn: &["atomic", "atom"],
        win: "{loser}'s king exploded",
        ..CHESS
    },
    Facts {
        variant: Variant::Antichess,
        name: "antichess",
        rules: Rules::Antichess,
        in_words: "Antichess",
        in_pgn: &["anti"],
        win: "{winner} wins",
        ..CHESS
    },
    Facts {
        variant: Variant::Horde,
        name: "horde",
        rules: Rules::Horde,
        in_words: "Horde",
        in_pgn: &["horde"],
        win: "{winner} wins",
        ..CHESS
    },
    Facts {
        variant: Variant::KingOfTheHill,
        name: "kingofthehill",
        rules: Rules::KingOfTheHill,
        in_words: "King of the Hill",
        in_pgn: &["kingofthehill", "koth"],
        win: "{winner} wins with king in the center",
        ..CHESS
    },
    Facts {
        variant: Variant::RacingKings,
        name: "racingkings",
        rules: Rules::RacingKings,
        in_words: "Racing Kings",
        in_pgn: &["racingkings", "racing", "race"],
        win: "{winner} wins the race",
        ..CHESS
    },
    Facts {
        variant: Variant::ThreeCheck,
        name: "3check",
        rules: Rules::ThreeCheck,
        in_words: "Three-check",
        in_pgn: &["threecheck", "3check"],
        win: "{winner} checks 3 times",
        ..CHESS
    },
];

impl Variant {
    /// The names that cutechess-cli has for the variants, in the order of the enum.
    pub const IN_CUTECHESS: [(&'static str, Variant); ALL.len()] = {
        let mut names = [(CHESS.name, Variant::Standard); ALL.len()];
        let mut at = 0;
        while at < ALL.len() {
            let Facts { variant, name, .. } = ALL[at];
            names[at] = (if matches!(variant, Variant::Chess960) { "fischerandom" } else { name }, variant);
            at += 1;
        }
        names
    };

    /// The variant with this name in PGN, ignoring case, blanks and hyphens; an empty name is standard chess. `None` for any
    /// other variant.
    pub fn named(name: &str) -> Option<Variant> {
        let plain =
            |letter: char| (!matches!(letter, ' ' | '-' | '_' | '/')).then(|| letter.to_ascii_lowercase());
        let name: String = name.chars().filter_map(plain).collect();
        let name = name.trim_end_matches("chess");
        ALL.iter().find(|facts| facts.in_pgn.contains(&name)).map(|facts| facts.variant)
    }

    /// The variant that somebody types, by any of its names.
    ///
    /// # Errors
    /// All names, as an expectation.
    pub fn typed(name: &str) -> Result<Variant, String> {
        Variant::named(name).filter(|_| !name.is_empty()).ok_or_else(|| {
            let names: Vec<&str> = ALL.iter().map(|facts| facts.name).collect();
            format!("expected {}", names.join(", "))
        })
    }

    const fn facts(self) -> &'static Facts {
        &ALL[self as usize]
    }

    /// The name in sentences, such as `standard chess` and `King of the Hill`.
    pub const fn in_words(self) -> &'static str {
        self.facts().in_words
    }

    /// The value of the tag `Variant`, which standard chess does not have.
    pub fn in_pgn(self) -> Option<&'static str> {
        (self != Variant::Standard).then(|| self.in_words())
    }

    /// Whether the rules are those of chess, wherever the pieces start.
    pub fn is_chess(self) -> bool {
        self.facts().rules == Rules::Chess
    }

    /// The UCI option that tells an engine to play the variant, and its value; `None` for standard chess.
    pub fn uci_option(self) -> Option<(&'static str, &'static str)> {
        match self {
            Variant::Standard => None,
            Variant::Chess960 => Some(("UCI_Chess960", "true")),
            _ => Some(("UCI_Variant", self.facts().name)),
        }
    }

    /// The name of the variant in xboard's protocol and in cutechess-cli.
    pub const fn in_cutechess(self) -> &'static str {
        Variant::IN_CUTECHESS[self as usize].0
    }

    /// How a game ended by the rules that only the variant has, in cutechess-cli's words.
    pub fn own_end(self, winner: Option<Side>) -> String {
        winner.map_or_else(
            || "Drawn race".to_owned(),
            |winner| {
                let told = self.facts().win.replace("{winner}", &winner.to_string());
                told.replace("{loser}", &winner.other().to_string())
            },
        )
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
    use crate::perft::perft;

    #[test]
    fn each_variant_has_its_facts_at_its_place() {
        for facts in &ALL {
            assert_eq!(facts.variant.facts().variant, facts.variant);
            assert_eq!(serde_json::to_value(facts.variant).unwrap(), facts.name);
            let names = [facts.in_words, facts.name].into_iter().chain(facts.in_pgn.iter().copied());
            for name in names {
                assert_eq!(Variant::named(name), Some(facts.variant), "{name}");
            }
            if !facts.variant.is_chess() {
                assert_eq!(facts.name, facts.rules.uci());
            }
        }
        assert_eq!(Variant::typed("kingOfTheHill"), Ok(Variant::KingOfTheHill));
        assert!(Variant::typed("bughouse").unwrap_err().ends_with("racingkings, 3check"));
    }

    /// The numbers are those of python-chess's `examples/perft`; King of the Hill, which has no file there, by python-chess.
    #[test]
    fn every_variant_has_the_published_numbers_of_moves() {
        for (variant, fen, counts) in [
            (Variant::Crazyhouse, "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - -", &[301, 75_353][..]),
            (Variant::Crazyhouse, "4k3/1Q~6/8/8/4b3/8/Kpp5/8/ b - -", &[20, 360, 5_445]),
            (
                Variant::Crazyhouse,
                "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[-] b KQkq -",
                &[42, 1_347],
            ),
            (
                Variant::Atomic,
                "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq -",
                &[40, 1_238, 45_237],
            ),
            (Variant::Antichess, "8/1p6/8/8/8/8/P7/8 w - -", &[2, 4, 4, 3, 1, 0]),
            (Variant::Antichess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -", &[20, 400, 8_067]),
            (Variant::Horde, "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - -", &[13, 172, 2_205]),
            (Variant::Horde, "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - -", &[30, 241, 6_633]),
            (Variant::KingOfTheHill, "4k3/8/8/8/8/4K3/2p5/8 w - -", &[8, 54, 370, 3_918]),
            (Variant::RacingKings, "4brn1/2K2k2/8/8/8/8/8/8 w - -", &[6, 33, 178, 3_151]),
            (Variant::RacingKings, "8/8/1rk4K/8/8/8/2bnNBR1/qrbnNBRQ b - -", &[36, 697, 26_592]),
            (
                Variant::ThreeCheck,
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1",
                &[48, 2_039, 97_848],
            ),
            (Variant::ThreeCheck, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 +2+2", &[26, 562, 13_410]),
        ] {
            let found = (1..).zip(counts).map(|(depth, _)| perft(fen, variant, depth).unwrap());
            assert_eq!(found.collect::<Vec<_>>(), counts, "{variant} {fen}");
        }
    }
}
