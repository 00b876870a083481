//! The players and games read so far, so that each game counts once.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use super::ReadGame;

/// The identity of a game among all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameIdentity {
    /// The hash of players, result, start position, moves, and the tags for the time of the game.
    pub hash: u64,
    /// Whether another game of the same file with this hash must be the same game: the round is known, together with the
    /// number of the game in it, as in `3.1`, or the starting time. Otherwise it may be another game of two engines that
    /// repeat themselves.
    pub is_certain: bool,
}

/// The games read so far, of which each counts once, however many sources have it.
#[derive(Clone, Debug, Default)]
pub struct KnownGames {
    /// The hashes of games with a certain identity.
    certain: HashSet<u64, FxBuildHasher>,
    /// For the hash of other games: how often it counts, and how often it occurred in the current source.
    times: HashMap<u64, [u32; 2], FxBuildHasher>,
    /// The hashes that occurred in the current source.
    of_source: Vec<u64>,
    /// Whether there is only one source.
    pub has_one_source: bool,
}

impl KnownGames {
    /// Known games for this many sources. With a single source, only games with a certain identity are checked.
    pub fn of(sources: usize) -> KnownGames {
        KnownGames { has_one_source: sources == 1, ..KnownGames::default() }
    }

    /// Begins the next source.
    pub fn begin_source(&mut self) {
        for hash in self.of_source.drain(..) {
            self.times.entry(hash).and_modify(|[_, here]| *here = 0);
        }
    }

    /// The identity of a game of the source, if [`is_copy`](Self::is_copy) needs it.
    pub fn identity_of(&self, game: &ReadGame) -> Option<GameIdentity> {
        if self.has_one_source && !game.is_certain() { None } else { game.identity() }
    }

    /// Adds a game of the source, and returns whether it is a copy of a game that already counts.
    ///
    /// Games whose identity is not certain count as often as they occur in one source: engines that search a fixed
    /// number of nodes repeat games.
    pub fn is_copy(&mut self, identity: GameIdentity) -> bool {
        if identity.is_certain {
            return !self.certain.insert(identity.hash);
        }
        if self.has_one_source {
            return false;
        }
        let [counted, here] = self.times.entry(identity.hash).or_default();
        if *here == 0 {
            self.of_source.push(identity.hash);
        }
        *here += 1;
        let is_copy = *here <= *counted;
        *counted += u32::from(!is_copy);
        is_copy
    }
}

/// The names of players, in the order of appearance.
#[derive(Clone, Debug, Default)]
pub struct PlayerNames {
    names: Vec<String>,
    indices: HashMap<String, usize, FxBuildHasher>,
}

impl PlayerNames {
    /// The index of a player, which is added if the name is new.
    pub fn add(&mut self, name: &str) -> usize {
        self.index_of(name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.indices.insert(name.to_owned(), self.names.len() - 1);
            self.names.len() - 1
        })
    }

    /// The index of the player with this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.indices.get(name).copied()
    }

    /// All names.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}
