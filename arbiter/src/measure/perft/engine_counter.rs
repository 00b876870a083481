//! Engines as move counters: which question an engine understands, and where its answer ends.

use std::time::Duration;

use super::move_counter::{CountError, Divide, MoveCounter, Oracle, PerftRoot};
use super::perft_answer::PerftAnswer;
use crate::engines::{EngineSession, session};
use crate::measure::MeasureError;
use crate::measure::bench::NumberPattern;
use referee::Variant;
use runner::EngineConfig;
use runner::process::EngineError;

const TIMEOUT: Duration = Duration::from_mins(10);

/// The timeout of a count at depth 1; an engine that takes longer does not understand the question.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

const READY: &str = "readyok";

/// The time to wait for lines after `readyok`, for engines that count in a separate thread.
const LATE: Duration = Duration::from_millis(300);

/// The questions, in the order in which they are tried. `{fen}` is for engines whose `perft` forgets the position.
const QUESTIONS: [&str; 4] = ["go perft {depth}", "perft {depth}", "divide {depth}", "perft {depth} {fen}"];

/// The position of the probe (not the starting position, with castling) and the number of its legal moves.
const PROBED: (&str, u64) = ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 48);

/// The question and the answer's pattern for an engine that answers none of the usual questions.
#[derive(Clone, Debug)]
pub struct PerftForm {
    /// With `{depth}`, and optionally `{fen}`.
    pub question: String,
    pub nodes: NumberPattern,
}

/// The question that an engine understands, and the end of its answer.
#[derive(Clone, Debug)]
struct Manner {
    question: String,
    /// Whether a total ends the answer; otherwise `readyok` does.
    has_total: bool,
}

#[derive(Debug)]
pub struct EngineCounter {
    session: EngineSession,
    form: Option<PerftForm>,
    manner: Option<Manner>,
    /// The number of `readyok` still expected.
    owed: usize,
    /// The longest time that a count may take.
    pub timeout: Duration,
}

impl EngineCounter {
    pub fn new(session: EngineSession, form: Option<PerftForm>) -> EngineCounter {
        EngineCounter { session, form, manner: None, owed: 0, timeout: TIMEOUT }
    }

    pub fn start(engine: &EngineConfig, form: Option<PerftForm>) -> Result<EngineCounter, MeasureError> {
        Ok(EngineCounter::new(session::start(engine)?, form))
    }

    /// Finds the question that the engine understands, using one position: the first with the right answer, or else
    /// the first with an answer. If the engine crashes at the first question, its first count shows that again.
    pub fn probe(&mut self) -> Result<(), CountError> {
        let root = PerftRoot { fen: PROBED.0, variant: Variant::Standard, moves: &[] };
        let (mut first, mut last, mut searches) = (None, None, false);
        let own = self.form.as_ref().map(|form| vec![form.question.clone()]);
        let questions = own.unwrap_or_else(|| QUESTIONS.map(str::to_owned).into());
        for question in &questions {
            let manner = Manner { question: question.clone(), has_total: true };
            let answer = match self.ask(&manner, root, 1, PROBE_TIMEOUT, true) {
                Err(CountError::Engine(EngineError::Ended { .. })) if *question == questions[0] => {
                    self.manner = Some(manner);
                    return Ok(());
                }
                Err(CountError::Engine(EngineError::Ended { .. } | EngineError::Silent { .. })) => {
                    self.session.end();
                    self.session.restart()?;
                    self.owed = 0;
                    continue;
                }
                answer => answer?,
            };
            // An engine without perft may repeat the question, or its last word.
            let count = answer.count().filter(|count| *count != 1 || !answer.parts.is_empty());
            if let Some(count) = count {
                let manner = Manner { has_total: answer.total.is_some(), ..manner };
                if count == PROBED.1 {
                    self.manner = Some(manner);
                    return Ok(());
                }
                first = first.or(Some(manner));
            } else if !answer.last.as_ref().is_some_and(|line| line.starts_with("bestmove")) {
                // An engine that took the question for a search may search for ever.
                self.stop()?;
            }
            searches |= answer.searches;
            last = last.or(answer.last);
        }
        let engine = self.name().to_owned();
        self.manner = first;
        match &self.manner {
            Some(_) => Ok(()),
            None if searches => Err(CountError::DoesNotCount { engine }),
            None => Err(CountError::NoCounts {
                engine,
                found: last.map_or_else(|| "no answer".to_owned(), |line| format!("`{line}`")),
            }),
        }
    }

