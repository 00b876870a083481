//! Causes in the players' own data: speed, time, depth, and the errors of their own scores.

use schemars::JsonSchema;
use serde::Serialize;
use stats::{PairedRow, PairedSlopes, PairedSum};

use super::board::FEATURES;
use super::groups::{BY_NUMBER, JudgedMove, SEED, band};
use super::match_games::{MatchGames, MatchMove};
use super::points::Points;
use crate::text::number_text::{percent, signed};

/// The least and the most Elo that a doubling of speed is worth: about 100 at the shortest time controls, and 50 at long
/// ones (Chess Programming Wiki, "Match Statistics").
const ELO_PER_DOUBLING: [f64; 2] = [50.0, 100.0];

/// Positions whose worth is closer to 0 or 1 than this say nothing about a score.
const DECIDED: f64 = 0.03;

/// The fraction of the difference between two scores by which one must be farther off than the other to be called wrong.
const CLEARLY: f64 = 0.3;

/// The kind of a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CauseKind {
    Faults,
    Speed,
    Time,
    Depth,
    Evaluation,
}

/// A difference between the players that may be why one loses.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Cause {
    pub kind: CauseKind,
    /// The subject of the cause: `passed pawns`, `moves 31 to 40`.
    pub name: String,
    pub sentence: String,
    /// The first player's value minus the other's, or their relative difference, as the sentence gives it.
    pub difference: f64,
    pub p_value: f64,
    pub z: f64,
    /// Whether the first player is worse off.
    pub is_worse: bool,
    /// Whether the difference is significant, given all comparisons.
    pub differs: bool,
}

impl Cause {
    pub fn new(kind: CauseKind, name: impl Into<String>, pairs: &[f64]) -> Cause {
        let PairedSum { sum, p_value, z } = PairedSum::new(pairs, SEED);
        let (name, sentence) = (name.into(), String::new());
        Cause { kind, name, sentence, difference: sum, p_value, z, is_worse: sum < 0.0, differs: false }
    }
}

pub fn of_searches(matched: &MatchGames) -> Vec<Cause> {
    let is_timed = matched.limits.clock.is_some() || matched.limits.movetime.is_some();
    let mut causes = Vec::new();
    if is_timed {
        let speed = |_: u32, played: &MatchMove| {
            let seconds = played.time?.as_secs_f64();
            let nodes = played.nodes.filter(|nodes| *nodes > 0)? as f64;
            // The time before the first node weighs much in short searches, which one player may have more of.
            (seconds > 0.0).then(|| ((nodes / seconds).ln(), seconds))
        };
        causes.extend(paired(matched, speed).map(|(pairs, mean)| {
            let faster = mean.exp() - 1.0;
            let elo = ELO_PER_DOUBLING.map(|doubling| doubling * (mean / 2.0_f64.ln()).abs());
            let (than, does) = if faster < 0.0 { ("slower", "costs") } else { ("faster", "gains") };
            let sentence = format!(
                "is {} {than} (NPS); at 50 to 100 Elo for a doubling that {does} {:.0} to {:.0} Elo",
                percent(faster.abs()),
                elo[0],
                elo[1]
            );
            Cause { sentence, difference: faster, ..Cause::new(CauseKind::Speed, "NPS", &pairs) }
        }));
    }
    if matched.limits.clock.is_some() {
        for (_, name) in BY_NUMBER {
            let time = |number: u32, played: &MatchMove| {
                let seconds = played.time?.as_secs_f64().max(1e-5);
                (band(&BY_NUMBER, number.into()) == name).then(|| (seconds.ln(), 1.0))
            };
            causes.extend(paired(matched, time).map(|(pairs, mean)| {
                let more = mean.exp() - 1.0;
                let than = if more < 0.0 { "less" } else { "more" };
                let sentence = format!("thinks {} {than} than its opponent in {name}", percent(more.abs()));
                Cause { sentence, difference: more, ..Cause::new(CauseKind::Time, name, &pairs) }
            }));
        }
    }
    if matched.limits.depth.is_none() {
        let depth = |_: u32, played: &MatchMove| Some((f64::from(played.depth?), 1.0));
        causes.extend(paired(matched, depth).map(|(pairs, mean)| {
            let (than, does) = if mean < 0.0 {
                ("less deep", "prunes or orders less")
            } else {
                ("deeper", "extends less or prunes more")
            };
            let same = match matched.limits.nodes {
                Some(_) => format!(" on the same nodes, as a search does that {does}"),
                None if is_timed => " in its time".to_owned(),
                None => String::new(),
            };
            let sentence = format!("searches {:.2} plies {than}{same}", mean.abs());
            Cause { sentence, difference: mean, ..Cause::new(CauseKind::Depth, "depth", &pairs) }
        }));
    }
    causes
}

