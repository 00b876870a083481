//! Whether an engine is deterministic: each position is searched after other games and `ucinewgame`, and in a new process,
//! with one thread and a fixed limit. A difference is left over from earlier games, or is random, and makes every test
//! noisier.

use std::fmt;
use std::time::{Duration, Instant};

use super::finding::{CheckOutcome, SearchRecord};
use crate::engines::EngineSession;
use crate::measure::speed::SpeedSuite;
use crate::measure::{MeasureError, start};
use crate::results::{LimitUse, SearchEnd, limits_of};
use runner::EngineConfig;
use runner::process::EngineError;
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
pub enum SameTwice {
    Same {
        positions: usize,
        go: Go,
    },
    Differs {
        fen: String,
        go: Go,
        after_games: SearchTrace,
        in_new_process: SearchTrace,
        /// Whether new processes agree, so that earlier games must have left something.
        is_left_over: bool,
    },
    Unknown(&'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTrace {
    nodes: Option<u64>,
    best: String,
}

impl fmt::Display for SearchTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.nodes.map_or_else(|| "no nodes".to_owned(), |nodes| format!("{nodes} nodes"));
        write!(f, "{nodes} and {}", self.best)
    }
}

impl SameTwice {
    pub fn measure(engine: &EngineConfig) -> Result<SameTwice, MeasureError> {
        let suite = suites::suite("speed", "games.epd").unwrap_or_default();
        let suite = SpeedSuite::parse("games.epd", suite).map_err(MeasureError::Usage)?;
        let Some(go) = limit(engine, &suite.positions[0])? else {
            return Ok(SameTwice::Unknown("neither `go nodes` nor `go depth` ends its search"));
        };
        let begin = Instant::now();
        let in_new_process =
            |fen: &str| search(&mut new_process(engine)?, fen, &go).map_err(MeasureError::from);
        let mut session = new_process(engine)?;
        let (mut positions, mut has_nodes) = (0, true);
        for fen in suite.positions.iter().take(POSITIONS) {
            let after_games = search(&mut session, fen, &go)?;
            let answer = in_new_process(fen)?;
            if after_games != answer {
                // The first position is the first game in both processes.
                let is_left_over = positions > 0 && in_new_process(fen)? == answer;
                let (fen, in_new_process) = (fen.clone(), answer);
                return Ok(SameTwice::Differs { fen, go, after_games, in_new_process, is_left_over });
            }
            has_nodes &= answer.nodes.is_some();
            positions += 1;
            if begin.elapsed() > ENOUGH {
                break;
            }
        }
        Ok(if has_nodes {
            SameTwice::Same { positions, go }
        } else {
            SameTwice::Unknown("its moves are the same, but it reports no nodes")
        })
    }

    pub fn difference(&self) -> Option<[String; 2]> {
        let SameTwice::Differs { fen, go, after_games, in_new_process, is_left_over } = self else {
            return None;
        };
        let sentence = if *is_left_over {
            "it is not the same twice: something of earlier games is left after ucinewgame"
        } else {
            "it is not the same twice, even in two new processes: it is random, or goes by the clock"
        };
        let seen = format!("`{go}` in {fen}: {after_games}, in a new process {in_new_process}");
        Some([sentence.to_owned(), seen])
    }

    pub(super) fn outcome(&self) -> CheckOutcome {
        match self {
            SameTwice::Same { positions, go } => CheckOutcome::pass(format!(
                "{positions} positions have the same nodes and moves after ucinewgame and in a new process"
            ))
            .seen(go.to_string()),
            SameTwice::Unknown(why) => CheckOutcome::skip(format!("cannot tell: {why}")),
            SameTwice::Differs { .. } => {
                let [sentence, seen] = self.difference().unwrap_or_default();
                CheckOutcome::warn(sentence).seen(seen)
            }
        }
    }
}

/// The largest limit that the engine keeps, up to the first search slower than [`QUICK`]; `None` if it keeps none.
fn limit(engine: &EngineConfig, fen: &str) -> Result<Option<Go>, MeasureError> {
    let by_nodes = NODES.map(|nodes| Go { nodes: Some(nodes), ..Go::default() });
    let by_depth = DEPTHS.map(|depth| Go { depth: Some(depth), ..Go::default() });
    for ladder in [&by_nodes[..], &by_depth] {
        let mut kept = None;
        for go in ladder {
            let mut session = new_process(engine)?;
            let begin = Instant::now();
            match search(&mut session, fen, go) {
                Ok(SearchTrace { nodes: nodes @ Some(_), .. }) if go.nodes.is_some() => {
                    let (limits, end) = (limits_of(go), SearchEnd { nodes, ..SearchEnd::default() });
                    if !LimitUse::of(&limits, [end; 3]).doubts(&limits, None).is_empty() {
                        break;
                    }
                    kept = Some(go.clone());
                }
                Ok(_) => kept = Some(go.clone()),
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
    let mut session = start(engine)?;
    if let Some(threads) = session.introduction().option("Threads").map(|option| option.name.clone()) {
        session.set_option(&threads, Some("1"))?;
    }
    Ok(session)
}

fn search(session: &mut EngineSession, fen: &str, go: &Go) -> Result<SearchTrace, EngineError> {
    session.new_game()?;
    let mut record = SearchRecord::default();
    session.ask(&format!("position fen {fen}\n{go}\n"), TIMEOUT, |line| record.observe(line))?;
    let nodes = record.infos.iter().rev().find_map(|info| info.nodes);
    Ok(SearchTrace { nodes, best: record.best().unwrap_or("(none)").to_owned() })
}
