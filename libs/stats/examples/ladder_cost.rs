//! Simulates what ladders of time controls cost and gain, with exact tests: patches whose differences correlate between rungs
//! are tried by the ladder and by its last test alone. `ladder_cost PATCHES` prints `results/ladder.csv`.

#![expect(clippy::print_stdout, reason = "the table of a simulation")]

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::{Elo, Ladder, LadderCost, Patches, ResultShares, Sprt, SprtForecast, SprtModel, SprtTest};

/// Relative game times: 0.2+0.002, 1+0.01 and 8+0.08; the last two of these; and five that double.
const LADDERS: [(&str, &[f64]); 3] =
    [("1:5:40", &[1.0, 5.0, 40.0]), ("1:8", &[1.0, 8.0]), ("1:2:4:8:16", &[1.0, 2.0, 4.0, 8.0, 16.0])];

/// A standard normal variable (Box and Muller, 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let mut uniform = || (f64::from(random.next_u32()) + 0.5) / 2f64.powi(32);
    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

/// The cost of one simulated test at this difference.
fn tried(test: &Sprt, nelo: f64, seed: u64) -> LadderCost {
    let shares = ResultShares::assumed(nelo, SprtModel::Normalized, 0.6, Elo::new(0.0));
    let forecast = SprtForecast::new(test, &shares, 1, seed);
    let (games, accepted) = (forecast.mean_games.expect("it ends"), f64::from(forecast.accepted_h1));
    LadderCost { games, accepted, gain: accepted * nelo }
}

/// Tries `count` patches by the ladder and by its last test alone. `last` is the difference of every patch on the last rung;
/// without it, differences are drawn from `patches`.
fn simulate(test: &Sprt, times: &[f64], patches: &Patches, last: Option<f64>, count: u64) -> [LadderCost; 2] {
    let (ladder, rungs) = (Ladder::new(*test, times), times.len() - 1);
    let Patches { mean, deviation, correlation } = *patches;
    let mut costs = [LadderCost::default(); 2];
    for patch in 0..count {
        let mut random = ChaCha8Rng::seed_from_u64(patch);
        // The seed's first stream already decides whether the ladder plays on, and the results of its tests.
        random.set_stream(1);
        let last = last.unwrap_or(mean + deviation * normal(&mut random));
        let common = (correlation * (1.0 - correlation)).sqrt() * normal(&mut random);
        let (mut passes, plays_on) = (true, Ladder::plays_on(patch));
        for (time, rung) in times[..rungs].iter().zip(1u64..) {
            if !(passes || plays_on) {
                break;
            }
            let own = (1.0 - correlation).sqrt() * normal(&mut random);
            let early = mean + correlation * (last - mean) + deviation * (common + own);
            let tried = tried(&ladder.early(), early, patch + (rung << 32));
            costs[0].games += tried.games * time / times[rungs] / count as f64;
            passes &= tried.accepted > 0.0;
        }
        let tried = tried(test, last, patch);
        let played = [f64::from(u8::from(passes || plays_on)), 1.0];
        costs.iter_mut().zip(played).for_each(|(cost, played)| cost.add(played / count as f64, tried));
    }
    costs
}

fn main() {
    let count = std::env::args().nth(1).map_or(1000, |count| count.parse().expect("a number of patches"));
    let test = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalized).expect("valid bounds");
    let test = test.with_test(SprtTest::Curved);
    println!("times,mean,deviation,correlation,last,patches,games,games_alone,cost,h1,h1_alone,elo_per_hour");
    for (name, times) in LADDERS {
        for (mean, deviation) in [(-2.0, 4.0), (-1.0, 3.0)] {
            for correlation in [0.7, 0.85, 0.95, 1.0] {
                let patches = Patches { mean, deviation, correlation };
                for last in [None, Some(0.0), Some(5.0)] {
                    let [climbed, alone] = simulate(&test, times, &patches, last, count);
                    let (cost, gain) = (climbed.games / alone.games, climbed.gain / alone.gain);
                    let elo = if last.is_none() { format!("{:.2}", gain / cost) } else { String::new() };
                    let last = last.map_or_else(|| "all".to_owned(), |last| last.to_string());
                    let [games, games_alone, h1, h1_alone] =
                        [climbed.games, alone.games, climbed.accepted, alone.accepted];
                    println!(
                        "{name},{mean},{deviation},{correlation},{last},{count},{games:.0},{games_alone:.0},{cost:.3},\
                         {h1:.4},{h1_alone:.4},{elo}"
                    );
                }
            }
        }
    }
}
