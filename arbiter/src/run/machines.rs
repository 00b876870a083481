//! The machine that plays a part of a run, and the bench of the engines on it before the first game: if the same
//! program searches another number of nodes than elsewhere, the machine or the program differs from the others.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::cli::console;
use crate::engines::session;
use crate::options::machine::made_now;
use runner::{EngineConfig, Machine, MachineBench, Machines, PositionLine, Run, RunConfig, SearchTask};
use uci::Go;

/// The moves to each position of the bench. Each is searched at depth 1, 2, 3 and so on, up to the first depth with this
/// many nodes.
const POSITIONS: [&str; 3] = ["", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6"];
const NODES: u64 = 10_000;
const MOST_PLIES: u32 = 30;

/// An engine that needs more time is not compared.
const TIMEOUT: Duration = Duration::from_secs(4);

/// Records the machine that plays the run from now on. If other machines play parts of the run, each engine first
/// searches its bench.
pub(super) fn note_machine(run: &mut Run) -> Result<()> {
    if run.is_over() {
        return Ok(());
    }
    let (mut here, known) = (made_now().machine(), &run.machines.0);
    let is_compared = run.config().shard.is_some() || known.values().any(|known| !known.benches.is_empty());
    if is_compared && !known.values().any(|known| known.is(&here) && !known.benches.is_empty()) {
        here.benches = run.config().engines.iter().map(bench).collect();
        compare(&run.machines, &here, run.config())?;
    }
    if run.config().scale.is_some() && !known.is_empty() && !known.values().any(|known| known.is(&here)) {
        console::note(
            "warning: the time limits were scaled to another machine; games on this one are longer or shorter than meant",
        );
    }
    run.play_on(&here);
    Ok(())
}

pub(super) fn compare(machines: &Machines, machine: &Machine, config: &RunConfig) -> Result<()> {
    for other in machines.0.values() {
        let Some((engine, here, there)) = machine.other_bench(other) else { continue };
        bail!(
            "machine {} ({}): engine `{}` searches {here} nodes in its bench, on {} ({}) {there}; expected the same \
             number from the same program: it depends on the processor, or one of the machines makes errors",
            machine.name,
            machine.cpu,
            config.engines[engine].name,
            other.name,
            other.cpu
        );
    }
    Ok(())
}

fn bench(engine: &EngineConfig) -> MachineBench {
    // An exclusive resource may be in use.
    let nodes = || if engine.exclusive.is_some() { None } else { nodes_of_bench(engine).ok().flatten() };
    match (nodes(), nodes()) {
        (Some(one), Some(other)) if one == other => MachineBench::Nodes(one),
        (Some(_), Some(_)) => MachineBench::NotTheSameTwice,
        _ => MachineBench::Unknown,
    }
}

/// The nodes that the engine searches in its bench, with one thread and the default hash table; `None` if it does not report
/// them.
pub fn nodes_of_bench(engine: &EngineConfig) -> Result<Option<u64>> {
    let is_own = |name: &str| !["Threads", "Hash"].iter().any(|common| name.eq_ignore_ascii_case(common));
    let mut plain = EngineConfig { limits: None, ..engine.clone() };
    plain.options.retain(|setting| is_own(&setting.name));
    let mut session = session::start(&plain)?;
    if let Some(threads) = session.introduction().option("Threads").map(|option| option.name.clone()) {
        session.set_option(&threads, Some("1"))?;
    }
    let begin = Instant::now();
    let mut sum = 0;
    for moves in POSITIONS {
        session.new_game()?;
        let mut position = PositionLine::default();
        moves.split_whitespace().for_each(|uci| position.play(uci));
        for depth in 1..=MOST_PLIES {
            let mut nodes = None;
            let left = TIMEOUT.saturating_sub(begin.elapsed());
            let go = Go { depth: Some(depth), ..Go::default() };
            let _ = session.watch_search(SearchTask::Of(&position, &go), left, |info| {
                nodes = info.nodes.or(nodes);
            })?;
            let Some(nodes) = nodes else { return Ok(None) };
            sum += nodes;
            if nodes >= NODES {
                break;
            }
        }
    }
    session.quit();
    Ok(Some(sum))
}
