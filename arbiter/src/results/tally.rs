//! Counts finished games, one after the other.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;

use super::summary::{
    EngineSummary, GameAverages, Latency, PairingSummary, SprtSummary, Summary, TunedSummary,
};
use referee::Side;
use runner::{
    Format, GameRecord, MoveRecord, PairingVerdict, RunConfig, Schedule, Shard, Termination, Tuning,
};
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

/// Sums over the games of one engine. All are whole numbers, so that the order of the games does not matter.
#[derive(Clone, Debug, Default)]
pub struct EngineTally {
    wdl: Wdl,
    faults: BTreeMap<Termination, u64>,
    excused: u64,
    averages: GameAverages,
    latencies: LatencyHistogram,
}

impl EngineTally {
    /// Counts a game in which the engine played `side`. The moves of an abandoned game count too, its result does
    /// not; nor does that of a game that a sequential test did not wait for.
    pub fn add(&mut self, game: &GameRecord, side: Side) {
        game.scored_outcome(game.engine(side)).into_iter().for_each(|outcome| self.wdl.record(outcome));
        if game.offender == Some(side) && game.termination.is_fault() {
            *self.faults.entry(game.termination).or_default() += 1;
            self.excused += u64::from(game.excused);
        }
        let moves = || game.moves_of(side);
        self.averages.add(&GameAverages::of(moves()));
        for latency in moves().filter_map(MoveRecord::latency) {
            self.latencies.record(Duration::try_from(latency).unwrap_or_default());
        }
    }

    /// The summary, given the engine's name and all its completed pairs of games, seen by it.
    pub fn summary(&self, name: &str, pairs: &Pentanomial) -> EngineSummary {
        let score = if pairs.pairs() > 0 { pairs.score() } else { self.wdl.score() };
        EngineSummary {
            name: name.to_owned(),
            games: self.wdl.games(),
            wdl: self.wdl,
            points: self.wdl.points(),
            score: (self.wdl.games() > 0).then(|| self.wdl.points() / self.wdl.games() as f64),
            elo_vs_opponents: EloEstimate::new(&score),
            faults: self.faults.clone(),
            excused: self.excused,
            moves: self.averages.moves(),
            nodes: self.averages.nodes(),
            time: self.averages.time(),
            mean_depth: self.averages.mean_depth(),
            nodes_per_second: self.averages.nodes_per_second(),
            latency: self.latency(),
        }
    }

    fn latency(&self) -> Option<Latency> {
        let quantile = |share| self.latencies.quantile(share);
        Some(Latency { p50: quantile(0.5)?, p99: quantile(0.99)?, max: self.latencies.max()? })
    }
}

/// Classes in each power of two of microseconds; with this many a quantile is off by less than 1%.
const CLASSES_PER_DOUBLING: u64 = 128;

/// How often each latency was seen, in classes less than 1% wide and exact below 256 µs.
///
/// A run of a hundred thousand games has millions of moves; this takes some hundred numbers, and the order in which
/// the moves came does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatencyHistogram {
    counts: BTreeMap<u64, u64>,
    max: Duration,
}

impl LatencyHistogram {
    pub fn record(&mut self, latency: Duration) {
        *self.counts.entry(class_of(latency)).or_default() += 1;
        self.max = self.max.max(latency);
    }

    /// The largest latency, exactly. `None` when none was recorded.
    pub fn max(&self) -> Option<Duration> {
        (!self.counts.is_empty()).then_some(self.max)
    }

    /// The latency that a share of `quantile` (from 0 to 1) of the moves does not exceed. `None` when none was
    /// recorded.
    pub fn quantile(&self, quantile: f64) -> Option<Duration> {
        let total: u64 = self.counts.values().sum();
        let rank = ((total as f64 * quantile).ceil() as u64).clamp(1, total.max(1));
        let mut seen = 0;
        for (&class, &count) in &self.counts {
            seen += count;
            if seen >= rank {
                return Some(upper_end(class).min(self.max));
            }
        }
        None
    }
}

/// Below twice the classes of a doubling the class is the number of microseconds itself; above, its leading eight bits
/// and how many were cut off.
fn class_of(latency: Duration) -> u64 {
    let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
    let cut = u64::from((micros / (2 * CLASSES_PER_DOUBLING)).checked_ilog2().map_or(0, |log| log + 1));
    cut * CLASSES_PER_DOUBLING + (micros >> cut)
}

/// The largest latency in a class.
fn upper_end(class: u64) -> Duration {
    let cut = (class / CLASSES_PER_DOUBLING).saturating_sub(1);
    let lead = u128::from(class - cut * CLASSES_PER_DOUBLING);
    let micros = ((lead + 1) << cut) - 1;
    Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_recorded_has_no_quantile() {
        assert_eq!(LatencyHistogram::default().quantile(0.99), None);
        assert_eq!(LatencyHistogram::default().max(), None);
    }

    #[test]
    fn one_slow_move_in_a_hundred_is_the_max_but_not_the_99th_percentile() {
        let mut histogram = LatencyHistogram::default();
        for _ in 0..99 {
            histogram.record(Duration::from_micros(200));
        }
        histogram.record(Duration::from_secs(1));
        assert_eq!(histogram.quantile(0.99), Some(Duration::from_micros(200)));
        assert_eq!(histogram.quantile(1.0), Some(Duration::from_secs(1)));
        assert_eq!(histogram.max(), Some(Duration::from_secs(1)));
    }

    proptest! {
        #[test]
        fn a_class_is_less_than_one_percent_wide(micros in prop_oneof![0_u64..5000, any::<u64>()]) {
            let upper = upper_end(class_of(Duration::from_micros(micros))).as_micros() as u64;
            prop_assert!(upper >= micros);
            prop_assert!((upper - micros) as f64 <= 0.01 * micros as f64, "{micros} µs counts as {upper} µs");
        }
    }
}
