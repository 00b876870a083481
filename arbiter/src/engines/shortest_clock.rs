//! The shortest time control at which an engine thinks. If its reserve is as large as the clock, it moves at once.

use std::time::Duration;

use anyhow::Result;

use super::session;
use runner::process::EngineError;
use runner::{EngineConfig, PositionLine, SearchTask, TimeControl, TimeStage};
use uci::Go;

/// Positions with many legal moves that are in no book.
pub const MIDDLEGAMES: [&str; 3] = [
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r1rk1/p1q2pp1/1p2pn1p/2b5/2P5/1P1BPN2/P2Q1PPP/3R1RK1 w - - 0 19",
    "2r2rk1/1bqnbppp/p2ppn2/1p6/3NPP2/2NBB3/PPPQ2PP/2KR3R w - - 2 13",
];

/// The longest first.
const CLOCKS: [&str; 5] = ["15+0.15", "4+0.04", "1+0.01", "0.3+0.003", "0.1+0.001"];

/// An engine that thinks at these time controls needs no warning.
pub const SHORT_ENOUGH: &[&str] = &["0.3+0.003", "0.1+0.001"];

/// The number of moves that share the clock. An engine that takes less than a fifth of its share hardly thinks.
const MOVES: u32 = 40;
const LEAST_SHARE: f64 = 0.2;

const TIMEOUT: Duration = Duration::from_secs(30);

/// Searches the position of a FEN, and returns the time used.
type Search<'a> = dyn FnMut(&str, &Go) -> Result<Duration, EngineError> + 'a;

/// Whether an engine thinks with half of its clock left, judged by its median time.
fn thinks(clock: &TimeStage, search: &mut Search<'_>) -> Result<bool, EngineError> {
    let moves = clock.moves.map_or(MOVES, |moves| moves.div_ceil(2));
    let (left, increment) = (clock.time / 2, clock.increment);
    let (time, added) = (Some(left.max(Duration::from_millis(1))), Some(increment));
    let movestogo = clock.moves.map(|_| moves);
    let go = Go { wtime: time, btime: time, winc: added, binc: added, movestogo, ..Go::default() };
    let mut times = [Duration::ZERO; MIDDLEGAMES.len()];
    for (time, fen) in times.iter_mut().zip(MIDDLEGAMES) {
        *time = search(fen, &go)?;
    }
    times.sort_unstable();
    Ok(times[times.len() / 2] >= (left / moves + increment).mul_f64(LEAST_SHARE))
}

/// The shortest of some usual time controls at which an engine thinks; `None` if it moves at once with all of them.
pub fn shortest(search: &mut Search<'_>) -> Result<Option<&'static str>, EngineError> {
    shortest_of(CLOCKS, search)
}

/// The shortest of these time controls, the longest of which comes first.
fn shortest_of(
    clocks: impl IntoIterator<Item = &'static str>,
    search: &mut Search<'_>,
) -> Result<Option<&'static str>, EngineError> {
    let mut found = None;
    for text in clocks {
        if !thinks(&stage(text), search)? {
            break;
        }
        found = Some(text);
    }
    Ok(found)
}

fn stage(text: &str) -> TimeStage {
    text.parse::<TimeControl>().expect("a time control of ours").stages()[0]
}

/// The shortest time control at which this engine thinks; starts the engine to find out.
pub fn of(engine: &EngineConfig) -> Result<Option<&'static str>> {
    with_search(engine, shortest)
}

/// A longer time control at which an engine thinks, if it does not at this one.
pub fn longer_clock(engine: &EngineConfig, clock: &TimeControl) -> Result<Option<&'static str>> {
    let clock = clock.stages()[0];
    // No engine has so large a reserve.
    if clock.time > stage(CLOCKS[0]).time {
        return Ok(None);
    }
    let longer = CLOCKS.into_iter().filter(|text| stage(text).time > clock.time);
    with_search(engine, |search| if thinks(&clock, search)? { Ok(None) } else { shortest_of(longer, search) })
}

fn with_search<T>(
    engine: &EngineConfig,
    ask: impl FnOnce(&mut Search<'_>) -> Result<T, EngineError>,
) -> Result<T> {
    let mut session = session::start(&EngineConfig { limits: None, ..engine.clone() })?;
    let found = ask(&mut |fen, go| {
        session.new_game()?;
        let searched = session.watch_search(SearchTask::Of(&PositionLine::from_fen(fen), go), TIMEOUT, drop);
        searched.map(|(time, _)| time)
    })?;
    session.quit();
    Ok(found)
}

/// Refuses a time control at which one of the engines hardly thinks, though it would at a longer one.
pub fn check<'a>(engines: impl IntoIterator<Item = &'a EngineConfig>, clock: &TimeControl) -> Result<()> {
    for engine in engines {
        if let Some(longer) = longer_clock(engine, clock)? {
            let name = &engine.name;
            anyhow::bail!("engine `{name}` hardly thinks at {clock}: use {longer} or a longer time control");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortest clock for an engine that keeps a reserve and takes a thirtieth of the rest.
    fn with_reserve(reserve: u64) -> Option<&'static str> {
        let mut search = |_: &str, go: &Go| {
            let left = go.wtime.unwrap().saturating_sub(Duration::from_millis(reserve));
            Ok(Duration::from_micros(100) + left / 30)
        };
        shortest(&mut search).unwrap()
    }

    #[test]
    fn a_reserve_as_large_as_the_clock_leaves_no_time_to_think() {
        for (reserve, expected) in [
            (0, Some("0.1+0.001")),
            (10, Some("0.1+0.001")),
            (140, Some("1+0.01")),
            (300, Some("1+0.01")),
            (1000, Some("4+0.04")),
            (3000, Some("15+0.15")),
            (10_000, None),
        ] {
            assert_eq!(with_reserve(reserve), expected, "{reserve} ms");
        }
    }
}
