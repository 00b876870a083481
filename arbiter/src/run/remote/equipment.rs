//! Gets machines ready for a run: copies to each what it lacks, and decides how large its share of the games is.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};

use super::baggage::{Baggage, CACHE};
use super::host::{Facts, Host, IS_IT, quoted};
use super::players::{SHARD, There};
use super::remote_plan::{RemotePlan, is_stopped};
use crate::cli::console;
use crate::files::file_record;
use runner::{PoolConfig, RunConfig, RunControl, cores_per_game};

/// A machine has its share of a run in at least this many turns, if there are enough pairs.
const TURNS: u32 = 8;

/// Copies to each machine what it lacks, and the configuration of its shard. `is_new` is whether no machine has begun.
pub fn prepare(
    plan: &mut RemotePlan,
    is_new: bool,
    hosts: &[Host],
    control: &RunControl,
) -> Vec<Result<There>> {
    let (baggage, config) = &match Baggage::of_run(&plan.run) {
        Ok(prepared) => prepared,
        Err(error) => return hosts.iter().map(|_| Err(anyhow!("{error:#}"))).collect(),
    };
    let is_stopped = || is_stopped(control);
    let caches = at_once(hosts.iter().map(|host| move || equip(host, baggage, config, is_stopped)));
    if is_new {
        let at_once: Vec<usize> = caches.iter().flatten().map(|(_, at_once)| *at_once).collect();
        plan.weights = weights(&at_once, plan.pairs());
    }
    let plan = &*plan;
    at_once(hosts.iter().zip(caches).enumerate().map(|(index, (host, cache))| {
        move || {
            let (cache, at_once) = cache?;
            let config = RunConfig {
                shard: Some(format!("{}/{}", index + 1, hosts.len()).parse()?),
                pool: Some(PoolConfig { weights: plan.weights.clone(), ..PoolConfig::PIPE }),
                concurrency: at_once,
                scale: config.essence().scale,
                ..config.clone()
            };
            let text = toml::to_string(&config)?.replace(CACHE, &cache);
            let run = format!("{cache}/runs/{}", plan.id);
            let (sha256, length) = (file_record::sha256_of_bytes(text.as_bytes()), text.len() as u64);
            let facts = Facts { sha256, length, mode: 0o644 };
            host.bring(io::Cursor::new(text), &format!("{run}/run-file.toml"), &facts, is_stopped)?;
            Ok(There { arbiter: format!("{cache}/{}", baggage.arbiter), run })
        }
    }))
}

/// The shares of machines that play so many games at once. They are small enough for every machine to have several turns.
fn weights(at_once: &[usize], pairs: u32) -> Vec<u32> {
    let sum: usize = at_once.iter().sum();
    let most = (pairs / TURNS).max(at_once.len() as u32);
    let scale = (f64::from(most) / sum as f64).min(1.0);
    at_once
        .iter()
        .map(|games| ((*games as f64 * scale).round() as u32).clamp(1, PoolConfig::MOST_WEIGHT))
        .collect()
}

fn at_once<T: Send>(tasks: impl Iterator<Item = impl FnOnce() -> Result<T> + Send>) -> Vec<Result<T>> {
    thread::scope(|scope| {
        let tasks: Vec<_> = tasks.map(|task| scope.spawn(task)).collect();
        tasks.into_iter().map(|task| task.join().unwrap_or_else(|_| bail!("a thread panicked"))).collect()
    })
}

/// Copies what a machine lacks into its cache. Returns the place of the cache, and the number of games to play at once.
fn equip(
    host: &Host,
    baggage: &Baggage,
    config: &RunConfig,
    is_stopped: impl Fn() -> bool + Copy,
) -> Result<(String, usize)> {
    let look = |(place, (_, facts)): (&String, &(PathBuf, Facts))| {
        let file = quoted(place);
        format!("{} || echo missing {file}; ", facts.is_it(&file))
    };
    // A killed preparation leaves a run folder without a shard; it is removed after a day.
    let script = format!(
        "{IS_IT}set -e; c=\"${{XDG_CACHE_HOME:-$HOME/.cache}}/arbiter/machines\"; mkdir -p \"$c/runs\"; cd \"$c\"; echo \"cache $(pwd)\"; \
         find runs -mindepth 1 -maxdepth 1 -type d -mtime +0 ! -exec test -d '{{}}/{SHARD}' ';' -exec rm -rf '{{}}' ';'; \
         echo \"cores $(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)\"; \
         {}",
        baggage.files.iter().map(look).collect::<String>()
    );
    let answer = host.run(&script, is_stopped)?;
    let said = |word: &'static str| answer.lines().filter_map(move |line| line.strip_prefix(word));
    let cache = said("cache ").next().with_context(|| format!("machine {}: no cache", host.name))?.to_owned();
    for place in said("missing ") {
        let Some((file, facts)) = baggage.files.get(place) else { continue };
        console::note(&format!("{}: copying {}", host.name, file.display()));
        let contents = File::open(file).with_context(|| file.display().to_string())?;
        host.bring(contents, &format!("{cache}/{place}"), facts, is_stopped)?;
    }
    let cores: usize = said("cores ").next().and_then(|cores| cores.trim().parse().ok()).unwrap_or(1);
    let fit = cores / cores_per_game(&config.engines, config.ponder).max(1);
    Ok((cache, host.concurrency.map_or(fit.max(1), usize::from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_a_share_by_the_games_that_it_plays_at_once() {
        assert_eq!(weights(&[2, 16], 10_000), [2, 16]);
        assert_eq!(weights(&[2, 16], 72), [1, 8]);
        assert_eq!(weights(&[8, 8], 5), [1, 1]);
        assert_eq!(weights(&[1, 64, 1], 3), [1, 3, 1]);
    }
}
