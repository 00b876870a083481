//! The results of a match, wherever they were taken from.

use serde::{Deserialize, Serialize};

use stats::{Observations, Wdl};

/// What one engine scored against another, or against several: the input of a calculation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResults {
    /// Whose score it is, where the source has names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Those it played, in the order of their appearance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<String>,
    /// What the score is judged by.
    pub observations: Observations,
    /// Single games, those of incomplete pairs included; `None` where only the pairs are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<Wdl>,
    /// Games whose partner is missing. They are in `wdl`, not in `observations`.
    pub without_partner: u64,
    /// Games that were in flight when the sequential test decided. They are in nothing else.
    pub after_decision: Wdl,
    /// Games that say nothing about the score, by the reason.
    pub left_out: LeftOut,
}

/// Games of a source that could not be counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Games without a known result.
    pub without_result: u64,
    /// Games in which a player has no name.
    pub without_players: u64,
    /// Games of other players.
    pub of_others: u64,
}

impl MatchResults {
    /// Counts that somebody typed.
    pub fn of_counts(observations: Observations) -> MatchResults {
        MatchResults {
            engine: None,
            opponents: Vec::new(),
            wdl: match observations {
                Observations::Pairs(_) => None,
                Observations::Games(games) => Some(games),
            },
            observations,
            without_partner: 0,
            after_decision: Wdl::default(),
            left_out: LeftOut::default(),
        }
    }
}
