//! Win, draw and loss probabilities by an engine's score and the stage of the game: Stockfish's model.
//!
//! With score x a game is won with probability 1 / (1 + exp((a − x) / b)) and lost with the same function of −x;
//! otherwise it is drawn. a and b are cubic polynomials of the stage of the game, which is its material or its move
//! number (`WDL_model` of the Stockfish project). They are fitted by maximum likelihood with Fisher's scoring method. The
//! positions of one game share its result, so errors are computed from sums over games.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::normal::Z_95;
use crate::ratings::{Matrix, logistic};
use crate::{Outcome, Wdl};

/// The number of parts into which games are divided for cross-validation.
const FOLDS: u64 = 5;

/// The number of ranges of expected points that are compared with the results.
const BINS: usize = 10;

/// The maximum number of steps of a fit, which takes about ten.
const MOST_STEPS: usize = 200;

/// The positions of one game that have a score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoredGame {
    /// Games of one group, such as those from one opening, are held out together.
    pub group: u64,
    /// The positions, in any order.
    pub positions: Vec<ScoredPosition>,
}

/// A score, and the result of the game for the side that reported it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The score in centipawns.
    pub score: i16,
    /// The stage of the game: material or move number.
    pub stage: u8,
    /// The result of the game.
    pub outcome: Outcome,
}

/// The probabilities of win, draw and loss. a(stage) is the score at which half of the games are won.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct WdlModel {
    /// The target stage, by which stages are divided.
    pub target: u8,
    /// The coefficients of a, in centipawns, from the cubic to the constant one.
    pub a: [f64; 4],
    /// The coefficients of b, in centipawns, from the cubic to the constant one.
    pub b: [f64; 4],
}

/// Positions with the same score and stage, and the results of their games.
struct Cell {
    score: f64,
    powers: [f64; 4],
    results: Wdl,
}

/// The probabilities of win, draw and loss, in this order, and their derivatives by a and b.
struct Chances {
    shares: [f64; 3],
    slopes: [[f64; 2]; 3],
}

impl Chances {
    fn new(score: f64, a: f64, b: f64) -> Chances {
        let (up, down) = ((score - a) / b, (-score - a) / b);
        let (win, loss) = (logistic(up), logistic(down));
        let slope = |share: f64, steps: f64| [-share * (1.0 - share) / b, -share * (1.0 - share) * steps / b];
        let (by_win, by_loss) = (slope(win, up), slope(loss, down));
        let by_draw = [-by_win[0] - by_loss[0], -by_win[1] - by_loss[1]];
        let shares = [win, logistic(-up) - loss, loss].map(|share: f64| share.max(1e-12));
        Chances { shares, slopes: [by_win, by_draw, by_loss] }
    }
}

const fn place_of(outcome: Outcome) -> usize {
    2 - outcome.half_points()
}

fn value(coefficients: &[f64], powers: [f64; 4]) -> f64 {
    coefficients.iter().zip(powers).map(|(coefficient, power)| coefficient * power).sum()
}

impl WdlModel {
    /// The maximum-likelihood model; `None` if no position or every position led to a draw.
    pub fn fit(games: &[ScoredGame], target: u8) -> Option<WdlModel> {
        WdlModel::fit_to(games.iter(), target)
    }

