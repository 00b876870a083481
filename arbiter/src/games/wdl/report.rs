//! The report of a WDL model: its numbers, its calibration and its code.

use anyhow::{Context, Result};
use clap::ValueEnum;
use referee::Referee;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{CalibrationBin, ScoredGame, WdlCalibration, WdlModel};

use crate::text::document::Fact;
use crate::text::number_text::{counted, minus, percent, thousands};
use crate::text::{Document, Line, Table, Tone, labelled};

/// Later moves do not count, as in Stockfish's `WDL_model`.
pub const LAST_MOVE: u32 = 120;

labelled! {
    /// How the progress of a game is measured.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum GameStage {
        /// Material of both sides: pawn 1, knight or bishop 3, rook 5, queen 9
        Material = "material",
        /// Move number
        Move = "move",
    }
}

impl GameStage {
    /// The stages to fit; the model moves other stages to the nearest of them.
    pub const fn range(self) -> [u8; 2] {
        match self {
            GameStage::Material => [17, 78],
            GameStage::Move => [8, LAST_MOVE as u8],
        }
    }

    /// The stage at which a score of one pawn means 50% wins; the model divides stages by it.
    pub const fn target(self) -> u8 {
        match self {
            GameStage::Material => 58,
            GameStage::Move => 32,
        }
    }

    pub fn of(self, referee: &Referee) -> u32 {
        if self == GameStage::Move {
            return referee.move_number();
        }
        let worth = |piece: char| match piece.to_ascii_lowercase() {
            'p' => 1,
            'n' | 'b' => 3,
            'r' => 5,
            'q' => 9,
            _ => 0,
        };
        referee.fen().chars().take_while(|letter| *letter != ' ').map(worth).sum()
    }
}

/// The report of `arbiter wdl`.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct WdlReport {
    /// The players whose scores are used.
    pub engines: Vec<String>,
    /// Finished games with scores.
    pub games: u64,
    /// Finished games without usable scores.
    pub games_without_scores: u64,
    /// Positions with usable scores.
    pub positions: u64,
    /// The quantity besides the score that the probabilities depend on.
    pub by: GameStage,
    /// The range of stages that the model is fitted to; other stages are moved to the nearest one.
    pub stages: [u8; 2],
    /// The model.
    pub model: WdlModel,
    /// a at the target stage: the score, in centipawns, at which half of the games are won.
    pub normalize_to_pawn_value: WithMargin,
    /// b at the target stage, in centipawns.
    pub spread: WithMargin,
    /// The share of draws at a score of 0 at the target stage, from 0 to 1.
    pub draws_at_zero: f64,
    /// How well the model predicts held-out games.
    pub calibration: WdlCalibration,
    /// Observed results near the target stage, by score.
    pub near_target: Vec<ScoreShares>,
}

/// A number and the half-width of its 95% interval, which comes from the variation between games.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct WithMargin {
    /// The number.
    pub value: f64,
    /// The half-width.
    pub margin: f64,
}

/// Results of positions with similar scores.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ScoreShares {
    /// The middle of the range of scores, in centipawns.
    pub score: i16,
    /// The number of positions.
    pub positions: u64,
    /// The shares of wins, draws and losses, each from 0 to 1.
    pub shares: [f64; 3],
}

impl WdlReport {
    /// The width in centipawns of a range of scores in [`near_target`](Self::near_target), and the maximum distance of
    /// a stage from the target.
    const SCORES: i16 = 20;
    const NEAR: u8 = 4;

    /// How many margins a share may differ from what was expected: in 95% of fits, all of 30 shares are within it.
    const MOST_EXCESS: f64 = 1.6;
    const FEWEST: u64 = 200;

    /// The widest useful margin of a pawn value, relative to that value.
    const WIDEST: f64 = 0.2;

