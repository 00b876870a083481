//! Limited strength: `UCI_LimitStrength` and `UCI_Elo`.
//!
//! A skill level limits the nodes and adds noise to the choice of the move, similar to Stockfish's skill levels (Chess
//! Programming Wiki, "Playing Strength"). Several `MultiPV` lines get a normally distributed random addition to their
//! value, and the line with the highest sum is played. So equal moves are varied, and blunders stay rare.

use super::search::{Report, Technique};
use super::transposition_table::Bound;
use super::{Limits, Nodes, Ply, Value};
use chess::SplitMix;

/// The settings for a rating.
struct Level {
    elo: u32,
    /// Nodes per move.
    nodes: u64,
    /// The standard deviation of the random additions, in centipawns.
    noise: i32,
}

const fn level(elo: u32, nodes: u64, noise: i32) -> Level {
    Level { elo, nodes, noise }
}

/// The levels, the weakest first. Between two levels the nodes are interpolated geometrically, the noise linearly.
///
/// The levels were fitted to games against engines with known ratings, and checked in others: see `results/README.md`. The
/// lowest level has nearly as many nodes as the next: with fewer the first iteration of all lines often does not
/// finish.
const LEVELS: [Level; 10] = [
    level(1200, 570, 900),
    level(1400, 590, 473),
    level(1600, 790, 260),
    level(1800, 1_150, 150),
    level(2000, 1_960, 86),
    level(2200, 3_270, 56),
    level(2400, 5_670, 36),
    level(2600, 10_400, 22),
    level(2800, 17_200, 15),
    level(3000, 28_200, 11),
];

/// The number of `MultiPV` lines to choose from.
const LINES: usize = 5;

/// The limits of one level of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    nodes: Nodes,
    /// In centipawns.
    noise: i32,
}

impl Skill {
    /// The lowest rating.
    pub const WEAKEST: u32 = LEVELS[0].elo;
    /// The highest rating.
    pub const STRONGEST: u32 = LEVELS[LEVELS.len() - 1].elo;

    /// The skill for a rating, clamped to the range of levels.
    pub fn of(elo: u32) -> Skill {
        let elo = elo.clamp(Skill::WEAKEST, Skill::STRONGEST);
        let upper = LEVELS.iter().position(|level| elo <= level.elo).unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (&LEVELS[upper - 1], &LEVELS[upper]);
        let part = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let factor = (high.nodes as f64 / low.nodes as f64).powf(part);
        Skill {
            nodes: Nodes::new((low.nodes as f64 * factor).round() as u64),
            noise: (f64::from(low.noise) + f64::from(high.noise - low.noise) * part).round() as i32,
        }
    }

    /// Limits a search to this level. It is played with the hand-written evaluation, with which the levels were measured:
    /// a better network does not change them.
    pub fn restrict(self, limits: &mut Limits) {
        limits.nodes = Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes)));
        limits.multi_pv = limits.multi_pv.max(LINES);
        limits.techniques.switch(Technique::Network, false);
    }

    /// The line to play; `seed` decides.
    fn choose(self, lines: &[Report], seed: u64) -> Option<&Report> {
        let mut random = SplitMix::new(seed);
        let mut noisy = |line: &Report| line.value.get() + self.noise * normal(&mut random) / NORMAL_UNIT;
        let sums: Vec<i32> = lines.iter().map(&mut noisy).collect();
        let best = sums.iter().max()?;
        lines.iter().zip(&sums).find(|(_, sum)| *sum == best).map(|(line, _)| line)
    }
}

/// The standard deviation of [`normal`].
const NORMAL_UNIT: i32 = 1 << 16;

/// An approximately normally distributed number: the sum of twelve uniform ones, which has a variance of one.
fn normal(random: &mut SplitMix) -> i32 {
    (0..12).map(|_| (random.next() >> 48) as i32).sum::<i32>() - 6 * NORMAL_UNIT
}

/// The lines of the last finished iteration.
#[derive(Debug, Default)]
pub struct Choice(Vec<Report>);

impl Choice {
    /// Adds a line, unless it failed high or low.
    pub fn add(&mut self, found: &Report) {
        if found.bound == Bound::Exact {
            self.0.truncate(found.line_index);
            self.0.push(found.clone());
        }
    }

