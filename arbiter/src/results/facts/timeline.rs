//! The estimates as they developed over the games.

use crate::html::plot::Thinned;
use crate::results::{RunState, SprtSummary, Summary};
use stats::{Elo, EloEstimate, Score, TunedParameter};

/// The scores after evenly spaced games, in the order in which the games ended. An interval takes long to compute, so only
/// the moments that are kept to the end get one.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    moments: Thinned<Moment>,
}

#[derive(Clone, Debug)]
struct Moment {
    games: u64,
    scores: Vec<Score>,
    sprt: Option<SprtSummary>,
}

#[derive(Clone, Debug)]
pub struct TimelinePoint {
    pub games: u64,
    /// Each engine's Elo vs. its opponents.
    pub elo: Vec<Elo>,
    /// In a match of two, the 95% interval of the first engine's Elo.
    pub interval: Option<[Elo; 2]>,
    pub sprt: Option<SprtSummary>,
}

impl TimelinePoint {
    pub fn of(summary: &Summary) -> TimelinePoint {
        let estimates: Vec<EloEstimate> =
            summary.engines.iter().map(|engine| engine.elo_vs_opponents).collect();
        TimelinePoint {
            games: summary.engines.iter().map(|engine| engine.games).sum::<u64>() / 2,
            elo: estimates.iter().map(|estimate| estimate.elo).collect(),
            interval: interval_of_match(estimates.len(), || estimates[0]),
            sprt: match summary.of_two() {
                [pairing] => pairing.estimates.sprt,
                _ => None,
            },
        }
    }
}

impl Moment {
    fn of(state: &RunState) -> Moment {
        let (games, scores): (Vec<u64>, Vec<Score>) = state.scores().unzip();
        Moment { games: games.iter().sum::<u64>() / 2, scores, sprt: state.test_of_two() }
    }

    fn point(&self) -> TimelinePoint {
        TimelinePoint {
            games: self.games,
            elo: self.scores.iter().map(|score| Elo::from_score(score.mean())).collect(),
            interval: interval_of_match(self.scores.len(), || EloEstimate::new(&self.scores[0])),
            sprt: self.sprt,
        }
    }
}

fn interval_of_match(engines: usize, first: impl Fn() -> EloEstimate) -> Option<[Elo; 2]> {
    let estimate = (engines == 2).then(first)?;
    Some([estimate.lower, estimate.upper])
}

impl Timeline {
    pub fn observe(&mut self, state: &RunState) {
        self.moments.offer(|| Moment::of(state));
    }

    pub fn until(&self, summary: &Summary) -> Vec<TimelinePoint> {
        let last = TimelinePoint::of(summary);
        let mut points: Vec<_> = self.moments.items().iter().map(Moment::point).collect();
        if points.last().is_none_or(|point| point.games != last.games) && last.games > 0 {
            points.push(last);
        }
        points
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
