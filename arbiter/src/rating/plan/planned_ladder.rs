//! What a ladder of time controls saves, and which patches it misses.

use serde::{Deserialize, Serialize};

use super::pace::GamePace;
use crate::options::{Rungs, times};
use crate::text::number_text::{elo_bounds, percent, signed, three_digits};
use crate::text::{Document, Table};
use stats::{Ladder, LadderCost, LadderCourse, Patches, ResultShares, Sprt};

/// The normalized Elo of patches (mean and standard deviation), and correlations between their differences on two rungs.
const PATCHES: (f64, f64) = (-2.0, 4.0);
const CORRELATIONS: [f64; 3] = [0.7, 0.85, 0.95];

/// A test with a ladder compared with the same test alone, if games are not limited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedLadder {
    pub rungs: Rungs,
    pub tests: [Sprt; 2],
    pub cases: Vec<LadderCase>,
}

/// One kind of patch. Of each pair, the first value is with the ladder and the second is of the test alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LadderCase {
    /// The difference on the last rung in normalized Elo; `None` for the mix of all patches.
    pub nelo: Option<f64>,
    /// The correlation between the differences on two rungs; `None` if these are equal.
    pub correlation: Option<f64>,
    pub hours: [f64; 2],
    pub accepted: [f64; 2],
    /// The normalized Elo gained per hour, measured on the last rung.
    pub elo_per_hour: [f64; 2],
}

impl PlannedLadder {
    /// A ladder whose last rung plays this test at this speed; `shares` gives the results at a normalized Elo difference.
    pub fn new(
        rungs: &Rungs,
        test: Sprt,
        pace: &GamePace,
        nelo: f64,
        shares: impl Fn(f64) -> ResultShares,
    ) -> Option<PlannedLadder> {
        let ladder = Ladder::new(test, &times(rungs.all()));
        let course = LadderCourse::new(&ladder, shares)?;
        let case = |nelo, correlation, costs: [LadderCost; 2]| LadderCase {
            nelo,
            correlation,
            hours: costs.map(|cost| pace.hours(cost.games)),
            accepted: costs.map(|cost| cost.accepted),
            elo_per_hour: costs.map(|cost| cost.gain / pace.hours(cost.games)),
        };
        let patches = |correlation| Patches { mean: PATCHES.0, deviation: PATCHES.1, correlation };
        let same = [0.0, nelo].map(|nelo| case(Some(nelo), None, [course.at(nelo), course.alone(nelo)]));
        let expected = CORRELATIONS
            .map(|by| case(Some(nelo), Some(by), [course.at_last(nelo, &patches(by)), course.alone(nelo)]));
        let all = CORRELATIONS.map(|by| case(None, Some(by), course.of(&patches(by))));
        let cases = same.into_iter().chain(expected).chain(all).collect();
        Some(PlannedLadder { rungs: rungs.clone(), tests: [ladder.early(), test], cases })
    }

    pub fn document(&self) -> Document {
        let mut document = Document::default();
        let [early, last] = self.tests.each_ref().map(elo_bounds);
        document.line(format!("ladder {}: {early}; at last {last}", self.rungs.joined(", ")));
        document.gap();
        let mut table =
            Table::new(["True", "Correlation", "Hours", "alone", "H1", "alone", "Elo/h", "alone"]);
        for LadderCase { nelo, correlation, hours, accepted, elo_per_hour } in &self.cases {
            let patches = || format!("{} ± {}", signed(PATCHES.0, 1), PATCHES.1);
            let mut cells = vec![nelo.map_or_else(patches, |nelo| signed(nelo, 1))];
            cells.push(correlation.map_or_else(|| "the same".to_owned(), |by| by.to_string()));
            cells.extend(hours.map(three_digits));
            cells.extend(accepted.map(percent));
            cells.extend(elo_per_hour.iter().filter(|_| nelo.is_none()).map(|elo| format!("{elo:.3}")));
            table.plain(cells);
        }
        document.table(table);
        document.lines([
            "True: nElo on the last rung, of a patch or of patches; Correlation: of what it is worth on two rungs;",
            "alone: the test without a ladder; Elo/h: nElo that an hour gains; all with games in plenty",
        ]);
        document
    }
}
