//! Simulates tunings: the Elo gained by SPSA with steps and rates learned, with OpenBench's default steps and rates, and with
//! the best ones in hindsight. `tuning RUNS` prints `results/tuning.csv`; `tuning RUNS ROUNDS` plays in rounds, in which no
//! pair knows the score of another one, as several machines do.

#![expect(clippy::print_stdout, reason = "the table of a simulation")]

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::{Elo, ParameterKind, Spsa, SpsaParameter, SpsaPlan, Steps};

/// The strength of an engine by its parameters, each from -1 to 1 and starting at 0.2.
enum Surface {
    /// A parabola for each parameter: its best value, and the Elo lost at a distance of 1 from it.
    Parabolas(Vec<(f64, f64)>),
    /// A function of CLOP's paper (Coulom 2011), in natural units of the logistic function.
    Published(Function),
}

type Function = fn(&[f64]) -> f64;

const START: f64 = 0.2;

fn each(x: &[f64], of_one: fn(f64) -> f64) -> f64 {
    x.iter().map(|&x| of_one(x)).sum()
}

/// Names, numbers of parameters, and functions of the paper.
const PUBLISHED: [(&str, usize, Function); 8] = [
    ("log", 1, |x| each(x, |x| 2.0 * (4.0 * x + 4.1).ln() - 4.0 * x - 3.0)),
    ("log", 5, |x| each(x, |x| 2.0 * (4.0 * x + 4.1).ln() - 4.0 * x - 3.0)),
    ("flat", 1, |x| each(x, |x| 0.2 / (1.0 + 6.0 * (x + 0.6).powi(2) + (x + 0.6).powi(3)))),
    ("power", 1, |x| each(x, |x| 0.05 * (x + 1.0).powi(2) - f64::midpoint(x, 1.0).powi(20))),
    ("angle", 1, |x| {
        each(x, |x| 1.0 + 2f64.sqrt() - if x < -0.2 { 2.0 * (0.3 - x).sqrt() } else { (x + 2.2).sqrt() })
    }),
    ("step", 1, |x| {
        each(x, |x| match x {
            _ if !(-0.8..0.8).contains(&x) => -2.0,
            _ if x < -0.3 => -2.0 + 6.0 * (x + 0.8),
            _ => -(x + 0.3) / 1.1,
        })
    }),
    ("rosenbrock", 2, |x| {
        let (a, b) = (4.0 * x[0], 10.0 * x[1] + 4.0);
        1.0 - 0.1 * ((1.0 - a).powi(2) + (b - a * a).powi(2))
    }),
    ("correlated", 2, |x| {
        let g = |z: f64| -z.powi(4) + z.powi(3) - z.powi(2);
        0.2 * (g(10.0 * (x[0] + x[1] + 0.1)) + g(x[0] - x[1] + 0.9)) + 0.2
    }),
];

impl Surface {
    /// Parabolas that together lose this many Elo at the start; three in ten of several have no effect.
    fn parabolas(parameters: usize, lost: f64, scale: f64, random: &mut ChaCha8Rng) -> Surface {
        let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let mut one = |index: usize| {
            let (best, steep) = ((START + scale * normal()).clamp(-1.0, 1.0), normal().exp());
            (best, if index % 10 < 3 && parameters > 1 { 0.0 } else { steep })
        };
        let parabolas: Vec<_> = (0..parameters).map(&mut one).collect();
        let all: f64 = parabolas.iter().map(|(best, steep)| steep * (best - START).powi(2)).sum();
        Surface::Parabolas(parabolas.into_iter().map(|(best, steep)| (best, steep * lost / all)).collect())
    }

    fn elo(&self, values: &[f64]) -> f64 {
        match self {
            Surface::Parabolas(all) => {
                -values.iter().zip(all).map(|(x, (best, steep))| steep * (x - best).powi(2)).sum::<f64>()
            }
            Surface::Published(function) => function(values) * 400.0 / std::f64::consts::LN_10,
        }
    }
}

/// The score of a pair between engines with this Elo difference.
fn score(difference: f64, draws: f64, random: &mut ChaCha8Rng) -> i8 {
    let expected = Elo::new(difference).expected_score().clamp(draws / 2.0, 1.0 - draws / 2.0);
    let mut game = || {
        let (drawn, wins): (f64, f64) = (random.random(), expected - draws / 2.0);
        if drawn < wins { 1 } else { -i8::from(drawn >= wins + draws) }
    };
    game() + game()
}

/// Tunes with learned steps or these, and returns the end of the run.
fn tuned(
    surface: &Surface,
    count: usize,
    draws: f64,
    pairs: u32,
    steps: Option<[f64; 2]>,
    seed: u64,
) -> Spsa {
    let [c_end, r_end] = steps.unwrap_or([0.1, 0.002]);
    let parameter = |index: usize| SpsaParameter {
        name: index.to_string(),
        kind: ParameterKind::Float,
        value: START,
        min: -1.0,
        max: 1.0,
        c_end,
        r_end,
    };
    let rounds: Option<u32> = std::env::args().nth(2).and_then(|rounds| rounds.parse().ok());
    let mut spsa = Spsa::new(SpsaPlan {
        pairs,
        alpha: SpsaPlan::ALPHA,
        gamma: SpsaPlan::GAMMA,
        stability: SpsaPlan::STABILITY,
        delay: rounds.map_or(8, |rounds| pairs / rounds - 1),
        seed,
        known: Vec::new(),
        steps: if steps.is_some() { Steps::Given } else { Steps::Learned { worth: 0.0 } },
        parameters: (0..count).map(parameter).collect(),
    });
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for pair in 0..pairs {
        let [first, second] = spsa.ends(pair).expect("all earlier pairs are over");
        let score = score(surface.elo(first) - surface.elo(second), draws, &mut random);
        spsa.record(pair, score);
    }
    spsa
}

