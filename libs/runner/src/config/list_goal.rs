//! What a run finds out for a rating list.

use serde::{Deserialize, Serialize};

use stats::Pentanomial;

/// What a run is to find out for a rating list, and what is known before it. The run has at most `games` games in all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListGoal {
    /// The run ends when each wanted rating has a 95% error of at most this many Elo. By default all games are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// The index of the only engine whose rating is wanted, and which plays every game; by default all ratings are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// Whether the run is over once it is stopped, because it was to be played for a time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends_when_stopped: bool,
    /// Whether all games are chosen before the first one, so that shards can share them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_advance: bool,
    /// An engine that crashed, stalled or played an illegal move in this many games gets no more.
    #[serde(default = "ListGoal::most_faults")]
    pub most_faults: u32,
    /// The players whose ratings are given; errors are relative to them, or to the average of all players if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<usize>,
    /// Players of which one is the next version of the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<(usize, usize)>,
    /// The pairs that are known from earlier runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<KnownPairs>,
}

/// The pairs of two players in earlier runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownPairs {
    /// The indices of the players, the lower first. From the number of engines on they are players that have left the list.
    pub players: (usize, usize),
    /// Their pairs, counted for the first player.
    pub results: Pentanomial,
    /// The round whose opening they have next.
    pub next: u32,
}

impl ListGoal {
    /// The default of `most_faults`.
    pub const fn most_faults() -> u32 {
        10
    }

    pub(crate) fn players(&self, engines: usize) -> usize {
        let known = self.known.iter().map(|known| known.players.1);
        let versions = self.versions.iter().map(|&(one, other)| one.max(other));
        known.chain(versions).map(|player| player + 1).fold(engines, usize::max)
    }
}
