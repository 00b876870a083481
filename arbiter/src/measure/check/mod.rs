//! `arbiter check ENGINE`: checks that an engine follows the UCI protocol, or plays by its CPU time.
//!
//! [`check_protocol`] runs a list of named checks on a [`TestedEngine`]; each has one [`Finding`]. What must hold in
//! every search, such as a legal move, is observed in all checks and reported at the end. An engine that fails a check is
//! restarted for the next one. Every wait has a timeout, so that all checks take at most a minute or two.
//!
//! The protocol: Stefan Meyer-Kahlen, "Description of the universal chess interface (UCI)", April 2006.

mod clock_check;
mod finding;
mod handshake_check;
mod idle_check;
mod same_twice;
mod search_check;
mod step;
mod test_position;
mod tested_engine;

pub use finding::{CheckOutcome, CheckVerdict, Finding};
pub use same_twice::{check_same_twice, same_trees};
pub use step::ProtocolTable;

use std::io;

use anyhow::anyhow;
use clap::Args;
use serde::Serialize;

use crate::cli::{CliResult, OrExitCode, answer, console, say};
use crate::engines::{self, EngineSpec, session};
use crate::measure::{Judgement, MeasureError};
use crate::options::{CLOCKS, one_of};
use crate::report::verdict::Verdict;
use crate::text::junit::CaseOutcome;
use crate::text::number_text::counted;
use crate::text::{Document, Line, Tone};
use clock_check::check_clock;
use finding::{EngineObservations, NOT_ALWAYS};
use runner::process::{ClockKind, EngineError};
use runner::{EngineConfig, ProtocolName};
use tested_engine::TestedEngine;

/// How often all checks run at most.
const TRIES: u32 = 3;

