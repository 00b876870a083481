//! The cores of each game.

use std::io;
use std::str::FromStr;

use crate::{Affinity, EngineConfig, InvalidInput, RunConfig};

/// The cores of the machine, assigned to the games that are played at once.
///
/// A game gets as many as it can keep busy. Its own thread shares them with its engines: it only works while they wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorePlan {
    /// The cores in the order in which they are assigned.
    cores: Vec<usize>,
    per_game: usize,
}

/// The number of cores that a game keeps busy: the threads of the engine with the most, and twice as many if both engines
/// think at the same time.
pub fn cores_per_game(engines: &[EngineConfig], ponder: bool) -> usize {
    let threads = engines.iter().map(EngineConfig::threads).max().unwrap_or(1);
    threads * if ponder { 2 } else { 1 }
}

impl EngineConfig {
    /// The value of the engine's option `Threads`.
    pub fn threads(&self) -> usize {
        self.threads_given().unwrap_or(1)
    }

    pub(crate) fn threads_given(&self) -> Option<usize> {
        self.number("threads")
    }

    /// The size of the engine's hash table in bytes, if its option `Hash` is set.
    pub fn hash_bytes(&self) -> Option<u64> {
        self.number::<u64>("hash").map(|mebibytes| mebibytes.saturating_mul(1 << 20))
    }

    fn number<T: FromStr>(&self, option: &str) -> Option<T> {
        let setting = self.options.iter().find(|setting| setting.name.eq_ignore_ascii_case(option))?;
        setting.value.as_ref()?.parse().ok()
    }
}

impl CorePlan {
    /// Assigns the cores that this process may use, or those of them that are listed; `None` if games are not pinned.
    ///
    /// # Errors
    /// [`InvalidInput`] if games cannot be bound, or not to these cores.
    pub fn with(affinity: &Affinity, per_game: usize) -> Result<Option<CorePlan>, InvalidInput> {
        let listed = match affinity {
            Affinity::Pinned(false) => return Ok(None),
            Affinity::Pinned(true) => None,
            Affinity::Cores(cores) => Some(cores),
        };
        let mut cores = usable_cores().map_err(|error| {
            InvalidInput(format!(
                "affinity: this system cannot pin games to cores ({error}); it needs Linux or Windows"
            ))
        })?;
        if let Some(listed) = listed {
            let mut wanted = listed.iter().map(|core| core as usize);
            if let Some(found) = wanted.find(|core| !cores.contains(core)) {
                cores.sort_unstable();
                let usable = cores.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
                return Err(InvalidInput(format!(
                    "affinity: expected cores of this machine that Arbiter may use, {usable}, found {found}"
                )));
            }
            cores.retain(|core| u32::try_from(*core).is_ok_and(|core| listed.has(core)));
        }
        Ok(Some(CorePlan { cores, per_game: per_game.max(1) }))
    }

    /// The plan of a run; `None` if it does not ask for one.
    ///
    /// # Errors
    /// [`InvalidInput`] if games cannot be bound, or there are too few cores.
    pub fn of_run(config: &RunConfig) -> Result<Option<CorePlan>, InvalidInput> {
        let plan = CorePlan::with(&config.affinity, cores_per_game(&config.engines, config.ponder))?;
        plan.as_ref().map_or(Ok(()), |plan| plan.check(config.concurrency))?;
        Ok(plan)
    }

    /// The number of games that can be played at once with their own cores.
    pub fn games(&self) -> usize {
        self.cores.len() / self.per_game
    }

    /// Checks that `games` concurrent games have their own cores.
    ///
    /// # Errors
    /// There are too few cores.
    pub fn check(&self, games: usize) -> Result<(), InvalidInput> {
        let (per_game, cores, most) = (self.per_game, self.cores.len(), self.games());
        if games <= most {
            return Ok(());
        }
        Err(InvalidInput(format!(
            "affinity: {games} concurrent games need {} cores, {per_game} for each game, but there are {cores}; expected a \
             concurrency of at most {most}",
            games * per_game
        )))
    }

    /// The cores of a concurrent game, by its permit, from 0. Permits beyond [`games`](Self::games) share the cores of the
    /// first ones.
    pub fn cores_of(&self, permit: usize) -> &[usize] {
        let first = permit % self.games().max(1) * self.per_game;
        &self.cores[first..self.cores.len().min(first + self.per_game)]
    }

    /// Binds the calling thread, and every thread and process that it starts from now on, to the cores of a permit. A child
    /// inherits the binding at its start and keeps it through `exec` (`sched_setaffinity(2)`), so it holds before an engine
    /// can start a thread of its own.
    pub(super) fn bind_this_thread(&self, permit: usize) -> io::Result<()> {
        system::bind_this_thread(self.cores_of(permit))
    }
}

