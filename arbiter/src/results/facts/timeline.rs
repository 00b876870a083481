//! The estimates as they developed over the games.

use crate::html::plot::Thinned;
use crate::results::{RunState, SprtSummary};
use stats::{Elo, EloEstimate, Score, TunedParameter};

/// The scores after evenly spaced games, in the order in which the games ended. An interval takes long to compute, so only
/// the moments that are kept to the end get one.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    moments: Thinned<Moment>,
    last: Option<Moment>,
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

impl Moment {
    fn of(state: &RunState) -> Moment {
        let (games, scores): (Vec<u64>, Vec<Score>) = state.scores().unzip();
        Moment { games: games.iter().sum::<u64>() / 2, scores, sprt: state.test_of_two() }
    }

    fn point(&self) -> TimelinePoint {
        TimelinePoint {
            games: self.games,
            elo: self.scores.iter().map(|score| Elo::from_score(score.mean())).collect(),
            interval: match &self.scores[..] {
                [first, _] => {
                    let estimate = EloEstimate::new(first);
                    Some([estimate.lower, estimate.upper])
                }
                _ => None,
            },
            sprt: self.sprt,
        }
    }
}

impl Timeline {
    pub fn observe(&mut self, state: &RunState) {
        self.moments.offer(|| Moment::of(state));
    }

    /// Notes the moment after the last game, which is always kept.
    pub fn end(&mut self, state: &RunState) {
        self.last = Some(Moment::of(state)).filter(|last| last.games > 0);
    }

    pub fn points(&self) -> Vec<TimelinePoint> {
        let moments = self.moments.items();
        let is_new = |last: &&Moment| moments.last().is_none_or(|moment| moment.games != last.games);
        moments.iter().chain(self.last.iter().filter(is_new)).map(Moment::point).collect()
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
        let points = |timeline: &Timeline, state: &RunState| {
            let mut ended = timeline.clone();
            ended.end(state);
            ended.points()
        };
        assert!(points(&timeline, &state).is_empty());
        for game in &two_engine_match(&"wdlw".repeat(130)) {
            state.update(&finished(game.clone()));
            timeline.observe(&state);
            let games: Vec<u64> = points(&timeline, &state).iter().map(|moment| moment.games).collect();
            assert!(games.is_sorted_by(|one, next| one < next) && games.len() <= 501);
            assert_eq!(games.last(), Some(&u64::from(game.game + 1)));
        }
        let moments = points(&timeline, &state);
        assert_eq!(
            moments.last().map(|moment| moment.sprt),
            Some(state.summary().pairings[0].estimates.sprt)
        );
    }
}
