//! `arbiter tactics ENGINE…`: does an engine still find the solutions?

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;

use crate::cli::engines::{self, EngineSpec};
use crate::cli::error::{Blame, CliError, CliResult};
use crate::cli::match_args::MoveLimitArgs;
use crate::cli::{ExitCode, console, engine_sessions, suite_files};
use crate::report::TacticsCsv;
use crate::runner::{EngineConfig, SearchLimits};
use crate::suites::{EngineSession, TacticsPosition, TacticsResult, TacticsSuite, solve};
use crate::uci::Go;

/// The time for a position when the user gives no limit, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;

/// The arguments of `arbiter tactics`.
#[derive(Debug, Args)]
pub struct TacticsArgs {
    /// The engines: NAME, NAME@REV or a path, each with :Option=value,…
    #[arg(required = true, value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    /// A tactics suite: a file, or one that ships; all that ship when none is given
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Write a row per engine and position to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// The limits of a search; 1000 ms when none is given
    #[command(flatten)]
    limits: MoveLimitArgs,
}

impl TacticsArgs {
    /// Gives every position to every engine.
    pub fn run(self) -> CliResult {
        let texts = suite_files::read("tactics", &self.suite).usage()?;
        let suites: Result<Vec<TacticsSuite>, _> =
            texts.iter().map(|(name, text)| TacticsSuite::parse(name, text)).collect();
        let suites = suites.usage()?;
        let mut engines = Vec::new();
        for spec in &self.engines {
            engines.push(engines::resolve(spec, &mut console::announce_build).usage()?);
        }
        engines::make_distinct(&mut engines);
        let mut csv = self.open_csv().usage()?;
        let go = self.go();
        let mut missed_required = 0;
        for engine in &engines {
            for suite in &suites {
                missed_required += run_suite(engine, suite, &go, csv.as_mut())?;
            }
        }
        Ok(if missed_required == 0 { ExitCode::Done } else { ExitCode::Regression })
    }

    fn open_csv(&self) -> anyhow::Result<Option<TacticsCsv<File>>> {
        let Some(path) = &self.csv else { return Ok(None) };
        let file = File::create_new(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                anyhow!("--csv {}: the file exists; choose another, or move it away", path.display())
            }
            _ => anyhow!("--csv {}: {error}", path.display()),
        })?;
        Ok(Some(TacticsCsv::new(file)))
    }

    fn go(&self) -> Go {
        let limits = self.limits.limits();
        let limits = if limits == SearchLimits::default() {
            SearchLimits { movetime: Some(Duration::from_millis(DEFAULT_MOVETIME)), ..limits }
        } else {
            limits
        };
        Go { movetime: limits.movetime, nodes: limits.nodes, depth: limits.depth, ..Go::default() }
    }
}

/// Prints each position that is missed and a line for the suite; returns how many required positions were missed.
fn run_suite(
    engine: &EngineConfig,
    suite: &TacticsSuite,
    go: &Go,
    mut csv: Option<&mut TacticsCsv<File>>,
) -> Result<usize, CliError> {
    let mut session = engine_sessions::start(engine).usage()?;
    let mut out = io::stdout().lock();
    let (mut solved, mut missed_required) = (0, 0);
    for position in &suite.positions {
        let result = solve_or_restart(&mut session, engine, position, go)?;
        if let Some(csv) = &mut csv {
            csv.write(&engine.name, &suite.name, position, result.as_ref()).fault()?;
        }
        match result {
            Some(result) if result.is_solved() => solved += 1,
            result => {
                missed_required += usize::from(position.required);
                let answer = result.map_or("nothing".to_owned(), |result| result.answer);
                let mark = if position.required { "required, " } else { "" };
                writeln!(out, "  {mark}missed {} ({}:{}): {answer}", position.id, suite.name, position.line)
                    .fault()?;
            }
        }
    }
    session.quit();
    let verdict = if missed_required == 0 { "✓" } else { "✗" };
    writeln!(out, "{:<16} {:<24} {verdict} {solved}/{}", engine.name, suite.name, suite.positions.len())
        .fault()?;
    Ok(missed_required)
}

/// What the engine made of a position; `None` when it broke, and then it is started again.
fn solve_or_restart(
    session: &mut EngineSession,
    engine: &EngineConfig,
    position: &TacticsPosition,
    go: &Go,
) -> Result<Option<TacticsResult>, CliError> {
    match solve(session, position, go) {
        Ok(result) => Ok(Some(result)),
        Err(error) => {
            console::note(&format!("{}: {error}", position.id));
            *session = engine_sessions::start(engine).usage()?;
            Ok(None)
        }
    }
}
