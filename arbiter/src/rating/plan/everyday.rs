//! The cost of everyday patches with fastchess's usual set-up, and the saving by each part of ours.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::pace::GamePace;
use super::plan_report::ResultsModel;
use crate::options::{Rungs, times};
use crate::text::number_text::{percent, signed, thousands, three_digits};
use crate::text::{Document, Line, Table, Tone};
use stats::{Ladder, LadderCourse, Patches, ResultShares, Sprt, SprtModel, SprtTest};

/// True normalized Elo of everyday patches, and its distribution for an engine in development (`results/README.md`).
const NELO: [f64; 6] = [-3.0, -1.0, 0.0, 1.0, 3.0, 5.0];
const PATCHES: Patches = Patches { mean: -1.0, deviation: 3.0, correlation: 0.85 };

const BOUNDS: (f64, f64) = (0.0, 5.0);

/// The length of a game with the adjudication of `--sprt`, relative to the rules in fastchess's manual: resign 3 moves at
/// 600, draw from move 34 with 8 moves at 20 (`results/README.md`, what a verdict costs).
const ADJUDICATED: f64 = 0.91;

/// Relative lengths of a game on the rungs 0.2+0.002, 1+0.01 and 8+0.08.
const LADDER: [f64; 3] = [1.0, 5.0, 40.0];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EverydayPlan {
    pub schema: u32,
    pub hours: f64,
    pub pace: GamePace,
    pub rungs: Option<Rungs>,
    pub cases: Vec<EverydayCase>,
    pub command: String,
}

/// One patch, or the mix of all patches. Hours are means, and the number of games is not limited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EverydayCase {
    /// The true difference in normalized Elo; `None` for patches of all kinds.
    pub nelo: Option<f64>,
    /// With fastchess's usual set-up; then adding curved bounds, our adjudication, and a ladder.
    pub hours: [f64; 4],
    /// The probability that H1 is accepted with each set-up.
    pub accepted: [f64; 4],
    /// The normalized Elo that accepted patches gain per hour with each set-up.
    pub nelo_per_hour: [f64; 4],
}

impl EverydayPlan {
    /// `pace` is the speed with the adjudication of `--sprt`. Without `rungs`, a ladder of three rungs is assumed.
    pub fn new(
        hours: f64,
        pace: GamePace,
        rungs: Option<&Rungs>,
        results: &ResultsModel,
        games_of_command: &str,
    ) -> Result<EverydayPlan> {
        let shares = |nelo| {
            results.shares(nelo, SprtModel::Normalized).unwrap_or(ResultShares::Games([0.0, 1.0, 0.0]))
        };
        let wald =
            Sprt::new(BOUNDS.0, BOUNDS.1, Sprt::DEFAULT_ALPHA, Sprt::DEFAULT_BETA, SprtModel::Normalized)?;
        let times = rungs.map_or_else(|| LADDER.to_vec(), |rungs| times(rungs.all()));
        let ladders = [wald, wald.with_test(SprtTest::Curved)].map(|test| Ladder::new(test, &times));
        let course =
            |ladder| LadderCourse::new(ladder, shares).context("expected results that are not all alike");
        let [wald, curved] = [course(&ladders[0])?, course(&ladders[1])?];
        let alone = |course: &LadderCourse, nelo: Option<f64>| {
            nelo.map_or_else(|| course.of(&PATCHES)[1], |nelo| course.alone(nelo))
        };
        let case = |nelo: Option<f64>| {
            let ladder = nelo.map_or_else(|| curved.of(&PATCHES)[0], |nelo| curved.at_last(nelo, &PATCHES));
            let longer = ADJUDICATED.recip();
            let [wald, curved] = [alone(&wald, nelo), alone(&curved, nelo)];
            let steps = [(wald, longer), (curved, longer), (curved, 1.0), (ladder, 1.0)];
            let hours = steps.map(|(cost, length)| pace.hours(cost.games * length));
            EverydayCase {
                nelo,
                hours,
                accepted: steps.map(|(cost, _)| cost.accepted),
                nelo_per_hour: std::array::from_fn(|step| steps[step].0.gain / hours[step]),
            }
        };
        let cases = NELO.into_iter().map(Some).chain([None]).map(case).collect();
        let command = format!("arbiter match {games_of_command} --sprt {},{}", BOUNDS.0, BOUNDS.1);
        Ok(EverydayPlan { schema: 1, hours, pace, rungs: rungs.cloned(), cases, command })
    }

    pub fn document(&self) -> Document {
        let mut document = Document::default();
        let rate = thousands(self.pace.games_per_hour.round() as u64);
        let title = format!("Hours to a verdict of [{}, {}] nElo, {rate} games/h", BOUNDS.0, BOUNDS.1);
        document.line(Line::default().and(title, Tone::Strong));
        document.gap();
        let mut table =
            Table::new(["True", "fastchess", "our test", "adjudication", "ladder", "H1", "H1, ladder"]);
        for EverydayCase { nelo, hours, accepted, .. } in &self.cases {
            let patches = || format!("{} ± {}", signed(PATCHES.mean, 1), PATCHES.deviation);
            let mut cells = vec![nelo.map_or_else(patches, |nelo| signed(nelo, 1))];
            cells.extend(hours.map(three_digits));
            cells.extend([accepted[2], accepted[3]].map(percent));
            table.plain(cells);
        }
        document.table(table);
        document.lines([
            "True: nElo of a patch, in the last row of many patches. H1: probability of accepting it, also with the ladder.",
            "fastchess: its usual set-up, Wald's bounds; the columns after it add curved bounds, our rules, short games.",
        ]);
        if let Some(case) = self.cases.last() {
            let step = |index: usize| {
                let (patches, nelo) =
                    (self.hours / case.hours[index], self.hours * case.nelo_per_hour[index]);
                format!("{patches:.2} ({})", signed(nelo, 2))
            };
            document.gap();
            let [fastchess, ours, ladder] = [0, 2, 3].map(step);
            document.line(format!(
                "patches decided in {} h (nElo gained in all): fastchess {fastchess}, ours {ours}, ladder {ladder}",
                self.hours
            ));
        }
        document.gap();
        document.line(self.command.clone());
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::plan::PaceSource;
    use stats::{Elo, SprtForecast};

    /// The hours match simulated tests and, for the mix of patches, each step costs less than the one before.
    #[test]
    fn hours_are_those_of_simulated_tests() {
        let pace = GamePace { games_per_hour: 300.0, source: PaceSource::Given };
        let results = ResultsModel::Assumed { draws: 0.6, bias: Elo::new(0.0) };
        let plan = EverydayPlan::new(8.0, pace, None, &results, "NEW OLD").unwrap();
        let case = |nelo| plan.cases.iter().find(|case| case.nelo == nelo).unwrap();
        let test = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
        for (step, test) in [(0, test), (1, test.with_test(SprtTest::Curved))] {
            for nelo in [-3.0, 5.0] {
                let shares = results.shares(nelo, SprtModel::Normalized).unwrap();
                let simulated = SprtForecast::new(&test, &shares, 300, 1);
                let hours = simulated.mean_games.unwrap() / 300.0 / ADJUDICATED;
                let ratio = case(Some(nelo)).hours[step] / hours;
                assert!((0.9..1.1).contains(&ratio), "{nelo} {step}: {ratio}");
            }
        }
        let all = case(None);
        assert!(all.hours.is_sorted_by(|before, after| before > after), "{all:?}");
        assert!(all.nelo_per_hour.is_sorted() && all.accepted[3] < all.accepted[2], "{all:?}");
    }
}
