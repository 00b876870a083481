//! Validation of a configuration, which reports all problems at once.

use std::collections::HashSet;

use thiserror::Error;

use super::{Format, Rounds, RunConfig, SyzygyRule};
use crate::Schedule;

/// What is wrong with a configuration, a text in it or a command, and what was expected; one line per problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct InvalidInput(pub(crate) String);

/// The messages of those problems whose condition is true.
fn found<const N: usize>(problems: [(bool, &str); N]) -> impl Iterator<Item = String> {
    problems.into_iter().filter(|(is_there, _)| *is_there).map(|(_, problem)| problem.to_owned())
}

impl RunConfig {
    /// The problem with a number of games that are played in pairs, if there is one.
    pub fn problem_of_pairs(games: u32) -> Option<String> {
        let is_wrong = games == 0 || !games.is_multiple_of(2);
        is_wrong.then(|| {
            format!(
                "games: expected an even number above 0, because each opening is played twice with colours reversed; \
                 found {games}"
            )
        })
    }

    /// Checks everything that can be checked without looking at files.
    ///
    /// # Errors
    /// All problems.
    pub fn validate(&self) -> Result<(), InvalidInput> {
        let mut problems = self.problems_of_schedule();
        let mut names = HashSet::new();
        for (index, engine) in self.engines.iter().enumerate() {
            let name = &engine.name;
            if !names.insert(name) {
                problems
                    .push(format!("engine: two engines have the name `{name}`; expected different names"));
            }
            let limits = self.limits_of(index).validate();
            problems.extend(limits.err().map(|problem| format!("limits of engine {name}: {problem}")));
        }
        for pattern in &self.pgn.match_lines {
            let error = regex_lite::Regex::new(pattern).err();
            problems.extend(error.map(|error| format!("pgn, match_lines: `{pattern}`: {error}")));
        }
        let (engines, is_knockout) = (self.engines.len(), matches!(self.format, Format::Knockout { .. }));
        let (has_test, has_several_tests) = (self.sprt.is_some(), self.has_several_tests());
        let is_wrong = |rule: &SyzygyRule| rule.folders.is_empty() || !(3..=7).contains(&rule.pieces);
        let cannot_pool = self.shard.is_none()
            || engines != 2
            || self.give_up.is_some()
            || self.skipped > 0
            || self.earlier.is_some();
        let tests_pairs = has_test && !self.trinomial && self.is_whole();
        let gives_up_rightly = |chance: f64| tests_pairs && chance > 0.0 && chance < 1.0;
        problems.extend(found([
            (
                self.rounds.games == 1 && has_test && !self.trinomial,
                "rounds, games: an SPRT that is not trinomial needs the two games of an opening",
            ),
            (self.concurrency == 0, "concurrency: expected at least one game at a time"),
            (
                self.adjudication.syzygy.as_ref().is_some_and(is_wrong),
                "adjudication.syzygy: expected at least one folder, and 3 to 7 pieces",
            ),
            (
                self.adjudication.play_out.is_some() && !self.adjudication.judges_scores(),
                "adjudication.play_out: expected a rule for draws or resignations, which it checks",
            ),
            (
                self.shard.is_some() && is_knockout,
                "shard: expected a round robin or a gauntlet, found a knockout",
            ),
            (
                self.shard.is_some() && has_several_tests,
                "shard: expected an SPRT of two engines; one of several pairings drops games by the results of all",
            ),
            (
                self.pool.is_some() && cannot_pool,
                "pool: expected a shard, two engines, and neither give_up nor skipped games",
            ),
            (
                self.stop_at_first && !has_several_tests,
                "stop_at_first: expected an SPRT of several pairings",
            ),
            (has_test && is_knockout, "sprt: expected two engines or a gauntlet, found a knockout"),
            (
                !self.give_up.is_none_or(gives_up_rightly),
                "give_up: expected an SPRT of pairs of a whole run, and a probability between 0 and 1, both excluded",
            ),
        ]));
        if has_test && engines > 2 && self.format == Format::RoundRobin {
            problems.push(format!(
                "sprt: expected two engines or a gauntlet, found a round robin of {engines} engines"
            ));
        }
        if let Some(shard) = self.shard
            && problems.is_empty()
            && Schedule::new(self).games() == 0
        {
            problems.push(format!(
                "shard {shard}: it has no games; expected at most as many shards as there are pairs of games"
            ));
        }
        if problems.is_empty() { Ok(()) } else { Err(InvalidInput(problems.join("\n"))) }
    }

