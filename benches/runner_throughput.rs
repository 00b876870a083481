//! What the runner itself costs: plies a second between engines that answer at once, every move judged.
//!
//! Build the engine first: `cargo build --release --example mock_engine`, then
//! `cargo bench --bench runner_throughput`.

#![expect(clippy::print_stdout, reason = "a benchmark reports to people")]

#[path = "../tests/arena/mod.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod arena;

use std::time::Instant;

use arbiter::runner::Run;

/// As many as the comparison with other runners uses.
const GAMES: u32 = 400;

fn main() {
    for concurrency in [1, 2] {
        let folder = tempfile::tempdir().expect("a folder for the run");
        let mut config = arena::config(&["well", "well"], "throughput");
        config.games = GAMES;
        config.concurrency = concurrency;
        config.adjudication.max_moves = None;
        let run = Run::start(config, arena::book(), folder.path()).expect("a run");
        let cpu_before = own_cpu_seconds();
        let begin = Instant::now();
        let (games, _) = arena::play(run);
        let seconds = begin.elapsed().as_secs_f64();
        let plies: usize = games.iter().map(|game| game.moves.len()).sum();
        println!(
            "concurrency {concurrency}: {} games, {plies} plies in {seconds:.2} s, {:.0} plies/s, {:.1} µs of our own CPU per ply",
            games.len(),
            plies as f64 / seconds,
            (own_cpu_seconds() - cpu_before) * 1e6 / plies as f64,
        );
    }
}

/// The CPU time of this process without its children, in seconds: fields 14 and 15 of `/proc/self/stat`, in hundredths
/// of a second (proc(5)). Zero on other systems.
fn own_cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}
