//! Validation of a configuration, which reports all problems at once.

use std::collections::HashSet;

use super::{Question, Schedule};
use crate::config::{EngineConfig, Format, InvalidInput, PoolConfig, RunConfig, SyzygyRule, found};
use referee::Tablebases;

fn none_of(problems: &[String]) -> Result<(), InvalidInput> {
    if problems.is_empty() { Ok(()) } else { Err(InvalidInput(problems.join("\n"))) }
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
        problems.extend(self.problem_of_scale());
        for pattern in &self.pgn.match_lines {
            let error = regex_lite::Regex::new(pattern).err();
            problems.extend(error.map(|error| format!("pgn, match_lines: `{pattern}`: {error}")));
        }
        let is_wrong = |rule: &SyzygyRule| rule.folders.is_empty() || !(3..=7).contains(&rule.pieces);
        problems.extend(found([
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
                !Tablebases::exist_for(self.variant) && self.adjudication.syzygy.is_some(),
                "adjudication.syzygy: there are tables of chess, atomic and antichess only; leave it out in other variants",
            ),
            (
                !self.variant.is_chess() && self.engines.iter().any(|engine| engine.book.is_some()),
                "engine, book: Polyglot books are of chess; leave them out in other variants",
            ),
        ]));
        if let Some(shard) = self.shard
            && problems.is_empty()
            && Schedule::new(self).games() == 0
        {
            problems.push(format!(
                "shard {shard}: it has no games; expected at most as many shards as there are pairs of games"
            ));
        }
        none_of(&problems)
    }

    /// Checks only what the run asks, before its engines are known: that this number of engines can play it.
    ///
    /// # Errors
    /// All problems.
    pub fn validate_question(&self, engines: usize) -> Result<(), InvalidInput> {
        let asked = RunConfig { engines: vec![EngineConfig::default(); engines], ..self.clone() };
        none_of(&asked.problems_of_schedule())
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
        let is_odd = |&(one, other): &(usize, usize)| one == other || one.max(other) >= engines;
        if self.encounters.iter().any(is_odd) {
            problems.push(format!(
                "encounters: expected pairs of two different engines, each from 0 to below {engines}"
            ));
        }
        if pairings.saturating_mul(games.into()) > u32::MAX.into() {
            problems.push(format!(
                "games: expected at most {} in all, found {games} of each of {pairings} pairings",
                u32::MAX
            ));
        }
        let counts_elsewhere = self.skipped > 0 || self.earlier.is_some();
        let can_share = engines == 2 || self.list.is_some();
        let can_pool = self.shard.is_some() && can_share && self.give_up.is_none() && !counts_elsewhere;
        problems.extend(found([
            (
                self.pool
                    .iter()
                    .flat_map(|pool| &pool.weights)
                    .any(|it| !(1..=PoolConfig::MOST_WEIGHT).contains(it)),
                "pool, weights: expected numbers from 1 to 10000",
            ),
            (self.book.turns.contains(&0), "book, turns: expected numbers of encounters above 0"),
            (
                self.pool.is_some() && !can_pool,
                "pool: expected a shard, two engines, and neither give_up nor skipped games",
            ),
        ]));
        if let Some(openings) = self.rounds.in_one_go
            && (openings == 0 || !(games / self.rounds.games.max(1)).is_multiple_of(openings))
        {
            problems.push(format!(
                "rounds, in_one_go: expected a divisor of the openings of each pairing, found {openings}"
            ));
        }
        let skipped = self.skipped;
        if skipped > 0 && u64::from(skipped) >= pairings.saturating_mul(games.into()) {
            problems.push(format!("skipped: expected fewer games than the run has, found {skipped}"));
        }
        if let Format::Gauntlet { challengers } = self.format
            && challengers >= engines
        {
            problems.push(format!(
                "format: {challengers} challengers need more than {challengers} engines, found {engines}"
            ));
        }
        problems.extend(Question::problems(self));
        problems
    }
}