    fn fit_to<'a>(games: impl Iterator<Item = &'a ScoredGame>, target: u8) -> Option<WdlModel> {
        let cells = cells(games, target);
        let all: Wdl = cells.iter().map(|cell| cell.results).sum();
        if all.draws == 0 || all.draws == all.games() {
            return None;
        }
        let squares: f64 = cells.iter().map(|cell| cell.results.games() as f64 * cell.score.powi(2)).sum();
        let typical = (squares / all.games() as f64).sqrt().max(1.0);
        let mut model = WdlModel { target, a: [0.0, 0.0, 0.0, typical], b: [0.0, 0.0, 0.0, typical / 2.0] };
        let mut likelihood = model.log_likelihood(&cells)?;
        for _ in 0..MOST_STEPS {
            let (slope, information) = model.slope_and_information(&cells);
            let step = information.cholesky()?.solve(&slope);
            let gain: f64 = slope.iter().zip(&step).map(|(slope, step)| slope * step).sum();
            // The likelihood can still grow by half of this.
            if gain < 1e-7 {
                return Some(model);
            }
            let tries = (0..40).map(|halvings| 0.5_f64.powi(halvings));
            let better = tries.map(|part| model.moved(&step, part)).find_map(|moved| {
                let reached = moved.log_likelihood(&cells).filter(|reached| *reached > likelihood)?;
                Some((moved, reached))
            });
            let Some((moved, reached)) = better else { break };
            (model, likelihood) = (moved, reached);
        }
        Some(model)
    }

    fn moved(&self, step: &[f64], part: f64) -> WdlModel {
        let mut moved = *self;
        for (coefficient, step) in moved.a.iter_mut().chain(&mut moved.b).zip(step) {
            *coefficient += part * step;
        }
        moved
    }

    fn powers(target: u8, stage: u8) -> [f64; 4] {
        let share = f64::from(stage) / f64::from(target);
        [share.powi(3), share.powi(2), share, 1.0]
    }

    /// a and b at a stage, in centipawns.
    pub fn parameters(&self, stage: u8) -> [f64; 2] {
        let powers = WdlModel::powers(self.target, stage);
        [value(&self.a, powers), value(&self.b, powers)]
    }

    fn chances(&self, score: f64, powers: [f64; 4]) -> Chances {
        Chances::new(score, value(&self.a, powers), value(&self.b, powers))
    }

    /// The probabilities of win, draw and loss at a stage, for a score in centipawns.
    ///
    /// ```
    /// // At every stage, half of the games are won with a score of 100 centipawns.
    /// let model = stats::WdlModel { target: 58, a: [0.0, 0.0, 0.0, 100.0], b: [0.0, 0.0, 0.0, 50.0] };
    /// assert_eq!(model.parameters(58), [100.0, 50.0]);
    /// let [win, draw, loss] = model.shares(100.0, 58);
    /// assert!(win == 0.5 && draw > loss && loss > 0.0);
    /// ```
    pub fn shares(&self, score: f64, stage: u8) -> [f64; 3] {
        self.chances(score, WdlModel::powers(self.target, stage)).shares
    }

    /// The log-likelihood; `None` if a or b is not positive somewhere, which would make probabilities negative.
    fn log_likelihood(&self, cells: &[Cell]) -> Option<f64> {
        let mut sum = 0.0;
        for Cell { score, powers, results } in cells {
            let (a, b) = (value(&self.a, *powers), value(&self.b, *powers));
            if !(a > 0.0 && b > 0.0) {
                return None;
            }
            let counts = [results.wins, results.draws, results.losses];
            let shares = Chances::new(*score, a, b).shares;
            sum += counts.iter().zip(shares).map(|(&count, share)| count as f64 * share.ln()).sum::<f64>();
        }
        Some(sum)
    }

    fn slope_and_information(&self, cells: &[Cell]) -> (Vec<f64>, Matrix) {
        let (mut slope, mut information) = (vec![0.0; 8], Matrix::zero(8));
        for Cell { score, powers, results } in cells {
            let Chances { shares, slopes } = self.chances(*score, *powers);
            let counts = [results.wins, results.draws, results.losses];
            for ((count, share), by) in counts.into_iter().zip(shares).zip(slopes) {
                for row in 0..8 {
                    let of_row = by[row / 4] * powers[row % 4];
                    slope[row] += count as f64 / share * of_row;
                    for column in 0..=row {
                        let of_column = by[column / 4] * powers[column % 4];
                        let informs = results.games() as f64 * of_row * of_column / share;
                        information.add(row, column, informs);
                    }
                }
            }
        }
        // A tiny addition keeps the matrix invertible if the stages do not determine all coefficients.
        for place in 0..8 {
            information.add(place, place, 1e-10 * information.at(place, place) + 1e-12);
        }
        (slope, information)
    }

    /// Half the widths of the 95% intervals of a and b at a stage, from the scatter between games.
    pub fn margins(&self, games: &[ScoredGame], stage: u8) -> [f64; 2] {
        let (_, information) = self.slope_and_information(&cells(games.iter(), self.target));
        let Some(factor) = information.cholesky() else { return [f64::INFINITY; 2] };
        let powers = WdlModel::powers(self.target, stage);
        [0, 4].map(|first| {
            let mut direction = vec![0.0; 8];
            direction[first..first + 4].copy_from_slice(&powers);
            let influence = factor.solve(&direction);
            let of_game = |game: &ScoredGame| {
                let of_position = |position: &ScoredPosition| {
                    let powers = WdlModel::powers(self.target, position.stage);
                    let Chances { shares, slopes } = self.chances(f64::from(position.score), powers);
                    let place = place_of(position.outcome);
                    let [by_a, by_b] = slopes[place].map(|slope| slope / shares[place]);
                    by_a * value(&influence[..4], powers) + by_b * value(&influence[4..], powers)
                };
                game.positions.iter().map(of_position).sum::<f64>().powi(2)
            };
            Z_95 * games.iter().map(of_game).sum::<f64>().sqrt()
        })
    }
}

