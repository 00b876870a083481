//! The state of a run: a single fold over its events, from which all questions are answered.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ending::FaultyGame;
use super::engine_summary::EngineSummary;
use super::facts::RunFacts;
use super::machines::MachineComparison;
use super::pairing_summary::PairingSummary;
use super::play_time::{NoiseLog, PlayTime};
use super::run_phase::RunPhase;
use super::run_sums::RunSums;
use super::summary::{BestSummary, PoolSummary, Summary, TunedSummary};
use runner::{
    Event, FinishReason, GameRecord, Machines, Pace, PairingGames, PairingTest, PoolView, Question,
    RunConfig, Schedule, SprtSummary, Tuning,
};
use stats::{EloEstimate, Pentanomial, Score, Wdl};

/// Everything known about a run from its events, each passed in once, live or from a journal.
///
/// A game that appears twice, as after a crash, counts once. A game cut short by the end of the run is reported as
/// abandoned until the run goes on and plays it again. There is no clock here: time comes from the events. However long
/// the run is, only games for the report page are kept whole, if they are wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunState {
    config: Arc<RunConfig>,
    pub started: Option<Timestamp>,
    /// Counts the results: games to play, pairs, tests, bracket and tuning.
    schedule: Schedule,
    machines: Machines,
    /// Counts everything else about games with a result.
    sums: RunSums,
    /// The games cut short when the run last ended, at most one per concurrent game.
    cut_short: Vec<GameRecord>,
    /// The games in which an engine misbehaved, in the order in which they ended.
    pub faulty_games: Vec<FaultyGame>,
    /// What the report page shows besides, if it is gathered.
    #[serde(skip)]
    pub facts: Option<Box<RunFacts>>,
    time: PlayTime,
    /// The games in progress, by index.
    pub present: BTreeMap<u32, PresentGame>,
    /// The phase if the last event is the end of the run.
    pub left_as: RunPhase,
    /// The number of events counted, including the start of the run.
    pub events: usize,
    /// The latest that a shard has read about all shards.
    pub pool: Option<PoolView>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresentGame {
    pub white: usize,
    pub black: usize,
    pub started: Timestamp,
}

impl RunState {
    /// A run with a configuration and no events.
    pub fn new(config: impl Into<Arc<RunConfig>>) -> RunState {
        let config = config.into();
        RunState {
            started: None,
            schedule: Schedule::new(&config),
            machines: Machines::of_run(&config),
            sums: RunSums::of_engines(config.engines.len()),
            cut_short: Vec::new(),
            faulty_games: Vec::new(),
            facts: None,
            time: PlayTime::new(config.concurrency),
            present: BTreeMap::new(),
            left_as: RunPhase::left_by(None),
            events: 0,
            pool: None,
            config,
        }
    }

    /// A run that began at this time.
    pub fn begun(config: impl Into<Arc<RunConfig>>, at: Timestamp) -> RunState {
        let mut state = RunState { started: Some(at), events: 1, ..RunState::new(config) };
        state.time.begin(state.config.concurrency, at);
        state.time.advance(at);
        state
    }

    /// From now on, gathers the facts for the report page.
    pub fn with_facts(mut self) -> RunState {
        self.facts = Some(Box::new(RunFacts::new(Arc::clone(&self.config))));
        self
    }

    /// Counts an event. Returns whether it is news; a second result of the same game is not.
    pub fn update(&mut self, event: &Event) -> bool {
        self.events += 1;
        self.left_as = RunPhase::left_by(Some(event));
        let at = match event {
            Event::GameFinished(game) => {
                self.present.remove(&game.game);
                if !self.add_game(game) {
                    return false;
                }
                game.ended()
            }
            Event::GameStarted { game, white, black, at } => {
                let present = PresentGame { white: *white, black: *black, started: *at };
                self.present.insert(*game, present);
                *at
            }
            Event::PaceChanged { paused, concurrency, at } => {
                self.time.change_pace(Pace { paused: *paused, concurrency: *concurrency }, *at);
                *at
            }
            Event::MachineNoise { noise, at } => {
                self.time.noise.change(*noise, *at);
                *at
            }
            Event::MachineJoined { at, .. } => {
                self.machines.update(event);
                *at
            }
            Event::RunStarted { config, at, .. } => {
                self.started.get_or_insert(*at);
                if let Some(facts) = &mut self.facts {
                    facts.config = Arc::clone(config);
                }
                self.begin(*at);
                *at
            }
            Event::RunResumed { at, .. } => {
                self.begin(*at);
                *at
            }
            Event::RunFinished { at, .. } => {
                self.present.clear();
                self.time.noise.end(*at);
                *at
            }
            Event::PoolRead(view) => {
                self.schedule.take_pool(view.counts);
                self.pool = Some((**view).clone());
                view.at
            }
            Event::PoolDecided { decision, at } => {
                self.schedule.decide(decision);
                *at
            }
            Event::EngineWarning { .. } | Event::TableUnreadable { .. } => return true,
        };
        self.time.advance(at);
        true
    }

