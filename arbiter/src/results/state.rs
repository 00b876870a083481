//! The state of a run: one fold of its events, which answers everybody.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::engine_sums::EngineSums;
use super::facts::RunFacts;
use super::machines::{MachineComparison, MachineSums};
use super::outcome::{FaultyGame, RunPhase};
use super::play_time::{NoiseLog, PlayTime};
use super::saved_state;
use super::summary::{BestSummary, PairingSummary, PoolSummary, Summary, TunedSummary};
use referee::Side;
use runner::{
    Event, GameRecord, Journal, JournalError, JournalReader, Machines, Pace, PairingGames, PoolView,
    RunConfig, RunJournal, Schedule, SprtSummary, Termination, Tuning,
};
use stats::{EloEstimate, Pentanomial, Wdl};

/// How many events may be parsed and not taken in yet: enough to keep both threads busy, and few megabytes.
const EVENTS_AHEAD: usize = 64;

/// What is known of a run by its events, each of which it is fed once: as they happen, or as a journal has them.
///
/// A game that is there twice, as after a crash, counts once. One that was cut short by the end of the run is reported
/// as abandoned until the run goes on, since it is played again then. There is no clock here: time is that of the
/// events. However long the run is, no games are kept whole but those that the page shows, where it is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunState {
    config: Arc<RunConfig>,
    started: Option<Timestamp>,
    /// Counts the results: games to play, pairs, tests, bracket and tuning.
    schedule: Schedule,
    machines: Machines,
    /// Counts all else of the games with a result.
    sums: Sums,
    /// The games that the last end of the run cut short, at most one for each that is played at once.
    cut_short: Vec<GameRecord>,
    faulty_games: Vec<FaultyGame>,
    #[serde(skip)]
    facts: Option<Box<RunFacts>>,
    time: PlayTime,
    /// The games that began and have not ended, by their index.
    present: BTreeMap<u32, PresentGame>,
    /// How the run was left, were the last event the end of it all.
    left_as: RunPhase,
    /// How many events it was fed, with the start of the run.
    events: usize,
    /// What a shard has read last of all shards.
    pool: Option<PoolView>,
}

/// Sums over games that do not depend on their order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Sums {
    engines: Vec<EngineSums>,
    /// By the number of the machine that played.
    machines: BTreeMap<u32, MachineSums>,
    terminations: BTreeMap<Termination, u64>,
    warnings: u64,
    first_start: Option<Timestamp>,
    last_end: Option<Timestamp>,
}

