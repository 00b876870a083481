//! The report of `arbiter sprt plan`.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::match_command::match_command;
use super::pace::{GamePace, PaceSource};
use super::planned_ladder::PlannedLadder;
use crate::options::Rungs;
use crate::rating::forecast::ForecastBasis;
use crate::text::number_text::{counted, long_time, percent, signed, thousands, three_digits};
use crate::text::{Document, Line, Table, Tone};
use stats::{
    Elo, EloEstimate, NormalizedEloEstimate, Observations, ResultShares, Sprt, SprtBudget, SprtCourse,
    SprtModel,
};

/// The error probabilities, alpha and beta alike, for which tests are planned.
const RISKS: [f64; 3] = [0.05, 0.1, 0.2];

/// A test is recommended if it accepts H1 in the budget with this probability.
const POWER: f64 = 0.8;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResultsModel {
    /// The observed distribution, shifted to the difference.
    Observed(Observations),
    /// Pairs of equal engines with this draw ratio, from openings with this bias.
    Assumed { draws: f64, bias: Elo },
}

impl ResultsModel {
    /// The distribution at a difference in the model's Elo; `None` if nothing was observed.
    pub fn shares(&self, elo: f64, model: SprtModel) -> Option<ResultShares> {
        match self {
            ResultsModel::Observed(observations) => ResultShares::tilted(observations, elo, model),
            ResultsModel::Assumed { draws, bias } => Some(ResultShares::assumed(elo, model, *draws, *bias)),
        }
    }

    fn basis(&self) -> ForecastBasis {
        match *self {
            ResultsModel::Observed(_) => ForecastBasis::Observed,
            ResultsModel::Assumed { draws, bias } => ForecastBasis::Assumed { draws, bias },
        }
    }
}

/// The tests that fit into a budget. In JSON, `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanReport {
    pub schema: u32,
    pub hours: f64,
    pub pace: GamePace,
    pub games: u64,
    pub elo: f64,
    pub nelo: f64,
    pub basis: ForecastBasis,
    /// The test whose H1 is the expected difference, then the best test for each risk.
    pub tests: Vec<PlannedTest>,
    pub recommended: usize,
    /// The hours that the best test at 5% risk needs to accept the expected difference with a probability of 80%.
    pub hours_needed: Option<f64>,
    /// The smallest difference, in logistic and in normalized Elo, that the best test at 5% risk accepts within the
    /// budget with a probability of 80%.
    pub smallest_seen: Option<(f64, f64)>,
    /// Half the width of the 95% interval, in logistic Elo, after a match of all games.
    pub margin_elo: f64,
    pub margin_nelo: f64,
    pub command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<PlannedLadder>,
}

impl PlanReport {
    pub const SCHEMA: u32 = 1;

    /// A plan for a number of hours and an expected difference above 0, in the model's Elo. `games_of_command` holds the
    /// engines and options of `arbiter match` that make games as fast as planned.
    pub fn new(
        hours: f64,
        pace: GamePace,
        (difference, model): (f64, SprtModel),
        results: &ResultsModel,
        games_of_command: &str,
    ) -> Result<PlanReport> {
        // Whole pairs.
        let games = 2 * (hours * pace.games_per_hour / 2.0) as u64;
        if games < 2 {
            bail!(
                "--hours {hours}: expected at least the time of one game pair, at {:.2} games per hour",
                pace.games_per_hour
            );
        }
        let nothing_observed = "--like: expected a run with pairs of games, found none";
        let shares = results.shares(difference, model).context(nothing_observed)?;
        let null = results.shares(0.0, model).context(nothing_observed)?;
        let (elo, nelo) = (shares.elo(SprtModel::Logistic), shares.elo(SprtModel::Normalized));
        let tests = tests(&[null, shares], games);
        if tests.is_empty() {
            bail!("the expected difference of {nelo:.0} nElo is beyond the bounds of an SPRT");
        }
        let strong_enough = tests.iter().position(|test| test.power() >= POWER);
        let recommended = strong_enough.unwrap_or_else(|| tests.len().min(2) - 1);
        let at_most_errors = SprtBudget { games, risk: RISKS[0] };
        let shares_at = |nelo| results.shares(nelo, SprtModel::Normalized).unwrap_or(shares);
        let seen = at_most_errors.smallest_seen(shares_at, POWER);
        let needed = SprtBudget::games_needed(RISKS[0], &shares, POWER);
        let score = shares.expected(games).score();
        Ok(PlanReport {
            schema: PlanReport::SCHEMA,
            hours,
            games,
            elo,
            nelo,
            basis: results.basis(),
            recommended,
            hours_needed: needed.map(|games| pace.hours(games as f64)),
            smallest_seen: seen.map(|nelo| (shares_at(nelo).elo(SprtModel::Logistic), nelo)),
            margin_elo: EloEstimate::new(&score).margin(),
            margin_nelo: NormalizedEloEstimate::new(&score).margin(),
            command: match_command(games_of_command, &tests[recommended].test, games),
            tests,
            pace,
            ladder: None,
        })
    }

