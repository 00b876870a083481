//! How long a run still takes.

use std::time::Duration;

use crate::results::{RunState, Summary};
use crate::text::number_text::long_time;

/// The time that the rest of a run takes, by what is known about its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLeft {
    /// All games of the schedule are played.
    Schedule(Duration),
    /// A sequential test ends the run, unless the schedule does so before: at the latest then.
    AtMost(Duration),
    /// A sequential test ends the run, and will do so about then if the trend of its ratio holds.
    ByTrend(Duration),
}

impl TimeLeft {
    /// The rest of a schedule of `total` games at `rate` games a minute. `None` as long as a sequential test that will
    /// decide shows no trend: the schedule is then a number that nobody expects to be reached.
    pub fn of(summary: &Summary, total: u32, games_per_minute: f64) -> Option<TimeLeft> {
        let time = |games: f64| Duration::try_from_secs_f64(games * 60.0 / games_per_minute).ok();
        let scheduled = u64::from(total).saturating_sub(summary.games) as f64;
        if summary.tests().next().is_none() {
            return time(scheduled).map(TimeLeft::Schedule);
        }
        let is_single = !summary.has_several_tests();
        let open = summary.tests().filter(|(_, sprt)| is_single || !sprt.is_over());
        let expected: Option<f64> =
            open.map(|(pairing, sprt)| sprt.test.pairs_to_go(&pairing.pentanomial)).sum();
        let expected = 2.0 * expected?;
        if expected < scheduled {
            time(expected).map(TimeLeft::ByTrend)
        } else {
            time(scheduled).map(TimeLeft::AtMost)
        }
    }

    /// The rest of a run at its present pace, given its summary. `None` before the first game.
    pub fn of_run(run: &RunState, summary: &Summary) -> Option<TimeLeft> {
        TimeLeft::of(summary, run.total(), run.games_per_minute()?)
    }

    /// The time alone.
    pub const fn duration(self) -> Duration {
        match self {
            TimeLeft::Schedule(time) | TimeLeft::AtMost(time) | TimeLeft::ByTrend(time) => time,
        }
    }

    /// `12 min left`, `at most 12 min left`, `about 12 min left at this trend`.
    pub fn text(self) -> String {
        let time = long_time(self.duration());
        match self {
            TimeLeft::Schedule(_) => format!("{time} left"),
            TimeLeft::AtMost(_) => format!("at most {time} left"),
            TimeLeft::ByTrend(_) => format!("about {time} left at this trend"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{config, two_engine_match};

    fn left(with_test: bool, results: &str, total: u32) -> Option<TimeLeft> {
        let summary = Summary::new(&config(&["new", "old"], with_test), &two_engine_match(results));
        TimeLeft::of(&summary, total, 60.0)
    }

    #[test]
    fn without_a_test_the_schedule_decides() {
        let expected = TimeLeft::Schedule(Duration::from_secs(96));
        assert_eq!(left(false, "wdlw", 100), Some(expected));
        assert_eq!(expected.text(), "1 min left");
    }

    #[test]
    fn a_test_without_a_trend_is_not_foretold_by_its_schedule() {
        assert_eq!(left(true, "wdlw", 100_000), None);
    }

    #[test]
    fn a_test_is_foretold_by_its_trend_and_ends_with_the_schedule() {
        let games = "wdwldd".repeat(10);
        let Some(TimeLeft::ByTrend(time)) = left(true, &games, 100_000) else { panic!("no trend is seen") };
        assert!(time > Duration::ZERO && time < Duration::from_secs(99_940), "{time:?}");
        assert_eq!(left(true, &games, 70), Some(TimeLeft::AtMost(Duration::from_secs(10))));
    }
}
