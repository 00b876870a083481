//! Simulates the coverage of 95% intervals: `coverage MATCHES` prints, for matches of two engines, the share of intervals of
//! Elo, normalized Elo and the draw rate that contain the truth, by number of pairs, score of the stronger engine, and draw
//! rate of equal engines.

#![expect(clippy::print_stdout, reason = "the table of a simulation")]

use std::collections::{BTreeMap, HashMap};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::ratings::{Cluster, PoolRatings};
use stats::{Elo, EloEstimate, NormalizedEloEstimate, Outcome, Pentanomial, ResultShares, SprtModel};

const PAIRS: [u64; 10] = [3, 4, 6, 8, 10, 15, 20, 50, 100, 200];
const SCORES: [f64; 8] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999];
const DRAWS: [f64; 2] = [0.3, 0.6];
const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

/// How often each combination of outcomes occurred, at index 3 × first game + second game.
type Pairs = [u64; 9];

/// Whether the intervals of Elo, normalized Elo and the draw rate miss the truth.
fn missed(pairs: &Pairs, [elo, nelo, draws]: [f64; 3]) -> [bool; 3] {
    let mut counts = Pentanomial::default();
    for (place, &times) in pairs.iter().enumerate() {
        (0..times).for_each(|_| counts.record(OUTCOMES[place / 3], OUTCOMES[place % 3]));
    }
    let score = counts.score();
    let (found, normalized) = (EloEstimate::new(&score), NormalizedEloEstimate::new(&score));
    let misses = |lower: f64, upper: f64, truth: f64| truth < lower || upper < truth;
    [
        misses(found.lower.value(), found.upper.value(), elo),
        misses(normalized.lower.value(), normalized.upper.value(), nelo),
        draw_rate(pairs).is_some_and(|[lower, _, upper]| misses(lower, upper, draws)),
    ]
}

fn draw_rate(pairs: &Pairs) -> Option<[f64; 3]> {
    let clusters = pairs.iter().enumerate().filter(|(_, times)| **times > 0).map(|(place, &times)| {
        let [first, second] = [OUTCOMES[place / 3], OUTCOMES[place % 3]];
        Cluster { games: vec![(0, 1, first), (1, 0, second.reversed())], times }
    });
    let list = PoolRatings::new(2, &clusters.collect::<Vec<_>>(), &BTreeMap::new());
    list.draw_rate().map(|draws| [draws.lower, draws.rate, draws.upper])
}

fn main() {
    let matches: u32 = std::env::args().nth(1).map_or(500, |text| text.parse().expect("a number of matches"));
    println!("pairs,score,draws,matches,elo,nelo,draw_rate");
    let cells = DRAWS.iter().flat_map(|draws| SCORES.map(|score| (*draws, score)));
    for ((draws, score), pairs) in cells.flat_map(|cell| PAIRS.map(|pairs| (cell, pairs))) {
        let elo = Elo::from_score(score).value();
        let all = ResultShares::assumed(elo, SprtModel::Logistic, draws, Elo::new(0.0));
        let ResultShares::Pairs([lost, .., won]) = all else { unreachable!("assumed results are pairs") };
        // If openings have no bias, the games of a pair are independent.
        let (loss, win) = (lost.sqrt(), won.sqrt());
        let shares = [loss, 1.0 - loss - win, win];
        let endless = std::array::from_fn(|place| (1e12 * shares[place / 3] * shares[place % 3]) as u64);
        let [_, rate, _] = draw_rate(&endless).expect("games");
        let truth = [elo, all.elo(SprtModel::Normalized), rate];
        let mut random = ChaCha8Rng::seed_from_u64(pairs);
        let mut known: HashMap<Pairs, [bool; 3]> = HashMap::new();
        let mut held = [matches; 3];
        for _ in 0..matches {
            let mut played = [0; 9];
            for _ in 0..pairs {
                let mut game = || {
                    let drawn = f64::from(random.next_u32()) / 2f64.powi(32);
                    usize::from(drawn >= loss) + usize::from(drawn >= 1.0 - win)
                };
                played[3 * game() + game()] += 1;
            }
            let missed = known.entry(played).or_insert_with(|| missed(&played, truth));
            held.iter_mut().zip(missed).for_each(|(held, missed)| *held -= u32::from(*missed));
        }
        let [elo, nelo, rate] = held.map(|held| f64::from(held) / f64::from(matches));
        println!("{pairs},{score},{draws},{matches},{elo:.4},{nelo:.4},{rate:.4}");
    }
}
