//! Where shards tell each other what they have come to.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

use super::duration_text;

/// The pool of a shard: where it tells the others what it has come to, and reads it of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolConfig {
    /// Where that is.
    pub place: PoolPlace,
    /// How long it waits from one time to the next; by default a second for a folder, longer with many shards, and ten for
    /// a command.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "duration_text")]
    pub every: Option<Duration>,
}

/// A place that all shards of a run reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PoolPlace {
    /// A folder, which may be a remote one that is seen late.
    Folder(PathBuf),
    /// A command of the shell that takes the line of one shard and prints those of all. It may hold a token, so no file has
    /// it: [`PoolConfig::lacks_its_command`].
    #[serde(serialize_with = "unkept")]
    Command(String),
    /// Our own input and output: who started us carries the lines.
    Pipe,
}

/// What files have in place of a command.
const UNKEPT: &str = "not kept: it may hold a token";

fn unkept<S: Serializer>(_: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(UNKEPT)
}

impl PoolConfig {
    /// Whether it was read from a file that does not have its command.
    pub fn lacks_its_command(&self) -> bool {
        matches!(&self.place, PoolPlace::Command(command) if command == UNKEPT)
    }

    /// How long a shard waits from one time to the next, if there are so many.
    pub fn interval(&self, shards: u32) -> Duration {
        self.every.unwrap_or(match self.place {
            // So that all shards of a folder together open the files of all at most 20 times a second for each shard.
            PoolPlace::Folder(_) => Duration::from_secs(1) + Duration::from_millis(50) * shards,
            PoolPlace::Command(_) => Duration::from_secs(10),
            PoolPlace::Pipe => Duration::from_secs(1),
        })
    }
}