    /// The problems that would break the schedule of a run, and anything that counts the games of its journal.
    pub(crate) fn problems_of_schedule(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let (engines, games) = (self.engines.len(), self.games);
        if engines < 2 {
            problems.push(format!("engine: expected at least two engines, found {engines}"));
        }
        match self.rounds.games {
            2 => problems.extend(RunConfig::problem_of_pairs(games)),
            1 if games == 0 => problems.push("games: expected a number above 0".to_owned()),
            1 => {}
            other => problems.push(format!("rounds, games: expected 1 or 2, found {other}")),
        }
        let pairings = match self.encounters.len() as u64 {
            0 => self.format.pairings(engines),
            listed => listed,
        };
        let is_knockout = matches!(self.format, Format::Knockout { .. });
        let is_odd = |&(one, other): &(usize, usize)| one == other || one.max(other) >= engines;
        if self.encounters.iter().any(is_odd) || !self.encounters.is_empty() && is_knockout {
            problems.push(format!(
                "encounters: expected pairs of two different engines, each from 0 to below {engines}, and no knockout"
            ));
        }
        if pairings.saturating_mul(games.into()) > u32::MAX.into() {
            problems.push(format!(
                "games: expected at most {} in all, found {games} of each of {pairings} pairings",
                u32::MAX
            ));
        }
        problems.extend(found([
            (
                self.rounds.games == 1 && is_knockout,
                "rounds, games: a knockout needs the two games of an opening",
            ),
            (self.book.turns.contains(&0), "book, turns: expected numbers of encounters above 0"),
        ]));
        if let Some(openings) = self.rounds.in_one_go
            && (is_knockout || openings == 0 || !(games / self.rounds.games.max(1)).is_multiple_of(openings))
        {
            problems.push(format!(
                "rounds, in_one_go: expected a divisor of the openings of each pairing, and no knockout; found {openings}"
            ));
        }
        let skipped = self.skipped;
        let is_left_over = u64::from(skipped) < pairings.saturating_mul(games.into());
        if skipped > 0 && (is_knockout || self.has_several_tests() || !is_left_over) {
            problems.push(format!(
                "skipped: expected fewer games than the run has, a round robin or a gauntlet with at most one SPRT; \
                 found {skipped}"
            ));
        }
        if let Format::Gauntlet { challengers } = self.format
            && challengers >= engines
        {
            problems.push(format!(
                "format: expected fewer challengers than the {engines} engines, found {challengers}"
            ));
        }
        let is_for_best = engines > 2
            && matches!(self.format, Format::Gauntlet { challengers } if challengers + 1 == engines)
            && (self.rounds == Rounds::default() && skipped == 0 && self.encounters.is_empty())
            && (self.sprt.is_none() && self.spsa.is_none() && self.shard.is_none() && self.pool.is_none());
        let begins = self.engines.iter().take_while(|engine| engine.from_batch == 0).count();
        let has_joined = self.engines.iter().any(|engine| engine.from_batch > 0);
        let candidates = &self.engines[..engines.saturating_sub(1)];
        let in_order = !has_joined || begins > 1 && candidates.is_sorted_by_key(|engine| engine.from_batch);
        problems.extend(found([(
            self.best.is_some_and(|best| !best.is_valid() || !is_for_best || !in_order)
                || self.best.is_none() && has_joined,
            "best: expected `within` above 0 and `sure` between 0 and 1, two or more candidates in the format \
             `gauntlet,challengers=N` against the last engine alone, pairs of games, and neither sprt, spsa, shard, \
             pool, skipped games, encounters nor in_one_go; and `from_batch` in such a run alone, those that joined \
             behind the others",
        )]));
        problems.extend(self.problems_of_spsa());
        problems
    }

    fn problems_of_spsa(&self) -> Vec<String> {
        let Some(plan) = &self.spsa else { return Vec::new() };
        let mut problems: Vec<_> =
            plan.validate().err().map(|error| format!("spsa: {error}")).into_iter().collect();
        let is_plain = matches!(self.format, Format::RoundRobin | Format::Gauntlet { .. })
            && self.engines.len() == 2
            && self.rounds.games == 2;
        problems.extend(found([(
            !is_plain || self.sprt.is_some() || self.shard.is_some(),
            "spsa: expected two engines, pairs of games, and neither SPRT nor shard",
        )]));
        let (expected, found) = (self.games / 2, plan.pairs);
        if expected != found {
            problems.push(format!("spsa.pairs: expected half of games, {expected}; found {found}"));
        }
        problems
    }
}
