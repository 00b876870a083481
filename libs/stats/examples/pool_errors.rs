//! Simulates the errors and the cost of a sequential test that the shards of a pool play together: `pool_errors TESTS`
//! prints `results/pool-errors.csv`. Shards differ in speed, report with a delay, and some leave for good. A decisive pair
//! takes less time than a drawn one, so it ends first.

#![expect(clippy::print_stdout, reason = "the table of a simulation")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::{Elo, Observations, Pentanomial, ResultShares, Sprt, SprtModel, SprtStatus, SprtTest};

const DRAWS: f64 = 0.6;

/// The duration of a pair with a decisive game, relative to a pair of two draws.
const DECISIVE: f64 = 0.7;

/// The maximum number of pairs of a simulated test.
const PATIENCE: u64 = 1_000_000;

/// The test is evaluated every this many pairs, since each evaluation takes microseconds.
const LOOK: u64 = 8;

/// A shard: its pairs per minute, its results, and the results that the others have seen.
struct Shard {
    pace: f64,
    counts: [u64; 5],
    seen: [u64; 5],
    /// The minute at which the shard leaves.
    gone: f64,
}

#[derive(Clone, Copy)]
struct Pool {
    shards: usize,
    /// Minutes between two reports of a shard; every shard sees each report.
    delay: f64,
    /// The share of shards that leave, about halfway through the test on average.
    lost: f64,
}

/// The verdict, the pairs that it is based on, and the pairs played until every shard knew it.
fn simulate(
    pool: Pool,
    test: &Sprt,
    shares: &[f64; 5],
    half: f64,
    rng: &mut ChaCha8Rng,
) -> (SprtStatus, u64, u64) {
    let mut shards: Vec<Shard> = (0..pool.shards)
        .map(|_| {
            let pace = rng.random_range(0.5..2.0);
            let gone = if rng.random::<f64>() < pool.lost {
                rng.random_range(0.0..2.0 * half)
            } else {
                f64::INFINITY
            };
            Shard { pace, counts: [0; 5], seen: [0; 5], gone }
        })
        .collect();
    let all_gone = shards.iter().all(|shard| shard.gone.is_finite());
    if all_gone {
        shards[0].gone = f64::INFINITY;
    }
    // Millionths of a minute, which have an order. A report's number is its shard's number plus the number of shards.
    let key = |minutes: f64| Reverse((minutes * 1e6) as u64);
    let mut next = BinaryHeap::new();
    let pair = |shard: &Shard, now: f64, rng: &mut ChaCha8Rng| {
        let mut draw: f64 = rng.random();
        let result = shares
            .iter()
            .position(|share| {
                draw -= share;
                draw < 0.0
            })
            .unwrap_or(4);
        let length = if result == 2 { 1.0 } else { DECISIVE } * rng.random_range(0.5..1.5);
        (now + length / shard.pace, result)
    };
    for (number, shard) in shards.iter().enumerate() {
        let (end, result) = pair(shard, 0.0, rng);
        next.push((key(end), number, result));
        if pool.delay > 0.0 {
            next.push((key(rng.random::<f64>() * pool.delay), number + pool.shards, 0));
        }
    }
    let (mut seen, mut looked) = ([0; 5], 0);
    let mut decided: Option<(f64, SprtStatus, u64)> = None;
    while let Some((Reverse(time), number, result)) = next.pop() {
        let now = time as f64 / 1e6;
        if let Some((until, status, pairs)) = decided
            && now > until
        {
            let played = shards.iter().flat_map(|shard| shard.counts).sum();
            return (status, pairs, played);
        }
        let is_report = number >= pool.shards;
        let shard = &mut shards[number % pool.shards];
        if now > shard.gone {
            continue;
        }
        if is_report {
            next.push((key(now + pool.delay), number, 0));
        } else {
            shard.counts[result] += 1;
            let (end, result) = pair(shard, now, rng);
            next.push((key(end), number, result));
        }
        if (is_report || pool.delay == 0.0) && decided.is_none() {
            (0..5).for_each(|worth| seen[worth] += shard.counts[worth] - shard.seen[worth]);
            shard.seen = shard.counts;
            if seen.iter().sum::<u64>() < looked + LOOK {
                continue;
            }
            looked = seen.iter().sum();
            let counts = Observations::Pairs(Pentanomial::new(seen));
            let (status, pairs) = (test.bounds(&counts).status(counts.llr(test)), seen.iter().sum());
            if status != SprtStatus::Continue || pairs > PATIENCE {
                decided = Some((now + pool.delay, status, pairs));
            }
        }
    }
    unreachable!("one shard stays")
}

fn main() {
    let tests: u32 = std::env::args().nth(1).map_or(1000, |tests| tests.parse().expect("a number of tests"));
    println!("shards,delay_minutes,lost,truth,tests,accepted_h1,pairs,pairs_played");
    let test = Sprt::new(0.0, 10.0, 0.05, 0.05, SprtModel::Normalized).expect("valid bounds");
    let test = test.with_test(SprtTest::Curved);
    for shards in [1, 2, 20, 200] {
        for (delay, lost) in [(0.0, 0.0), (2.0, 0.0), (10.0, 0.0), (2.0, 0.1)] {
            if shards == 1 && delay > 0.0 {
                continue;
            }
            for truth in [0.0, 10.0] {
                let ResultShares::Pairs(shares) =
                    ResultShares::assumed(truth, SprtModel::Normalized, DRAWS, Elo::new(60.0))
                else {
                    continue;
                };
                let (mut h1, mut pairs, mut played) = (0, 0, 0);
                let half = 2500.0 / shards as f64;
                for number in 0..tests {
                    let mut rng = ChaCha8Rng::seed_from_u64(number.into());
                    let pool = Pool { shards, delay, lost };
                    let (status, rests_on, all) = simulate(pool, &test, &shares, half, &mut rng);
                    h1 += u32::from(status == SprtStatus::AcceptH1);
                    pairs += rests_on;
                    played += all;
                }
                let mean = |sum: u64| sum as f64 / f64::from(tests);
                println!(
                    "{shards},{delay},{lost},{truth},{tests},{:.4},{:.0},{:.0}",
                    f64::from(h1) / f64::from(tests),
                    mean(pairs),
                    mean(played)
                );
            }
        }
    }
}
