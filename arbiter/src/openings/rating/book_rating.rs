//! The numbers of one book, and what a verdict costs with it.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use referee::Side;
use runner::GameRecord;
use stats::{
    EloEstimate, KnownMoves, NormalizedElo, NormalizedEloEstimate, PairCounter, Pentanomial, Proportion,
    Sharpness, Wdl,
};

/// Half the width of a 95% interval in standard errors.
const Z_95: f64 = 1.959_963_984_540_054;

/// A range of advantages in centipawns, of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize, derive_more::Display)]
#[display("{least}..{most}")]
pub struct EvalBin {
    /// The smallest advantage, in centipawns.
    pub least: u32,
    /// The largest advantage, inclusive, in centipawns.
    pub most: u32,
}

/// How sharply the openings of a book, or of a range of it, told the engines of a run apart.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct BookRating {
    /// The run folder.
    pub run: String,
    /// The book.
    pub book: String,
    /// The range of evals, if the openings are divided by their evals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<EvalBin>,
    /// The counted games, from the first engine's view.
    pub wdl: Wdl,
    /// The completed pairs, from the first engine's view.
    pub pentanomial: Pentanomial,
    /// The level pairs.
    pub level: LevelPairs,
    /// Normalized Elo of the first engine, per game.
    pub normalized_elo: NormalizedEloEstimate,
    /// Normalized Elo per second of the engines' time: per game, divided by the square root of the seconds per game;
    /// `None` if there are no times.
    pub normalized_elo_per_second: Option<NormalizedEloEstimate>,
    /// The sharpness of the openings, by the results of the side that they favour: White, if the book does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sharpness: Option<Sharpness>,
    /// The share of drawn games; `None` if there are no games.
    pub draws: Option<f64>,
    /// The share of pairs that one engine won; `None` if there are no pairs.
    pub decided: Option<f64>,
    /// The games from White's view.
    pub white: Wdl,
    /// White's advantage in Elo, with the interval of the pairs.
    pub white_advantage: EloEstimate,
    /// Engine moves per game; `None` if there are no games.
    pub plies_per_game: Option<f64>,
    /// Seconds of engine time per game; `None` if there are no games.
    pub seconds_per_game: Option<f64>,
    /// Games needed for the same certainty, relative to the first book; `None` for the first book, and if the engines'
    /// difference is not certain with both books.
    pub games_needed: Option<Cost>,
    /// Engine time needed for the same certainty, relative to the first book; `None` if `games_needed` is.
    pub time_needed: Option<Cost>,
    /// Engine time needed to tell nearly equal engines apart with the same certainty, by sharpness; absent if
    /// `games_needed` is null, or if there is no sharpness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_needed_by_sharpness: Option<Cost>,
}

/// Level pairs, by their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct LevelPairs {
    /// Two draws.
    pub by_draws: u64,
    /// One win for each engine.
    pub by_wins: u64,
}

/// A cost relative to the first book, with its 95% interval; below 1 is cheaper.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Cost {
    /// The cost with this book divided by the cost with the first book.
    pub ratio: f64,
    /// The lower end of the 95% interval.
    pub lower: f64,
    /// The upper end of the 95% interval.
    pub upper: f64,
}

impl BookRating {
    pub fn new(run: String, book: String, eval: Option<EvalBin>, tally: &BookTally) -> BookRating {
        let BookTally { games: counted, white, favoured, plies, time, .. } = tally;
        let (wdl, pairs) = (counted.games(), counted.pairs());
        let normalized_elo = NormalizedEloEstimate::new(&counted.score());
        let games = wdl.games();
        let per_game = |sum: f64| (games > 0).then(|| sum / games as f64);
        let seconds_per_game = per_game(time.as_secs_f64());
        BookRating {
            run,
            book,
            eval,
            wdl: *wdl,
            pentanomial: *pairs,
            level: LevelPairs {
                by_draws: pairs.counts()[2] - counted.split_pairs(),
                by_wins: counted.split_pairs(),
            },
            normalized_elo,
            normalized_elo_per_second: seconds_per_game
                .filter(|seconds| *seconds > 0.0)
                .map(|seconds| scaled(&normalized_elo, 1.0 / seconds.sqrt())),
            sharpness: Sharpness::new(favoured),
            draws: wdl.draw_ratio(),
            decided: decided(*pairs).share(),
            white: *white.games(),
            white_advantage: EloEstimate::new(&white.score()),
            plies_per_game: per_game(*plies as f64),
            seconds_per_game,
            games_needed: None,
            time_needed: None,
            time_needed_by_sharpness: None,
        }
    }