type Check = (&'static str, fn(&mut TestedEngine) -> Result<CheckOutcome, EngineError>);

/// The checks in their order: the basic ones first, those that end the engine last.
const CHECKS: &[Check] = &[
    ("isready", |engine| engine.is_ready().map(idle_check::judge_time)),
    ("ucinewgame", |engine| engine.begin_game("").map(idle_check::judge_time)),
    ("setoption", idle_check::set_option),
    ("position", search_check::forms),
    ("castling, promotion in", search_check::special_moves),
    ("castling, promotion out", search_check::notation),
    ("long game", search_check::long_game),
    ("no legal moves", search_check::no_legal_moves),
    ("Chess960", search_check::chess960),
    ("go depth", search_check::depth),
    ("go nodes", search_check::nodes),
    ("go movetime", search_check::move_time),
    ("go wtime btime", search_check::clocks),
    ("shortest clock", search_check::shortest_clock),
    ("go infinite, stop", search_check::infinite),
    ("go ponder", idle_check::ponder),
    ("go searchmoves", search_check::search_moves),
    ("go mate", search_check::mate),
    ("isready in a search", idle_check::during_search),
    ("info", search_check::info),
    ("mate scores", search_check::mate_scores),
    ("unknown commands", idle_check::unknown_commands),
    ("white space", idle_check::white_space),
    ("carriage returns", idle_check::carriage_returns),
    ("stop without a search", idle_check::stop_without_search),
    ("idle", idle_check::idle),
    ("error output", idle_check::error_output),
    ("quit", |engine| idle_check::exit(engine, "", "quit\n", "quit")),
    ("quit in a search", |engine| {
        idle_check::exit(engine, "go infinite\n", "quit\n", "quit during a search")
    }),
    ("end of input", idle_check::end_of_input),
];

/// The check that starts processes of its own.
const SAME_TWICE: &str = "same twice";

/// The finding that stands for all skipped checks.
const OTHERS: &str = "other checks";

/// After this many checks without an answer, the remaining ones are skipped.
const MAX_TIMEOUTS: usize = 5;

pub fn check_protocol(config: &EngineConfig, mut report: impl FnMut(&Finding)) -> io::Result<Vec<Finding>> {
    let mut engine = TestedEngine::new(config)?;
    let mut findings = Vec::new();
    let mut add = |finding: Finding| {
        report(&finding);
        findings.push(finding);
    };
    match handshake_check::findings(&mut engine) {
        Ok(introduction) => introduction.into_iter().for_each(&mut add),
        Err(error) => {
            add(CheckOutcome::fail("it does not answer `uci` with `uciok`")
                .seen(error.to_string())
                .of("handshake"));
            return Ok(findings);
        }
    }
    let mut timeouts = 0;
    for &(name, check) in CHECKS {
        let outcome = engine.ensure_ready().and_then(|()| check(&mut engine));
        timeouts += usize::from(matches!(outcome, Err(EngineError::Silent { .. })));
        add(outcome.unwrap_or_else(|error| failed(&error)).of(name));
        if engine.never_starts() || timeouts == MAX_TIMEOUTS {
            add(CheckOutcome::fail("it failed too often; the other checks are skipped").of(OTHERS));
            break;
        }
    }
    if !engine.never_starts() && timeouts < MAX_TIMEOUTS {
        let fault = |error: MeasureError| CheckOutcome::fail("it does not answer").seen(error.to_string());
        add(check_same_twice(config).unwrap_or_else(fault).of(SAME_TWICE));
    }
    engine.observations.findings().into_iter().for_each(&mut add);
    Ok(findings)
}

/// Checks an engine as `ci` does: while a check fails that may not, all checks run again, up to three times in all. A check
/// that does not fail each time is a warning, because some engines are late or stall only now and then.
fn check_repeatedly(engine: &EngineConfig, may_fail: &[String]) -> io::Result<Vec<Finding>> {
    let mut findings = check_protocol(engine, |_| {})?;
    for _ in 1..TRIES {
        if judge(&findings, may_fail, "").verdict.passes() {
            break;
        }
        findings = settled(findings, check_protocol(engine, |_| {})?);
    }
    Ok(findings)
}

fn settled(first: Vec<Finding>, second: Vec<Finding>) -> Vec<Finding> {
    let is_cut_off = first.iter().any(|finding| finding.check == OTHERS);
    let (mut findings, other) = if is_cut_off { (second, first) } else { (first, second) };
    for finding in &mut findings {
        let Some(again) = other.iter().find(|other| other.check == finding.check) else { continue };
        if finding.fails() != again.fails() {
            let failed = if finding.fails() { &finding.outcome } else { &again.outcome };
            finding.outcome = CheckOutcome::warn(format!("{NOT_ALWAYS}: {}", failed.text()));
        }
    }
    findings
}

/// Judges the findings. A failed check is an engine fault unless it is in `may_fail`; `why` names what allows it.
fn judge(findings: &[Finding], may_fail: &[String], why: &str) -> Judgement {
    let is_allowed = |finding: &Finding| may_fail.iter().any(|name| name == finding.check);
    let count = |verdict| findings.iter().filter(|finding| finding.outcome.verdict == verdict).count();
    let [passed, warned, failed] = [CheckVerdict::Pass, CheckVerdict::Warn, CheckVerdict::Fail].map(count);
    let is_fatal = |finding: &&Finding| finding.fails() && !is_allowed(finding);
    let fatal: Vec<&Finding> = findings.iter().filter(is_fatal).collect();
    let (passed, fatals) = (counted(passed as u64, "check"), fatal.len());
    let allowed = match failed - fatals {
        0 => String::new(),
        allowed => format!(", {allowed} failed {why}"),
    };
    let verdict = if fatal.is_empty() { Verdict::Same } else { Verdict::Broken };
    let sentence = format!("{passed} passed, {warned} with a warning, {fatals} failed{allowed}");
    let mut judgement = Judgement::new(verdict, sentence);
    for finding in fatal.into_iter().chain(findings.iter().filter(|finding| finding.is_told())) {
        judgement = judgement.detail(format!("{}: {}", finding.check, finding.outcome.text()));
    }
    findings.iter().fold(judgement, |judgement, finding| {
        let outcome = match finding.outcome.verdict {
            CheckVerdict::Pass | CheckVerdict::Warn => CaseOutcome::Passed,
            CheckVerdict::Fail if !is_allowed(finding) => CaseOutcome::Failed(finding.outcome.text()),
            CheckVerdict::Skip | CheckVerdict::Fail => CaseOutcome::Skipped(finding.outcome.text()),
        };
        judgement.case(finding.check, outcome)
    })
}

fn check_names() -> Vec<&'static str> {
    let checks = CHECKS.iter().map(|(name, _)| *name);
    let observed = EngineObservations::default().findings();
    handshake_check::NAMES
        .into_iter()
        .chain(checks)
        .chain([SAME_TWICE, OTHERS])
        .chain(observed.iter().map(|finding| finding.check))
        .collect()
}

