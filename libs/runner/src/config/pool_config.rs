//! How the shards of a run exchange their results.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

use super::duration_text;

/// The pool of a shard: where it reports its results and reads those of the other shards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolConfig {
    /// Where reports are exchanged.
    pub place: PoolPlace,
    /// The time between two exchanges. By default one second for a folder, more with many shards, and ten seconds for a
    /// command.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "duration_text")]
    pub every: Option<Duration>,
    /// How many pairs of every round each shard plays, so that a faster machine has more; one each if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<u32>,
}

/// A place that all shards of a run can reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PoolPlace {
    /// A folder, which may be a remote one with a delay.
    Folder(PathBuf),
    /// A shell command that takes this shard's line and prints the lines of all shards. It may contain a token, so it is
    /// not written to any file: see [`PoolConfig::lacks_its_command`].
    #[serde(serialize_with = "unkept")]
    Command(String),
    /// Standard input and output: the parent process passes the lines on.
    Pipe,
}

/// The text that files have in place of a command.
const UNKEPT: &str = "not kept: it may hold a token";

fn unkept<S: Serializer>(_: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(UNKEPT)
}

impl PoolConfig {
    /// The largest weight of a shard.
    pub const MOST_WEIGHT: u32 = 10_000;

    /// A pool by standard input and output.
    pub const PIPE: PoolConfig = PoolConfig { place: PoolPlace::Pipe, every: None, weights: Vec::new() };

    /// Whether this was read from a file, which does not contain the command.
    pub fn lacks_its_command(&self) -> bool {
        matches!(&self.place, PoolPlace::Command(command) if command == UNKEPT)
    }

    /// The time between two exchanges, given the number of shards.
    pub fn interval(&self, shards: u32) -> Duration {
        self.every.unwrap_or(match self.place {
            // So a shard's file is opened at most 20 times a second by all the shards together.
            PoolPlace::Folder(_) => Duration::from_secs(1) + Duration::from_millis(50) * shards,
            PoolPlace::Command(_) => Duration::from_secs(10),
            PoolPlace::Pipe => Duration::from_secs(1),
        })
    }
}
