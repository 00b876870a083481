//! The order of the searches, and the restarts of the engines.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::comparison::{EngineSpeed, SpeedComparison, SpeedPair, SpeedReport};
use super::speed_plan::{MOST_TIMES, SearchPace, SpeedError, SpeedPlan, SpeedSample, limit_doubts};
use crate::engines::{EngineSession, session};
use crate::measure::{MeasureError, is_engine_fault};
use runner::EngineConfig;
use uci::Go;

/// The time of the search that warms up the memory and the CPU of a restarted engine.
const WARM_UP_AGAIN: Duration = Duration::from_millis(60);

/// Starts the engines, compares the first with each other one and with itself, and ends them. Calls `progress` after each
/// search with the number of finished searches and of all searches.
pub fn measure<'a>(
    engines: impl IntoIterator<Item = &'a EngineConfig>,
    plan: &SpeedPlan,
    progress: impl FnMut(usize, usize),
) -> Result<SpeedReport, MeasureError> {
    let mut engines: Vec<&EngineConfig> = engines.into_iter().collect();
    if engines.len() > 1 {
        // The first engine once more, as its own opponent: this shows the difference that noise makes on this machine.
        engines.push(engines[0]);
    }
    let begin = Instant::now();
    let mut measured = engines.into_iter().map(session::start).collect::<Result<Vec<_>, _>>()?;
    let sessions_in_round = plan.sessions_in_round(begin.elapsed());
    let report = compare(&mut measured, plan, sessions_in_round, progress).map_err(|error| {
        let is_fault = match &error {
            SpeedError::Engine(error, _) | SpeedError::NotReady(error) => is_engine_fault(error),
            SpeedError::NoNodes(_) => false,
        };
        MeasureError::new(error, is_fault)
    })?;
    measured.into_iter().for_each(EngineSession::quit);
    Ok(report)
}

fn compare(
    engines: &mut [EngineSession],
    plan: &SpeedPlan,
    sessions_in_round: usize,
    progress: impl FnMut(usize, usize),
) -> Result<SpeedReport, SpeedError> {
    let pace = SearchPace::find(engines, plan)?;
    let samples = vec![Vec::new(); engines.len()];
    let mut sessions_of = vec![Vec::new(); engines.len()];
    let (positions, times) = (plan.positions.len(), plan.times_in_round(engines.len()));
    let turns = pace.turns;
    let all = plan.searches(engines.len()) * turns;
    let mut measurement = Measurement {
        order: (0..engines.len()).collect(),
        rng: ChaCha8Rng::seed_from_u64(2),
        engines,
        pace,
        samples,
        peaks: Vec::new(),
        starts: 0,
        done: 0,
        all,
        progress,
    };
    let most = if plan.decides.is_some() { plan.rounds * MOST_TIMES } else { plan.rounds };
    let mut due = plan.rounds;
    for (number, positions) in sessions(positions, times, most, sessions_in_round).into_iter().enumerate() {
        if number == due as usize * sessions_in_round {
            let first = sessions_of.get(1).map(|sessions| SpeedComparison::of(1, sessions));
            if first.is_none_or(|first| !plan.decides.is_some_and(|share| first.is_open(share))) {
                break;
            }
            due *= 2;
            measurement.all =
                plan.searches(measurement.engines.len()) / plan.rounds as usize * turns * due as usize;
        }
        let mut pairs_of = vec![Vec::new(); measurement.engines.len()];
        let positions: Vec<(&str, Go)> = positions
            .iter()
            .map(|&index| (plan.positions[index].as_str(), measurement.pace.limits[index].clone()))
            .collect();
        measurement.search_all(&vec![positions; turns].concat(), &mut pairs_of)?;
        for (sessions, pairs) in sessions_of.iter_mut().zip(pairs_of).skip(1) {
            sessions.push(pairs);
        }
    }
    if let Some(silent) = measurement.samples.iter().position(Vec::is_empty) {
        return Err(SpeedError::NoNodes(measurement.engines[silent].name().to_owned()));
    }
    measurement.note_memory();
    let comparisons = sessions_of.iter().enumerate().skip(1);
    let mut comparisons: Vec<SpeedComparison> =
        comparisons.map(|(index, sessions)| SpeedComparison::of(index, sessions)).collect();
    let mut engines = measurement.speeds();
    let itself = comparisons.pop();
    if itself.is_some() {
        engines.pop();
    }
    let resolution = itself.and_then(|itself| Some(itself.nodes_per_second()?.resolution()));
    for comparison in &mut comparisons {
        comparison.judge(resolution);
    }
    Ok(SpeedReport {
        schema: SpeedReport::SCHEMA,
        limit: measurement.pace.text(),
        positions: plan.positions.len(),
        rounds: due.min(most),
        engines,
        comparisons,
        resolution,
    })
}

