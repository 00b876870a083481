//! A plan as text.

use std::fmt;
use std::time::Duration;

use super::pace::{Pace, PaceSource};
use super::plan_report::{POWER, PlanReport};
use super::plan_report::{PlannedCourse, PlannedTest};
use crate::text::number_text::{counted, long_time, percent, thousands, three_digits};
use crate::text::{Table, Tone};

/// Shows a plan: the budget, the tests, and the one that is recommended.
#[derive(Clone, Copy, Debug)]
pub struct PlanText<'a> {
    pub report: &'a PlanReport,
    pub colour: bool,
}

impl PlanText<'_> {
    /// The budget and what is assumed.
    fn write_budget(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlanReport { hours, games, elo, nelo, pace, basis, .. } = self.report;
        let rate = thousands(pace.games_per_hour.round() as u64);
        let line = format!("{hours} h at {rate} games/h: {}", counted(*games, "game"));
        writeln!(f, "  {}", Tone::Strong.paint(&line, self.colour))?;
        match &pace.source {
            PaceSource::Given => {}
            PaceSource::TimeControl { tc, concurrency } => writeln!(
                f,
                "  games/h: estimated for {tc}, concurrency {concurrency}: an engine uses 90% of its base time, makes 60 moves"
            )?,
            PaceSource::Run { folder, games } => {
                writeln!(f, "  games/h: as in the {} of {}", counted(*games, "game"), folder.display())?;
            }
        }
        writeln!(f, "  expected: {elo:+.2} Elo, {nelo:+.2} nElo; {basis}")
    }

    fn write_tests(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlanReport { tests, pace, recommended, .. } = self.report;
        let mut table = Table::new([
            "SPRT", "Risk", "True", "Games", "Median", "95%", "Hours", "Median", "95%", "Verdict", "H1",
        ]);
        for (index, test) in tests.iter().enumerate() {
            let tone = if index == *recommended { Tone::Strong } else { Tone::Plain };
            for (row, course) in test.courses.iter().enumerate() {
                table.row(cells(test, course, pace, row == 0).map(|cell| (cell, tone)));
            }
        }
        f.write_str(&table.text(self.colour))?;
        writeln!(
            f,
            "  SPRT: bounds in nElo; Risk: alpha and beta; True: the true difference in nElo;\n  \
             Games, Hours: mean, median and 95% quantile; Verdict, H1: probability in the budget"
        )
    }

    fn write_limits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlanReport { games, margin_elo, margin_nelo, smallest_seen, hours_needed, .. } = self.report;
        let PlanReport { elo, hours, .. } = self.report;
        let power = (100.0 * POWER).round();
        match smallest_seen {
            Some((elo, nelo)) => writeln!(
                f,
                "  seen in {hours} h with a probability of {power}% (risk 5%): {elo:+.1} Elo ({nelo:+.1} nElo) or more"
            )?,
            None => {
                writeln!(f, "  no difference is seen in {hours} h with a probability of {power}% (risk 5%)")?;
            }
        }
        if let Some(needed) = hours_needed {
            let needed =
                Duration::try_from_secs_f64(needed * 3600.0).map_or("centuries".to_owned(), long_time);
            writeln!(f, "  {elo:+.1} Elo would be seen so in {needed}")?;
        }
        writeln!(
            f,
            "  a match of {} without SPRT: ± {margin_elo:.1} Elo, ± {margin_nelo:.1} nElo (95%)",
            counted(*games, "game")
        )
    }

    fn write_recommendation(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlanReport { tests, recommended, command, hours, elo, .. } = self.report;
        let power = tests[*recommended].power();
        if power < POWER {
            let warning = format!(
                "{hours} h are too few for {elo:+.1} Elo: H1 is accepted in {} of such tests",
                percent(power)
            );
            writeln!(f, "\n  {}", Tone::Bad.paint(&warning, self.colour))?;
        }
        writeln!(f, "\n  {command}")
    }
}

impl fmt::Display for PlanText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_budget(f)?;
        writeln!(f)?;
        self.write_tests(f)?;
        writeln!(f)?;
        self.write_limits(f)?;
        self.write_recommendation(f)
    }
}

fn cells(test: &PlannedTest, course: &PlannedCourse, pace: &Pace, is_first: bool) -> [String; 11] {
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
