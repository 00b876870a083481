//! Weaker play on purpose, for `UCI_LimitStrength` and `UCI_Elo`.
//!
//! Two means together look more like a weaker player than either alone (Chess Programming Wiki, "Playing Strength"; the
//! documentation of Stockfish describes its skill levels so): the search sees fewer nodes, and the choice among the
//! best moves is unsteady. Each of several lines gets a random addition, normally distributed, and the highest sum is
//! played, so that equal moves change places often and a blunder stays rare. What a rating means in these terms is in
//! [`LEVELS`].

use super::search::Report;
use super::transposition_table::Bound;
use super::{Limits, Nodes, Ply, Value};
use chess::SplitMix;

/// A rating and what makes Tarrasch play like it.
struct Level {
    elo: u32,
    /// Nodes a move.
    nodes: u64,
    /// The standard deviation of the random additions, in centipawns.
    noise: i32,
}

const fn level(elo: u32, nodes: u64, noise: i32) -> Level {
    Level { elo, nodes, noise }
}

/// The weakest to the strongest level; between two of them nodes grow by a constant factor and noise falls evenly.
///
/// Fitted to, and checked in, games against engines whose ratings are known; `results/README.md` has the recipe and the
/// check. The lowest level has hardly fewer nodes than the next: with
/// fewer the first iteration of all lines is often not finished, and then there is nothing to choose among.
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

/// How many lines the choice is among.
const LINES: usize = 5;

/// The limits of one level of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    nodes: Nodes,
    /// In centipawns.
    noise: i32,
}

impl Skill {
    /// The lowest rating there is a skill for.
    pub const WEAKEST: u32 = LEVELS[0].elo;
    /// The highest rating there is a skill for.
    pub const STRONGEST: u32 = LEVELS[LEVELS.len() - 1].elo;

    /// The skill for a rating; those out of range get that of the nearest in range.
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

    /// Takes from a search what the level does not have.
    pub fn restrict(self, limits: &mut Limits) {
        limits.nodes = Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes)));
        limits.multi_pv = limits.multi_pv.max(LINES);
    }

    /// Which of these lines is played; `seed` decides.
    fn choose(self, lines: &[Report], seed: u64) -> Option<&Report> {
        let mut random = SplitMix::new(seed);
        let mut noisy = |line: &Report| line.value.get() + self.noise * normal(&mut random) / NORMAL_UNIT;
        let sums: Vec<i32> = lines.iter().map(&mut noisy).collect();
        let best = sums.iter().max()?;
        lines.iter().zip(&sums).find(|(_, sum)| *sum == best).map(|(line, _)| line)
    }
}

/// One standard deviation of [`normal`].
const NORMAL_UNIT: i32 = 1 << 16;

/// A number that is nearly normally distributed: twelve uniform ones together have a variance of one.
fn normal(random: &mut SplitMix) -> i32 {
    (0..12).map(|_| (random.next() >> 48) as i32).sum::<i32>() - 6 * NORMAL_UNIT
}

/// The lines of the last iteration that was finished, from which a handicapped player chooses.
#[derive(Debug, Default)]
pub struct Choice(Vec<Report>);

impl Choice {
    /// Hears of a line. What an iteration without end has found counts for nothing.
    pub fn hear(&mut self, found: &Report) {
        if found.bound == Bound::Exact {
            self.0.truncate(found.line_index);
            self.0.push(found.clone());
        }
    }

    /// The line that is played, if it is not the best.
    pub fn deviation(&self, skill: Skill, seed: u64) -> Option<Report> {
        // A mate on the board is nothing to be unsteady about.
        let is_plain = self.0.first().is_some_and(|best| best.value == Value::mate_in(Ply::ROOT.next()));
        let chosen = skill.choose(&self.0, seed).filter(|chosen| chosen.line_index > 0 && !is_plain)?;
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
            deepest: Ply::ROOT,
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
            choice.hear(&line(index, value, Bound::Exact));
        }
        choice
    }

    /// How often each line is played.
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
        let handicaps: Vec<Skill> = (Skill::WEAKEST..=Skill::STRONGEST).step_by(50).map(Skill::of).collect();
        assert!(handicaps.is_sorted_by(|a, b| a.nodes < b.nodes && a.noise >= b.noise));
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
    fn without_noise_the_best_move_is_played() {
        assert_eq!(counts(&[40, 39], Skill { nodes: Nodes::new(1), noise: 0 }), [2_000, 0]);
    }

    #[test]
    fn a_mate_at_hand_is_given() {
        let mate = Value::mate_in(Ply::new(1)).get();
        assert_eq!(counts(&[mate, mate - 2], Skill { nodes: Nodes::new(1), noise: 500 }), [2_000, 0]);
    }

    #[test]
    fn only_lines_of_a_finished_iteration_are_heard() {
        let mut choice = choice(&[10, 5]);
        choice.hear(&line(0, 99, Bound::Lower));
        assert_eq!(choice.0.iter().map(|line| line.value.get()).collect::<Vec<_>>(), [10, 5]);
        choice.hear(&line(0, 7, Bound::Exact));
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