/// The sessions, each with the indices of its positions. A round has every position `times` times, each time in another
/// order, so that sessions mix different positions. The seed is fixed, so that every run has the same sessions.
fn sessions(positions: usize, times: usize, rounds: u32, in_round: usize) -> Vec<Vec<usize>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut sessions = Vec::new();
    for _ in 0..rounds {
        let mut order = Vec::new();
        for _ in 0..times {
            let mut all: Vec<usize> = (0..positions).collect();
            all.shuffle(&mut rng);
            order.extend(all);
        }
        let end_of = |session| order.len() * session / in_round;
        sessions.extend((0..in_round).map(|session| order[end_of(session)..end_of(session + 1)].to_vec()));
    }
    sessions
}

struct Measurement<'a, P> {
    engines: &'a mut [EngineSession],
    pace: SearchPace,
    samples: Vec<Vec<SpeedSample>>,
    peaks: Vec<Option<u64>>,
    starts: u32,
    order: Vec<usize>,
    rng: ChaCha8Rng,
    done: usize,
    all: usize,
    progress: P,
}

impl<P: FnMut(usize, usize)> Measurement<'_, P> {
    /// Searches positions with restarted engines and adds the pairs of the first engine with each other one; a single
    /// engine searches alone.
    fn search_all(
        &mut self,
        positions: &[(&str, Go)],
        pairs_of: &mut [Vec<SpeedPair>],
    ) -> Result<(), SpeedError> {
        if self.engines.len() < 2 {
            for (fen, go) in positions.iter().flat_map(|position| [position; 2]) {
                known(self.search(0, fen, go))?;
            }
            return Ok(());
        }
        self.restart(positions[0].0)?;
        for (other, pairs) in pairs_of.iter_mut().enumerate().skip(1) {
            for (fen, go) in positions {
                pairs.extend(known(self.pair(other, fen, go))?);
            }
        }
        Ok(())
    }

    /// Restarts the engines and warms them up.
    ///
    /// Some memory of a machine is slower by several percent, and the system reuses memory that was just freed. So all
    /// engines end before the first is started. They start in a random order and next time in the reverse order, so that
    /// the order favours no engine.
    fn restart(&mut self, fen: &str) -> Result<(), SpeedError> {
        self.note_memory();
        self.engines.iter_mut().for_each(EngineSession::end);
        self.order.reverse();
        if self.starts.is_multiple_of(2) {
            self.order.shuffle(&mut self.rng);
        }
        self.starts += 1;
        let warm_up = Go { movetime: Some(WARM_UP_AGAIN), ..Go::default() };
        for &index in &self.order {
            let engine = &mut self.engines[index];
            engine.restart().map_err(SpeedError::NotReady)?;
            known(engine.measure(fen, &warm_up, WARM_UP_AGAIN + self.pace.timeout))?;
            engine.count_hardware_events();
            self.pace.shares_core = self.pace.shares_core && engine.bind_to_last_core();
        }
        Ok(())
    }

    /// Lets the first engine and another one search a position: twice each in turns, and twice simultaneously. The engine
    /// that goes first alternates, so that this favours neither: in simultaneous searches the first to start was slower by
    /// 1% on a busy machine.
    fn pair(&mut self, other: usize, fen: &str, go: &Go) -> Result<SpeedPair, SpeedError> {
        let turn = self.samples[other].len() / 2;
        let searches_of_first = self.samples[0].len();
        let [outer, inner] = if turn.is_multiple_of(2) { [0, other] } else { [other, 0] };
        let [a1, b1, b2, a2] = [
            self.search(outer, fen, go)?,
            self.search(inner, fen, go)?,
            self.search(inner, fen, go)?,
            self.search(outer, fen, go)?,
        ];
        if other == self.engines.len() - 1 {
            // The searches of the first engine against itself do not count for its speed.
            self.samples[0].truncate(searches_of_first);
        }
        let both = [[outer, inner], [inner, outer]].map(|order| self.search_simultaneously(order, fen, go));
        let simultaneous = match both {
            [Ok(Some([a1, b1])), Ok(Some([a2, b2]))] => Some([[a1, a2], [b1, b2]]),
            [Err(error), _] | [_, Err(error)] => return Err(error),
            _ => None,
        };
        let (outer, inner) = ([a1, a2], [b1, b2]);
        let (first, other) = if turn.is_multiple_of(2) { (outer, inner) } else { (inner, outer) };
        Ok(SpeedPair { first, other, simultaneous })
    }

    /// Lets two engines search simultaneously on one core, if wanted. In the result, the lower index comes first.
    fn search_simultaneously(
        &mut self,
        order: [usize; 2],
        fen: &str,
        go: &Go,
    ) -> Result<Option<[SpeedSample; 2]>, SpeedError> {
        if !self.pace.shares_core {
            return Ok(None);
        }
        let go = self.pace.beside_another(go);
        let Ok(engines) = self.engines.get_disjoint_mut(order) else { return Ok(None) };
        let [outer, inner] = EngineSession::measure_both(engines, fen, &go, self.pace.timeout)?;
        Ok(Some(if order.is_sorted() { [outer, inner] } else { [inner, outer] }))
    }

    fn search(&mut self, index: usize, fen: &str, go: &Go) -> Result<SpeedSample, SpeedError> {
        let sample = self.engines[index].measure(fen, go, self.pace.timeout)?;
        self.samples[index].push(sample.clone());
        self.done += 1;
        (self.progress)(self.done, self.all);
        Ok(sample)
    }

    fn note_memory(&mut self) {
        self.peaks.resize(self.engines.len(), None);
        for (peak, engine) in self.peaks.iter_mut().zip(&*self.engines) {
            *peak = (*peak).max(engine.peak_memory());
        }
    }

    fn speeds(&self) -> Vec<EngineSpeed> {
        let limits = &self.pace.limits;
        let is_one = limits.iter().all(|go| *go == limits[0]);
        let engines = self.engines.iter().zip(&self.samples).zip(&self.peaks);
        let speed = |((engine, samples), peak): ((&EngineSession, &Vec<_>), &Option<u64>)| EngineSpeed {
            doubts: if is_one { limit_doubts(&limits[0], samples) } else { Vec::new() },
            ..EngineSpeed::of(engine.name(), samples, *peak)
        };
        engines.map(speed).collect()
    }
}

