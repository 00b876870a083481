//! The pairs of a run, as they would have ended with other adjudication.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::Duration;

use arbiter::results::adjudication::verdicts;
use runner::{Adjudication, GameRecord, RunJournal};
use stats::{NormalizedEloEstimate, Observations, Outcome, Pentanomial, Sprt, SprtStatus};

/// One game of a pair.
#[derive(Clone, Copy, Debug)]
struct Game {
    outcome: Outcome,
    time: Duration,
}

/// The completed pairs of a run in their order, seen by the first engine.
#[derive(Clone, Debug)]
pub struct Sample {
    pairs: Vec<[Game; 2]>,
}

/// What came of tests that followed each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealTests {
    /// Tests with a verdict.
    pub decided: u32,
    /// Those that accepted H0.
    pub accepted_h0: u32,
    time: Duration,
}

impl RealTests {
    /// Seconds of the engines for each verdict; NaN without any.
    pub fn mean_seconds(&self) -> f64 {
        self.time.as_secs_f64() / f64::from(self.decided)
    }
}

impl Sample {
    /// Reads a run that was played without adjudication.
    pub fn of_run(run: &Path, rules: &Adjudication) -> Result<Sample, Box<dyn Error>> {
        let journal = RunJournal::open(run)?;
        let mut games: BTreeMap<u32, Vec<Game>> = BTreeMap::new();
        for game in journal.events.finished_games() {
            let record = game?;
            let ended = verdicts(&record, std::slice::from_ref(rules))[0];
            let played = GameRecord {
                result: ended.map(|verdict| verdict.result).or(record.result),
                moves: record.moves[..ended.map_or(record.moves.len(), |verdict| verdict.moves)].to_vec(),
                ..record
            };
            let outcome = played.outcome(0).ok_or("expected a result of the first engine")?;
            let time = played.moves.iter().map(|played| played.time).sum();
            let game = Game { outcome, time };
            games.entry(played.pair).or_default().push(game);
        }
        let pairs = games.into_values().filter_map(|games| <[Game; 2]>::try_from(games).ok()).collect();
        Ok(Sample { pairs })
    }

    /// The counts.
    pub fn pentanomial(&self) -> Pentanomial {
        let mut counts = Pentanomial::default();
        for [one, other] in &self.pairs {
            counts.record(one.outcome, other.outcome);
        }
        counts
    }

    /// The difference in normalized Elo.
    pub fn nelo(&self) -> NormalizedEloEstimate {
        NormalizedEloEstimate::new(&self.pentanomial().score())
    }

    /// The mean time of the engines for a game.
    pub fn seconds_per_game(&self) -> f64 {
        let time: Duration = self.pairs.iter().flatten().map(|game| game.time).sum();
        time.as_secs_f64() / (2.0 * self.pairs.len() as f64)
    }

    /// Runs the test from the first pair to a verdict, then again from the next pair, to the end of the pairs.
    pub fn real_tests(&self, test: &Sprt) -> RealTests {
        let mut tests = RealTests::default();
        let (mut counts, mut time) = (Pentanomial::default(), Duration::ZERO);
        for [one, other] in &self.pairs {
            counts.record(one.outcome, other.outcome);
            time += one.time + other.time;
            let status = test.bounds(&Observations::Pairs(counts)).status(test.llr_of_pairs(&counts));
            if status != SprtStatus::Continue {
                tests.decided += 1;
                tests.accepted_h0 += u32::from(status == SprtStatus::AcceptH0);
                tests.time += time;
                (counts, time) = (Pentanomial::default(), Duration::ZERO);
            }
        }
        tests
    }
}