    /// The line to play, if it is not the best one. A mate in one is always played.
    pub fn deviation(&self, skill: Skill, seed: u64) -> Option<Report> {
        let has_mate_in_one =
            self.0.first().is_some_and(|best| best.value == Value::mate_in(Ply::ROOT.next()));
        let chosen =
            skill.choose(&self.0, seed).filter(|chosen| chosen.line_index > 0 && !has_mate_in_one)?;
        Some(Report { line_index: 0, ..chosen.clone() })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Depth;
    use crate::search::Line;

    fn line(line_index: usize, centipawns: i32, bound: Bound) -> Report {
        Report {
            depth: Depth::ONE,
            sel_depth: Ply::ROOT,
            line_index,
            value: Value::new(centipawns),
            bound,
            nodes: Nodes::default(),
            hashfull: 0,
            tb_hits: None,
            time: Duration::ZERO,
            line: Line::new(),
        }
    }

    fn choice(values: &[i32]) -> Choice {
        let mut choice = Choice::default();
        for (index, &value) in values.iter().enumerate() {
            choice.add(&line(index, value, Bound::Exact));
        }
        choice
    }

    /// The number of times that each line is played.
    fn counts(values: &[i32], skill: Skill) -> Vec<usize> {
        let choice = choice(values);
        let mut counts = vec![0; values.len()];
        for seed in 0..2_000 {
            let deviation = choice.deviation(skill, seed);
            let played =
                deviation.map_or(0, |line| values.iter().position(|&v| v == line.value.get()).unwrap());
            counts[played] += 1;
        }
        counts
    }

    #[test]
    fn a_higher_rating_has_more_nodes_and_less_noise() {
        let skills: Vec<Skill> = (Skill::WEAKEST..=Skill::STRONGEST).step_by(50).map(Skill::of).collect();
        assert!(skills.is_sorted_by(|a, b| a.nodes < b.nodes && a.noise >= b.noise));
        for level in &LEVELS {
            let expected = Skill { nodes: Nodes::new(level.nodes), noise: level.noise };
            assert_eq!(Skill::of(level.elo), expected);
        }
        assert_eq!(Skill::of(0), Skill::of(Skill::WEAKEST));
        assert_eq!(Skill::of(9999), Skill::of(Skill::STRONGEST));
    }

    #[test]
    fn a_search_keeps_the_stricter_limits() {
        let skill = Skill::of(1500);
        let mut limits = Limits::nodes(Nodes::new(10));
        skill.restrict(&mut limits);
        assert_eq!((limits.nodes, limits.multi_pv), (Some(Nodes::new(10)), LINES));
        let mut limits = Limits { multi_pv: 20, ..Limits::unlimited() };
        skill.restrict(&mut limits);
        assert_eq!((limits.nodes, limits.multi_pv), (Some(skill.nodes), 20));
    }

    #[test]
    fn worse_moves_are_played_less_often() {
        let counts = counts(&[40, 30, -20, -300], Skill { nodes: Nodes::new(1), noise: 60 });
        assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
        assert!(counts[0] < 1_200 && counts[3] < 20, "{counts:?}");
    }

    #[test]
    fn without_noise_the_best_move_is_played_and_a_mate_in_one_always() {
        let mate = Value::mate_in(Ply::new(1)).get();
        for (values, noise) in [([40, 39], 0), ([mate, mate - 2], 500)] {
            assert_eq!(counts(&values, Skill { nodes: Nodes::new(1), noise }), [2_000, 0]);
        }
    }

    #[test]
    fn only_exact_lines_are_added() {
        let mut choice = choice(&[10, 5]);
        choice.add(&line(0, 99, Bound::Lower));
        assert_eq!(choice.0.iter().map(|line| line.value.get()).collect::<Vec<_>>(), [10, 5]);
        choice.add(&line(0, 7, Bound::Exact));
        assert_eq!(choice.0.len(), 1);
    }

    #[test]
    fn the_random_numbers_are_normal_enough() {
        let mut random = SplitMix::new(1);
        let numbers: Vec<f64> =
            (0..4_000).map(|_| f64::from(normal(&mut random)) / f64::from(NORMAL_UNIT)).collect();
        let mean = numbers.iter().sum::<f64>() / 4_000.0;
        let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 4_000.0;
        assert!(mean.abs() < 0.05 && (variance - 1.0).abs() < 0.1, "{mean} {variance}");
    }
}
