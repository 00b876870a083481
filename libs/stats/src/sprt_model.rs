//! The rating scale on which a sequential test states its hypotheses.

use serde::{Deserialize, Serialize};

/// What the bounds of a sequential test are measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalized Elo ([`NormalizedElo`](super::NormalizedElo)): the length of the test depends little on how
    /// drawish the games are.
    #[default]
    Normalized,
    /// Logistic Elo ([`Elo`](super::Elo)).
    Logistic,
}