/// The cores that this process may run on, in the order in which they should be used: first one of every physical core,
/// then their siblings (hyper-threads), each group by number.
pub(super) fn usable_cores() -> io::Result<Vec<usize>> {
    Ok(physical_first(&system::allowed_cores()?, system::siblings_of))
}

/// Sorts cores so that every physical core has had its turn before a second core of one is used.
fn physical_first(allowed: &[usize], siblings_of: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let rank = |core: usize| {
        let before = siblings_of(core).into_iter().filter(|other| *other < core && allowed.contains(other));
        before.count()
    };
    let mut cores = allowed.to_vec();
    cores.sort_by_cached_key(|core| (rank(*core), *core));
    cores
}

#[cfg(target_os = "linux")]
mod system {
    use std::{fs, io};

    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use crate::Numbers;

    pub(super) fn allowed_cores() -> io::Result<Vec<usize>> {
        let set = sched_getaffinity(None)?;
        Ok((0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect())
    }

    pub(super) fn siblings_of(core: usize) -> Vec<usize> {
        let file = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        let listed = fs::read_to_string(file).ok().and_then(|text| text.trim().parse::<Numbers>().ok());
        listed.map_or_else(|| vec![core], |cores| cores.iter().map(|core| core as usize).collect())
    }

    pub(super) fn bind_this_thread(cores: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        for core in cores {
            set.set(*core);
        }
        Ok(sched_setaffinity(None, &set)?)
    }
}

#[cfg(windows)]
mod system {
    pub(super) use crate::process::allowed_cores;

    pub(super) fn siblings_of(core: usize) -> Vec<usize> {
        vec![core]
    }

    /// Binds the engines, which do the work, but not the thread, which waits for them.
    pub(super) fn bind_this_thread(cores: &[usize]) -> std::io::Result<()> {
        crate::process::bind_children(cores);
        Ok(())
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod system {
    use std::io;

    pub(super) fn allowed_cores() -> io::Result<Vec<usize>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn siblings_of(core: usize) -> Vec<usize> {
        vec![core]
    }

    pub(super) fn bind_this_thread(_: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UciSetting;

    fn engine(options: &[&str]) -> EngineConfig {
        let options = options.iter().map(|text| UciSetting::read(text)).collect();
        EngineConfig { options, ..EngineConfig::default() }
    }

    #[test]
    fn a_game_needs_as_many_cores_as_it_keeps_busy() {
        let engines = [engine(&[]), engine(&["Hash=16", "threads=3"])];
        assert_eq!(cores_per_game(&engines, false), 3);
        assert_eq!(cores_per_game(&engines, true), 6);
        assert_eq!(cores_per_game(&engines[..1], true), 2);
    }

    #[test]
    fn no_two_games_share_a_core_and_more_than_the_cores_allow_are_refused() {
        let plan = CorePlan { cores: vec![0, 2, 4, 1, 3], per_game: 2 };
        assert_eq!(plan.games(), 2);
        assert_eq!((plan.cores_of(0), plan.cores_of(1)), (&[0, 2][..], &[4, 1][..]));
        assert_eq!(plan.cores_of(2), plan.cores_of(0));
        let plan = CorePlan { cores: vec![0, 1], per_game: 4 };
        assert_eq!((plan.games(), plan.cores_of(0)), (0, &[0, 1][..]));
        let plan = CorePlan { cores: vec![0, 1, 2, 3, 4], per_game: 2 };
        assert!(plan.check(2).is_ok());
        let message = plan.check(3).unwrap_err().to_string();
        assert!(
            message.contains(
                "need 6 cores, 2 for each game, but there are 5; expected a concurrency of at most 2"
            ),
            "{message}"
        );
    }

    #[test]
    fn every_physical_core_comes_before_the_second_thread_of_any() {
        // Four physical cores; 0 and 4, 1 and 5, … are siblings.
        let siblings = |core: usize| vec![core % 4, core % 4 + 4];
        assert_eq!(physical_first(&[0, 1, 2, 3, 4, 5, 6, 7], siblings), [0, 1, 2, 3, 4, 5, 6, 7]);
        // Neighbouring numbers are siblings.
        let neighbours = |core: usize| vec![core & !1, core | 1];
        assert_eq!(physical_first(&[0, 1, 2, 3, 4, 5], neighbours), [0, 2, 4, 1, 3, 5]);
        // A sibling that may not be used does not count.
        assert_eq!(physical_first(&[1, 2, 3], neighbours), [1, 2, 3]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_bound_as_the_thread_that_starts_it() {
        let core = usable_cores().unwrap()[0];
        let status = std::thread::spawn(move || {
            system::bind_this_thread(&[core]).unwrap();
            std::process::Command::new("cat").arg("/proc/self/status").output().unwrap().stdout
        });
        let status = String::from_utf8(status.join().unwrap()).unwrap();
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        assert_eq!(list.trim(), core.to_string());
        assert!(usable_cores().unwrap().contains(&core), "other threads keep what they had");
    }
}
