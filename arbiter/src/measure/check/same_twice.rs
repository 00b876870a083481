//! Whether an engine is deterministic: each position is searched after other games and `ucinewgame`, and in a new
//! process, with one thread and a fixed limit. A difference is random, or comes from what earlier games left in memory.
//! Either makes every test noisier.

use std::fmt;
use std::time::{Duration, Instant};

use super::finding::{CheckOutcome, SearchRecord};
use crate::engines::{EngineSession, session};
use crate::measure::MeasureError;
use crate::measure::speed::SpeedSuite;
use crate::results::{LimitDoubt, LimitUse, SearchEnd};
use runner::process::EngineError;
use runner::{EngineConfig, SearchLimits};
use uci::Go;

const POSITIONS: usize = 8;

/// Node limits, and depth limits for an engine that ignores nodes; each is ten times the work of the one before.
const NODES: [u64; 2] = [10_000, 100_000];
const DEPTHS: [u32; 4] = [4, 6, 8, 10];

/// After a search quicker than this, the next limit is tried: longer searches show a difference sooner.
const QUICK: Duration = Duration::from_millis(100);

const TIMEOUT: Duration = Duration::from_secs(10);

/// No more positions are searched after this time, so slow engines get fewer.
const ENOUGH: Duration = Duration::from_secs(20);

#[derive(Clone, Debug, PartialEq, Eq)]
struct SearchTrace {
    nodes: Option<u64>,
    depth: Option<u32>,
    best: String,
}

impl fmt::Display for SearchTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.nodes.map_or_else(|| "no nodes".to_owned(), |nodes| format!("{nodes} nodes"));
        write!(f, "{nodes} and {}", self.best)
    }
}

/// A warning, if the engine does not search the same twice.
pub fn check_same_twice(engine: &EngineConfig) -> Result<CheckOutcome, MeasureError> {
    let fens = positions()?;
    let Some(go) = limit(engine, &fens[0], &[&nodes(), &depths()], false)? else {
        return Ok(CheckOutcome::skip("cannot tell: it keeps to neither `go nodes` nor `go depth`"));
    };
    let begin = Instant::now();
    let in_new_process = |fen: &str| search(&mut new_process(engine)?, fen, &go).map_err(MeasureError::from);
    let mut session = new_process(engine)?;
    let (mut positions, mut has_nodes) = (0, true);
    for fen in &fens {
        let after_games = search(&mut session, fen, &go)?;
        let answer = in_new_process(fen)?;
        if after_games != answer {
            // The first position is the first game in both processes. If new processes agree, games have left something.
            let sentence = if positions > 0 && in_new_process(fen)? == answer {
                "it is not deterministic: something of earlier games is left after ucinewgame"
            } else {
                "it is not deterministic, even in two new processes: it is random, or depends on the clock"
            };
            let seen = format!("`{go}` in {fen}: {after_games}, in a new process {answer}");
            return Ok(CheckOutcome::warn(sentence).seen(seen));
        }
        has_nodes &= answer.nodes.is_some();
        positions += 1;
        if begin.elapsed() > ENOUGH {
            break;
        }
    }
    let same = "have the same nodes and moves after ucinewgame and in a new process";
    Ok(if has_nodes {
        CheckOutcome::pass(format!("{positions} positions {same}")).seen(go.to_string())
    } else {
        CheckOutcome::skip("cannot tell: its moves are the same, but it reports no nodes")
    })
}

/// Describes how two builds search the same trees: the same nodes and moves at a fixed depth, in new processes.
/// `None` if they differ or do not keep to a depth.
pub fn same_trees(one: &EngineConfig, other: &EngineConfig) -> Result<Option<String>, MeasureError> {
    let fens = positions()?;
    let Some(go) = limit(one, &fens[0], &[&depths()], true)? else { return Ok(None) };
    for fen in &fens {
        let [one, other] =
            [one, other].map(|build| search(&mut new_process(build)?, fen, &go).map_err(MeasureError::from));
        let (one, other) = (one?, other?);
        if one != other || one.nodes.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(format!("the same nodes in {POSITIONS} positions by `{go}`")))
}

fn positions() -> Result<Vec<String>, MeasureError> {
    let suite = suites::suite("speed", "games.epd").unwrap_or_default();
    let mut suite = SpeedSuite::parse("games.epd", suite)?;
    suite.positions.truncate(POSITIONS);
    Ok(suite.positions)
}

fn nodes() -> [Go; 2] {
    NODES.map(|nodes| Go { nodes: Some(nodes), ..Go::default() })
}

fn depths() -> [Go; 4] {
    DEPTHS.map(|depth| Go { depth: Some(depth), ..Go::default() })
}

/// The largest limit of the first of these ladders that the engine keeps, up to the first search slower than [`QUICK`]; `None` if it
/// keeps none. Unless `keeps_depth`, a depth is kept by any search that ends.
fn limit(
    engine: &EngineConfig,
    fen: &str,
    ladders: &[&[Go]],
    keeps_depth: bool,
) -> Result<Option<Go>, MeasureError> {
    for ladder in ladders {
        let mut kept = None;
        for go in *ladder {
            let mut session = new_process(engine)?;
            let begin = Instant::now();
            match search(&mut session, fen, go) {
                Ok(SearchTrace { nodes, depth, .. }) => {
                    let (limits, end) =
                        (SearchLimits::of(go), SearchEnd { nodes, depth, ..SearchEnd::default() });
                    let doubts = LimitUse::of(&limits, [end; 3]).doubts(&limits, None);
                    let is_ignored = doubts.iter().any(|doubt| matches!(doubt, LimitDoubt::Ignored { .. }));
                    if is_ignored && (go.nodes.is_some() || keeps_depth) {
                        break;
                    }
                    kept = Some(go.clone());
                }
                Err(EngineError::Silent { .. }) => break,
                Err(error) => return Err(error.into()),
            }
            if begin.elapsed() > QUICK {
                break;
            }
        }
        if kept.is_some() {
            return Ok(kept);
        }
    }
    Ok(None)
}

fn new_process(engine: &EngineConfig) -> Result<EngineSession, MeasureError> {
    let mut session = session::start(engine)?;
    if let Some(threads) = session.introduction().option("Threads").map(|option| option.name.clone()) {
        session.set_option(&threads, Some("1"))?;
    }
    Ok(session)
}

fn search(session: &mut EngineSession, fen: &str, go: &Go) -> Result<SearchTrace, EngineError> {
    session.new_game()?;
    let mut record = SearchRecord::default();
    session.ask(&format!("position fen {fen}\n{go}\n"), TIMEOUT, |line| record.observe(line))?;
    let mut infos = record.infos.iter().rev();
    let nodes = infos.clone().find_map(|info| info.nodes);
    let depth = infos.find_map(|info| info.depth);
    Ok(SearchTrace { nodes, depth, best: record.best().unwrap_or("(none)").to_owned() })
}