impl Sums {
    /// Counts a game, and the pair that it completes.
    fn add(&mut self, game: &GameRecord, pair: Pentanomial) {
        self.machines.entry(game.machine).or_default().add(game, pair);
        for side in [Side::White, Side::Black] {
            self.engines[game.engine(side)].add(game, side);
        }
        *self.terminations.entry(game.termination).or_default() += 1;
        self.warnings += game.warnings.len() as u64;
        self.first_start = Some(self.first_start.map_or(game.started, |first| first.min(game.started)));
        self.last_end = self.last_end.max(Some(game.ended()));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresentGame {
    pub white: usize,
    pub black: usize,
    pub started: Timestamp,
}

impl RunState {
    /// A run of which nothing is known but what was asked for.
    pub fn new(config: impl Into<Arc<RunConfig>>) -> RunState {
        let config = config.into();
        RunState {
            started: None,
            schedule: Schedule::new(&config),
            machines: Machines::of_run(&config),
            sums: Sums { engines: vec![EngineSums::default(); config.engines.len()], ..Sums::default() },
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

    /// The run of a folder, by its journal, `events.jsonl`, or `events.jsonl.gz` in its place; with or without what the
    /// page shows. Also whether it goes on, and the number of the journal's last line if that was cut off.
    pub fn read_folder(
        folder: &Path,
        with_facts: bool,
    ) -> Result<(RunState, RunPhase, Option<usize>), JournalError> {
        let RunJournal { config, started, mut events } = RunJournal::open(folder)?;
        let begun = RunState::begun(config.clone(), started);
        let mut state = if with_facts { begun.with_facts() } else { begun };
        // Looked up before the journal is read: who closes it later may have written more.
        let is_in_use = Journal::is_in_use(events.path());
        if !with_facts && let Some((saved, rest)) = saved_state::read(folder, &config, is_in_use) {
            (state, events) = (saved, rest);
        }
        state.read(&mut events, |_| {})?;
        let phase = state.phase(is_in_use);
        Ok((state, phase, events.torn_line()))
    }

    /// Gathers from now on what the page about the run shows.
    #[must_use]
    pub fn with_facts(mut self) -> RunState {
        self.facts = Some(Box::new(RunFacts::new(Arc::clone(&self.config))));
        self
    }

    /// Takes in what is left of a journal, whose lines a second thread parses. `news` sees every event that says anything
    /// that was not known.
    pub fn read(
        &mut self,
        journal: &mut JournalReader<'_>,
        mut news: impl FnMut(&Event),
    ) -> Result<(), JournalError> {
        thread::scope(|scope| {
            let (sender, events) = sync_channel(EVENTS_AHEAD);
            let path = journal.path().to_owned();
            // It ends with the journal, or when the receiver is gone.
            let parse =
                move || journal.map(|event| sender.send(event)).take_while(Result::is_ok).for_each(drop);
            let parser = thread::Builder::new().name("journal".to_owned()).spawn_scoped(scope, parse);
            parser.map_err(|source| JournalError::File { path, source })?;
            for event in events {
                let event = event?;
                if self.update(&event) {
                    news(&event);
                }
            }
            Ok(())
        })
    }

    /// Takes note of an event. Returns whether it says anything that was not known: a game that has its result already
    /// does not.
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

    /// Counts a game. Returns whether it was not known.
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
        self.sums.add(game, self.new_pairs_of(game) - known);
        self.time.finish_game();
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

    /// Games are played from now on, for the first time or again.
    fn begin(&mut self, at: Timestamp) {
        self.present.clear();
        self.cut_short.clear();
        self.time.begin(self.config.concurrency, at);
    }

    /// How many events it was fed.
    pub const fn events(&self) -> usize {
        self.events
    }

    pub const fn config(&self) -> &Arc<RunConfig> {
        &self.config
    }

    pub const fn started(&self) -> Option<Timestamp> {
        self.started
    }

    /// How the run was left, if nobody plays it any more.
    pub const fn left_as(&self) -> &RunPhase {
        &self.left_as
    }

    /// Whether the run goes on, and how it was left otherwise. `is_in_use` is whether a process had the journal open
    /// before it was read to this point: one that closed it later may have written more.
    pub fn phase(&self, is_in_use: bool) -> RunPhase {
        if is_in_use { RunPhase::Running } else { self.left_as.clone() }
    }

    pub const fn pace(&self) -> Pace {
        self.time.pace
    }

    pub fn in_progress(&self) -> impl ExactSizeIterator<Item = (u32, PresentGame)> {
        self.present.iter().map(|(&game, &present)| (game, present))
    }

    /// Says that nobody plays the games any more that began and have not ended.
    pub fn forget_games_in_progress(&mut self) {
        self.present.clear();
    }

    /// Whether the machine was noisy, as far as anybody looked.
    pub const fn noise(&self) -> &NoiseLog {
        &self.time.noise
    }

    /// The games in which an engine misbehaved, in the order in which they ended.
    pub fn faulty_games(&self) -> &[FaultyGame] {
        &self.faulty_games
    }

    /// Hands out what the page shows, if it was gathered.
    pub fn take_facts(&mut self) -> Option<Box<RunFacts>> {
        self.facts.take()
    }

    /// What a shard has read last of all shards of its run.
    pub const fn pool(&self) -> Option<&PoolView> {
        self.pool.as_ref()
    }

    /// What the games say so far.
    pub fn summary(&self) -> Summary {
        let mut summary = self.quick_summary();
        for pairing in &mut summary.pairings {
            pairing.estimates.after_sprt = self.schedule.estimate_of(pairing.first, pairing.second);
        }
        summary
    }

    /// The same without the estimates after sequential tests, each of which takes milliseconds.
    pub fn quick_summary(&self) -> Summary {
        self.summary_of(true)
    }

    /// The same again, of more than two engines without tests also without the pairings, which may be half a million.
    pub fn overview(&self) -> Summary {
        self.summary_of(self.config.engines.len() == 2 || self.config.sprt.is_some())
    }

    /// The scored games of each engine and its Elo vs. opponents.
    pub fn elo_vs_opponents(&self) -> impl Iterator<Item = (u64, EloEstimate)> {
        let engines = self.sums.engines.iter().enumerate();
        engines.map(|(index, engine)| {
            (engine.wdl().games(), engine.elo_vs_opponents(&self.schedule.pairs_of(index)))
        })
    }

    /// The results of an engine with White and with Black.
    pub fn by_colour(&self, engine: usize) -> [Wdl; 2] {
        self.sums.engines[engine].by_colour
    }

    /// The games of every two engines that met or have a test, by the indices of the two, the lower first.
    pub fn games_by_pairing(&self) -> impl Iterator<Item = ((usize, usize), &PairingGames)> {
        self.schedule.games_by_pairing()
    }

    /// The games of two engines, whatever the order of the two.
    pub fn games_of(&self, one: usize, other: usize) -> Option<&PairingGames> {
        self.schedule.games_of(one, other)
    }

    /// The sequential test of a match of two.
    pub fn test_of_two(&self) -> Option<SprtSummary> {
        if self.config.engines.len() == 2 { self.schedule.games_of(0, 1)?.sprt } else { None }
    }

    fn pairings(&self) -> Vec<PairingSummary> {
        let engines = self.config.engines.len();
        let met =
            self.schedule.games_by_pairing().map(|(pairing, games)| PairingSummary::new(pairing, games));
        if engines > Summary::MOST_WITH_ALL_PAIRINGS {
            return met.collect();
        }
        let none = PairingGames::default();
        let all = (0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second)));
        let games = |(first, second)| self.schedule.games_of(first, second).unwrap_or(&none);
        all.map(|pairing| PairingSummary::new(pairing, games(pairing))).collect()
    }

    fn summary_of(&self, with_pairings: bool) -> Summary {
        let mut sums = Cow::Borrowed(&self.sums);
        self.cut_short.iter().for_each(|game| sums.to_mut().add(game, Pentanomial::default()));
        let span = sums.first_start.zip(sums.last_end).map(|(start, end)| end.duration_since(start));
        let engines = sums.engines.iter().zip(&self.config.engines).enumerate();
        Summary {
            schema: Summary::SCHEMA,
            shard: self.config.shard,
            pool: self.pool.as_ref().map(PoolSummary::of),
            files: None,
            games: self.games(),
            planned: u64::from(self.total()),
            format: self.config.format,
            abandoned: self.cut_short.len() as u64,
            after_decision: self.schedule.after_decision(),
            warnings: sums.warnings,
            duration: span.and_then(|span| span.try_into().ok()).unwrap_or_default(),
            terminations: sums.terminations.clone(),
            engines: engines
                .map(|(index, (engine, config))| engine.summary(&config.name, &self.schedule.pairs_of(index)))
                .collect(),
            pairings: if with_pairings { self.pairings() } else { Vec::new() },
            machines: MachineComparison::new(&sums.machines, &self.machines, &self.config),
            tuned: self.tuning().map(TunedSummary::of_tuning).unwrap_or_default(),
            best: self.schedule.best_of().map(|(&rule, candidates)| BestSummary { rule, candidates }),
            bracket: self.schedule.knockout().map(|knockout| knockout.rounds().to_vec()).unwrap_or_default(),
        }
    }

    /// How many games have the moves of an earlier one with the same players.
    pub fn repeated_games(&self) -> u64 {
        self.schedule.repeated_games()
    }

    pub const fn tuning(&self) -> Option<&Tuning> {
        self.schedule.tuning()
    }

    pub fn games(&self) -> u64 {
        self.sums.terminations.values().sum()
    }

    pub fn engine_name(&self, engine: usize) -> &str {
        self.config.engines.get(engine).map_or("?", |engine| &engine.name)
    }

    /// How many games the schedule has; that of a knockout may grow.
    pub fn total(&self) -> u32 {
        self.schedule.games()
    }

    /// How long games were played: without pauses, and without the time between an interruption and its end.
    pub fn time_played(&self) -> Duration {
        self.time.total()
    }

    /// Games that end per minute, since the start or the last interruption. `None` before the first.
    pub fn games_per_minute(&self) -> Option<f64> {
        self.time.games_per_minute()
    }
}

/// One state that several threads look at: who plays the run feeds it, others are asked about it. Clones are the same.
#[derive(Clone, Debug)]
pub struct SharedState(Arc<Mutex<RunState>>);

impl SharedState {
    pub fn new(state: RunState) -> SharedState {
        SharedState(Arc::new(Mutex::new(state)))
    }

    /// Takes the state out once the run is over. Later requests see a copy without the facts of the page.
    pub fn take(self) -> RunState {
        let mut state = self.lock();
        let facts = state.facts.take();
        RunState { facts, ..state.clone() }
    }

    /// The state as it is now; it stays so until what is returned is dropped.
    pub fn lock(&self) -> MutexGuard<'_, RunState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{
        config, events_of, finished, game, state_after, state_of, two_engine_match,
    };
    use referee::GameResult;
    use runner::{FinishReason, MachineNoise};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_795_000_000 + second).unwrap()
    }

    #[test]
    fn a_game_that_is_told_twice_is_news_once() {
        let mut state = state_after(&events_of("wd"));
        let again = finished(two_engine_match("wd").remove(1));
        assert!(!state.update(&again));
        assert!(state.update(&finished(two_engine_match("wdl").remove(2))));
        assert_eq!(state.summary().games, 3);
    }

    #[test]
    fn what_the_page_shows_has_a_game_that_was_played_twice_once_and_one_without_a_result_not_at_all() {
        let mut state = RunState::new(config(&["new", "old"], false)).with_facts();
        for event in [events_of("wd"), events_of("wd"), vec![finished(game(2, (0, 1), None))]].concat() {
            state.update(&event);
        }
        let facts = state.take_facts().unwrap();
        assert_eq!((facts.games, facts.whole_games().len(), state.games()), (2, 2, 2));
    }

    #[test]
    fn an_abandoned_game_is_reported_until_the_run_goes_on() {
        let mut state = state_after(&events_of("wd"));
        state.update(&finished(game(2, (0, 1), None)));
        let (reason, stopped) = (FinishReason::Requested, at(100));
        state.update(&Event::RunFinished { reason, at: stopped });
        assert_eq!((state.summary().games, state.summary().abandoned), (2, 1));
        state.update(&Event::RunResumed { finished: 2, at: at(200) });
        assert_eq!(state.summary(), state_after(&events_of("wd")).summary());
    }

    #[test]
    fn the_time_of_an_interruption_is_not_played() {
        let config = config(&["new", "old"], false);
        let paused = |paused, second| Event::PaceChanged { paused, concurrency: 1, at: at(second) };
        let finished = |second| Event::RunFinished { reason: FinishReason::Requested, at: at(second) };
        let events = [
            Event::RunStarted { config: config.into(), games: 100, at: at(0) },
            finished(100),
            Event::RunResumed { finished: 4, at: at(5000) },
            paused(true, 5010),
            paused(false, 5030),
            finished(5050),
        ];
        assert_eq!(state_after(&events).time_played(), Duration::from_secs(130));
    }

    #[test]
    fn an_interruption_begins_the_pace_anew_and_keeps_the_noise_of_before() {
        let mut state = state_after(&events_of("wdlw"));
        let noise = Some(MachineNoise { others: 0.5, stolen: 0.0 });
        state.update(&Event::MachineNoise { noise, at: at(50) });
        state.update(&Event::PaceChanged { paused: true, concurrency: 1, at: at(60) });
        assert!(state.games_per_minute().is_some());
        state.update(&Event::RunResumed { finished: 4, at: at(3600) });
        assert_eq!((state.games_per_minute(), state.pace().paused), (None, false));
        assert_eq!((state.noise().present(), state.noise().past()), (None, Duration::from_secs(10)));
    }

    #[test]
    fn each_engine_has_its_games_with_either_colour() {
        let state = state_after(&events_of("wld"));
        assert_eq!(state.by_colour(0), [Wdl::new(1, 1, 0), Wdl::new(0, 0, 1)]);
        assert_eq!(state.by_colour(1), [Wdl::new(1, 0, 0), Wdl::new(0, 1, 1)]);
    }

    #[test]
    fn of_many_engines_only_those_that_met_are_listed_and_an_overview_lists_none() {
        let names: Vec<String> = (0..1000).map(|engine| format!("e{engine}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let games =
            [game(0, (7, 900), Some(GameResult::WhiteWins)), game(1, (900, 7), Some(GameResult::Draw))];
        let state = state_of(&config(&names, false), games.clone());
        let summary = state.summary();
        assert_eq!(
            (summary.pairings.len(), summary.of_two().len(), state.overview().pairings.len()),
            (1, 0, 0)
        );
        assert_eq!(
            summary.pairing(900, 7).map(|pairing| pairing.pentanomial.counts()),
            Some([0, 0, 0, 1, 0])
        );
        let few = state_of(&config(&names[..8], false), [game(0, (7, 3), Some(GameResult::Draw))]).summary();
        assert_eq!(few.pairings.len(), 28);
        let elo = |engine: usize, of: &Summary| of.engines[engine].elo_vs_opponents;
        assert_eq!(
            (elo(7, &summary), elo(900, &summary)),
            (summary.pairings[0].estimates.elo, elo(900, &state.overview()))
        );
    }
}