    pub fn new(engines: Vec<String>, by: GameStage, games: &[ScoredGame], decided: u64) -> Result<WdlReport> {
        let target = by.target();
        let model = WdlModel::fit(games, target).context(
            "expected both drawn and decisive games: no score predicts a result that all games share",
        )?;
        let calibration = WdlCalibration::held_out(games, target).context(
            "expected games from more openings, both drawn and decisive, so that a fifth can be held out",
        )?;
        let ([value, spread], [margin, spread_margin]) =
            (model.parameters(target), model.margins(games, target));
        let mut near = vec![[0_u64; 3]; 1001];
        for position in games.iter().flat_map(|game| &game.positions) {
            if position.stage.abs_diff(target) <= WdlReport::NEAR {
                let place = (position.score + 10_000 + WdlReport::SCORES / 2) / WdlReport::SCORES;
                near[place as usize][2 - position.outcome.half_points()] += 1;
            }
        }
        let near_target = near.into_iter().zip(-500..).filter_map(|(counts, place)| {
            let positions = counts.iter().sum::<u64>();
            let shares = counts.map(|count| count as f64 / positions as f64);
            (positions >= 50).then_some(ScoreShares { score: place * WdlReport::SCORES, positions, shares })
        });
        Ok(WdlReport {
            engines,
            games: games.len() as u64,
            games_without_scores: decided - games.len() as u64,
            positions: games.iter().map(|game| game.positions.len() as u64).sum(),
            by,
            stages: by.range(),
            normalize_to_pawn_value: WithMargin { value, margin },
            spread: WithMargin { value: spread, margin: spread_margin },
            draws_at_zero: model.shares(0.0, target)[1],
            near_target: near_target.collect(),
            model,
            calibration,
        })
    }

    pub fn document(&self) -> Document {
        let mut document = self.facts();
        document.lines(self.doubt().map(|doubt| Line::default().and(doubt, Tone::Bad)));
        document.gap();
        document.verbatim(self.code().into_iter().map(Line::from).collect());
        document.gap();
        document.append(self.calibration());
        document
    }

    pub(super) fn facts(&self) -> Document {
        let figure = |figure: WithMargin| format!("{:.1} ± {:.1} cp", figure.value, figure.margin);
        let target = self.model.target;
        let together = if self.engines.len() > 1 { ", together; --engine NAME takes one" } else { "" };
        let engines = match &self.engines[..] {
            engines if engines.len() > 3 => counted(engines.len() as u64, "player"),
            engines => engines.join(", "),
        };
        let without = match self.games_without_scores {
            0 => String::new(),
            games => format!("; {} without", counted(games, "game")),
        };
        let read = format!(
            "{}, {} positions with scores{without}",
            counted(self.games, "game"),
            thousands(self.positions)
        );
        let loss = &self.calibration;
        Document::of_facts(vec![
            Fact("Scores of", Line::from(engines + together)),
            Fact("Read", Line::from(read)),
            Fact(
                "Pawn value",
                Line::from(format!(
                    "{} wins half of the games at {} {target} (NormalizeToPawnValue)",
                    figure(self.normalize_to_pawn_value),
                    self.by
                )),
            ),
            Fact("Spread", Line::from(figure(self.spread))),
            Fact("Draws at 0", Line::from(percent(self.draws_at_zero))),
            Fact("Log loss", log_loss(loss)),
            Fact("Brier", Line::from(format!("{:.4}", loss.brier))),
        ])
    }

    /// The coefficients as C and Rust code, and as UCI options.
    pub(super) fn code(&self) -> Vec<String> {
        let WdlModel { target, a, b } = self.model;
        let [least, most] = self.stages;
        let stage = self.by;
        let list = |numbers: [f64; 4]| numbers.map(|number| format!("{number:.8}")).join(", ");
        let options = [("A", a), ("B", b)].into_iter().flat_map(|(name, numbers)| {
            (0..4)
                .rev()
                .zip(numbers)
                .map(move |(power, number)| format!("setoption name WDL_{name}{power} value {number:.8}"))
        });
        let WithMargin { value, margin } = self.normalize_to_pawn_value;
        let mut head: Vec<String> = self.doubt().into_iter().map(|doubt| format!("// {doubt}")).collect();
        head.extend([
            format!("// m = clamp({stage}, {least}, {most}) / {target}.0; x = score in cp"),
            "// a = ((as[0] * m + as[1]) * m + as[2]) * m + as[3], b likewise; win = 1 / (1 + exp((a - x) / b))".to_owned(),
            format!("constexpr double as[] = {{{}}};", list(a)),
            format!("constexpr double bs[] = {{{}}};", list(b)),
            format!("const int NormalizeToPawnValue = {value:.0}; // ± {margin:.0}"),
            String::new(),
            format!("const WDL_A: [f64; 4] = [{}];", list(a)),
            format!("const WDL_B: [f64; 4] = [{}];", list(b)),
            String::new(),
        ]);
        head.into_iter().chain(options).collect()
    }