fn failed(error: &EngineError) -> CheckOutcome {
    let sentence = match error {
        EngineError::Silent { timeout, .. } => {
            return CheckOutcome::fail("it does not answer")
                .seen(format!("no answer within {} s", timeout.as_secs()));
        }
        EngineError::Ended { .. } => "it exits instead of answering",
        EngineError::Start { .. }
        | EngineError::Changed { .. }
        | EngineError::Clock { .. }
        | EngineError::Unable { .. }
        | EngineError::Setting { .. } => "it cannot be started with its options",
    };
    CheckOutcome::fail(sentence).seen(error.to_string())
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The engine: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// Instead, check whether the engine can play by this clock: alone, under load, and stopped during a search
    #[arg(long, value_parser = one_of(CLOCKS))]
    clock: Option<ClockKind>,

    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ProtocolReport<'a> {
    schema: u32,
    engine: &'a str,
    findings: &'a [Finding],
}

impl CheckArgs {
    pub fn run(self) -> CliResult {
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        // Errors that the user can fix are not findings; a broken engine is one.
        match session::introduce(&engine).map_err(MeasureError::from) {
            Ok(session) if session.introduction().protocol != ProtocolName::Uci => {
                let problem = "it speaks xboard's protocol; expected an engine that speaks UCI, whose rules are checked";
                return Err(anyhow!("engine {}: {problem}", engine.name)).usage();
            }
            Ok(session) => session.quit(),
            Err(error) => drop(error.engine_fault()?),
        }
        // A closed pipe is reported by the last line.
        let show = |finding: &Finding| drop(say(self.json, finding.lines()));
        let findings = match self.clock {
            Some(ClockKind::Cpu) => check_clock(&engine, show).usage()?,
            Some(ClockKind::Wall) | None => check_protocol(&engine, show).fault()?,
        };
        let judgement = judge(&findings, &[], "");
        let report = ProtocolReport { schema: 1, engine: &engine.name, findings: &findings };
        answer(&report, self.json, |_| {
            let tone = if judgement.verdict.passes() { Tone::Good } else { Tone::Bad };
            let mut document = Document::default();
            document.gap();
            document.line(Line::default().and(judgement.sentence, tone));
            document
        })?;
        Ok(judgement.verdict.exit_code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fail_in_every_try_is_a_warning_that_is_told() {
        let made = |marks: &str| {
            let of = |(mark, check)| match mark {
                '+' => CheckOutcome::pass("well").of(check),
                _ => CheckOutcome::fail("it does not answer").of(check),
            };
            marks.chars().zip(["id", "quit", "info", OTHERS]).map(of).collect::<Vec<_>>()
        };
        let judged = |first, second| judge(&settled(made(first), made(second)), &[], "");
        assert_eq!(judged("-++", "-++").verdict, Verdict::Broken);
        let third = settled(settled(made("-++"), made("-++")), made("+++"));
        assert_eq!(judge(&third, &[], "").verdict, Verdict::Same);
        for (first, second) in [("-++", "+-+"), ("+-+", "-++"), ("--+-", "+++")] {
            let judgement = judged(first, second);
            assert_eq!(judgement.verdict, Verdict::Same, "{judgement:?}");
            assert_eq!(judgement.details[0], "id: failed in some of the tries: it does not answer");
        }
    }
}