    /// The parts for an engine that gives only a total: if that is wrong, the engine's own counts after each move.
    fn parts_of_a_total(
        &mut self,
        root: PerftRoot<'_>,
        depth: u32,
        total: u64,
    ) -> Result<Vec<(String, u64)>, CountError> {
        let right = Oracle.divide_after(root, depth)?;
        let is_right = right.total == total || depth == 1;
        let count = |(m, count): (String, u64)| {
            let moves = [root.moves, std::slice::from_ref(&m)].concat();
            let after = PerftRoot { moves: &moves, ..root };
            Ok(if is_right { (m, count) } else { (m, self.divide_after(after, depth - 1)?.total) })
        };
        right.parts.into_iter().map(count).collect()
    }

    fn stop(&mut self) -> Result<(), CountError> {
        let owed = &mut self.owed;
        let until_move = |line: &str| {
            *owed -= usize::from(*owed > 0 && line.trim() == READY);
            line.starts_with("bestmove")
        };
        match self.session.ask("stop\n", LATE, until_move) {
            Err(EngineError::Silent { .. }) | Ok(_) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Asks, and reads up to `readyok` and the end of the answer. A probe ends with `readyok` and some late lines.
    fn ask(
        &mut self,
        manner: &Manner,
        root: PerftRoot<'_>,
        depth: u32,
        timeout: Duration,
        is_probe: bool,
    ) -> Result<PerftAnswer, CountError> {
        let PerftRoot { fen, variant, moves } = root;
        self.session.set_variant(variant)?;
        let reached = root.referee()?.fen_with_attacked_ep_square();
        let question = manner.question.replace("{depth}", &depth.to_string()).replace("{fen}", &reached);
        let line = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let mut answer = PerftAnswer::to(depth);
        self.owed += 1;
        let owed = &mut self.owed;
        let nodes = self.form.as_ref().map(|form| &form.nodes);
        let read = |line: &str| {
            answer.read(line, nodes);
            *owed -= usize::from(*owed > 0 && line.trim() == READY);
            let is_whole = answer.total.is_some() || is_probe || !manner.has_total;
            answer.searches || *owed == 0 && is_whole
        };
        self.session.ask(&format!("position fen {fen}{line}\n{question}\nisready\n"), timeout, read)?;
        if is_probe && !answer.searches && answer.total.is_none() {
            let late = self.session.ask("", LATE, |line| {
                answer.read(line, nodes);
                answer.total.is_some()
            });
            if let Err(error @ EngineError::Ended { .. }) = late {
                return Err(error.into());
            }
        }
        Ok(answer)
    }
}

impl MoveCounter for EngineCounter {
    fn name(&self) -> &str {
        self.session.name()
    }

    fn plays(&self, variant: Variant) -> bool {
        self.session.plays(variant)
    }

    fn divide_after(&mut self, root: PerftRoot<'_>, depth: u32) -> Result<Divide, CountError> {
        if depth == 0 {
            return Ok(Divide::default());
        }
        if self.manner.is_none() {
            self.probe()?;
        }
        let manner = self.manner.clone();
        let manner = manner.unwrap_or_else(|| Manner { question: QUESTIONS[0].to_owned(), has_total: true });
        let answer = self.ask(&manner, root, depth, self.timeout, false)?;
        if answer.searches {
            return Err(CountError::DoesNotCount { engine: self.name().to_owned() });
        }
        let count = answer.count().unwrap_or(0);
        let mut parts = answer.parts;
        if parts.is_empty() {
            parts = self.parts_of_a_total(root, depth, count)?;
        }
        Ok(Divide { total: answer.total.unwrap_or(count), ..parts.into_iter().collect() })
    }
}
