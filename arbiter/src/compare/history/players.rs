//! The players of several runs, rated together.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use crate::results::RatingList;
use crate::results::facts::RunFacts;
use runner::{EngineConfig, RunConfig};
use stats::ratings::{Anchor, PlayerRating};
use stats::{Elo, PairableGame};

const SHORT: usize = 7;

#[derive(Debug)]
pub struct RatedRun {
    pub folder: PathBuf,
    pub config: Arc<RunConfig>,
    /// The number of games with a result.
    pub games: u64,
    pub scored: Vec<PairableGame>,
}

impl RatedRun {
    pub fn new(folder: PathBuf, facts: RunFacts) -> RatedRun {
        RatedRun { folder, config: facts.config, games: facts.games, scored: facts.rated }
    }
}

/// The engines of all runs, without duplicates, with all their games.
#[derive(Debug)]
pub struct RatedPlayers {
    /// In the order of the runs; within a run from the last engine to the first.
    engines: Vec<EngineConfig>,
    pub ratings: RatingList,
}

impl RatedPlayers {
    pub fn of(runs: &[RatedRun]) -> RatedPlayers {
        let mut engines: Vec<EngineConfig> = Vec::new();
        let mut sources: Vec<Vec<PairableGame>> = Vec::new();
        for run in runs {
            // Runs list newer versions first.
            let mut places = vec![0; run.config.engines.len()];
            for (index, engine) in run.config.engines.iter().enumerate().rev() {
                let known = engines.iter().position(|known| is_same(known, engine));
                places[index] = known.unwrap_or_else(|| {
                    engines.push(engine.clone());
                    engines.len() - 1
                });
            }
            let place = |engine: u32| places[engine as usize] as u32;
            let moved = |game: &PairableGame| PairableGame {
                white: place(game.white),
                black: place(game.black),
                ..*game
            };
            sources.push(run.scored.iter().map(moved).collect());
        }
        let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
        let rate = |anchors: &BTreeMap<usize, Anchor>| {
            RatingList::new(&names, sources.iter().map(Vec::as_slice), anchors)
        };
        let ratings = rate(&BTreeMap::new());
        let mut players = RatedPlayers { engines, ratings };
        // The oldest version of each group has rating 0.
        let mut anchors = BTreeMap::new();
        let mut families = players.families();
        families.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
        let mut groups = Vec::new();
        for (_, members) in families {
            let group = players.ratings.rating_of(members[0]).group;
            if !groups.contains(&group) {
                groups.push(group);
                anchors.insert(members[0], Anchor::fixed(Elo::new(0.0)));
            }
        }
        players.ratings = rate(&anchors);
        players
    }

    pub fn count(&self) -> usize {
        self.engines.len()
    }

    pub fn rating_of(&self, engine: &EngineConfig) -> Option<PlayerRating> {
        let index = self.engines.iter().position(|known| is_same(known, engine))?;
        Some(self.ratings.rating_of(index))
    }

    /// The name of a player, with the start of its SHA-256 or its options if another player has the same name.
    pub fn label(&self, index: usize) -> String {
        let engine = &self.engines[index];
        let namesakes = self.engines.iter().filter(|other| other.name == engine.name);
        if namesakes.clone().count() == 1 {
            return engine.name.clone();
        }
        let shares_program = namesakes.filter(|other| other.sha256 == engine.sha256).count() > 1;
        match &engine.sha256 {
            Some(sha256) if !shares_program => {
                format!("{} ({})", engine.name, sha256.get(..SHORT).unwrap_or(sha256))
            }
            _ => {
                let options: Vec<String> = engine.options.iter().map(ToString::to_string).collect();
                format!("{} ({})", engine.name, options.join(", "))
            }
        }
    }

    /// The engine that a player is a version of: its name up to the `@`.
    pub fn family(&self, index: usize) -> &str {
        let name = &self.engines[index].name;
        name.split_once('@').map_or(name, |(family, _)| family)
    }

