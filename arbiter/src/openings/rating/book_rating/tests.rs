use std::time::Duration;

use super::*;
use crate::results::made_up_games::two_engine_match;
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

/// A book with these pairs; each game takes this number of seconds.
fn book(pairs: [u64; 5], seconds: u64) -> BookRating {
    use Outcome::{Draw, Loss, Win};
    let mut tally = BookTally::default();
    let kinds = [(Loss, Loss), (Loss, Draw), (Win, Loss), (Win, Draw), (Win, Win)];
    let outcomes = kinds.into_iter().zip(pairs).flat_map(|(kind, count)| (0..count).map(move |_| kind));
    for (pair, (one, other)) in (0..).zip(outcomes) {
        tally.games.record(pair, one);
        tally.games.record(pair, other);
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
    // White won the first game of wl, wd and ww, and by the reversed colours both of wl, one of ll and none of lw.
    assert_eq!((rating.white.wins, rating.white.losses), (5, 4));
    assert_eq!((rating.plies_per_game, rating.seconds_per_game), (Some(2.0), Some(1.04)), "two moves");
}

#[test]
fn the_interval_of_white_is_that_of_openings_and_not_of_games() {
    // White wins both games of half of the pairs, and loses both of the others.
    let sharp = tally(&"wllw".repeat(50));
    assert_eq!(sharp.white.pairs().counts(), [50, 0, 0, 0, 50]);
    let of_games = EloEstimate::new(&sharp.white.games().score()).margin();
    let ratio = rating(&sharp).white_advantage.margin() / of_games;
    assert!((ratio - 2.0_f64.sqrt()).abs() < 0.02, "{ratio}");
}

#[test]
fn twice_the_normalized_elo_needs_a_quarter_of_the_games() {
    let [blunt, sharp] = [book([100, 400, 1000, 600, 200], 4), book([100, 300, 600, 600, 700], 9)];
    let [n1, n2] = [&blunt, &sharp].map(|book| book.normalized_elo.nelo.value());
    let compared = sharp.compared_with(&blunt);
    let (games, time) = (compared.games_needed.unwrap(), compared.time_needed.unwrap());
    assert!((games.ratio - (n1 / n2).powi(2)).abs() < 1e-9 && games.ratio < 1.0);
    assert!(games.lower < games.ratio && games.ratio < games.upper);
    assert!((time.ratio / games.ratio - 2.25).abs() < 1e-9, "a game takes 9 seconds instead of 4");
    let per_second = compared.normalized_elo_per_second.unwrap();
    assert!((per_second.nelo.value() - n2 / 3.0).abs() < 1e-9);
}

#[test]
fn a_difference_that_is_not_certain_has_no_cost() {
    let [level, sharp] = [book([100, 400, 1000, 400, 100], 4), book([100, 300, 600, 600, 700], 4)];
    assert_eq!(sharp.clone().compared_with(&level).games_needed, None);
    assert_eq!(level.compared_with(&sharp).time_needed, None);
    let empty = rating(&BookTally::default());
    assert_eq!(empty.compared_with(&sharp).games_needed, None);
}
