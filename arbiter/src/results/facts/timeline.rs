//! The estimates as they developed over the games.

use crate::html::plot::Thinned;
use crate::results::{RunState, SprtSummary, Summary};
use stats::{EloEstimate, TunedParameter};

/// The estimates after evenly spaced games, in the order in which the games ended.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    moments: Thinned<TimelinePoint>,
}

#[derive(Clone, Debug)]
pub struct TimelinePoint {
    pub games: u64,
    pub elo: Vec<EloEstimate>,
    pub sprt: Option<SprtSummary>,
}

impl TimelinePoint {
    pub fn of(summary: &Summary) -> TimelinePoint {
        let engines = summary.engines.iter().map(|engine| (engine.games, engine.elo_vs_opponents));
        let test = match summary.of_two() {
            [pairing] => pairing.estimates.sprt,
            _ => None,
        };
        TimelinePoint::new(engines, test)
    }

    /// Built from each engine's games and Elo, and from the test of a two-engine match.
    fn new(engines: impl Iterator<Item = (u64, EloEstimate)>, test: Option<SprtSummary>) -> TimelinePoint {
        let (games, elo): (Vec<u64>, Vec<EloEstimate>) = engines.unzip();
        TimelinePoint { games: games.iter().sum::<u64>() / 2, elo, sprt: test }
    }
}

impl Timeline {
    pub fn observe(&mut self, state: &RunState) {
        self.moments.offer(|| TimelinePoint::new(state.elo_vs_opponents(), state.test_of_two()));
    }

    pub fn until(&self, summary: &Summary) -> Vec<TimelinePoint> {
        let last = TimelinePoint::of(summary);
        let mut moments = self.moments.items().to_vec();
        if moments.last().is_none_or(|moment| moment.games != last.games) && last.games > 0 {
            moments.push(last);
        }
        moments
    }
}

#[derive(Clone, Debug)]
pub struct TuningPoint {
    pub games: u32,
    pub parameters: Vec<TunedParameter>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{config, finished, two_engine_match};

    #[test]
    fn the_course_ends_where_the_summary_stands_and_has_no_moment_twice() {
        let config = config(&["new", "old"], true);
        let (mut timeline, mut state) = (Timeline::default(), RunState::new(config.clone()));
        assert!(timeline.until(&state.summary()).is_empty());
        for game in &two_engine_match(&"wdlw".repeat(130)) {
            state.update(&finished(game.clone()));
            timeline.observe(&state);
            let games: Vec<u64> =
                timeline.until(&state.summary()).iter().map(|moment| moment.games).collect();
            assert!(games.is_sorted_by(|one, next| one < next) && games.len() <= 501);
            assert_eq!(games.last(), Some(&u64::from(game.game + 1)));
        }
        let moments = timeline.until(&state.summary());
        assert_eq!(
            moments.last().map(|moment| moment.sprt),
            Some(state.summary().pairings[0].estimates.sprt)
        );
    }
}
