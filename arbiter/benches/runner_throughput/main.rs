//! What runners cost: Arbiter beside fastchess, c-chess-cli and cutechess-cli, as far as they are on the search path.
//!
//! `cargo bench --bench runner_throughput -- CONTEST…` with any of `instant` (an engine that answers at once, 400
//! games), `crowd` (the same engine, 1,000 games, 250 at once) and `stockfish` (2,000 real games at 0.2+0.002, for an
//! hour at most). All runners play the same openings, one runner after the other, some contests in several rounds.

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

const HEADING: &str = "contest    at once  runner         games   plies      seconds  plies/s             µs CPU/ply  MB     \
                       time losses  latency p50/p99/max, ms";

/// Lets the runners take turns, so that what the machine does meanwhile meets all of them, and prints a row for each.
fn compare(contest: &Contest, concurrency: u32) {
    let runners: Vec<Runner> =
        Runner::ALL.into_iter().filter(|runner| runner.can_play_at_once(concurrency)).collect();
    let mut rows = vec![Vec::new(); runners.len()];
    for _ in 0..contest.rounds {
        for (runner, row) in runners.iter().zip(&mut rows) {
            if let Some(program) = runner.find() {
                let measured = measurement::measure(*runner, &program, contest, concurrency);
                row.push(measured.map_err(|error| error.to_string()));
            }
        }
    }
    for (runner, measured) in runners.iter().zip(rows) {
        println!("{:<10} {concurrency:<8} {:<14} {}", contest.name, runner.name(), row(contest, measured));
    }
}

/// The run with the median of the times, and the slowest and the fastest pace of all.
fn row(contest: &Contest, measured: Vec<Result<Option<Measurement>, String>>) -> String {
    if measured.is_empty() {
        return "not on the search path".to_owned();
    }
    let mut runs = match measured.into_iter().collect::<Result<Option<Vec<Measurement>>, String>>() {
        Ok(Some(runs)) => runs,
        Ok(None) => return format!("not finished in {} s", contest.patience),
        Err(error) => return error,
    };
    runs.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    let median = &runs[runs.len() / 2];
    let games = &median.games;
    let pace = match (runs.last(), runs.first()) {
        (Some(slowest), Some(fastest)) if runs.len() > 1 => {
            format!("{:.0} ({:.0}-{:.0})", median.pace(), slowest.pace(), fastest.pace())
        }
        _ => format!("{:.0}", median.pace()),
    };
    format!(
        "{:<7} {:<10} {:<8.2} {pace:<19} {:<11.1} {:<6.1} {:<12} {}",
        games.count,
        games.plies,
        median.seconds,
        median.cpu * 1e6 / games.plies.max(1) as f64,
        median.memory,
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