/// The Elo gained.
fn gained(surface: &Surface, spsa: &Spsa) -> f64 {
    let values: Vec<f64> = spsa.parameters().iter().map(|tuned| tuned.value).collect();
    surface.elo(&values) - surface.elo(&vec![START; values.len()])
}

/// Counts the parameters without effect, and how many of them are named as having little to gain; then the parameters that
/// lose at least one Elo at the start, and how many of them are named.
fn named(surface: &Surface, spsa: &Spsa) -> [u64; 4] {
    let Surface::Parabolas(parabolas) = surface else { return [0; 4] };
    let mut counts = [0; 4];
    for (tuned, (best, steep)) in spsa.parameters().iter().zip(parabolas) {
        let is_named = tuned.learned.is_some_and(|learned| learned.lost_at_start < 0.3);
        let place = if *steep <= 0.0 { 0 } else { 2 };
        if place == 0 || steep * (best - START).powi(2) >= 1.0 {
            counts[place] += 1;
            counts[place + 1] += u64::from(is_named);
        }
    }
    counts
}

/// The mean and the tenth percentile of the Elo gained.
fn mean_and_tenth(mut gains: Vec<f64>) -> [f64; 2] {
    gains.sort_by(f64::total_cmp);
    [gains.iter().sum::<f64>() / gains.len() as f64, gains[gains.len() / 10]]
}

fn row(name: &str, count: usize, draws: f64, games: u32, runs: u64, surface: impl Fn(u64) -> Surface) {
    let run = |steps: Option<[f64; 2]>, seed: u64| {
        let surface = surface(seed);
        let spsa = tuned(&surface, count, draws, games / 2, steps, seed);
        (gained(&surface, &spsa), named(&surface, &spsa))
    };
    let of = |steps, runs| mean_and_tenth((0..runs).map(|seed| run(Some(steps), seed).0).collect());
    let usual = of([0.1, 0.002], runs);
    // The best of fifteen in hindsight, compared with fewer runs where games are many.
    let few = if games > 20_000 { runs.min(8) } else { runs };
    let grid = [0.05, 0.16, 0.4].iter().flat_map(|&c| [0.002, 0.006, 0.02, 0.06, 0.2].map(|r| [c, r]));
    let best = grid.map(|steps| (of(steps, few), steps)).max_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    let Some((best, [c, r])) = best else { return };
    let (gains, counts): (Vec<f64>, Vec<[u64; 4]>) = (0..runs).map(|seed| run(None, seed)).unzip();
    let learned = mean_and_tenth(gains);
    let [idle, idle_named, live, live_named] =
        [0, 1, 2, 3].map(|place| counts.iter().map(|counts| counts[place]).sum::<u64>());
    println!(
        "{name},{count},{draws},{games},{:.2},{:.2},{:.2},{c},{r},{:.2},{:.2},{:.2},{idle},{idle_named},{live},{live_named}",
        usual[0],
        usual[1],
        best[0],
        learned[0],
        learned[1],
        learned[0] / best[0].max(0.01)
    );
}

fn main() {
    let runs = std::env::args().nth(1).and_then(|runs| runs.parse().ok()).unwrap_or(20);
    println!(
        "surface,parameters,draws,games,default,default_p10,best,best_c,best_r,learned,learned_p10,of_best,idle,idle_named,live,live_named"
    );
    for (count, lost, scale, draws) in [1, 5, 20, 50].into_iter().flat_map(|count| {
        [(30.0, 0.4, 0.6), (30.0, 0.1, 0.6), (10.0, 0.2, 0.6), (10.0, 0.2, 0.9), (3.0, 0.2, 0.6)]
            .map(|(lost, scale, draws)| (count, lost, scale, draws))
    }) {
        for games in [2_000, 10_000, 50_000] {
            let name = format!("{lost} Elo at {scale}");
            row(&name, count, draws, games, runs, |seed| {
                let mut random = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
                Surface::parabolas(count, lost, scale, &mut random)
            });
        }
    }
    for (name, count, function) in PUBLISHED {
        for games in [2_000, 10_000] {
            row(name, count, 0.0, games, runs, |_| Surface::Published(function));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learned_steps_gain_nearly_all_that_there_is_and_lose_little_where_there_is_nothing() {
        let mean = |lost: f64, scale: f64, count: usize, games: u32| {
            let run = |seed| {
                let surface = Surface::parabolas(count, lost, scale, &mut ChaCha8Rng::seed_from_u64(seed));
                gained(&surface, &tuned(&surface, count, 0.6, games / 2, None, seed))
            };
            mean_and_tenth((0..10).map(run).collect())[0]
        };
        assert!(mean(30.0, 0.4, 5, 10_000) > 25.0);
        assert!(mean(30.0, 0.1, 20, 10_000) > 25.0);
        assert!(mean(0.01, 0.2, 5, 10_000) > -1.0);
    }
}
