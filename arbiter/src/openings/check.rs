//! `arbiter openings check`: the contents of a book and its faults.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::Args;
use indicatif::ProgressBar;

use super::book_audit::BookAudit;
use super::{EvalRangeArgs, ReadingArgs};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout, stop_flag};
use crate::engines;
use crate::engines::{EngineSpec, sessions};
use crate::openings::making::{OpeningEvaluator, WorkEnd, in_order};
use crate::text::number_text::thousands;
use referee::Side;
use referee::openings::{BookListing, ListedOpening, RepeatKind, repeats};
use runner::EngineConfig;

/// The exit codes of this command.
pub(super) const EXIT_CODES: &str = "Exit codes:
  0  no faults
  1  duplicates, transpositions, illegal lines, or evals outside --eval-range
  2  wrong usage, or a file that is not a book
  3  interrupted before the engine had evaluated every opening
  4  the engine failed";

/// The arguments of `arbiter openings check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The books: EPD, PGN or Polyglot, also as .gz or .zst
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Evaluate the openings with this engine, instead of reading the evals of the book
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineSpec>,

    /// Nodes per eval
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "engine",
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Number of engine processes
    #[arg(long, value_name = "N", default_value_t = 1, requires = "engine",
        value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,

    #[command(flatten)]
    eval_range: EvalRangeArgs,

    /// Treat a position and its mirror image (colours swapped) as duplicates
    #[arg(long)]
    mirrored: bool,

    /// List all faults, not only the first 10 of each kind
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    reading: ReadingArgs,
}

impl CheckArgs {
    /// Checks one book after another.
    pub fn run(self) -> CliResult {
        let resolve = |spec| engines::resolve(spec, &mut console::announce_build).usage();
        let engine = self.engine.as_ref().map(resolve).transpose()?;
        let stop =
            engine.as_ref().map(|_| stop_flag::on_interrupt().fault()).transpose()?.unwrap_or_default();
        let mut is_sound = true;
        for file in &self.files {
            let mut listing = self.reading.read(file).usage()?;
            let evaluated_by = match &engine {
                Some(engine) => match self.evaluate(engine, &mut listing.openings, &stop)? {
                    Ok(name) => Some(format!("{name} at {} nodes", thousands(self.nodes))),
                    Err(exit_code) => return Ok(exit_code),
                },
                None => None,
            };
            let audit = self.audit(listing, evaluated_by);
            write!(stdout(), "{audit}").fault()?;
            is_sound &= audit.is_sound();
        }
        Ok(if is_sound { ExitCode::Done } else { ExitCode::Regression })
    }

    fn audit(&self, listing: BookListing, evaluated_by: Option<String>) -> BookAudit {
        let range = self.eval_range.eval_range();
        let is_outside = |opening: &ListedOpening| {
            range.is_some_and(|range| opening.eval.is_none_or(|eval| !range.contains(eval)))
        };
        BookAudit {
            repeats: repeats(&listing.openings, self.reading.variant())
                .into_iter()
                .filter(|repeat| repeat.kind != RepeatKind::Mirrored || self.mirrored)
                .collect(),
            outside: (0..listing.openings.len()).filter(|at| is_outside(&listing.openings[*at])).collect(),
            listing,
            evaluated_by,
            eval_range: range,
            lists_all: self.all,
        }
    }

    /// Replaces the evals of the book with those of the engine. Returns the name of the engine, or the exit code when
    /// the work was interrupted or the engine failed.
    fn evaluate(
        &self,
        engine: &EngineConfig,
        openings: &mut [ListedOpening],
        stop: &AtomicBool,
    ) -> Result<Result<String, ExitCode>, CliError> {
        let session = sessions::introduce(engine).usage()?;
        let name = session.introduction().name.clone().unwrap_or_else(|| engine.name.clone());
        session.quit();
        let questions: Vec<(String, Side)> =
            openings.iter().map(|opening| (opening.fen.clone(), opening.side_to_move())).collect();
        let progress = ProgressBar::new(questions.len() as u64);
        let start = || sessions::start(engine);
        let end = in_order(
            questions.len() as u64,
            usize::from(self.concurrency),
            stop,
            start,
            |session, number| {
                let (fen, side) = &questions[number as usize];
                let eval = OpeningEvaluator::new(session).eval(fen, self.nodes)?;
                Ok::<_, anyhow::Error>(if *side == Side::White { eval } else { -eval })
            },
            |number, eval| {
                openings[number as usize].eval = Some(eval);
                progress.set_position(number + 1);
                ControlFlow::Continue(())
            },
        );
        progress.finish_and_clear();
        Ok(match end {
            WorkEnd::AllDone | WorkEnd::Enough => Ok(name),
            WorkEnd::Stopped => Err(ExitCode::Inconclusive),
            WorkEnd::Failed(error) => {
                console::note(&format!("{error:#}"));
                Err(ExitCode::EngineBroke)
            }
        })
    }
}
