//! `arbiter check ENGINE --clock cpu`: whether an engine can play by its CPU time.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::{CheckOutcome, Finding};
use crate::engines::session;
use crate::options::machine;
use crate::text::number_text::thousands;
use runner::process::{ClockKind, ClockProbe, EngineProcess};
use runner::{EngineConfig, SearchTask};

const POSITIONS: [&str; 4] = [
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5",
    "position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9",
    "position fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "position fen 8/pp3k2/2p1p1p1/3pPp1p/3P1P1P/2P1K1P1/PP6/8 w - - 0 1",
];

const MOVETIME: Duration = Duration::from_millis(200);

/// The number of busy threads per core while the engine is measured under load.
const LOAD: usize = 2;

const ROUNDS: usize = 2;

/// Rates differ if they differ by more than this share of the rate without load. Sharing caches and memory with other threads
/// costs only a part of it.
const TOLERANCE: f64 = 0.3;

const LATE: Duration = Duration::from_millis(10);

const READY: Duration = Duration::from_secs(10);
const TIMEOUT: Duration = Duration::from_secs(10);

pub fn check_clock(engine: &EngineConfig, mut report: impl FnMut(&Finding)) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut add = |check, outcome| {
        let finding = Finding { check, outcome };
        report(&finding);
        findings.push(finding);
    };
    let runtime = runner::process::new_runtime()?;
    let mut process = runtime.block_on(session::ready(engine, ClockKind::Cpu, READY))?;
    let probe = runtime.block_on(process.probe_clock(engine))?;
    let is_refused = matches!(probe, ClockProbe::Fails(_));
    add("clock", judge_probe(probe));
    if !is_refused {
        // Alternating, since the machine may change meanwhile.
        let (mut alone, mut beside) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            alone.extend(runtime.block_on(measure(&mut process))?);
            beside.extend(beside_load(|| runtime.block_on(measure(&mut process)))?);
        }
        add("work per second", judge_rates(&alone, &beside));
        add("time kept", judge_times(&alone, &beside));
    }
    runtime.block_on(process.quit());
    Ok(findings)
}

fn beside_load<T>(work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..LOAD * machine::cores() {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    black_box((0..1000_u64).fold(0, |sum: u64, next| sum.wrapping_mul(31) ^ next));
                }
            });
        }
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

struct TimedSearch {
    elapsed: Duration,
    nodes: Option<u64>,
}

async fn measure(process: &mut EngineProcess) -> Result<Vec<TimedSearch>> {
    let mut searches = Vec::new();
    for position in POSITIONS {
        process.new_game(READY).await?;
        let order = format!("{position}\ngo movetime {}\n", MOVETIME.as_millis());
        let answer = process.search(SearchTask::AsWritten(&order), TIMEOUT).await?;
        let nodes = answer.info.and_then(|info| info.nodes);
        searches.push(TimedSearch { elapsed: answer.elapsed, nodes });
    }
    Ok(searches)
}

fn judge_probe(probe: ClockProbe) -> CheckOutcome {
    match probe {
        ClockProbe::Holds(worked) => {
            CheckOutcome::pass("stopped in the middle of a search, it used the rest of its time")
                .seen(format!("{} ms of 300 ms", worked.as_millis()))
        }
        ClockProbe::Unknown => {
            CheckOutcome::warn("it moves before its time is over: which clock it reads is unknown")
        }
        ClockProbe::Fails(obstacle) => {
            CheckOutcome { seen: Some(obstacle), ..CheckOutcome::fail("CPU time cannot be its time") }
        }
    }
}

fn judge_rates(alone: &[TimedSearch], beside: &[TimedSearch]) -> CheckOutcome {
    let rate = |searches: &[TimedSearch]| {
        let nodes: u64 = searches.iter().filter_map(|search| search.nodes).sum();
        nodes as f64 / searches.iter().map(|search| search.elapsed).sum::<Duration>().as_secs_f64()
    };
    let (alone, beside) = (rate(alone), rate(beside));
    if !(alone > 0.0 && alone.is_finite() && beside.is_finite()) {
        return CheckOutcome::skip("it does not report its nodes");
    }
    let share = beside / alone;
    let seen = format!(
        "{} nodes per second alone, {} beside {} busy threads: {:.0}%",
        thousands(alone as u64),
        thousands(beside as u64),
        LOAD * machine::cores(),
        share * 100.0
    );
    CheckOutcome::pass("it does the same work per second of its clock under load")
        .warn_if(
            (share - 1.0).abs() > TOLERANCE,
            "it does not do the same work per second of its clock under load",
        )
        .seen(seen)
}

fn judge_times(alone: &[TimedSearch], beside: &[TimedSearch]) -> CheckOutcome {
    let late = |searches: &[TimedSearch]| {
        let late = searches.iter().map(|search| search.elapsed.saturating_sub(MOVETIME)).max();
        late.unwrap_or_default()
    };
    let (alone, beside) = (late(alone), late(beside));
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let seen = format!("at most {:.1} ms late alone, {:.1} ms under load", millis(alone), millis(beside));
    let is_late = alone.max(beside) > LATE;
    CheckOutcome::pass("it keeps its time")
        .warn_if(is_late, "it exceeds its time: give it a --timemargin, or set its option for that")
        .seen(seen)
}
