//! Ratings of a million games, beside Ordo where it is on the search path: `cargo bench --bench ratings`.
//!
//! The games are made by a fixed rule, in pairs from 10,000 openings, 180 MB with their tags and a few moves. What is timed is what a user would wait
//! for: reading the file, the ratings, their intervals, and the likelihood of superiority for neighbours in the list.
//! Ordo estimates errors by simulation, so it runs with none and with a hundred, on the same file, with both the
//! advantage of the first move and the draw rate estimated. The programs take turns; the best of their rounds counts.
//!
//! `cargo bench --bench ratings -- PLAYERS` has another number of players than 20.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use arbiter::rating::RatedGames;
use referee::PgnGames;
use stats::Elo;

const GAMES: usize = 1_000_000;
const PLAYERS: usize = 20;
const OPENINGS: usize = 10_000;
const ROUNDS: usize = 5;

/// Elo of White's advantage, and the share of draws.
const ADVANTAGE: f64 = 30.0;
const DRAWS: f64 = 0.35;

/// Steele, Lea and Flood's `SplitMix64`, which is all the chance that is needed.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Players whose true ratings are evenly spread over 800 Elo, paired at random.
fn games(players: usize) -> String {
    let mut random = SplitMix(1);
    let mut text = String::with_capacity(GAMES * 200);
    for pair in 0..GAMES / 2 {
        let first = random.below(players);
        let second = (first + 1 + random.below(players - 1)) % players;
        // A number in the place of the move counter makes 10,000 positions of one.
        let opening = random.below(OPENINGS);
        let fen = format!("rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 {opening}");
        for (white, black) in [(first, second), (second, first)] {
            let lead = (white as f64 - black as f64) * 800.0 / players as f64 + ADVANTAGE;
            let expected = Elo::new(lead).expected_score();
            let draws = DRAWS * 2.0 * expected.min(1.0 - expected);
            let chance = random.share();
            let result = if chance < expected - draws / 2.0 {
                "1-0"
            } else if chance < expected + draws / 2.0 {
                "1/2-1/2"
            } else {
                "0-1"
            };
            let _ = write!(
                text,
                "[Round \"{pair}\"]\n[White \"p{white}\"]\n[Black \"p{black}\"]\n[Result \"{result}\"]\n\
                 [FEN \"{fen}\"]\n\n1. Nc3 a6 2. Be3 e5 3. Nb3 Be6 {result}\n\n"
            );
        }
    }
    text
}

fn rate(file: &Path) -> bool {
    let mut table = RatedGames::of(1);
    table.add_pgn(PgnGames::open(file).expect("the games")).expect("whole games");
    assert_eq!(table.games(), GAMES as u64);
    table.list(&BTreeMap::new()).players.len() > 1
}

/// Whether Ordo could be run.
fn ordo(file: &Path, simulations: Option<&str>) -> bool {
    let mut command = Command::new("ordo");
    command.args(["-q", "-W", "-D", "-a", "0", "-p"]).arg(file);
    if let Some(simulations) = simulations {
        command.args(["-s", simulations]);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// A program that rates the games, or tells that it could not.
struct Contestant<'c> {
    name: &'static str,
    rate: Box<dyn Fn() -> bool + 'c>,
    best: Option<Duration>,
}

impl<'c> Contestant<'c> {
    fn new(name: &'static str, rate: impl Fn() -> bool + 'c) -> Self {
        Self { name, rate: Box::new(rate), best: None }
    }

    fn run(&mut self) {
        let start = Instant::now();
        if (self.rate)() {
            self.best = Some(self.best.unwrap_or(Duration::MAX).min(start.elapsed()));
        }
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
fn main() {
    let players = env::args().find_map(|argument| argument.parse().ok()).unwrap_or(PLAYERS);
    let file = env::temp_dir().join(format!("arbiter-ratings-{}.pgn", std::process::id()));
    let text = games(players);
    fs::write(&file, &text).expect("room for the games");
    println!("{GAMES} games of {players} players, {:.1} MB", text.len() as f64 / 1e6);
    let mut contestants = [
        Contestant::new("arbiter, with intervals", || rate(&file)),
        Contestant::new("ordo", || ordo(&file, None)),
        Contestant::new("ordo, 100 simulations", || ordo(&file, Some("100"))),
    ];
    for _ in 0..ROUNDS {
        contestants.iter_mut().for_each(Contestant::run);
    }
    for Contestant { name, best, .. } in &contestants {
        let time = best.map_or("not found".to_owned(), |best| format!("{:.3} s", best.as_secs_f64()));
        println!("  {name:<24}  {time}");
    }
    fs::remove_file(&file).expect("the games are still there");
}