    /// Counts a game. Returns whether it is new.
    fn add_game(&mut self, game: &GameRecord) -> bool {
        if !game.is_counted() {
            let is_news = !self.schedule.has_result(game.game);
            self.cut_short.extend(is_news.then(|| game.clone()));
            return is_news;
        }
        let known = self.new_pairs_of(game);
        if !self.schedule.add(game) {
            return false;
        }
        let pairs = self.new_pairs_of(game) - known;
        self.sums.add(game, pairs, &self.config);
        self.time.finished += 1;
        self.faulty_games.extend(FaultyGame::of(game, &self.config));
        if let Some(mut facts) = self.facts.take() {
            facts.add(game, self);
            self.facts = Some(facts);
        }
        true
    }

    fn new_pairs_of(&self, game: &GameRecord) -> Pentanomial {
        let games = self.schedule.games_of(game.white, game.black);
        games.map_or_else(Pentanomial::default, |games| games.scored.new_pairs())
    }

    /// Games are played from now on, at first or after an interruption.
    fn begin(&mut self, at: Timestamp) {
        self.present.clear();
        self.cut_short.clear();
        self.time.begin(self.config.concurrency, at);
    }

    pub const fn config(&self) -> &Arc<RunConfig> {
        &self.config
    }

    /// The phase of the run. `is_in_use` is whether a process had the journal open before it was read; a process that
    /// closed it later may have written more. A run with missing games is not finished, whatever its journal says at the
    /// end.
    pub fn phase(&self, is_in_use: bool) -> RunPhase {
        match &self.left_as {
            _ if is_in_use => RunPhase::Running,
            RunPhase::Finished { .. } if !self.schedule.is_over() => {
                RunPhase::Interrupted { reason: Some(FinishReason::GamesMissing) }
            }
            left => left.clone(),
        }
    }

    pub const fn pace(&self) -> Pace {
        self.time.pace
    }

    /// The measured noise of the machine, and how long it lasted.
    pub const fn noise(&self) -> &NoiseLog {
        &self.time.noise
    }

    pub fn summary(&self) -> Summary {
        let mut summary = self.quick_summary();
        for pairing in &mut summary.pairings {
            let test = self.schedule.test_of(pairing.first, pairing.second);
            pairing.estimates.after_sprt = test.and_then(PairingTest::estimate);
        }
        summary
    }

    /// The summary without estimates after sequential tests, which take milliseconds each.
    pub fn quick_summary(&self) -> Summary {
        self.summary_of(true)
    }

    /// A quick summary that also omits the pairings, perhaps half a million, of more than two engines without tests.
    pub fn overview(&self) -> Summary {
        self.summary_of(self.config.engines.len() == 2 || self.config.sprt.is_some())
    }

    /// Each engine's number of scored games and its score.
    pub fn scores(&self) -> impl Iterator<Item = (u64, Score)> {
        let engines = self.sums.engines.iter().enumerate();
        engines.map(|(index, engine)| (engine.wdl().games(), self.score_of(index, engine.wdl())))
    }

    pub fn by_colour(&self, engine: usize) -> [Wdl; 2] {
        self.sums.engines[engine].by_colour
    }

    /// The games to play, in all and for each pairing, the tests, and the verdict.
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The sequential test of a match of two.
    pub fn test_of_two(&self) -> Option<SprtSummary> {
        let test = self.schedule.test_of(0, 1).filter(|_| self.config.engines.len() == 2)?;
        Some(test.sprt)
    }