/// Drops a search without a node count: some engines report none in very short searches.
fn known<T>(searched: Result<T, SpeedError>) -> Result<Option<T>, SpeedError> {
    match searched {
        Ok(sample) => Ok(Some(sample)),
        Err(SpeedError::NoNodes(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::speed_plan::ROUND;
    use super::*;

    proptest! {
        #[test]
        fn every_session_has_positions_and_a_round_has_each_equally_often(
            positions in 1..200_usize,
            rounds in 1..5_u32,
            starts in 0..5_u64,
        ) {
            let plan = SpeedPlan {
                positions: vec![String::new(); positions], go: None, duration: ROUND * rounds, rounds,
                decides: None,
            };
            let times = plan.times_in_round(2);
            let in_round = plan.sessions_in_round(Duration::from_secs(starts));
            prop_assert_eq!(in_round, [24, 24, 13, 12, 12][starts as usize]);
            let sessions = sessions(positions, times, rounds, in_round);
            prop_assert_eq!(sessions.len(), in_round * rounds as usize);
            let mut all: Vec<usize> = sessions.concat();
            all.sort_unstable();
            let each = |index| vec![index; times * rounds as usize];
            prop_assert_eq!(all, (0..positions).flat_map(each).collect::<Vec<usize>>());
            let sizes = || sessions.iter().map(Vec::len);
            prop_assert!(sizes().min().unwrap() >= 1);
            prop_assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1);
        }
    }
}
