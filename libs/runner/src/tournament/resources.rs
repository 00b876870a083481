//! What the engines of the games in progress occupy: memory, and whatever only one game at a time may use.

use std::collections::BTreeMap;

use crate::{Pairing, RunConfig};

/// What each engine needs, and which games occupy it.
#[derive(Debug)]
pub(super) struct Resources {
    /// What each engine needs that only one game at a time may use.
    exclusive: Vec<Option<String>>,
    /// The memory that each engine needs, in bytes: its hash table or, if that is more, what a process of it has held.
    memory: Vec<u64>,
    /// The memory that engines may hold in all, in bytes.
    room: u64,
    /// The number of engines that a worker keeps running.
    kept: usize,
    playing: BTreeMap<u32, Pairing>,
    /// Whether a game had to wait for what another one occupies.
    is_awaited: bool,
}

impl Resources {
    /// Nothing is occupied yet, and all engines together may hold `room` bytes of memory.
    pub(super) fn new(config: &RunConfig, room: u64) -> Resources {
        Resources {
            exclusive: config.engines.iter().map(|engine| engine.exclusive.clone()).collect(),
            memory: config.engines.iter().map(|engine| engine.hash_bytes().unwrap_or(0)).collect(),
            room,
            kept: (2 + config.idle_engines).min(config.engines.len()),
            playing: BTreeMap::new(),
            is_awaited: false,
        }
    }

    /// Whether games in progress leave what this game needs. If none is in progress, any game fits.
    pub(super) fn fit(&mut self, pairing: &Pairing) -> bool {
        let wanted = engines(pairing).map(|engine| self.memory[engine]).sum::<u64>();
        let held = || self.occupying().map(|engine| self.memory[engine]).sum::<u64>();
        let is_occupied = |engine: usize| {
            let name = self.exclusive[engine].as_ref();
            name.is_some() && self.occupying().any(|other| self.exclusive[other].as_ref() == name)
        };
        let fits = (wanted == 0 || self.playing.is_empty() || held().saturating_add(wanted) <= self.room)
            && !engines(pairing).any(is_occupied);
        self.is_awaited |= !fits;
        fits
    }

    pub(super) fn occupy(&mut self, pairing: Pairing) {
        self.playing.insert(pairing.game, pairing);
    }

    /// Frees what a game has occupied. Returns whether another game may have waited for it.
    pub(super) fn release(&mut self, game: u32) -> bool {
        self.playing.remove(&game).is_some() && std::mem::take(&mut self.is_awaited)
    }

    /// Takes notice of the most memory that a process of an engine has held, in bytes.
    pub(super) fn learn(&mut self, engine: usize, held: u64) {
        self.memory[engine] = self.memory[engine].max(held);
    }

    /// Whether an engine that is kept running between games would occupy what other games need, with this many games at
    /// once.
    pub(super) fn is_in_the_way(&self, engine: usize, at_once: usize) -> bool {
        let most = self.memory.iter().max().copied().unwrap_or(0);
        let kept = (self.kept * at_once) as u64;
        at_once > 1 && (self.exclusive[engine].is_some() || most.saturating_mul(kept) > self.room)
    }

    fn occupying(&self) -> impl Iterator<Item = usize> {
        self.playing.values().flat_map(engines)
    }
}

fn engines(pairing: &Pairing) -> impl Iterator<Item = usize> + use<> {
    [pairing.white, pairing.black].into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn game(game: u32, white: usize, black: usize) -> Pairing {
        Pairing { game, pair: game / 2, white, black, round: 0 }
    }

    /// Begins the game if it fits.
    fn begins(resources: &mut Resources, game: Pairing) -> bool {
        let fits = resources.fit(&game);
        if fits {
            resources.occupy(game);
        }
        fits
    }

    /// Three engines: `big` with a hash table of 64 MiB, and `small` twice with one of 16.
    fn resources(room: u64) -> Resources {
        let mut config = RunConfig::made_up(&["big", "small", "other"], "games = 2\nbook.path = 'x'");
        for (engine, megabytes) in config.engines.iter_mut().zip([64, 16, 16]) {
            engine.options = vec![format!("Hash={megabytes}").into()];
        }
        Resources::new(&config, room * MIB)
    }

    #[test]
    fn a_game_that_does_not_fit_waits_while_others_begin() {
        let mut resources = resources(120);
        assert!(begins(&mut resources, game(0, 0, 1)));
        assert!(!begins(&mut resources, game(1, 1, 0)), "80 + 80 MiB of 120");
        assert!(begins(&mut resources, game(2, 2, 1)), "80 + 32 MiB");
        assert!(resources.release(0), "game 1 waits");
        assert!(begins(&mut resources, game(1, 1, 0)));
        assert!(!resources.release(2), "nobody waits");
    }

    #[test]
    fn a_game_that_never_fits_is_played_alone() {
        let mut resources = resources(50);
        assert!(begins(&mut resources, game(0, 0, 1)));
        assert!(!begins(&mut resources, game(1, 1, 2)));
        assert!(resources.release(0) && begins(&mut resources, game(1, 1, 2)));
        assert!(!begins(&mut resources, game(2, 0, 1)));
    }

    #[test]
    fn what_a_process_has_held_counts_if_it_is_more_than_its_hash_table() {
        let mut resources = resources(120);
        resources.learn(1, 20 * MIB);
        resources.learn(1, 10 * MIB);
        resources.learn(0, 30 * MIB);
        assert!(begins(&mut resources, game(0, 0, 1)), "64 + 20 MiB");
        assert!(begins(&mut resources, game(1, 2, 1)), "84 + 36 MiB");
        resources.learn(2, 17 * MIB);
        resources.release(1);
        assert!(!begins(&mut resources, game(1, 2, 1)), "84 + 37 MiB");
    }

    #[test]
    fn engines_stay_between_games_only_where_all_of_them_fit() {
        assert!(!resources(3 * 64 * 2).is_in_the_way(1, 2));
        assert!(resources(3 * 64 * 2 - 1).is_in_the_way(1, 2));
        assert!(!resources(1).is_in_the_way(1, 1), "a game alone is in nobody's way");
    }
}
