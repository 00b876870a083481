//! Counts finished games, one after the other.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::engine_tally::EngineTally;
use super::summary::{PairingSummary, SprtSummary, Summary, TunedSummary};
use referee::Side;
use runner::{Format, GameRecord, PairingVerdict, RunConfig, Schedule, Shard, Termination, Tuning};
use stats::{EloEstimate, Los, NormalizedEloEstimate, PairCounter, Pentanomial, Sprt, Wdl};

/// The games of a run so far. The order in which they are added does not matter.
#[derive(Clone, Debug)]
pub struct Tally {
    names: Vec<String>,
    format: Format,
    shard: Option<Shard>,
    /// Knows how many games there are, and the bracket of a knockout.
    schedule: Schedule,
    /// The test that each of these pairings has.
    sprt: Option<Sprt>,
    tested: Vec<(usize, usize)>,
    /// Whether the test counts single games.
    trinomial: bool,
    /// The parameters of a tuning run.
    tuning: Option<Tuning>,
    engines: Vec<EngineTally>,
    /// By the indices of the two engines, the lower first; every two are there, also those that have not met.
    pairings: BTreeMap<(usize, usize), PairCounter>,
    terminations: BTreeMap<Termination, u64>,
    abandoned: u64,
    after_decision: Wdl,
    warnings: u64,
    first_start: Option<Timestamp>,
    last_end: Option<Timestamp>,
}

impl Tally {
    /// A run without games.
    pub fn new(config: &RunConfig) -> Tally {
        let count = config.engines.len();
        let pairings: BTreeMap<_, _> = (0..count)
            .flat_map(|first| (first + 1..count).map(move |second| ((first, second), PairCounter::default())))
            .collect();
        Tally {
            names: config.engines.iter().map(|engine| engine.name.clone()).collect(),
            format: config.format,
            shard: config.shard,
            schedule: Schedule::new(config),
            sprt: config.sprt_of_pairing(),
            tested: config.encounters(),
            trinomial: config.trinomial,
            tuning: Tuning::of_run(config),
            engines: vec![EngineTally::default(); count],
            pairings,
            terminations: BTreeMap::new(),
            abandoned: 0,
            after_decision: Wdl::default(),
            warnings: 0,
            first_start: None,
            last_end: None,
        }
    }

    /// Counts a game.
    ///
    /// # Panics
    /// If it names an engine that the configuration does not have.
    pub fn add(&mut self, game: &GameRecord) {
        for side in [Side::White, Side::Black] {
            self.engines[game.engine(side)].add(game, side);
        }
        let first = game.white.min(game.black);
        if let Some(outcome) = game.scored_outcome(first) {
            self.pairings.entry((first, game.white.max(game.black))).or_default().record(game.pair, outcome);
        }
        self.schedule.add(game);
        if let Some(tuning) = &mut self.tuning {
            tuning.add(game);
        }
        if let Some(outcome) = game.outcome(first).filter(|_| game.after_decision) {
            self.after_decision.record(outcome);
        }
        self.abandoned += u64::from(!game.is_counted());
        *self.terminations.entry(game.termination).or_default() += 1;
        self.warnings += game.warnings.len() as u64;
        self.first_start = Some(self.first_start.map_or(game.started, |first| first.min(game.started)));
        let end = game.ended();
        self.last_end = Some(self.last_end.map_or(end, |last| last.max(end)));
    }

    /// Whether a game has been counted with a result.
    pub fn has_result(&self, game: u32) -> bool {
        self.schedule.has_result(game)
    }

    /// How many games have a result.
    pub fn games(&self) -> u64 {
        self.terminations.values().sum::<u64>() - self.abandoned
    }

    /// How many games the schedule has, as far as the results say.
    pub fn planned(&self) -> u32 {
        self.schedule.games()
    }

    /// The parameters of a tuning run.
    pub fn tuning(&self) -> Option<&Tuning> {
        self.tuning.as_ref()
    }

    /// What the games say so far.
    pub fn summary(&self) -> Summary {
        let engines = self.engines.iter().zip(&self.names).enumerate();
        let span = self.first_start.zip(self.last_end).map(|(start, end)| end.duration_since(start));
        Summary {
            schema: Summary::SCHEMA,
            shard: self.shard,
            games: self.games(),
            planned: u64::from(self.planned()),
            format: self.format,
            abandoned: self.abandoned,
            after_decision: self.after_decision,
            warnings: self.warnings,
            duration: span.and_then(|span| span.try_into().ok()).unwrap_or_default(),
            terminations: self.terminations.clone(),
            engines: engines
                .map(|(index, (engine, name))| engine.summary(name, &self.pairs_of(index)))
                .collect(),
            pairings: self
                .pairings
                .iter()
                .map(|(&(first, second), pairing)| self.pairing(first, second, pairing))
                .collect(),
            tuned: self.tuning.as_ref().map(TunedSummary::of_tuning).unwrap_or_default(),
            bracket: self.schedule.knockout().map(|knockout| knockout.rounds().to_vec()).unwrap_or_default(),
        }
    }

    fn pairing(&self, first: usize, second: usize, games: &PairCounter) -> PairingSummary {
        let test = self.sprt.as_ref().filter(|_| self.tested.contains(&(first, second)));
        let score = games.score();
        PairingSummary {
            first,
            second,
            wdl: *games.games(),
            pentanomial: *games.pairs(),
            elo: EloEstimate::new(&score),
            normalized_elo: NormalizedEloEstimate::new(&score),
            los: Los::new(&score),
            draw_ratio: games.observations(games.pairs().pairs() == 0).draw_ratio(),
            pair_ratio: games.pairs().pair_ratio(),
            sprt: test.map(|test| SprtSummary {
                given_up: self.schedule.verdict_on(first, second) == Some(PairingVerdict::GaveUp),
                ..SprtSummary::new(test, games.observations(self.trinomial).llr(test))
            }),
        }
    }

    /// All completed pairs of one engine, seen by it.
    fn pairs_of(&self, engine: usize) -> Pentanomial {
        let mut sum = Pentanomial::default();
        for (&(first, second), pairing) in &self.pairings {
            if first == engine {
                sum += *pairing.pairs();
            } else if second == engine {
                sum += pairing.pairs().reversed();
            }
        }
        sum
    }
}
