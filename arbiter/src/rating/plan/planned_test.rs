//! A test that may be played, and what comes of it in the budget.

use serde::{Deserialize, Serialize};

use stats::{ResultShares, Sprt, SprtCourse};

/// A test and its courses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedTest {
    /// The test.
    pub test: Sprt,
    /// Without a difference, and with the expected one.
    pub courses: [PlannedCourse; 2],
}

/// How a test ends at one true difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedCourse {
    /// The true difference in normalized Elo; 0 to the last bits without a difference.
    pub nelo: f64,
    /// The mean number of games to a verdict, were there no end of them.
    pub mean_games: f64,
    /// The number of games after which half of the tests have a verdict.
    pub median_games: u64,
    /// The number of games after which 95% of the tests have a verdict.
    pub most_games: u64,
    /// The probability of a verdict in the budget.
    pub decided: f64,
    /// The probability that H1 is accepted in the budget.
    pub accepted_h1: f64,
}

impl PlannedTest {
    /// The courses of a test for two distributions of results within a number of games; `None` if all results are alike.
    pub fn new(test: Sprt, shares: &[ResultShares; 2], games: u64) -> Option<PlannedTest> {
        let [null, expected] = shares.map(|shares| PlannedCourse::new(&test, &shares, games));
        Some(PlannedTest { test, courses: [null?, expected?] })
    }

    /// The probability that H1 is accepted in the budget if the difference is the expected one.
    pub fn power(&self) -> f64 {
        self.courses[1].accepted_h1
    }
}

impl PlannedCourse {
    fn new(test: &Sprt, shares: &ResultShares, games: u64) -> Option<PlannedCourse> {
        let course = SprtCourse::new(test, shares)?;
        Some(PlannedCourse {
            nelo: shares.elo(stats::SprtModel::Normalized),
            mean_games: course.mean_games(),
            median_games: course.games_to_decide(0.5),
            most_games: course.games_to_decide(0.95),
            decided: course.decided_within(games),
            accepted_h1: course.h1_within(games),
        })
    }
}
