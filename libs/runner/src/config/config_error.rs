//! The problems of a configuration, all of them at once.

use std::collections::HashSet;

use thiserror::Error;

use super::{Format, Rounds, RunConfig, SearchLimitsError, Shard, SyzygyRule};
use crate::Schedule;
use stats::InvalidSpsa;

/// Everything that is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ConfigError {
    /// The problems, at least one.
    pub problems: Vec<ConfigProblem>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ConfigProblem {
    /// Too few engines.
    #[error("engine: expected at least two engines, found {0}")]
    Engines(usize),
    /// Two engines of the same name.
    #[error("engine: two engines have the name `{0}`; expected different names")]
    SameName(String),
    /// The games do not make whole pairs.
    #[error(
        "games: expected an even number above 0, because each opening is played twice with colours reversed; found {0}"
    )]
    Games(u32),
    /// No games at all.
    #[error("games: expected a number above 0")]
    NoGames,
    /// More games than can be numbered.
    #[error("games: expected at most {max} in all, found {found} of each of {pairings} pairings", max = u32::MAX)]
    ManyGames {
        /// The games of each pairing.
        found: u32,
        /// The number of pairings.
        pairings: u64,
    },
    /// Rounds of no game or of more than two.
    #[error("rounds, games: expected 1 or 2, found {0}")]
    RoundGames(u32),
    /// Encounters that do not make whole rounds.
    #[error(
        "rounds, in_one_go: expected a divisor of the openings of each pairing, and no knockout; found {0}"
    )]
    InOneGo(u32),
    /// A turn of no encounters.
    #[error("book, turns: expected numbers of encounters above 0")]
    BookTurns,
    /// Encounters of an engine with itself or with one that is not there, or in a knockout.
    #[error("encounters: expected pairs of two different engines, each from 0 to below {0}, and no knockout")]
    Encounters(usize),
    /// A knockout or a pentanomial test of single games.
    #[error("rounds, games: {0} needs the two games of an opening")]
    SingleGames(&'static str),
    /// No game at once.
    #[error("concurrency: expected at least one game at a time")]
    Concurrency,
    /// The limits of an engine.
    #[error("limits of engine {engine}: {problem}")]
    Limits {
        /// The engine's name.
        engine: String,
        /// The problem.
        problem: SearchLimitsError,
    },
    /// No folder of Syzygy tablebases, or a number of pieces that no table has.
    #[error("adjudication.syzygy: expected at least one folder, and 3 to 7 pieces")]
    Syzygy,
    /// Games played out where no rule would end them.
    #[error("adjudication.play_out: expected a rule for draws or resignations, which it checks")]
    PlayOut,
    /// A gauntlet without a field.
    #[error("format: expected fewer challengers than the {engines} engines, found {challengers}")]
    Challengers {
        /// Their number as given.
        challengers: usize,
        /// The number of engines.
        engines: usize,
    },
    /// A pattern that is no regular expression.
    #[error("pgn, match_lines: `{pattern}`: {problem}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The problem.
        problem: String,
    },
    /// A part of what is known only when all that came before is.
    #[error("shard: expected a round robin or a gauntlet, found a knockout")]
    ShardOfKnockout,
    /// More shards than pairs.
    #[error("shard {0}: it has no games; expected at most as many shards as there are pairs of games")]
    EmptyShard(Shard),
    /// Nothing is left, or games are left out whose results count.
    #[error(
        "skipped: expected fewer games than the run has, a round robin or a gauntlet with at most one SPRT; found {0}"
    )]
    Skipped(u32),
    /// A test of what has no fixed number of games.
    #[error("sprt: expected two engines or a gauntlet, found a knockout")]
    SprtOfKnockout,
    /// `give_up` without an SPRT of pairs, or not a probability.
    #[error(
        "give_up: expected an SPRT of pairs of a whole run, and a probability between 0 and 1, both excluded"
    )]
    GiveUp,
    /// The parameters or the schedule are wrong.
    #[error("spsa: {0}")]
    Spsa(InvalidSpsa),
    /// A tuning run is one match of pairs, without SPRT and shards.
    #[error("spsa: expected two engines, pairs of games, and neither SPRT nor shard")]
    SpsaFormat,
    /// The number of pairs does not fit the number of games.
    #[error("spsa.pairs: expected half of games, {expected}; found {found}")]
    SpsaPairs {
        /// Half of the games.
        expected: u32,
        /// The pairs of the plan.
        found: u32,
    },
    /// A test of engines that all meet each other.
    #[error("sprt: expected two engines or a gauntlet, found a round robin of {0} engines")]
    SprtEngines(usize),
    /// A part of a run in which verdicts drop games.
    #[error(
        "shard: expected an SPRT of two engines; one of several pairings drops games by the results of all"
    )]
    ShardOfTests,
    /// A pool without shards, of what its shards cannot add up, or with what looks at the games left.
    #[error("pool: expected a shard, two engines, and neither give_up nor skipped games")]
    Pool,
    /// A margin or a probability out of range, or a run of another kind.
    #[error(
        "best: expected `within` above 0 and `sure` between 0 and 1, two or more candidates in the format \
         `gauntlet,challengers=N` against the last engine alone, pairs of games, and neither sprt, spsa, shard, pool, \
         skipped games, encounters nor in_one_go; and `from_batch` in such a run alone, those that joined behind the others"
    )]
    Best,
    /// The first of what there is only one of, or none.
    #[error("stop_at_first: expected an SPRT of several pairings")]
    StopAtFirst,
}

