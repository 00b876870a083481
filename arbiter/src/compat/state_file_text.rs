//! How the state file writes values that JSON has no type for: choices, arguments and results.

use serde::{Deserialize, Serialize};
use stats::{Pentanomial, Wdl};

use super::scores::EngineScore;
use crate::engines::split_arguments;

/// A choice among several words. In the state file it is a number, the index in the list.
pub(super) trait DialectChoice: Copy + PartialEq + 'static {
    const CHOICES: &'static [(&'static str, Self)];
}

pub(super) mod choice {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::DialectChoice;

    pub(in super::super) fn serialize<C: DialectChoice, S: Serializer>(
        value: &C,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let place = C::CHOICES.iter().position(|(_, choice)| choice == value);
        serializer.serialize_u64(place.unwrap_or(C::CHOICES.len() - 1) as u64)
    }

    pub(in super::super) fn deserialize<'de, C: DialectChoice, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<C, D::Error> {
        let (place, choices) = (usize::deserialize(deserializer)?, C::CHOICES.len());
        let choice = C::CHOICES.get(place).map(|(_, choice)| *choice);
        choice.ok_or_else(|| D::Error::custom(format!("expected a number below {choices}, found {place}")))
    }
}

fn join_arguments(arguments: &[String]) -> String {
    let quoted = arguments.iter().map(|word| {
        let quote = if word.contains('"') { '\'' } else { '"' };
        if word.contains([' ', '"', '\'']) { format!("{quote}{word}{quote}") } else { word.clone() }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

pub(super) mod arguments {
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(
        args: &[String],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::join_arguments(args))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<String>, D::Error> {
        Ok(super::split_arguments(&String::deserialize(deserializer)?))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(non_snake_case, reason = "the names of the file")]
pub(super) struct Stats {
    wins: u64,
    losses: u64,
    draws: u64,
    penta_WW: u64,
    penta_WD: u64,
    penta_WL: u64,
    penta_DD: u64,
    penta_LD: u64,
    penta_LL: u64,
}

impl Stats {
    /// The counts to write for a score; pairs of draws are counted only if pairs are reported.
    pub(super) fn of(score: &EngineScore, penta: bool) -> Stats {
        let [ll, ld, _, wd, ww] = score.pairs.counts();
        Stats {
            wins: score.games.wins,
            losses: score.games.losses,
            draws: score.games.draws,
            penta_WW: ww,
            penta_WD: wd,
            penta_WL: score.split_pairs,
            penta_DD: if penta { score.drawn_pairs() } else { 0 },
            penta_LD: ld,
            penta_LL: ll,
        }
    }

    pub(super) fn score(&self) -> EngineScore {
        let level = self.penta_WL + self.penta_DD;
        EngineScore {
            games: Wdl::new(self.wins, self.draws, self.losses),
            pairs: Pentanomial::new([self.penta_LL, self.penta_LD, level, self.penta_WD, self.penta_WW]),
            split_pairs: self.penta_WL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_as_fastchess_splits_them() {
        for (text, expected) in [
            (r"--net=C:\nets\big.bin -v", &[r"--net=C:\nets\big.bin", "-v"][..]),
            (r#""two words" 'and  these' a"b c""#, &["two words", "and  these", "ab c"]),
            (r#"say \"hi\" "it's" 'open to the end"#, &["say", r#"\"hi\""#, "it's", "open to the end"]),
            ("  a   b ", &["a", "b"]),
            ("a\tb", &["a\tb"]),
        ] {
            assert_eq!(split_arguments(text), expected, "{text}");
            assert_eq!(split_arguments(&join_arguments(&split_arguments(text))), expected, "{text}");
        }
    }
}
