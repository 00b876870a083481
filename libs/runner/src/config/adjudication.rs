//! Adjudication rules.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{InvalidInput, SyzygyRule};

/// The adjudication rules of a run; none by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// The scores of both engines that end a game as a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The scores that lose a game for the engine that reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// The number of full moves, including the opening's, after which a game is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// The tablebases that end a game with the result they have for its position, and when they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<SyzygyRule>,
    /// The share of games that go on where the draw and resign rules would end them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play_out: Option<PlayOut>,
}

impl Adjudication {
    /// Whether the engines' scores may end a game.
    pub const fn judges_scores(&self) -> bool {
        self.draw.is_some() || self.resign.is_some()
    }
}

/// A game is drawn once both engines have reported a score near zero for enough consecutive moves, without a capture or
/// a pawn move, and a given move number is reached.
///
/// Moves before that number count too; only the verdict waits for it. This is fastchess's rule (`match.hpp`). Written
/// `move=40,count=8,score=10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize, derive_more::Display)]
#[serde(try_from = "String", into = "String")]
#[display("move={from_move},count={count},score={score}")]
pub struct DrawRule {
    /// A game may be drawn once this many full moves are made, by the move number on the board.
    pub from_move: u32,
    /// Consecutive moves of each side.
    pub count: u32,
    /// The largest absolute score in centipawns.
    pub score: u32,
}

/// An engine loses once it has reported a lost score for enough consecutive moves and, if two-sided, its opponent has
/// reported a won score for as many. The game ends after a move of the loser.
///
/// Written `count=3,score=600`, or `count=3,score=600,twosided=true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ResignRule {
    /// Consecutive moves of the losing engine.
    pub count: u32,
    /// The engine reports minus this many centipawns or less.
    pub score: u32,
    /// Whether the opponent must also have reported at least this score for as many moves.
    pub two_sided: bool,
}

/// Reads `key=value` pairs joined by commas; each of `keys` must occur exactly once, in any order.
fn read_pairs<const N: usize>(
    text: &str,
    keys: [&'static str; N],
    example: &'static str,
) -> Result<[u32; N], InvalidInput> {
    let mut values = [None; N];
    for part in text.split(',') {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let place = keys.iter().position(|known| *known == key.trim()).filter(|at| values[*at].is_none());
        let place = place.ok_or_else(|| out_of_place(key.trim(), example))?;
        let number: Option<u32> = value.trim().parse().ok();
        let number = number.filter(|number| *number > 0 || keys[place] != "count");
        values[place] = Some(number.ok_or_else(|| {
            let expected = "a whole number, for `count` above zero";
            InvalidInput(format!("`{part}`: expected {expected}, as in `{example}`"))
        })?);
    }
    let mut found = [0; N];
    for ((value, key), place) in values.into_iter().zip(keys).zip(&mut found) {
        let missing = || InvalidInput(format!("`{key}` is missing; expected `{example}`"));
        *place = value.ok_or_else(missing)?;
    }
    Ok(found)
}

fn out_of_place(key: &str, example: &str) -> InvalidInput {
    InvalidInput(format!("expected `{example}`; `{key}` is none of these keys, or is given twice"))
}

impl FromStr for DrawRule {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<DrawRule, InvalidInput> {
        let [from_move, count, score] =
            read_pairs(text, ["move", "count", "score"], "move=40,count=8,score=10")?;
        Ok(DrawRule { from_move, count, score })
    }
}

impl FromStr for ResignRule {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<ResignRule, InvalidInput> {
        const KEY: &str = "twosided";
        const EXAMPLE: &str = "count=3,score=600,twosided=true";
        let is_switch = |part: &&str| part.split('=').next().is_some_and(|key| key.trim() == KEY);
        let (switches, numbers): (Vec<&str>, Vec<&str>) = text.split(',').partition(is_switch);
        let [count, score] = read_pairs(&numbers.join(","), ["count", "score"], EXAMPLE)?;
        let two_sided = match switches[..] {
            [] => false,
            [part] => match part.split_once('=').map(|(_, value)| value.trim()) {
                Some("true") => true,
                Some("false") => false,
                _ => {
                    let expected = "`true` or `false`";
                    return Err(InvalidInput(format!("`{part}`: expected {expected}, as in `{EXAMPLE}`")));
                }
            },
            _ => return Err(out_of_place(KEY, EXAMPLE)),
        };
        Ok(ResignRule { count, score, two_sided })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "count={},score={}", self.count, self.score)?;
        if self.two_sided { f.write_str(",twosided=true") } else { Ok(()) }
    }
}