impl RunConfig {
    /// Checks everything that can be checked without looking at files.
    ///
    /// # Errors
    /// All that is wrong.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let mut problems = self.problems_of_schedule();
        let mut names = HashSet::new();
        let repeated = self.engines.iter().filter(|engine| !names.insert(&engine.name));
        problems.extend(repeated.map(|engine| ConfigProblem::SameName(engine.name.clone())));
        if self.rounds.games == 1 && self.sprt.is_some() && !self.trinomial {
            problems.push(ConfigProblem::SingleGames("an SPRT that is not trinomial"));
        }
        if self.concurrency == 0 {
            problems.push(ConfigProblem::Concurrency);
        }
        for (index, engine) in self.engines.iter().enumerate() {
            if let Err(problem) = self.limits_of(index).validate() {
                problems.push(ConfigProblem::Limits { engine: engine.name.clone(), problem });
            }
        }
        let is_wrong = |rule: &SyzygyRule| rule.folders.is_empty() || !(3..=7).contains(&rule.pieces);
        if self.adjudication.syzygy.as_ref().is_some_and(is_wrong) {
            problems.push(ConfigProblem::Syzygy);
        }
        if self.adjudication.play_out.is_some() && !self.adjudication.judges_scores() {
            problems.push(ConfigProblem::PlayOut);
        }
        for pattern in &self.pgn.match_lines {
            if let Err(error) = regex_lite::Regex::new(pattern) {
                let (pattern, problem) = (pattern.clone(), error.to_string());
                problems.push(ConfigProblem::Pattern { pattern, problem });
            }
        }
        if self.shard.is_some() && matches!(self.format, Format::Knockout { .. }) {
            problems.push(ConfigProblem::ShardOfKnockout);
        }
        if let Some(shard) = self.shard
            && problems.is_empty()
            && Schedule::new(self).games() == 0
        {
            problems.push(ConfigProblem::EmptyShard(shard));
        }
        let engines = self.engines.len();
        if self.sprt.is_some() && engines > 2 && self.format == Format::RoundRobin {
            problems.push(ConfigProblem::SprtEngines(engines));
        }
        if self.shard.is_some() && self.has_several_tests() {
            problems.push(ConfigProblem::ShardOfTests);
        }
        let cannot_pool = self.shard.is_none()
            || engines != 2
            || self.give_up.is_some()
            || self.skipped > 0
            || self.earlier.is_some();
        if self.pool.is_some() && cannot_pool {
            problems.push(ConfigProblem::Pool);
        }
        if self.stop_at_first && !self.has_several_tests() {
            problems.push(ConfigProblem::StopAtFirst);
        }
        if self.sprt.is_some() && matches!(self.format, Format::Knockout { .. }) {
            problems.push(ConfigProblem::SprtOfKnockout);
        }
        let has_pairs = self.sprt.is_some() && !self.trinomial && self.is_whole();
        if self.give_up.is_some_and(|chance| !has_pairs || chance.is_nan() || chance <= 0.0 || chance >= 1.0)
        {
            problems.push(ConfigProblem::GiveUp);
        }
        if problems.is_empty() { Ok(()) } else { Err(ConfigError { problems }) }
    }

    /// What the schedule of a run relies on, and so whatever counts the games of a journal.
    pub(crate) fn problems_of_schedule(&self) -> Vec<ConfigProblem> {
        let mut problems = Vec::new();
        let engines = self.engines.len();
        if engines < 2 {
            problems.push(ConfigProblem::Engines(engines));
        }
        match self.rounds.games {
            2 if self.games == 0 || !self.games.is_multiple_of(2) => {
                problems.push(ConfigProblem::Games(self.games));
            }
            1 if self.games == 0 => problems.push(ConfigProblem::NoGames),
            1 | 2 => {}
            other => problems.push(ConfigProblem::RoundGames(other)),
        }
        let pairings = match self.encounters.len() as u64 {
            0 => self.format.pairings(engines),
            listed => listed,
        };
        let is_odd = |&(one, other): &(usize, usize)| one == other || one.max(other) >= engines;
        if self.encounters.iter().any(is_odd)
            || !self.encounters.is_empty() && matches!(self.format, Format::Knockout { .. })
        {
            problems.push(ConfigProblem::Encounters(engines));
        }
        if pairings.saturating_mul(self.games.into()) > u32::MAX.into() {
            problems.push(ConfigProblem::ManyGames { found: self.games, pairings });
        }
        let is_knockout = matches!(self.format, Format::Knockout { .. });
        if self.rounds.games == 1 && is_knockout {
            problems.push(ConfigProblem::SingleGames("a knockout"));
        }
        if let Some(openings) = self.rounds.in_one_go
            && (is_knockout
                || openings == 0
                || !(self.games / self.rounds.games.max(1)).is_multiple_of(openings))
        {
            problems.push(ConfigProblem::InOneGo(openings));
        }
        if self.book.turns.contains(&0) {
            problems.push(ConfigProblem::BookTurns);
        }
        let is_left_over = u64::from(self.skipped) < pairings.saturating_mul(self.games.into());
        if self.skipped > 0 && (is_knockout || self.has_several_tests() || !is_left_over) {
            problems.push(ConfigProblem::Skipped(self.skipped));
        }
        if let Format::Gauntlet { challengers } = self.format
            && challengers >= engines
        {
            problems.push(ConfigProblem::Challengers { challengers, engines });
        }
        let is_for_best = engines > 2
            && matches!(self.format, Format::Gauntlet { challengers } if challengers + 1 == engines)
            && (self.rounds == Rounds::default() && self.skipped == 0 && self.encounters.is_empty())
            && (self.sprt.is_none() && self.spsa.is_none() && self.shard.is_none() && self.pool.is_none());
        let begins = self.engines.iter().take_while(|engine| engine.from_batch == 0).count();
        let has_joined = self.engines.iter().any(|engine| engine.from_batch > 0);
        let candidates = &self.engines[..engines.saturating_sub(1)];
        let in_order = !has_joined || begins > 1 && candidates.is_sorted_by_key(|engine| engine.from_batch);
        if self.best.is_some_and(|best| !best.is_valid() || !is_for_best || !in_order)
            || self.best.is_none() && has_joined
        {
            problems.push(ConfigProblem::Best);
        }
        problems.extend(self.problems_of_spsa());
        problems
    }

    fn problems_of_spsa(&self) -> Vec<ConfigProblem> {
        let Some(plan) = &self.spsa else { return Vec::new() };
        let mut problems: Vec<_> = plan.validate().err().map(ConfigProblem::Spsa).into_iter().collect();
        let is_plain = matches!(self.format, Format::RoundRobin | Format::Gauntlet { .. })
            && self.engines.len() == 2
            && self.rounds.games == 2;
        if !is_plain || self.sprt.is_some() || self.shard.is_some() {
            problems.push(ConfigProblem::SpsaFormat);
        }
        let (expected, found) = (self.games / 2, plan.pairs);
        if expected != found {
            problems.push(ConfigProblem::SpsaPairs { expected, found });
        }
        problems
    }
}