    /// The engines with at least two comparable versions, each with its versions, the oldest first.
    pub fn families(&self) -> Vec<(&str, Vec<usize>)> {
        let group = |index: usize| self.ratings.rating_of(index).group;
        let mut families: Vec<(&str, Vec<usize>)> = Vec::new();
        for index in (0..self.count()).filter(|&index| group(index).is_some()) {
            let family = self.family(index);
            match families.iter_mut().find(|(name, of)| *name == family && group(of[0]) == group(index)) {
                Some((_, members)) => members.push(index),
                None => families.push((family, vec![index])),
            }
        }
        families.retain(|(_, members)| members.len() > 1);
        for (_, members) in &mut families {
            // Versions without version numbers and dates keep the order of the runs.
            let numbers: HashMap<usize, Option<Vec<u64>>> =
                members.iter().map(|&member| (member, version_number(&self.engines[member].name))).collect();
            if numbers.values().all(Option::is_some) {
                members.sort_by(|one, other| numbers[one].cmp(&numbers[other]));
            } else if members.iter().all(|member| self.engines[*member].committed.is_some()) {
                members.sort_by_key(|member| self.engines[*member].committed);
            }
        }
        families
    }

    pub fn colour(&self, index: usize) -> usize {
        let mut families: Vec<&str> = Vec::new();
        for other in 0..=index {
            if !families.contains(&self.family(other)) {
                families.push(self.family(other));
            }
        }
        families.iter().position(|family| *family == self.family(index)).unwrap_or(0)
    }
}

fn is_same(one: &EngineConfig, other: &EngineConfig) -> bool {
    one.name == other.name
        && one.sha256 == other.sha256
        && one.options == other.options
        && one.limits == other.limits
}

/// The version number, such as `[0, 2, 1]` for `tarrasch@v0.2.1`; `None` if the name has none.
fn version_number(name: &str) -> Option<Vec<u64>> {
    let (_, version) = name.split_once('@')?;
    let version = version.strip_prefix('v').unwrap_or(version);
    version.contains('.').then(|| version.split('.').map(|part| part.parse().ok()).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{config, facts_of, two_engine_match};

    fn run(names: &[&str], results: &str) -> RatedRun {
        RatedRun::new(PathBuf::new(), facts_of(&config(names, false), two_engine_match(results)))
    }

    #[test]
    fn versions_without_games_against_each_other_are_compared_through_a_third() {
        let runs = [run(&["t@v0.9.0", "rival"], "wdlwdl"), run(&["t@v0.10.0", "rival"], "wwdwwl")];
        let players = RatedPlayers::of(&runs);
        assert_eq!(players.count(), 3);
        let [("t", members)] = &players.families()[..] else { panic!("one family") };
        let labels: Vec<String> = members.iter().map(|member| players.label(*member)).collect();
        assert_eq!(labels, ["t@v0.9.0", "t@v0.10.0"]);
        let lead = players.ratings.difference_of(members[1], members[0]).unwrap();
        assert!(lead.elo.value() > 50.0, "{lead:?}");
        let elo = |player: usize| players.ratings.rating_of(player).rating.unwrap().elo.value();
        assert!(elo(members[0]).abs() < 1e-9, "the oldest version is 0, not {}", elo(members[0]));
    }

    #[test]
    fn versions_without_numbers_are_in_the_order_of_their_commits() {
        let mut facts = run(&["t@a", "t@b"], "wdlwdl");
        for (engine, second) in Arc::make_mut(&mut facts.config).engines.iter_mut().zip([1, 2]) {
            engine.committed = jiff::Timestamp::from_second(second).ok();
        }
        let players = RatedPlayers::of(&[facts]);
        let [("t", members)] = &players.families()[..] else { panic!("one family") };
        let labels: Vec<String> = members.iter().map(|member| players.label(*member)).collect();
        assert_eq!(labels, ["t@a", "t@b"]);
    }

    #[test]
    fn a_build_of_the_same_name_is_another_contestant() {
        let mut later = run(&["t", "rival"], "wwdl");
        Arc::make_mut(&mut later.config).engines[0].sha256 = Some("0123456789ab".to_owned());
        let runs = [run(&["t", "rival"], "wdlw"), later];
        let players = RatedPlayers::of(&runs);
        let labels: Vec<String> = (0..players.count()).map(|index| players.label(index)).collect();
        assert_eq!(labels, ["rival", "t ()", "t (0123456)"]);
    }
}
