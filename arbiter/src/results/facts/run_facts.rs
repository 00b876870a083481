//! All facts about a run that are not in its summary, counted game by game.

use std::sync::Arc;

use super::distributions::{GameLengths, LatencyBins, MoveTimes, PhaseAverages};
use super::opening_scores::{OpeningScores, pairable};
use super::timeline::{Timeline, TuningPoint};
use crate::html::plot::Thinned;
use crate::results::RunState;
use crate::results::adjudication::{AdjudicationCheck, rules};
use referee::Side;
use runner::{GameRecord, MoveScore, RunConfig, Tuning};
use stats::{PairableGame, Wdl};

/// The most games in the page's viewer, without and with the games that have faults.
const KEPT_WHOLE: usize = 3000;
const KEPT_WHOLE_WITH_ODD: usize = 3300;

#[derive(Clone, Debug, Default)]
pub struct RunFacts {
    pub config: Arc<RunConfig>,
    pub timeline: Timeline,
    pub tuning: Thinned<TuningPoint>,
    pub openings: OpeningScores,
    /// The cost of the adjudication rules in use, or of the common ones.
    pub adjudication: AdjudicationCheck,
    pub lengths: GameLengths,
    pub by_colour: Vec<[Wdl; 2]>,
    /// The games that count for ratings: those that ended before a sequential test had decided.
    pub rated: Vec<PairableGame>,
    /// The rated games of each PGN file, if this is no run.
    pub rated_of_files: Vec<Vec<PairableGame>>,
    pub engines: Vec<EngineFacts>,
    pub games: u64,
    pub whole_games: Vec<GameRecord>,
}

#[derive(Clone, Debug, Default)]
pub struct EngineFacts {
    pub evaluations: Evaluations,
    pub phases: PhaseAverages,
    pub move_times: MoveTimes,
    pub latencies: LatencyBins,
}

impl RunFacts {
    pub fn new(config: Arc<RunConfig>) -> RunFacts {
        // The rules that the games of a PGN file were played with are unknown.
        let rules = if config.is_of_files() { Vec::new() } else { rules::of_run(&config.adjudication) };
        RunFacts {
            adjudication: AdjudicationCheck::new(rules),
            by_colour: vec![<[Wdl; 2]>::default(); config.engines.len()],
            engines: vec![EngineFacts::default(); config.engines.len()],
            config,
            ..RunFacts::default()
        }
    }

    /// Counts a game with a result, after `state` has counted it.
    pub fn add(&mut self, game: &GameRecord, state: &RunState) {
        self.games += 1;
        self.timeline.observe(state);
        if let Some(spsa) = state.tuning().map(Tuning::spsa) {
            self.tuning.offer(|| TuningPoint { games: spsa.pairs() * 2, parameters: spsa.parameters() });
        }
        self.openings.add(game, game.variant.unwrap_or(self.config.variant));
        self.adjudication.add(&self.config, game);
        self.lengths.add(game);
        self.rated.extend(pairable(game).filter(|_| !game.after_decision));
        for side in [Side::White, Side::Black] {
            self.engines[game.engine(side)].add(game, side);
            self.by_colour[game.engine(side)] = state.by_colour(game.engine(side));
        }
        let room = if game.termination.is_fault() { KEPT_WHOLE_WITH_ODD } else { KEPT_WHOLE };
        if self.whole_games.len() < room {
            self.whole_games.push(game.clone());
        }
    }
}

impl EngineFacts {
    fn add(&mut self, game: &GameRecord, side: Side) {
        for played in game.moves_of(side) {
            played.score.into_iter().for_each(|score| self.evaluations.add(score));
            played.latency().into_iter().for_each(|latency| self.latencies.add(latency));
        }
        self.phases.add(game, side);
        if game.is_timed() {
            self.move_times.add(game, side);
        }
    }
}

/// Scores beyond this many pawns, and mates, fall into the outermost bins.
const REACH: i32 = 10;
const BINS_PER_PAWN: i32 = 2;

/// The scores that an engine reported from its point of view, in bins of half a pawn.
#[derive(Clone, Debug)]
pub struct Evaluations {
    pub counts: Vec<u64>,
}

impl Evaluations {
    /// The bin borders that are labelled: the position, counted in bins, and the pawns.
    pub fn ticks() -> Vec<(f64, i32)> {
        (-REACH..=REACH).step_by(5).map(|pawns| (f64::from((pawns + REACH) * BINS_PER_PAWN), pawns)).collect()
    }

    pub fn add(&mut self, score: MoveScore) {
        let pawns = f64::from(score.clamped_centipawns()) / 100.0 + f64::from(REACH);
        let bin = (pawns * f64::from(BINS_PER_PAWN)).floor().max(0.0) as usize;
        let last = self.counts.len() - 1;
        self.counts[bin.min(last)] += 1;
    }

    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|count| *count == 0)
    }
}

impl Default for Evaluations {
    fn default() -> Evaluations {
        Evaluations { counts: vec![0; (2 * REACH * BINS_PER_PAWN) as usize] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_score_begins_the_upper_half_and_mates_lie_at_the_ends() {
        let mut evaluations = Evaluations::default();
        for score in
            [MoveScore::Cp(0), MoveScore::Cp(-1), MoveScore::Mate(3), MoveScore::Mate(-3), MoveScore::Cp(999)]
        {
            evaluations.add(score);
        }
        let counts = evaluations.counts;
        assert_eq!((counts[20], counts[19], counts[39], counts[0]), (1, 1, 2, 1));
        assert_eq!(Evaluations::ticks()[2], (20.0, 0));
    }
}
