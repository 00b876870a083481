//! The measurement: the order of the searches, and the restarts of the engines.

use std::time::Duration;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::comparison::{EngineSpeed, SpeedComparison, SpeedPair, SpeedReport};
use super::plan::{MeasuredEngine, Pace, SpeedError, SpeedPlan, SpeedSample};
use crate::measure::{MeasureError, is_engine_fault, start};
use runner::EngineConfig;
use uci::Go;

const SESSIONS_IN_ROUND: usize = 12;

/// The search of a restarted engine that warms up its memory and the processor.
const WARM_UP_AGAIN: Duration = Duration::from_millis(60);

/// Starts the engines, compares the first with each other one, and ends them. Calls `progress` after each search with the
/// number of searches done and of all.
pub fn measure<'a>(
    engines: impl IntoIterator<Item = &'a EngineConfig>,
    plan: &SpeedPlan,
    progress: impl FnMut(usize, usize),
) -> Result<SpeedReport, MeasureError> {
    let mut measured = Vec::new();
    for engine in engines {
        measured.push(MeasuredEngine { name: engine.name.clone(), session: start(engine)? });
    }
    let report = compare(&mut measured, plan, progress).map_err(|error| {
        let is_fault = match &error {
            SpeedError::Engine(error, _) | SpeedError::NotReady(error) => is_engine_fault(error),
            SpeedError::NoNodes(_) => false,
        };
        MeasureError::new(error, is_fault)
    })?;
    for engine in measured {
        engine.session.quit();
    }
    Ok(report)
}

fn compare(
    engines: &mut [MeasuredEngine],
    plan: &SpeedPlan,
    progress: impl FnMut(usize, usize),
) -> Result<SpeedReport, SpeedError> {
    let Pace { go, simultaneous, timeout, turns } = Pace::find(engines, plan)?;
    let samples = vec![Vec::new(); engines.len()];
    let mut sessions_of = vec![Vec::new(); engines.len()];
    let all = plan.searches(engines.len()) * turns;
    let mut measurement = Measurement {
        engines,
        go,
        simultaneous,
        timeout,
        samples,
        peaks: Vec::new(),
        starts: 0,
        done: 0,
        all,
        progress,
    };
    for positions in sessions(plan.positions.len(), plan.rounds) {
        let mut pairs_of = vec![Vec::new(); measurement.engines.len()];
        // A session starts the engines twice, in both orders.
        for positions in positions.chunks(positions.len().div_ceil(2)) {
            let positions: Vec<&str> =
                positions.iter().map(|&index| plan.positions[index].as_str()).collect();
            measurement.search_all(&positions.repeat(turns), &mut pairs_of)?;
        }
        for (sessions, pairs) in sessions_of.iter_mut().zip(pairs_of).skip(1) {
            sessions.push(pairs);
        }
    }
    measurement.note_memory();
    let comparisons = sessions_of.iter().enumerate().skip(1);
    let comparisons = comparisons.map(|(index, sessions)| SpeedComparison::of(index, sessions)).collect();
    Ok(SpeedReport {
        schema: SpeedReport::SCHEMA,
        limit: measurement.go.to_string(),
        positions: plan.positions.len(),
        rounds: plan.rounds,
        engines: measurement.speeds(),
        comparisons,
    })
}

/// The sessions, each with the indices of its positions. Every round has all positions in another order, so that other
/// positions share a session. The seed is fixed, so that every run has the same sessions.
fn sessions(positions: usize, rounds: u32) -> Vec<Vec<usize>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    (0..rounds).flat_map(|_| sessions_of_round(positions, &mut rng)).collect()
}

fn sessions_of_round(positions: usize, rng: &mut impl Rng) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..positions).collect();
    order.shuffle(rng);
    let count = SESSIONS_IN_ROUND.min(positions).max(1);
    (0..count)
        .map(|session| order[positions * session / count..positions * (session + 1) / count].to_vec())
        .collect()
}

struct Measurement<'a, P> {
    engines: &'a mut [MeasuredEngine],
    go: Go,
    simultaneous: Option<Go>,
    timeout: Duration,
    samples: Vec<Vec<SpeedSample>>,
    /// Peak memory of each engine, in bytes.
    peaks: Vec<Option<u64>>,
    starts: u32,
    done: usize,
    all: usize,
    progress: P,
}

