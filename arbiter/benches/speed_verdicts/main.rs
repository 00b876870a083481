//! How far `arbiter speed` can be trusted: a program against a copy of itself, and against itself made slower.
//!
//! `cargo bench --bench speed_verdicts -- [RUNS [ROUNDS [THOUSANDTHS [NODES]]]]` makes so many comparisons of the program
//! with itself (20), each of so many rounds (1), and one with its slowdown of so many thousandths (10) after every fifth
//! of them, and prints a row of CSV for each. With a number of nodes a search, the suite is two positions: 12000 make a
//! comparison of 8 seconds, which shows false alarms, 50000 one of 15, which shows a slowdown as well.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports to people")]

#[path = "../../tests/programs/slowed/slowed_tarrasch.rs"]
mod slowed_tarrasch;

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use arbiter::measure::speed::SpeedReport;
use slowed_tarrasch::SlowedTarrasch;
use stats::{PairedRatio, SpeedVerdict};
use uci::server;

/// The environment variable that makes this program the engine, so that its copies are engines.
const IS_ENGINE: &str = "ARBITER_SLOWED_TARRASCH";

/// A slowdown has to be found in this time.
const PATIENCE: Duration = Duration::from_mins(2);

/// So many comparisons of the program with itself for each with the slowed one.
const SAME_FOR_EACH_SLOWED: u32 = 5;

/// The suite of the quick comparisons: a middlegame and an endgame.
const TWO_POSITIONS: &str = "\
r1bq1rk1/1p2bpp1/p1n4p/2pNp3/2P1P3/3P4/PP2B1PP/R1BQK2R w KQ -
1r6/2Rbk3/1N2pnpp/4p3/4P3/3BP2P/4K1P1/8 w - -
";

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::var_os(IS_ENGINE).is_some() {
        return Ok(server::serve(SlowedTarrasch::new()?, io::stdin().lock(), io::stdout())?);
    }
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<u32>().ok());
    let mut number = |default| numbers.next().unwrap_or(default);
    let (runs, rounds, thousandths, nodes) = (number(20), number(1), number(10), number(0));

    let place = tempfile::tempdir()?;
    let one = copy_to(&place.path().join("a"))?;
    let mut args = vec!["--rounds".to_owned(), rounds.to_string()];
    if nodes > 0 {
        let suite = place.path().join("two.epd");
        fs::write(&suite, TWO_POSITIONS)?;
        args.extend([
            "--suite".to_owned(),
            suite.display().to_string(),
            "--nodes".to_owned(),
            nodes.to_string(),
        ]);
    }
    let contests = [
        Contest { kind: "same", opponent: one.display().to_string(), runs: Vec::new() },
        Contest {
            kind: "slowed",
            opponent: format!("{}:Slowdown={thousandths}", one.display()),
            runs: Vec::new(),
        },
    ];
    println!("kind,run,seconds,ratio,lower,upper,resolution,wall_ratio,verdict,cpu_share");
    let contests = measure(contests, &one, runs, &args)?;
    let [same, slowed] = &contests;
    let claimed = same.runs.iter().filter(|run| run.ratio.is_clear()).count();
    let noisy = same.runs.iter().filter(|run| run.verdict == SpeedVerdict::TooNoisy).count();
    let found =
        slowed.runs.iter().filter(|run| run.verdict == SpeedVerdict::Faster && run.time < PATIENCE).count();
    let slowest =
        contests.iter().flat_map(|contest| &contest.runs).map(|run| run.time).max().unwrap_or_default();
    eprintln!("the same program: a difference claimed in {claimed} of {runs} ({noisy} too noisy to say)");
    let slowed = slowed.runs.len();
    eprintln!("slowed by {thousandths} thousandths: found in less than two minutes in {found} of {slowed}");
    eprintln!("the longest comparison took {:.1} s", slowest.as_secs_f64());
    Ok(())
}

/// The program against an opponent, again and again.
struct Contest {
    kind: &'static str,
    opponent: String,
    runs: Vec<Run>,
}

/// What came of one comparison.
struct Run {
    time: Duration,
    ratio: PairedRatio,
    verdict: SpeedVerdict,
}

/// Lets the second contest have its turns between those of the first, so that what the machine does meanwhile meets both.
fn measure(
    mut contests: [Contest; 2],
    program: &Path,
    runs: u32,
    args: &[String],
) -> Result<[Contest; 2], Box<dyn Error>> {
    for run in 1..=runs {
        let count = if run.is_multiple_of(SAME_FOR_EACH_SLOWED) { 2 } else { 1 };
        for Contest { kind, opponent, runs } in contests.iter_mut().take(count) {
            let begin = Instant::now();
            let report = speed(&program.display().to_string(), opponent, args)?;
            let time = begin.elapsed();
            let comparison = report.comparisons.first().ok_or("expected a comparison")?;
            let ratio = *comparison.nodes_per_second().ok_or("expected a ratio")?;
            let wall = comparison.by_wall_time.ok_or("expected a ratio of wall times")?;
            let verdict = ratio.verdict();
            let share =
                report.engines.iter().map(|engine| engine.cpu_seconds.unwrap_or(0.0) / engine.wall_seconds);
            let share = share.fold(f64::INFINITY, f64::min);
            println!(
                "{kind},{run},{:.1},{:.5},{:.5},{:.5},{:.5},{:.5},{verdict:?},{share:.3}",
                time.as_secs_f64(),
                ratio.ratio,
                ratio.lower,
                ratio.upper,
                report.resolution.unwrap_or_default(),
                wall.ratio
            );
            runs.push(Run { time, ratio, verdict });
        }
    }
    Ok(contests)
}

/// Runs `arbiter speed`.
fn speed(one: &str, other: &str, args: &[String]) -> Result<SpeedReport, Box<dyn Error>> {
    let mut arbiter = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    arbiter.args(["speed", one, other, "--json"]).args(args);
    let output = arbiter.env(IS_ENGINE, "1").output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Copies this program into a new folder.
fn copy_to(folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let copy = folder.join("engine");
    fs::copy(std::env::current_exe()?, &copy)?;
    Ok(copy)
}