    /// Why the numbers should not be used: they are biased or too uncertain.
    pub(super) fn doubt(&self) -> Option<String> {
        const OUTCOMES: [&str; 3] = ["wins", "draws", "losses"];
        // Small samples vary too much.
        let bins = self.calibration.bins.iter().filter(|bin| bin.positions >= WdlReport::FEWEST);
        let excess = |bin: &CalibrationBin, place: usize| {
            (bin.observed[place] - bin.expected[place]).abs() / bin.margins[place].max(f64::MIN_POSITIVE)
        };
        let misses = bins.flat_map(|bin| (0..3).map(move |place| (bin, place, excess(bin, place))));
        let worst = misses.max_by(|(.., one), (.., other)| one.total_cmp(other));
        if let Some((bin, place, excess)) = worst
            && excess > WdlReport::MOST_EXCESS
        {
            let [expected, happened] = [bin.expected, bin.observed].map(|shares| percent(shares[place]));
            let margin = 100.0 * bin.margins[place];
            return Some(format!(
                "biased: in positions that it values at {:.1} to {:.1} points the model predicts {expected} {}, and there \
                 were {happened} ± {margin:.1}%; one player may be much stronger: use games between equals, and --engine NAME",
                bin.least,
                bin.least + 0.1,
                OUTCOMES[place],
            ));
        }
        let WithMargin { value, margin } = self.normalize_to_pawn_value;
        (margin > value * WdlReport::WIDEST).then(|| {
            let games = self.games as f64 * (margin / value / WdlReport::WIDEST).powi(2);
            format!(
                "uncertain: the pawn value is {value:.0} ± {margin:.0} cp; ± 20% takes some {games:.0} games"
            )
        })
    }

    pub(super) fn calibration(&self) -> Document {
        let mut document = Document::default();
        document.line("Expected and what happened, in games held out, by expected points:");
        let headings = ["Points", "Positions", "Win", "happened", "Draw", "happened", "Loss", "happened"];
        let mut table = Table::new(headings);
        for bin in &self.calibration.bins {
            let CalibrationBin { least, positions, expected, observed, margins } = bin;
            let shares = (0..3).flat_map(|place| {
                let happened = format!("{:.1} ± {:.1}%", 100.0 * observed[place], 100.0 * margins[place]);
                [percent(expected[place]), happened]
            });
            let range = format!("{least:.1} to {:.1}", least + 0.1);
            table.plain([range, thousands(*positions)].into_iter().chain(shares.map(|text| minus(&text))));
        }
        document.table(table);
        document
    }
}

/// The log loss in held-out games, with a warning if the scores predict no better than the mean of all games.
fn log_loss(calibration: &WdlCalibration) -> Line {
    let WdlCalibration { log_loss, log_loss_without_scores, .. } = calibration;
    let figures = format!("{log_loss:.4}; {log_loss_without_scores:.4} without scores");
    if log_loss < log_loss_without_scores {
        return Line::from(figures);
    }
    Line::default().and(
        figures + ": the scores predict nothing here; use more games between players of equal strength",
        Tone::Bad,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Outcome, ScoredPosition};

    /// The doubt about a model of games, each with so many positions of one score and one result, whose true scores are
    /// `shift` centipawns higher than reported.
    fn doubt(shift: f64, games: u64, positions: usize) -> Option<String> {
        let mut state = games;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let games = (0..games).map(|game| {
            let (score, stage) = ((random() * 400.0 - 200.0) as i16, 20 + (random() * 50.0) as u8);
            let chance = |score: f64| 1.0 / (1.0 + ((80.0 - score) / 60.0).exp());
            let (truth, drawn) = (f64::from(score) + shift, random());
            let half_points = match drawn {
                drawn if drawn < chance(truth) => 2,
                drawn if drawn > 1.0 - chance(-truth) => 0,
                _ => 1,
            };
            let outcome = Outcome::of_half_points(half_points);
            let positions = vec![ScoredPosition { score, stage, outcome }; positions];
            ScoredGame { group: game.wrapping_mul(0x9e37_79b9_7f4a_7c15), positions }
        });
        let games: Vec<ScoredGame> = games.collect();
        let report = WdlReport::new(vec!["a".to_owned()], GameStage::Material, &games, games.len() as u64);
        report.unwrap().doubt()
    }

    #[test]
    fn a_lopsided_match_and_too_few_games_are_named_and_many_games_of_equals_are_not() {
        assert_eq!(doubt(0.0, 6000, 1), None);
        let biased = doubt(90.0, 6000, 1).unwrap();
        assert!(biased.starts_with("biased: "), "{biased}");
        let few = doubt(0.0, 150, 1).unwrap();
        assert!(few.starts_with("uncertain: the pawn value is "), "{few}");
        for games in 100..120 {
            let few = doubt(0.0, games, 40).unwrap_or_default();
            assert!(!few.starts_with("biased"), "{games} games: {few}");
        }
    }
}