    /// This rating with the cost of a verdict compared with another book.
    pub fn compared_with(self, first: &BookRating) -> BookRating {
        let games_needed = Cost::of_games(&self.normalized_elo, &first.normalized_elo);
        let longer = self.seconds_per_game.zip(first.seconds_per_game).map(|(ours, theirs)| ours / theirs);
        let longer = longer.filter(|ratio| ratio.is_finite() && *ratio > 0.0);
        let sharper =
            self.sharpness.zip(first.sharpness).map(|(ours, theirs)| Cost::of_sharpness(ours, theirs));
        let in_time = |cost: Option<Cost>| cost.zip(longer).map(|(cost, longer)| cost.times(longer));
        let (time_needed, time_needed_by_sharpness) = (in_time(games_needed), in_time(sharper));
        BookRating { games_needed, time_needed, time_needed_by_sharpness, ..self }
    }
}

impl Cost {
    /// The certainty of a verdict grows with the number of games times the square of normalized Elo, so the games needed
    /// are inverse to that square. The interval comes from the logarithm of the ratio, by the delta method; it exists
    /// only if both differences are certainly not zero.
    fn of_games(ours: &NormalizedEloEstimate, first: &NormalizedEloEstimate) -> Option<Cost> {
        let relative_error = |estimate: &NormalizedEloEstimate| {
            let (lower, upper) = (estimate.lower.value(), estimate.upper.value());
            let is_certain = lower.is_finite() && upper.is_finite() && (lower > 0.0 || upper < 0.0);
            is_certain.then(|| estimate.margin() / Z_95 / estimate.nelo.value().abs())
        };
        let error = relative_error(ours)?.hypot(relative_error(first)?);
        Some(Cost::of_squares(first.nelo.value() / ours.nelo.value(), error))
    }

    fn of_sharpness(ours: Sharpness, first: Sharpness) -> Cost {
        let relative_error = |sharpness: Sharpness| sharpness.margin / Z_95 / sharpness.nelo_per_elo;
        let error = relative_error(ours).hypot(relative_error(first));
        Cost::of_squares(first.nelo_per_elo / ours.nelo_per_elo, error)
    }

    /// The square of a ratio that has this relative error.
    fn of_squares(ratio: f64, error: f64) -> Cost {
        let (ratio, factor) = (ratio.powi(2), (Z_95 * 2.0 * error).exp());
        Cost { ratio, lower: ratio / factor, upper: ratio * factor }
    }

    /// The error of the factor, a ratio of mean game times, is negligible beside that of the engines' difference.
    fn times(self, factor: f64) -> Cost {
        Cost { ratio: self.ratio * factor, lower: self.lower * factor, upper: self.upper * factor }
    }
}

fn decided(pairs: Pentanomial) -> Proportion {
    let [_, _, level, _, _] = pairs.counts();
    Proportion { hits: pairs.pairs() - level, trials: pairs.pairs() }
}

fn scaled(estimate: &NormalizedEloEstimate, factor: f64) -> NormalizedEloEstimate {
    let times = |value: NormalizedElo| NormalizedElo::new(value.value() * factor);
    NormalizedEloEstimate {
        nelo: times(estimate.nelo),
        lower: times(estimate.lower),
        upper: times(estimate.upper),
    }
}

/// Sums over the games of two engines, from the view of the configuration's first. The order of games does not matter.
#[derive(Clone, Debug, Default)]
pub struct BookTally {
    /// The games from the first engine's view.
    pub games: PairCounter,
    /// The games from White's view: both games of a pair have one opening, so White's results in them go together.
    pub white: PairCounter,
    /// The games from the view of the side that the opening favours.
    pub favoured: Wdl,
    pub plies: u64,
    pub time: Duration,
    known: [KnownMoves; 2],
}

