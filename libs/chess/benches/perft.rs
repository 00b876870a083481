//! Perft speed of cozy-chess, shakmaty and this crate, in one process: `cargo bench --bench perft`.
//!
//! The three libraries take turns, so that other load slows them equally. Each speed is the library's best round; each
//! ratio is the median of the ratios within a round, which other load hardly changes. All three count the last ply
//! without playing its moves, and every node count is checked.

use chess::{Position, perft};
use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::time::{Duration, Instant};

/// How many times each library counts each position.
const ROUNDS: usize = 11;

struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u8,
    nodes: u64,
}

const CASES: [Case; 2] = [
    Case { name: "initial position", fen: Position::START_FEN, depth: 6, nodes: 119_060_324 },
    Case {
        name: "SMIRF position 2",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        nodes: 193_690_690,
    },
];

/// A library with a position already set up, ready to count to a given depth.
struct Contestant<'c> {
    name: &'static str,
    count: Box<dyn Fn(u8) -> u64 + 'c>,
    times: Vec<Duration>,
}

impl<'c> Contestant<'c> {
    fn new(name: &'static str, count: impl Fn(u8) -> u64 + 'c) -> Self {
        Self { name, count: Box::new(count), times: Vec::new() }
    }

    fn run(&mut self, case: &Case) {
        let start = Instant::now();
        let nodes = (self.count)(std::hint::black_box(case.depth));
        self.times.push(start.elapsed());
        assert_eq!(nodes, case.nodes, "{} on the {}", self.name, case.name);
    }

    fn speed(&self, case: &Case) -> f64 {
        let best = self.times.iter().min().copied().unwrap_or(Duration::MAX);
        case.nodes as f64 / best.as_secs_f64() / 1e6
    }

    fn median_ratio(&self, other: &Self) -> f64 {
        let mut ratios: Vec<f64> =
            self.times.iter().zip(&other.times).map(|(a, b)| a.div_duration_f64(*b)).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }
}

/// cozy-chess has no perft of its own; this is the one that its documentation suggests.
fn cozy_perft(board: &cozy_chess::Board, depth: u8) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy_perft(&next, depth - 1);
            }
            false
        });
    }
    nodes
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
fn main() {
    for case in &CASES {
        let ours = Position::from_fen(case.fen).expect("a legal position");
        let cozy: cozy_chess::Board = case.fen.parse().expect("a legal position");
        let fen: Fen = case.fen.parse().expect("a FEN");
        let shakmaty: Chess = fen.into_position(CastlingMode::Standard).expect("a legal position");
        let mut contestants = [
            Contestant::new("arbiter", |depth| perft(&ours, depth.into())),
            Contestant::new("cozy-chess", |depth| cozy_perft(&cozy, depth)),
            Contestant::new("shakmaty", |depth| shakmaty::perft(&shakmaty, depth.into())),
        ];
        for _ in 0..ROUNDS {
            for contestant in &mut contestants {
                contestant.run(case);
            }
        }
        println!("{}, depth {}:", case.name, case.depth);
        for contestant in &contestants {
            let ratio = contestant.median_ratio(&contestants[0]);
            println!(
                "  {:<10} {:6.0} Mnps   ours / theirs {ratio:.2}",
                contestant.name,
                contestant.speed(case)
            );
        }
    }
}