fn cells<'a>(games: impl Iterator<Item = &'a ScoredGame>, target: u8) -> Vec<Cell> {
    let mut counts: HashMap<(u8, i16), Wdl, FxBuildHasher> = HashMap::default();
    for position in games.flat_map(|game| &game.positions) {
        counts.entry((position.stage, position.score)).or_default().record(position.outcome);
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(key, _)| *key);
    let cell = |((stage, score), results)| Cell {
        score: f64::from(score),
        powers: WdlModel::powers(target, stage),
        results,
    };
    counts.into_iter().map(cell).collect()
}

/// How well models predict held-out games: each fifth of the games is predicted by a model fitted to the rest.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct WdlCalibration {
    /// The mean of −ln of the probability of the actual outcome; 0 is perfect.
    pub log_loss: f64,
    /// The same mean if every position gets the overall shares of outcomes, whatever its score.
    pub log_loss_without_scores: f64,
    /// The mean sum of squared differences between probabilities and outcomes, from 0 to 2.
    pub brier: f64,
    /// Ranges of a tenth of expected points; ranges without positions are left out.
    pub bins: Vec<CalibrationBin>,
}

/// The predicted and the observed results of positions with similar expected points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct CalibrationBin {
    /// The lower end of the range of expected points.
    pub least: f64,
    /// The number of positions.
    pub positions: u64,
    /// The mean predicted probabilities of win, draw and loss.
    pub expected: [f64; 3],
    /// The observed shares of wins, draws and losses.
    pub observed: [f64; 3],
    /// Half the widths of the 95% intervals of the observed shares, from the scatter between games. Since a few games may
    /// agree by chance, it counts for at least what the model predicts for games in which every position has one result.
    pub margins: [f64; 3],
}