impl<P: FnMut(usize, usize)> Measurement<'_, P> {
    /// Searches positions with restarted engines and adds the pairs of the first engine with each other one; a single
    /// engine searches alone.
    fn search_all(&mut self, positions: &[&str], pairs_of: &mut [Vec<SpeedPair>]) -> Result<(), SpeedError> {
        if self.engines.len() < 2 {
            for fen in positions {
                self.search(0, fen)?;
                self.search(0, fen)?;
            }
            return Ok(());
        }
        self.restart(positions[0])?;
        for (other, pairs) in pairs_of.iter_mut().enumerate().skip(1) {
            for fen in positions {
                pairs.push(self.pair(other, fen)?);
            }
        }
        Ok(())
    }

    /// Restarts the engines and warms them up.
    ///
    /// Some memory of a machine is slower by several percent, and the system reuses memory that was just freed. So all
    /// engines end before the first is started, and they start in the order of the Thue-Morse sequence, A B, B A, B A,
    /// A B, …, with which no regular change of the memory favours one engine.
    fn restart(&mut self, fen: &str) -> Result<(), SpeedError> {
        self.note_memory();
        self.engines.iter_mut().for_each(|engine| engine.session.end());
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        if self.starts.count_ones() % 2 == 1 {
            order.reverse();
        }
        self.starts += 1;
        let warm_up = Go { movetime: Some(WARM_UP_AGAIN), ..Go::default() };
        for index in order {
            let engine = &mut self.engines[index];
            engine.session.restart().map_err(SpeedError::NotReady)?;
            match engine.measure(fen, &warm_up, WARM_UP_AGAIN + self.timeout) {
                // Some engines report nothing in so short a search.
                Ok(_) | Err(SpeedError::NoNodes(_)) => {}
                Err(error) => return Err(error),
            }
            engine.session.count_hardware_events();
            if self.simultaneous.is_some() && !engine.session.bind_to_last_core() {
                self.simultaneous = None;
            }
        }
        Ok(())
    }

    /// Lets the first engine and another one search a position twice each in turns, and once simultaneously. They take
    /// turns at going first, so that going first favours neither.
    fn pair(&mut self, other: usize, fen: &str) -> Result<SpeedPair, SpeedError> {
        let turn = self.done / 4;
        let [outer, inner] = if turn.is_multiple_of(2) { [0, other] } else { [other, 0] };
        let [a1, b1, b2, a2] = [
            self.search(outer, fen)?,
            self.search(inner, fen)?,
            self.search(inner, fen)?,
            self.search(outer, fen)?,
        ];
        let simultaneous = self.search_simultaneously([outer, inner], fen)?;
        let (outer, inner) = ([a1, a2], [b1, b2]);
        let (first, other) = if turn.is_multiple_of(2) { (outer, inner) } else { (inner, outer) };
        Ok(SpeedPair { first, other, simultaneous })
    }

    /// Lets two engines search simultaneously on one core, if wanted. The result has the engine with the lower index first.
    fn search_simultaneously(
        &mut self,
        order: [usize; 2],
        fen: &str,
    ) -> Result<Option<[SpeedSample; 2]>, SpeedError> {
        let Some(go) = &self.simultaneous else { return Ok(None) };
        let Ok(engines) = self.engines.get_disjoint_mut(order) else { return Ok(None) };
        let [outer, inner] = MeasuredEngine::measure_both(engines, fen, go, self.timeout)?;
        Ok(Some(if order.is_sorted() { [outer, inner] } else { [inner, outer] }))
    }

    fn search(&mut self, index: usize, fen: &str) -> Result<SpeedSample, SpeedError> {
        let sample = self.engines[index].measure(fen, &self.go, self.timeout)?;
        self.samples[index].push(sample.clone());
        self.done += 1;
        (self.progress)(self.done, self.all);
        Ok(sample)
    }

    fn note_memory(&mut self) {
        self.peaks.resize(self.engines.len(), None);
        for (peak, engine) in self.peaks.iter_mut().zip(&*self.engines) {
            *peak = (*peak).max(engine.session.peak_memory());
        }
    }

    fn speeds(&self) -> Vec<EngineSpeed> {
        let engines = self.engines.iter().zip(&self.samples).zip(&self.peaks);
        engines.map(|((engine, samples), peak)| EngineSpeed::of(&engine.name, samples, *peak)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_position_is_searched_once_a_round_and_sessions_are_about_equal(
            positions in 1..200_usize,
            rounds in 1..5_u32,
        ) {
            let sessions = sessions(positions, rounds);
            let mut all: Vec<usize> = sessions.concat();
            all.sort_unstable();
            let expected: Vec<usize> = (0..positions).flat_map(|index| vec![index; rounds as usize]).collect();
            prop_assert_eq!(all, expected);
            let sizes = || sessions.iter().map(Vec::len);
            prop_assert!(sizes().min().unwrap() >= 1);
            prop_assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1);
            prop_assert_eq!(sessions.len(), positions.min(SESSIONS_IN_ROUND) * rounds as usize);
        }
    }
}