/// For each pair the first player's mean minus the second's, over moves with similar numbers, and the mean over pairs
/// that have both. `None` if no pair has both. `value` returns a value and its weight.
fn paired(
    matched: &MatchGames,
    value: impl Fn(u32, &MatchMove) -> Option<(f64, f64)>,
) -> Option<(Vec<f64>, f64)> {
    /// Moves per bucket.
    const MOVES: u32 = 10;
    let mut sums = vec![Vec::<[[f64; 2]; 2]>::new(); matched.pairs];
    for game in &matched.games {
        for (ply, played) in game.moves.iter().enumerate().skip(game.book) {
            let number = game.move_number(ply);
            let Some((value, weight)) = value(number, played) else { continue };
            let (buckets, bucket) = (&mut sums[game.pair], (number / MOVES) as usize);
            if buckets.len() <= bucket {
                buckets.resize(bucket + 1, [[0.0; 2]; 2]);
            }
            let [sum, weights] = &mut buckets[bucket][usize::from(!game.is_first(ply))];
            *sum += weight * value;
            *weights += weight;
        }
    }
    let difference = |buckets: &Vec<[[f64; 2]; 2]>| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for [[one, of_one], [other, of_other]] in buckets {
            let weight = of_one.min(*of_other);
            if weight > 0.0 {
                sum += weight * (one / of_one - other / of_other);
                weights += weight;
            }
        }
        (weights > 0.0).then(|| sum / weights)
    };
    let told: Vec<Option<f64>> = sums.iter().map(difference).collect();
    let known = told.iter().flatten().count();
    (known > 0).then(|| {
        let pairs: Vec<f64> = told.into_iter().map(Option::unwrap_or_default).collect();
        let mean = pairs.iter().sum::<f64>() / known as f64;
        (pairs, mean)
    })
}

/// The differences between the errors of the players' own scores, by the features of positions.
pub fn of_scores(points: &Points, pairs: usize) -> Vec<Cause> {
    let told = |played: &&JudgedMove| {
        played.own_worth.is_some() && (DECIDED..=1.0 - DECIDED).contains(&played.worth)
    };
    let rows: Vec<PairedRow<'_>> = points
        .moves
        .iter()
        .filter(told)
        .map(|played| PairedRow {
            pair: played.pair,
            is_first: played.is_first,
            factors: &played.balance,
            value: played.own_worth.unwrap_or_default() - played.worth,
        })
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let PairedSlopes { common, differences } = PairedSlopes::new(&rows, pairs);
    // Centipawns per point in a level position.
    let centipawns = 4.0 * points.worth.scale;
    let cause = |((pairs, common), (name, unit)): ((&Vec<f64>, &f64), &(&str, &str))| {
        let cause = Cause::new(CauseKind::Evaluation, *name, pairs);
        let [own, other] = [0.5, -0.5].map(|half| centipawns * (common + half * cause.difference));
        let rates = if own > other { "more" } else { "less" };
        let sentence = format!(
            "rates {name} {:.0} cp {rates} than its opponent for each {unit}: off by {} cp, its opponent by {}",
            (own - other).abs(),
            signed(own, 0),
            signed(other, 0)
        );
        // If the players err in opposite directions, neither is called worse.
        let is_worse = own.abs() - other.abs() > CLEARLY * (own - other).abs();
        Cause { sentence, difference: own - other, is_worse, ..cause }
    };
    differences.iter().zip(&common).zip(&FEATURES).map(cause).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use referee::GameResult;
    use runner::SearchLimits;

    use super::super::match_games::DecidedBy;
    use super::super::points::tests::game;
    use super::*;

    /// Games with 40 moves by each side, in which `first` maps the first player's move number, time in milliseconds and
    /// nodes per millisecond to its time and speed.
    fn matched(first: impl Fn(u32, f64, f64) -> (f64, f64)) -> MatchGames {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let games = (0..40).map(|number| {
            let moves = vec!["e2e4"; 80];
            let mut game = game(&moves, number % 2 == 0, GameResult::Draw, DecidedBy::OnBoard);
            game.pair = number / 2;
            for ply in 0..80 {
                let mut sample = |from: f64| from * random.random_range(0.5..2.0);
                let (time, speed) = (sample(20.0), sample(1000.0));
                let (time, speed) =
                    if game.is_first(ply) { first(ply as u32 / 2 + 1, time, speed) } else { (time, speed) };
                game.moves[ply].time = Some(Duration::from_secs_f64(time / 1000.0));
                game.moves[ply].nodes = Some((time * speed) as u64);
                game.moves[ply].depth = Some((time * speed).log2() as u32);
            }
            game
        });
        let limits = SearchLimits { clock: Some("1+0.01".parse().unwrap()), ..SearchLimits::default() };
        let names = ["new", "old"].map(str::to_owned);
        MatchGames { names, engines: None, limits, games: games.collect(), pairs: 20 }
    }

    /// The causes that would be found if tested alone, with their differences.
    fn found(first: impl Fn(u32, f64, f64) -> (f64, f64)) -> Vec<(String, f64)> {
        let causes = of_searches(&matched(first)).into_iter();
        causes.filter(|cause| cause.p_value < 0.002).map(|cause| (cause.name, cause.difference)).collect()
    }

    #[test]
    fn who_is_slower_or_hurries_from_some_move_on_is_told_from_who_is_as_fast() {
        assert_eq!(found(|_, time, speed| (time, speed)), []);
        let slower = found(|_, time, speed| (time, 0.7 * speed));
        assert_eq!(slower.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["NPS", "depth"]);
        assert!((slower[0].1 + 0.3).abs() < 0.05 && (slower[1].1 + 0.5).abs() < 0.15, "{slower:?}");
        let hurried = found(|number, time, speed| (if number > 30 { time / 4.0 } else { time }, speed));
        assert_eq!(
            hurried.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["moves 31 to 40", "depth"]
        );
        assert!((hurried[0].1 + 0.75).abs() < 0.05, "{hurried:?}");
    }
}