impl WdlCalibration {
    /// The cross-validated calibration; `None` if the games are too few or too uniform to fit a model without each part.
    pub fn held_out(games: &[ScoredGame], target: u8) -> Option<WdlCalibration> {
        // A hash whose low bits depend on all bits of the group.
        let fold = |game: &ScoredGame| game.group.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(20) % FOLDS;
        let (mut log_sum, mut brier, mut all) = (0.0, 0.0, Wdl::default());
        // Each with the squared surpluses of its games, and what the model expects them to be.
        let mut bins = [(CalibrationBin::default(), [[0.0; 3]; 2]); BINS];
        for held_out in 0..FOLDS {
            let model = WdlModel::fit_to(games.iter().filter(|game| fold(game) != held_out), target)?;
            for game in games.iter().filter(|game| fold(game) == held_out) {
                let (mut surplus, mut of_game) = ([[0.0; 3]; BINS], [[0.0; 3]; BINS]);
                for position in &game.positions {
                    let shares = model.shares(f64::from(position.score), position.stage);
                    let place = place_of(position.outcome);
                    log_sum -= shares[place].ln();
                    all.record(position.outcome);
                    let bin = ((shares[0] + shares[1] / 2.0) * BINS as f64) as usize;
                    let (told, _) = &mut bins[bin.min(BINS - 1)];
                    told.positions += 1;
                    for (outcome, share) in shares.into_iter().enumerate() {
                        let happened = f64::from(u8::from(outcome == place));
                        brier += (happened - share).powi(2);
                        told.expected[outcome] += share;
                        told.observed[outcome] += happened;
                        surplus[bin.min(BINS - 1)][outcome] += happened - share;
                        of_game[bin.min(BINS - 1)][outcome] += (share * (1.0 - share)).sqrt();
                    }
                }
                for ((_, squares), of_game) in bins.iter_mut().zip(surplus.into_iter().zip(of_game)) {
                    for (sums, of_game) in squares.iter_mut().zip([of_game.0, of_game.1]) {
                        sums.iter_mut()
                            .zip(of_game)
                            .for_each(|(sum, value): (&mut f64, f64)| *sum += value * value);
                    }
                }
            }
        }
        let positions = all.games() as f64;
        let entropy = [all.wins, all.draws, all.losses].map(|count| {
            let share = count as f64 / positions;
            if count == 0 { 0.0 } else { -share * share.ln() }
        });
        let of_bin = |(place, (told, [squares, predicted])): (usize, (CalibrationBin, [[f64; 3]; 2]))| {
            let number = told.positions as f64;
            CalibrationBin {
                least: place as f64 / BINS as f64,
                expected: told.expected.map(|sum| sum / number),
                observed: told.observed.map(|sum| sum / number),
                margins: std::array::from_fn(|place| {
                    Z_95 * squares[place].max(predicted[place]).sqrt() / number
                }),
                ..told
            }
        };
        Some(WdlCalibration {
            log_loss: log_sum / positions,
            log_loss_without_scores: entropy.iter().sum(),
            brier: brier / positions,
            bins: bins
                .into_iter()
                .enumerate()
                .filter(|(_, (bin, _))| bin.positions > 0)
                .map(of_bin)
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const TRUTH: WdlModel =
        WdlModel { target: 58, a: [-70.0, 180.0, -150.0, 200.0], b: [20.0, -60.0, 70.0, 50.0] };

    /// Games whose results are drawn from the model: one score, seen at several stages from both sides.
    fn drawn_games(games: usize) -> Vec<ScoredGame> {
        let mut numbers = ChaCha8Rng::seed_from_u64(7);
        let game = |group: usize| {
            let score: i16 = numbers.random_range(-400..=400);
            let stage: u8 = numbers.random_range(17..=78);
            let [win, draw, _] = TRUTH.shares(f64::from(score), stage);
            let outcome = match numbers.random::<f64>() {
                chance if chance < win => Outcome::Win,
                chance if chance < win + draw => Outcome::Draw,
                _ => Outcome::Loss,
            };
            let (own, other) = (
                ScoredPosition { score, stage, outcome },
                ScoredPosition { score: -score, stage, outcome: outcome.reversed() },
            );
            ScoredGame { group: group as u64 / 2, positions: vec![own, own, other] }
        };
        (0..games).map(game).collect()
    }

    #[test]
    fn the_model_that_drew_the_results_is_found_within_its_margins() {
        let games = drawn_games(20_000);
        let model = WdlModel::fit(&games, 58).unwrap();
        for stage in [20, 58, 75] {
            let (found, truth, margins) =
                (model.parameters(stage), TRUTH.parameters(stage), model.margins(&games, stage));
            for ((found, truth), margin) in found.into_iter().zip(truth).zip(margins) {
                // About one in 300 normal errors is greater than 1.5 times the margin.
                assert!(
                    (found - truth).abs() < 1.5 * margin && margin < 0.1 * truth,
                    "{stage}: {found} {truth} {margin}"
                );
            }
        }
        assert!(model.shares(0.0, 58).iter().sum::<f64>() > 1.0 - 1e-9);
        // Counting a position twice adds no information.
        let once: Vec<ScoredGame> = games
            .iter()
            .map(|game| ScoredGame { positions: game.positions[1..].to_vec(), ..*game })
            .collect();
        let (twice, once) =
            (model.margins(&games, 58)[0], WdlModel::fit(&once, 58).unwrap().margins(&once, 58)[0]);
        assert!((twice / once - 1.0).abs() < 0.1, "{twice} {once}");
    }

    #[test]
    fn what_was_expected_of_held_out_games_happens() {
        let calibration = WdlCalibration::held_out(&drawn_games(20_000), 58).unwrap();
        let bins = &calibration.bins;
        assert_eq!(bins.iter().map(|bin| bin.positions).sum::<u64>(), 60_000);
        let outside = bins.iter().flat_map(|bin| {
            (0..3).filter(|&place| (bin.observed[place] - bin.expected[place]).abs() > bin.margins[place])
        });
        assert!(outside.count() <= 4, "{bins:?}");
        assert!(calibration.log_loss < 0.9 * calibration.log_loss_without_scores, "{calibration:?}");
        assert!((0.1..0.6).contains(&calibration.brier));
    }

    #[test]
    fn without_a_draw_or_with_draws_alone_there_is_no_model() {
        let with = |outcome| {
            let mut games = drawn_games(100);
            games
                .iter_mut()
                .flat_map(|game| &mut game.positions)
                .for_each(|position| position.outcome = outcome);
            games
        };
        assert_eq!(WdlModel::fit(&with(Outcome::Draw), 58), None);
        assert_eq!(WdlModel::fit(&with(Outcome::Win), 58), None);
        assert_eq!(WdlModel::fit(&[], 58), None);
        assert_eq!(WdlCalibration::held_out(&drawn_games(2), 58), None);
    }
}