    fn pairings(&self) -> Vec<PairingSummary> {
        let engines = self.config.engines.len();
        let summary = |(first, second), games| {
            PairingSummary::new((first, second), games, self.schedule.test_of(first, second))
        };
        if engines > Summary::MOST_WITH_ALL_PAIRINGS {
            let met = self.schedule.games_by_pairing();
            return met.map(|(pairing, games)| summary(pairing, games)).collect();
        }
        let none = PairingGames::default();
        let all = (0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second)));
        let games = |(first, second)| self.schedule.games_of(first, second).unwrap_or(&none);
        all.map(|pairing| summary(pairing, games(pairing))).collect()
    }

    /// From completed pairs, or else from single games, in both cases without repeated games.
    fn score_of(&self, index: usize, all: Wdl) -> Score {
        let pairs = self.schedule.pairs_of(index);
        if pairs.pairs() > 0 {
            return pairs.score();
        }
        let repeated = self.schedule.games_by_pairing().filter_map(|((first, second), games)| {
            let repeated = games.scored.repeats().games;
            (first == index).then_some(repeated).or((second == index).then(|| repeated.reversed()))
        });
        repeated.fold(all, |all, repeated| all - repeated).score()
    }

    fn summary_of(&self, with_pairings: bool) -> Summary {
        let mut sums = Cow::Borrowed(&self.sums);
        self.cut_short.iter().for_each(|game| sums.to_mut().add(game, Pentanomial::default(), &self.config));
        let span = sums.first_start.zip(sums.last_end).map(|(start, end)| end.duration_since(start));
        let engines = sums.engines.iter().zip(&self.config.engines).enumerate();
        Summary {
            schema: Summary::SCHEMA,
            shard: self.config.shard,
            pool: self.pool.as_ref().map(PoolSummary::of),
            files: None,
            games: self.games(),
            planned: u64::from(self.schedule.games()),
            format: self.config.format,
            abandoned: self.cut_short.len() as u64,
            after_decision: self.schedule.after_decision(),
            warnings: sums.warnings,
            duration: span.and_then(|span| span.try_into().ok()).unwrap_or_default(),
            terminations: sums.terminations.clone(),
            engines: engines
                .map(|(index, (engine, config))| {
                    let summary =
                        engine.summary(&config.name, EloEstimate::new(&self.score_of(index, engine.wdl())));
                    let doubts = sums.limits[index].doubts(self.config.limits_of(index), summary.mean_depth);
                    EngineSummary { time_share: sums.limits[index].time_share(), doubts, ..summary }
                })
                .collect(),
            pairings: if with_pairings { self.pairings() } else { Vec::new() },
            machines: MachineComparison::new(&sums.machines, &self.machines, &self.config),
            tuned: self.tuning().map(TunedSummary::of_tuning).unwrap_or_default(),
            best: match self.schedule.question() {
                Question::BestOfSeveral(best) => Some(BestSummary {
                    rule: best.rule,
                    candidates: best.standings(&self.schedule),
                    base: match self.schedule.verdict() {
                        Some(&FinishReason::BaseOutOfReach { base }) => Some(base),
                        _ => None,
                    },
                }),
                _ => None,
            },
            bracket: match self.schedule.question() {
                Question::Knockout(knockout) => knockout.rounds.clone(),
                _ => Vec::new(),
            },
        }
    }

    pub const fn tuning(&self) -> Option<&Tuning> {
        if let Question::Tuning(tuning) = self.schedule.question() { Some(tuning) } else { None }
    }

    /// The number of finished games. When other machines play the shards, their reports are counted.
    pub fn games(&self) -> u64 {
        match &self.pool {
            Some(pool) if self.config.shard.is_none() => {
                pool.games.iter().map(|(_, games)| u64::from(*games)).sum()
            }
            _ => self.sums.terminations.values().sum(),
        }
    }

    pub fn engine_name(&self, engine: usize) -> &str {
        self.config.engines.get(engine).map_or("?", |engine| &engine.name)
    }

    /// How long games were played, without pauses and without the time between an interruption and the resumption.
    pub fn time_played(&self) -> Duration {
        self.time.total()
    }

    /// Games finished per minute since the start or the last interruption; `None` before the first.
    pub fn games_per_minute(&self) -> Option<f64> {
        self.time.games_per_minute()
    }
}

/// A state shared by threads: the player of the run updates it, others query it. Clones share the same state.
#[derive(Clone, Debug)]
pub struct SharedState(Arc<Mutex<RunState>>);

impl SharedState {
    pub fn new(state: RunState) -> SharedState {
        SharedState(Arc::new(Mutex::new(state)))
    }

    /// Takes the state out when the run is over. Later readers get a copy without the facts for the page.
    pub fn take(self) -> RunState {
        let mut state = self.lock();
        let facts = state.facts.take();
        RunState { facts, ..state.clone() }
    }

    /// Locks the state, which does not change until the guard is dropped.
    pub fn lock(&self) -> MutexGuard<'_, RunState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