impl BookTally {
    /// Counts a game unless it came after a sequential test's decision. `favoured` is the side that its opening favours.
    pub fn add(&mut self, game: &GameRecord, favoured: Side) {
        let outcome = |engine| game.scored_outcome(engine);
        let (Some(first), Some(white), Some(of_favoured)) =
            (outcome(0), outcome(game.white), outcome(game.engine(favoured)))
        else {
            return;
        };
        let key = KnownMoves::key([game.white, game.black], game.moves_hash());
        let [of_games, of_white] = &mut self.known;
        self.games.record(game.pair, first, key, of_games);
        self.white.record(game.pair, white, key, of_white);
        self.favoured.record(of_favoured);
        self.plies += game.moves.len() as u64;
        self.time += game.moves.iter().map(|played| played.time).sum::<Duration>();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::results::test_games::two_engine_match;
    use referee::Side;
    use stats::Outcome;

    fn tally(results: &str) -> BookTally {
        let mut tally = BookTally::default();
        for game in &two_engine_match(results) {
            tally.add(game, Side::White);
        }
        tally
    }

    fn rating(tally: &BookTally) -> BookRating {
        BookRating::new("run".to_owned(), "book.epd".to_owned(), None, tally)
    }

    fn book(pairs: [u64; 5], seconds: u64) -> BookRating {
        use Outcome::{Draw, Loss, Win};
        let mut tally = BookTally::default();
        let kinds = [(Loss, Loss), (Loss, Draw), (Win, Loss), (Win, Draw), (Win, Win)];
        let outcomes = kinds.into_iter().zip(pairs).flat_map(|(kind, count)| (0..count).map(move |_| kind));
        for (pair, (one, other)) in (0..).zip(outcomes) {
            for outcome in [one, other] {
                tally.games.record(pair, outcome, None, &mut KnownMoves::default());
            }
        }
        tally.time = Duration::from_secs(seconds * tally.games.games().games());
        rating(&tally)
    }

    #[test]
    fn pairs_are_decided_or_level_in_two_ways() {
        let tally = tally("wl dd wd ww ll lw d".replace(' ', "").as_str());
        assert_eq!(tally.games.pairs().counts(), [1, 0, 3, 1, 1]);
        let rating = rating(&tally);
        assert_eq!(rating.level, LevelPairs { by_draws: 1, by_wins: 2 });
        assert_eq!((rating.wdl.games(), rating.decided, rating.draws), (13, Some(0.5), Some(4.0 / 13.0)));
        // White won both games of wl, the first games of wd and ww, the second game of ll, and neither game of lw.
        assert_eq!((rating.white.wins, rating.white.losses), (5, 4));
        assert_eq!((rating.plies_per_game, rating.seconds_per_game), (Some(2.0), Some(1.04)), "two moves");
    }

    #[test]
    fn the_interval_of_white_is_that_of_openings_and_not_of_games() {
        // White wins both games of half of the pairs and loses both games of the rest.
        let sharp = tally(&"wllw".repeat(50));
        assert_eq!(sharp.white.pairs().counts(), [50, 0, 0, 0, 50]);
        let of_games = EloEstimate::new(&sharp.white.games().score()).margin();
        let ratio = rating(&sharp).white_advantage.margin() / of_games;
        assert!((ratio - 2.0_f64.sqrt()).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn twice_the_normalized_elo_needs_a_quarter_of_the_games_if_the_difference_is_certain() {
        let [blunt, sharp] = [book([100, 400, 1000, 600, 200], 4), book([100, 300, 600, 600, 700], 9)];
        let [n1, n2] = [&blunt, &sharp].map(|book| book.normalized_elo.nelo.value());
        let compared = sharp.compared_with(&blunt);
        let (games, time) = (compared.games_needed.unwrap(), compared.time_needed.unwrap());
        assert!((games.ratio - (n1 / n2).powi(2)).abs() < 1e-9 && games.ratio < 1.0);
        assert!(games.lower < games.ratio && games.ratio < games.upper);
        assert!((time.ratio / games.ratio - 2.25).abs() < 1e-9, "a game takes 9 seconds instead of 4");
        let per_second = compared.normalized_elo_per_second.unwrap();
        assert!((per_second.nelo.value() - n2 / 3.0).abs() < 1e-9);
        let [level, sharp] = [book([100, 400, 1000, 400, 100], 4), book([100, 300, 600, 600, 700], 4)];
        assert_eq!(sharp.clone().compared_with(&level).games_needed, None);
        assert_eq!(level.compared_with(&sharp).time_needed, None);
        let empty = rating(&BookTally::default());
        assert_eq!(empty.compared_with(&sharp).games_needed, None);
    }
}
