//! The cost of legality in the three stages of the `BibiChess` document (§3.1.4), compared with the generator of this
//! crate: `cargo bench --bench legality`.
//!
//! The stages count the same trees in turn, so that other load slows them equally; factors are the median of the
//! factors within a round. Every stage finds out which moves give check, as the document's search wants to know.
//! `tests/legality_stages.rs` shows that all count the same.

mod stages;

use std::time::{Duration, Instant};

use chess::{MoveList, Position};

use self::stages::{Board, FromScratch, Incremental, Leaves, Sieve, count};

/// How often each stage counts each tree.
const ROUNDS: usize = 7;

/// A name, a position and a depth.
const TREES: [(&str, &str, u32); 3] = [
    ("initial position", Position::START_FEN, 4),
    ("Tarrasch - Eckart", "r1bn1rk1/pp2b2p/1q2pnp1/2pp2N1/3P1N2/2PB4/PPQ2PPP/R1B2RK1 w - - 0 14", 3),
    ("SMIRF position 2", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
];

/// The stages, each with what the document says it gains over the one before.
const STAGES: [(&str, Option<f64>); 4] = [
    ("play and test, all from scratch", None),
    ("play and test, incremental", Some(2.6)),
    ("pin filter", Some(4.3)),
    ("generator of the crate", None),
];

/// What the document says the pin filter with incremental keys gains over the first stage.
const DOCUMENTED_IN_ALL: f64 = 11.2;

fn run(stage: usize, position: &Position, depth: u32) -> Leaves {
    match stage {
        0 => count(&mut Board::<FromScratch>::new(position), Sieve::Trial, depth),
        1 => count(&mut Board::<Incremental>::new(position), Sieve::Trial, depth),
        2 => count(&mut Board::<Incremental>::new(position), Sieve::PinFilter, depth),
        _ => count_with_crate(position, depth),
    }
}

/// The same with the legal moves of the crate.
fn count_with_crate(position: &Position, depth: u32) -> Leaves {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    if depth <= 1 {
        let checks = moves.iter().filter(|&&mv| position.gives_check(mv)).count() as u64;
        return Leaves { nodes: moves.len() as u64, checks };
    }
    moves.into_iter().fold(Leaves::default(), |sum, mv| {
        let below = count_with_crate(&position.play(mv), depth - 1);
        Leaves { nodes: sum.nodes + below.nodes, checks: sum.checks + below.checks }
    })
}

/// The time that a stage takes for all trees.
fn time(stage: usize, trees: &[(Position, u32)]) -> Duration {
    let start = Instant::now();
    for (position, depth) in trees {
        std::hint::black_box(run(stage, position, std::hint::black_box(*depth)));
    }
    start.elapsed()
}

/// How many times longer one stage takes than another, in the middle of the rounds.
fn median_factor(slow: &[Duration], fast: &[Duration]) -> f64 {
    let mut factors: Vec<f64> =
        slow.iter().zip(fast).map(|(slow, fast)| slow.div_duration_f64(*fast)).collect();
    factors.sort_by(f64::total_cmp);
    factors[factors.len() / 2]
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
fn main() {
    let trees: Vec<(Position, u32)> = TREES
        .iter()
        .map(|(_, fen, depth)| (Position::from_fen(fen).expect("a legal position"), *depth))
        .collect();
    for ((name, ..), (position, depth)) in TREES.iter().zip(&trees) {
        println!("{name}, depth {depth}: {:?}", run(3, position, *depth));
    }
    let mut times: [Vec<Duration>; 4] = Default::default();
    for _ in 0..ROUNDS {
        for (stage, times) in times.iter_mut().enumerate() {
            times.push(time(stage, &trees));
        }
    }
    println!("\n{:<34}{:>9}{:>9}{:>9}{:>11}", "stage", "best ms", "gain", "in all", "document");
    for (stage, (name, documented)) in STAGES.iter().enumerate() {
        let best = times[stage].iter().min().copied().unwrap_or_default();
        let gain = median_factor(&times[stage.saturating_sub(1)], &times[stage]);
        let in_all = median_factor(&times[0], &times[stage]);
        let documented = documented.map_or_else(String::new, |factor| format!("{factor:.1}"));
        println!("{name:<34}{:>9.1}{gain:>9.2}{in_all:>9.2}{documented:>11}", best.as_secs_f64() * 1e3);
    }
    println!("\nThe document has {DOCUMENTED_IN_ALL} from the first stage to the third.");
}
