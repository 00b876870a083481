//! The results of a match, from any source.

use serde::{Deserialize, Serialize};

use stats::{Observations, Wdl};

/// The results of one engine against one opponent or several: the input of the calculation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResults {
    /// The engine that the results are for, if the source has names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Its opponents, in the order of their appearance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<String>,
    /// The pairs, or the single games, that all numbers are computed from.
    pub observations: Observations,
    /// Single games, unpaired games included; `None` if only the pairs are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<Wdl>,
    /// Unpaired games: in `wdl`, not in `observations`.
    pub unpaired: u64,
    /// Games that finished after the SPRT had stopped: not counted anywhere else.
    pub after_decision: Wdl,
    /// Games that are not counted, by the reason.
    pub excluded: ExcludedGames,
}

/// Games of a source that are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcludedGames {
    pub without_result: u64,
    /// Games without the name of a player.
    pub without_players: u64,
    pub other_players: u64,
    /// Games that another file, or the same one, has too.
    #[serde(default)]
    pub duplicates: u64,
}

impl MatchResults {
    /// Results from counts alone.
    pub fn of_counts(observations: Observations) -> MatchResults {
        MatchResults {
            engine: None,
            opponents: Vec::new(),
            wdl: match observations {
                Observations::Pairs(_) => None,
                Observations::Games(games) => Some(games),
            },
            observations,
            unpaired: 0,
            after_decision: Wdl::default(),
            excluded: ExcludedGames::default(),
        }
    }
}
