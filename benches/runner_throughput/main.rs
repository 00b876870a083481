//! What runners cost: Arbiter beside fastchess, c-chess-cli and cutechess-cli, as far as they are on the search path.
//!
//! `cargo bench --bench runner_throughput -- CONTEST…` with any of `instant` (an engine that answers at once, 400
//! games), `crowd` (the same engine, 1,000 games, 250 at once) and `stockfish` (2,000 real games at 0.2+0.002, for an
//! hour at most). All runners play the same openings, one runner after the other.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports to people")]

mod contest;
mod instant_engine;
mod measurement;
mod runner;

use std::process::ExitCode;

use contest::Contest;
use measurement::Measurement;
use runner::Runner;

/// The environment variable that makes this program the engine that answers at once, so that every runner can start it
/// without arguments.
const IS_INSTANT_ENGINE: &str = "ARBITER_INSTANT_ENGINE";

fn main() -> ExitCode {
    if std::env::var_os(IS_INSTANT_ENGINE).is_some_and(|value| !value.is_empty()) {
        return instant_engine::talk().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let contests: Vec<Contest> =
        Contest::all().into_iter().filter(|contest| wanted.iter().any(|name| name == contest.name)).collect();
    if contests.is_empty() {
        eprintln!("expected one or more of: {}", Contest::all().map(|contest| contest.name).join(", "));
        return ExitCode::from(2);
    }
    println!("{HEADING}");
    for contest in &contests {
        for &concurrency in contest.concurrencies {
            compare(contest, concurrency);
        }
    }
    ExitCode::SUCCESS
}

const HEADING: &str = "contest    at once  runner         games   plies      seconds  plies/s   µs CPU/ply  MB     \
                       time losses  latency p50/p99/max, ms";

fn compare(contest: &Contest, concurrency: u32) {
    for runner in Runner::ALL {
        let name = runner.name();
        let Some(program) = runner.find() else {
            println!("{:<10} {concurrency:<8} {name:<14} not on the search path", contest.name);
            continue;
        };
        let result = match measurement::measure(runner, &program, contest, concurrency) {
            Ok(Some(measurement)) => row(&measurement),
            Ok(None) => format!("not finished in {} s", contest.patience),
            Err(error) => error.to_string(),
        };
        println!("{:<10} {concurrency:<8} {name:<14} {result}", contest.name);
    }
}

fn row(measurement: &Measurement) -> String {
    let games = &measurement.games;
    let plies = games.plies.max(1) as f64;
    format!(
        "{:<7} {:<10} {:<8.2} {:<9.0} {:<11.1} {:<6.1} {:<12} {}",
        games.count,
        games.plies,
        measurement.seconds,
        plies / measurement.seconds,
        measurement.cpu * 1e6 / plies,
        measurement.memory,
        games.time_losses,
        latency(&games.latencies),
    )
}

fn latency(latencies: &[f64]) -> String {
    let mut sorted = latencies.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted.get(((sorted.len() as f64 - 1.0) * share) as usize).copied();
    match (at(0.5), at(0.99), sorted.last()) {
        (Some(median), Some(high), Some(most)) => format!("{median:.1} / {high:.1} / {most:.1}"),
        _ => String::new(),
    }
}