texts_in_files!(DrawRule, ResignRule);

/// The share of games that go on where the draw and resign rules would end them. Their true results show afterwards how
/// often the rules are right.
///
/// The seed of the run and the game's number decide which games these are, so a resumed run has the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, derive_more::Display)]
#[serde(try_from = "f64", into = "f64")]
pub struct PlayOut(f64);

impl PlayOut {
    /// The share, greater than 0 and at most 1.
    pub const fn share(self) -> f64 {
        self.0
    }

    /// Whether the game with this index goes on.
    pub fn includes(self, seed: u64, game: u32) -> bool {
        uniform(mixed(mixed(seed).wrapping_add(u64::from(game)))) < self.0
    }
}

/// The finalizer of `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): every
/// bit of the result depends on every bit of the number.
const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A number from 0 inclusive to 1 exclusive, made of the upper 53 bits.
fn uniform(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

impl TryFrom<f64> for PlayOut {
    type Error = InvalidInput;

    fn try_from(share: f64) -> Result<PlayOut, InvalidInput> {
        share.to_string().parse()
    }
}

impl From<PlayOut> for f64 {
    fn from(share: PlayOut) -> f64 {
        share.0
    }
}

impl FromStr for PlayOut {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<PlayOut, InvalidInput> {
        let share = text.trim().parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 1.0);
        let expected = "a share of the games, above 0 and at most 1, as in 0.1";
        share.map(PlayOut).ok_or_else(|| InvalidInput(format!("`{text}`: expected {expected}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_print_as_they_are_read_and_a_wrong_one_is_refused_with_an_example() {
        let draw: DrawRule = "score=10, move=40,count=8".parse().unwrap();
        assert_eq!(draw, DrawRule { from_move: 40, count: 8, score: 10 });
        assert_eq!(draw.to_string(), "move=40,count=8,score=10");
        let resign: ResignRule = "count=3,score=600".parse().unwrap();
        assert_eq!(resign, ResignRule { count: 3, score: 600, two_sided: false });
        assert_eq!(resign.to_string(), "count=3,score=600");
        let both: ResignRule = "twosided=true, count=3,score=600".parse().unwrap();
        assert!(both.two_sided);
        assert_eq!(both.to_string(), "count=3,score=600,twosided=true");
        assert_eq!("count=3,score=600,twosided=false".parse(), Ok(resign));
        for text in [
            "",
            "count=3",
            "count=3,score=x",
            "count=3,score=600,move=4",
            "count=3,count=3",
            "count=0,score=1",
            "count=3,score=600,twosided",
            "count=3,score=600,twosided=yes",
            "count=3,score=600,twosided=true,twosided=true",
            "twosided=true",
        ] {
            let message = text.parse::<ResignRule>().expect_err(text).to_string();
            assert!(message.contains("count=3,score=600"), "{message}");
        }
    }

    #[test]
    fn about_the_share_of_games_is_chosen_and_other_seeds_choose_others() {
        let tenth: PlayOut = "0.1".parse().unwrap();
        let chosen = |seed| (0..10_000).filter(move |game| tenth.includes(seed, *game)).collect::<Vec<_>>();
        for seed in [0, 1, u64::MAX] {
            assert!((850..1150).contains(&chosen(seed).len()), "{}", chosen(seed).len());
        }
        assert_ne!(chosen(0), chosen(1));
        // Recorded runs rely on these indices.
        assert_eq!(chosen(7)[..4], [39, 41, 45, 50]);
        let all: PlayOut = "1".parse().unwrap();
        assert!((0..1000).all(|game| all.includes(3, game)));
        for text in ["0", "-0.1", "1.01", "nan", "inf", "x", ""] {
            let message = text.parse::<PlayOut>().unwrap_err().to_string();
            assert!(message.contains("as in 0.1"), "{message}");
        }
    }
}
