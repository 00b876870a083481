//! One search, measured.

use std::ops::ControlFlow;
use std::time::Duration;

use thiserror::Error;

use crate::process::EngineError;
use crate::suites::EngineSession;
use crate::uci::{Go, Info, Message};

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpeedSample {
    /// From `go` to `bestmove` on our clock.
    pub wall: Duration,
    /// CPU time of the engine, all threads together; `None` where the system does not tell.
    pub cpu: Option<Duration>,
    /// Nodes that the engine reported.
    pub nodes: u64,
    /// Depth of its last line, in plies.
    pub depth: u32,
    /// How full its hash table was, in thousandths.
    pub hashfull: Option<u32>,
}

/// Why a search was not measured.
#[derive(Debug, Error)]
pub enum SpeedError {
    /// The engine is silent or gone.
    #[error("{0}, after `{1}`; an engine that ignores this limit can be measured with --movetime")]
    Engine(#[source] EngineError, String),
    /// The engine is silent or gone before the search.
    #[error(transparent)]
    NotReady(EngineError),
    /// It does not tell its nodes.
    #[error("engine `{0}` reported no nodes: expected `info … nodes N` before `bestmove`")]
    NoNodes(String),
}

/// Gives an engine a position as the first of a new game.
///
/// # Errors
/// The engine does not answer within `patience`, or reports no nodes.
pub(in crate::suites) fn measure(
    session: &mut EngineSession,
    name: &str,
    fen: &str,
    go: &Go,
    patience: Duration,
) -> Result<SpeedSample, SpeedError> {
    session.new_game().map_err(SpeedError::NotReady)?;
    let mut last = Info::default();
    let before = session.cpu_time();
    let question = format!("position fen {fen}\n{go}\n");
    let wall = session.ask(&question, patience, |line| match line.parse() {
        Ok(Message::Info(info)) => {
            last.nodes = info.nodes.or(last.nodes);
            last.depth = info.depth.or(last.depth);
            last.hashfull = info.hashfull.or(last.hashfull);
            ControlFlow::Continue(())
        }
        _ if line.starts_with("bestmove") => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    let wall = wall.map_err(|source| SpeedError::Engine(source, go.to_string()))?;
    let cpu = session.cpu_time().zip(before).map(|(after, before)| after.saturating_sub(before));
    let nodes = last.nodes.filter(|nodes| *nodes > 0).ok_or_else(|| SpeedError::NoNodes(name.to_owned()))?;
    Ok(SpeedSample { wall, cpu, nodes, depth: last.depth.unwrap_or(0), hashfull: last.hashfull })
}