    /// The plan with the costs of this ladder, whose last rung plays the recommended test at the planned speed.
    pub fn with_ladder(self, rungs: &Rungs, results: &ResultsModel) -> PlanReport {
        let drawn = ResultShares::Games([0.0, 1.0, 0.0]);
        let shares = |nelo| results.shares(nelo, SprtModel::Normalized).unwrap_or(drawn);
        let test = self.tests[self.recommended].test;
        let ladder = PlannedLadder::new(rungs, test, &self.pace, self.nelo, shares);
        PlanReport { ladder, ..self }
    }
}

/// The best test without a game limit at the smallest risk, then the best test within the budget for each risk, without
/// duplicates.
fn tests(shares: &[ResultShares; 2], games: u64) -> Vec<PlannedTest> {
    let best = |risk, games| SprtBudget { games, risk }.best_test(&shares[1]).map(|(test, _)| test);
    // Without a limit on games, the best test has H1 at the expected difference.
    let of_difference = best(RISKS[0], u64::MAX / 4);
    let mut tests: Vec<_> = of_difference.into_iter().collect();
    for test in RISKS.iter().filter_map(|&risk| best(risk, games)) {
        if !tests.contains(&test) {
            tests.push(test);
        }
    }
    tests.into_iter().filter_map(|test| PlannedTest::new(test, shares, games)).collect()
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedTest {
    pub test: Sprt,
    /// The courses at no difference and at the expected difference.
    pub courses: [PlannedCourse; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedCourse {
    /// The true difference in normalized Elo; 0 apart from rounding if there is no difference.
    pub nelo: f64,
    /// The mean number of games to a verdict if games are not limited.
    pub mean_games: f64,
    /// The number of games after which half of the tests have a verdict.
    pub median_games: u64,
    /// The number of games after which 95% of the tests have a verdict.
    pub most_games: u64,
    pub decided: f64,
    pub accepted_h1: f64,
}

impl PlannedTest {
    /// The courses of a test for two distributions of results within a number of games; `None` if all results are alike.
    pub fn new(test: Sprt, shares: &[ResultShares; 2], games: u64) -> Option<PlannedTest> {
        let [null, expected] = shares.map(|shares| PlannedCourse::new(&test, &shares, games));
        Some(PlannedTest { test, courses: [null?, expected?] })
    }

    pub fn power(&self) -> f64 {
        self.courses[1].accepted_h1
    }
}

impl PlannedCourse {
    fn new(test: &Sprt, shares: &ResultShares, games: u64) -> Option<PlannedCourse> {
        let course = SprtCourse::new(test, shares)?;
        Some(PlannedCourse {
            nelo: shares.elo(SprtModel::Normalized),
            mean_games: course.mean_games(),
            median_games: course.games_to_decide(0.5),
            most_games: course.games_to_decide(0.95),
            decided: course.decided_within(games),
            accepted_h1: course.h1_within(games),
        })
    }
}

impl PlanReport {
    pub fn document(&self) -> Document {
        let mut document = Document::default();
        document.lines(self.budget());
        document.gap();
        document.table(self.table());
        document.lines([
            "SPRT: bounds in nElo; Risk: alpha and beta; True: the true difference in nElo;",
            "Games, Hours: mean, median and 95% quantile; Verdict, H1: probability in the budget",
        ]);
        document.gap();
        document.lines(self.limits());
        let power = self.tests[self.recommended].power();
        if power < POWER {
            let (hours, elo, power) = (self.hours, signed(self.elo, 1), percent(power));
            let warning =
                format!("{hours} h are too few for {elo} Elo: H1 is accepted in {power} of such tests");
            document.gap();
            document.line(Line::default().and(warning, Tone::Bad));
        }
        if let Some(ladder) = &self.ladder {
            document.gap();
            document.append(ladder.document());
        }
        document.gap();
        document.line(self.command.clone());
        document
    }

    fn budget(&self) -> Vec<Line> {
        let PlanReport { hours, games, elo, nelo, pace, basis, .. } = self;
        let rate = thousands(pace.games_per_hour.round() as u64);
        let budget = format!("{hours} h at {rate} games/h: {}", counted(*games, "game"));
        let source = match &pace.source {
            PaceSource::Given => None,
            PaceSource::TimeControl { tc, concurrency } => Some(format!(
                "games/h: estimated for {tc}, concurrency {concurrency}: an engine uses 90% of its base time, makes 60 moves"
            )),
            PaceSource::Run { folder, games } => {
                Some(format!("games/h: as in the {} of {}", counted(*games, "game"), folder.display()))
            }
        };
        let expected = format!("expected: {} Elo, {} nElo; {basis}", signed(*elo, 2), signed(*nelo, 2));
        let budget = [Line::default().and(budget, Tone::Strong)];
        budget.into_iter().chain(source.into_iter().chain([expected]).map(Line::from)).collect()
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            "SPRT", "Risk", "True", "Games", "Median", "95%", "Hours", "Median", "95%", "Verdict", "H1",
        ]);
        for (index, test) in self.tests.iter().enumerate() {
            let tone = if index == self.recommended { Tone::Strong } else { Tone::Plain };
            for (row, course) in test.courses.iter().enumerate() {
                table.row(cells(test, course, &self.pace, row == 0).map(|cell| (cell, tone)));
            }
        }
        table
    }

    /// The difference that the budget can detect, and the error margin of a match without a test.
    fn limits(&self) -> Vec<String> {
        let PlanReport { games, margin_elo, margin_nelo, elo, hours, .. } = self;
        let power = format!("in {hours} h with a probability of {}% (risk 5%)", (100.0 * POWER).round());
        let seen = match self.smallest_seen {
            Some((elo, nelo)) => {
                format!("seen {power}: {} Elo ({} nElo) or more", signed(elo, 1), signed(nelo, 1))
            }
            None => format!("no difference is seen {power}"),
        };
        let needed = self.hours_needed.map(|needed| {
            let needed =
                Duration::try_from_secs_f64(needed * 3600.0).map_or("centuries".to_owned(), long_time);
            format!("{} Elo is seen with that probability in {needed}", signed(*elo, 1))
        });
        let games = counted(*games, "game");
        let margin =
            format!("a match of {games} without SPRT: ± {margin_elo:.1} Elo, ± {margin_nelo:.1} nElo (95%)");
        [Some(seen), needed, Some(margin)].into_iter().flatten().collect()
    }
}

fn cells(test: &PlannedTest, course: &PlannedCourse, pace: &GamePace, is_first: bool) -> [String; 11] {
    let sprt = &test.test;
    let first = |text: String| if is_first { text } else { String::new() };
    let games = [course.mean_games, course.median_games as f64, course.most_games as f64];
    let [mean, median, most] = games.map(|games| thousands(games.round() as u64));
    let [mean_hours, median_hours, most_hours] = games.map(|games| three_digits(pace.hours(games)));
    [
        first(format!("[{}, {}]", sprt.elo0(), sprt.elo1())),
        first(format!("{:.0}%", 100.0 * sprt.alpha())),
        if is_first { "0".to_owned() } else { three_digits(course.nelo) },
        mean,
        median,
        most,
        mean_hours,
        median_hours,
        most_hours,
        percent(course.decided),
        percent(course.accepted_h1),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(hours: f64) -> PlanReport {
        let pace = GamePace { games_per_hour: 1000.0, source: PaceSource::Given };
        let model = ResultsModel::Assumed { draws: 0.5, bias: Elo::new(0.0) };
        PlanReport::new(hours, pace, (5.0, SprtModel::Normalized), &model, "NEW OLD --nodes 1000").unwrap()
    }

    #[test]
    fn time_in_plenty_is_for_the_test_of_the_difference() {
        let plan = plan(200.0);
        let PlannedTest { test, courses } = &plan.tests[plan.recommended];
        assert_eq!((test.elo1(), test.alpha(), plan.recommended), (5.0, 0.05, 0));
        assert!(courses[0].accepted_h1 < 0.055 && courses[1].accepted_h1 > 0.94, "{courses:?}");
        assert!(plan.smallest_seen.unwrap().1 < 5.0 && plan.hours_needed.unwrap() < 200.0);
        assert_eq!(
            plan.command,
            "arbiter match NEW OLD --nodes 1000 --sprt 0,5 --games 200000 --give-up 0.05"
        );
    }

    #[test]
    fn a_little_less_time_costs_risk_and_far_too_little_is_said_to_be_so() {
        let less = plan(36.0);
        assert!(less.recommended > 0 && less.tests[less.recommended].power() >= POWER, "{less:?}");
        let hopeless = plan(2.0);
        assert_eq!(hopeless.recommended, 1);
        assert!(hopeless.tests[hopeless.recommended].power() < 0.5);
        assert!(hopeless.hours_needed.unwrap() > 10.0 && hopeless.smallest_seen.unwrap().1 > 5.0);
        let needed = plan(hopeless.hours_needed.unwrap() + 0.1);
        assert!((needed.tests[needed.recommended].power() - POWER).abs() < 0.01, "{needed:?}");
        // 1.96 · 347.4 / √2000
        assert!((plan(2.0).margin_nelo - 15.2).abs() < 0.1, "{}", plan(2.0).margin_nelo);
    }
}
