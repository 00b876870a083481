//! Measures how fast an engine is here while several of its processes search at once.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::session;
use referee::EpdFile;
use runner::{EngineConfig, PositionLine, SearchTask};
use uci::Go;

/// The number of searches of each process.
pub const SEARCHES: usize = 6;

/// A search that takes this many times as long as planned has hung.
const TIMEOUT_FACTOR: u32 = 20;

/// The mean nodes per second of a process while this many search for `time` in each of [`SEARCHES`] positions.
pub fn speed_at_once(engine: &EngineConfig, processes: usize, time: Duration) -> Result<f64> {
    let EpdFile { entries, .. } =
        EpdFile::parse("games.epd", suites::suite("speed", "games.epd").unwrap_or_default());
    let step = (entries.len() / SEARCHES).max(1);
    let positions: Vec<PositionLine> = entries
        .iter()
        .step_by(step)
        .take(SEARCHES)
        .map(|(_, epd)| PositionLine::from_fen(&epd.fen))
        .collect();
    let barrier = Barrier::new(processes);
    let speeds: Vec<Result<f64>> = thread::scope(|scope| {
        let searching: Vec<_> =
            (0..processes).map(|_| scope.spawn(|| search(engine, &barrier, &positions, time))).collect();
        let end = |thread: thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|_| Err(anyhow!("a thread that measures panicked")))
        };
        searching.into_iter().map(end).collect()
    });
    let speeds = speeds.into_iter().collect::<Result<Vec<f64>>>()?;
    Ok(speeds.iter().sum::<f64>() / speeds.len() as f64)
}

/// Searches with one process. All processes begin when the last one is warm.
fn search(
    engine: &EngineConfig,
    barrier: &Barrier,
    positions: &[PositionLine],
    time: Duration,
) -> Result<f64> {
    let go = Go { movetime: Some(time), ..Go::default() };
    let warm = Go { movetime: Some(time / 2), ..Go::default() };
    let started = session::start(engine).and_then(|mut session| {
        let task = SearchTask::Of(&positions[0], &warm);
        let _ = session.watch_search(task, time * TIMEOUT_FACTOR, |_| {})?;
        Ok(session)
    });
    // A process that failed waits, too, or the others would wait for ever.
    barrier.wait();
    let mut session = started?;
    let (mut nodes, mut wall) = (0, Duration::ZERO);
    for position in positions {
        session.new_game()?;
        let mut searched = None;
        let task = SearchTask::Of(position, &go);
        let (elapsed, _) = session
            .watch_search(task, time * TIMEOUT_FACTOR, |info| searched = info.nodes.or(searched))
            .with_context(|| format!("engine `{}`", engine.name))?;
        nodes += searched.with_context(|| {
            format!("engine `{}`: expected `info … nodes N` before `bestmove`, found none", engine.name)
        })?;
        wall += elapsed;
    }
    session.quit();
    Ok(nodes as f64 / wall.as_secs_f64())
}
