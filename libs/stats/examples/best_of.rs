//! Simulates the cost of finding the best of several candidates, with pairs dealt by the results and with equal shares, both
//! until the same posterior probability. `best_of RUNS` prints the games and how often the one found was worse than allowed;
//! `best_of RUNS distant` has candidates far better or worse than their base, and prints how often it was out of reach.

#![expect(clippy::print_stdout, reason = "the table of a simulation")]

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::{BestRule, Elo, Pentanomial, ResultShares, SprtModel};

/// A standard normal variable (Box and Muller, 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let mut uniform = || (f64::from(random.next_u32()) + 0.5) / 2f64.powi(32);
    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

/// The shares of pair results at a difference, and that difference in normalized Elo.
fn shares_at(elo: f64, model: SprtModel) -> ([f64; 5], f64) {
    match ResultShares::assumed(elo, model, 0.6, Elo::new(0.0)) {
        all @ ResultShares::Pairs(shares) => (shares, all.elo(SprtModel::Normalized)),
        ResultShares::Games(_) => unreachable!("assumed results are pairs"),
    }
}

/// The games until the best is known, and by how much the one found is worse than the true best; `None` if out of reach.
fn play(
    rule: &BestRule,
    candidates: &[([f64; 5], f64)],
    is_equal: bool,
    random: &mut ChaCha8Rng,
) -> (u64, Option<f64>) {
    let (shares, nelo): (Vec<[f64; 5]>, Vec<f64>) = candidates.iter().copied().unzip();
    let mut counts = vec![Pentanomial::default(); nelo.len()];
    // As in a run: the batch dealt before the best was known is still played, and may change the leader.
    let mut looks = 0;
    while looks < 2 {
        let dealt: Vec<u64> = counts.iter().map(Pentanomial::pairs).collect();
        let batch = rule.batch(&counts, &dealt, u64::MAX);
        for (place, candidate) in batch.into_iter().enumerate() {
            let candidate = if is_equal { place % nelo.len() } else { candidate };
            let mut drawn = f64::from(random.next_u32()) / 2f64.powi(32);
            let result = shares[candidate].iter().take(4).take_while(|&&share| {
                drawn -= share;
                drawn >= 0.0
            });
            let mut pair = [0; 5];
            pair[result.count()] = 1;
            counts[candidate] += Pentanomial::new(pair);
        }
        if BestRule::is_base_out_of_reach(&counts).is_some() {
            return (counts.iter().map(|counts| 2 * counts.pairs()).sum(), None);
        }
        looks = if rule.is_sure(&counts) { looks + 1 } else { 0 };
    }
    let standings = rule.standings(&counts);
    let of = |index: usize| standings[index].nelo.value();
    let best = (0..nelo.len()).max_by(|&one, &other| of(one).total_cmp(&of(other))).expect("candidates");
    let games = counts.iter().map(|counts| 2 * counts.pairs()).sum();
    (games, Some(nelo.iter().copied().fold(f64::MIN, f64::max) - nelo[best]))
}

/// Five candidates whose differences have a standard deviation of 20 Elo, and a base at various distances from their mean.
fn distant(runs: u64) {
    let rule = BestRule { within: 10.0, sure: 0.9 };
    println!("base_elo,runs,games,errors,no_verdict");
    for distance in [-1000.0, -500.0, -300.0, -200.0, 0.0, 200.0, 300.0, 500.0, 1000.0] {
        let (mut games, mut errors, mut no_verdict) = (0, 0, 0);
        for run in 0..runs {
            let mut random = ChaCha8Rng::seed_from_u64(run);
            let candidates =
                (0..5).map(|_| shares_at(20.0 * normal(&mut random) - distance, SprtModel::Logistic));
            let candidates: Vec<_> = candidates.collect();
            let (played, worse) = play(&rule, &candidates, false, &mut random);
            games += played;
            errors += u64::from(worse.is_some_and(|worse| worse > rule.within));
            no_verdict += u64::from(worse.is_none());
        }
        let share = |count: u64| count as f64 / runs as f64;
        println!("{distance},{runs},{:.0},{:.3},{:.3}", share(games), share(errors), share(no_verdict));
    }
}

fn main() {
    let runs = std::env::args().nth(1).map_or(100, |runs| runs.parse().expect("a number of runs"));
    if std::env::args().nth(2).as_deref() == Some("distant") {
        return distant(runs);
    }
    let rule = BestRule { within: 3.0, sure: 0.9 };
    println!("candidates,truth,runs,games,games_equal,ratio,errors,errors_equal");
    // Differences with this standard deviation; each candidate 2 nElo better than the one before; or the best just more than
    // the margin ahead of all others, which are equal.
    let truths = [
        ("sd 5", 10),
        ("sd 10", 10),
        ("sd 5", 20),
        ("sd 10", 20),
        ("sd 2", 10),
        ("2 apart", 12),
        ("one ahead", 10),
    ];
    for (truth, candidates) in truths {
        let (mut games, mut errors) = ([0.0; 2], [0.0; 2]);
        for run in 0..runs {
            let mut random = ChaCha8Rng::seed_from_u64(run);
            let nelo = (0..candidates).map(|place| match truth {
                "one ahead" => f64::from(u8::from(place == 0)) * rule.within * 1.001,
                "2 apart" => 2.0 * f64::from(place),
                drawn => drawn[3..].parse::<f64>().expect("a deviation") * normal(&mut random),
            });
            let nelo: Vec<_> = nelo.map(|nelo| shares_at(nelo, SprtModel::Normalized)).collect();
            for (way, is_equal) in [false, true].into_iter().enumerate() {
                let (played, worse) = play(&rule, &nelo, is_equal, &mut random);
                games[way] += played as f64 / runs as f64;
                errors[way] +=
                    f64::from(u8::from(worse.is_some_and(|worse| worse > rule.within))) / runs as f64;
            }
        }
        println!(
            "{candidates},{truth},{runs},{:.0},{:.0},{:.2},{:.3},{:.3}",
            games[0],
            games[1],
            games[1] / games[0],
            errors[0],
            errors[1]
        );
    }
}
