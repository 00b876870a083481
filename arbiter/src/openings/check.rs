//! `arbiter openings check`: what is in a book, right and wrong.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::Args;
use indicatif::ProgressBar;

use super::book_audit::BookAudit;
use super::{ReadingArgs, WishedBand, grouped};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stop_flag};
use crate::engines;
use crate::engines::{EngineSpec, sessions};
use crate::openings::making::in_order;
use crate::openings::making::{OpeningJudge, WorkEnd};
use referee::Side;
use referee::openings::{BookListing, ListedOpening, RepeatKind, repeats};
use runner::EngineConfig;

/// What the exit codes mean here.
pub(super) const EXIT_CODES: &str = "Exit codes:
  0  every line can be played and leads where no earlier one did, and every verdict is in the band
  1  duplicates, transpositions, illegal lines, verdicts out of the band; with --mirrored also mirrored positions
  2  wrong usage, or a file that is no book
  3  stopped before the engine had judged everything
  4  the engine broke";

/// The arguments of `arbiter openings check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The books: EPD, PGN or Polyglot, compressed or not
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Let an engine judge the openings, in place of the verdicts that the book has
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineSpec>,

    /// Nodes for each verdict
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "engine",
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Engines that judge at the same time
    #[arg(long, value_name = "N", default_value_t = 1, requires = "engine",
        value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,

    #[command(flatten)]
    band: WishedBand,

    /// Take a position with the colours changed for the same one
    #[arg(long)]
    mirrored: bool,

    /// List everything that is wrong, however much it is
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    reading: ReadingArgs,
}

impl CheckArgs {
    /// Checks the books one after the other.
    pub fn run(self) -> CliResult {
        let resolve = |spec| engines::resolve(spec, &mut console::announce_build).usage();
        let engine = self.engine.as_ref().map(resolve).transpose()?;
        let stop =
            engine.as_ref().map(|_| stop_flag::on_interrupt().fault()).transpose()?.unwrap_or_default();
        let mut is_sound = true;
        for file in &self.files {
            let mut listing = self.reading.read(file).usage()?;
            let judged_by = match &engine {
                Some(engine) => match self.judge(engine, &mut listing.openings, &stop)? {
                    Ok(name) => Some(format!("{name} at {} nodes", grouped(self.nodes))),
                    Err(exit_code) => return Ok(exit_code),
                },
                None => None,
            };
            let audit = self.audit(listing, judged_by);
            write!(io::stdout(), "{audit}").fault()?;
            is_sound &= audit.is_sound();
        }
        Ok(if is_sound { ExitCode::Done } else { ExitCode::Regression })
    }

    fn audit(&self, listing: BookListing, judged_by: Option<String>) -> BookAudit {
        let band = self.band.band();
        let is_outside = |opening: &ListedOpening| {
            band.is_some_and(|band| opening.verdict.is_none_or(|verdict| !band.contains(verdict)))
        };
        BookAudit {
            repeats: repeats(&listing.openings, self.reading.variant())
                .into_iter()
                .filter(|repeat| repeat.kind != RepeatKind::Mirrored || self.mirrored)
                .collect(),
            outside: (0..listing.openings.len()).filter(|at| is_outside(&listing.openings[*at])).collect(),
            listing,
            judged_by,
            band,
            lists_all: self.all,
        }
    }

    /// Puts the verdicts of the engine in place of those of the book. Returns the name of the engine, or the exit code
    /// when it does not come to an end.
    fn judge(
        &self,
        engine: &EngineConfig,
        openings: &mut [ListedOpening],
        stop: &AtomicBool,
    ) -> Result<Result<String, ExitCode>, CliError> {
        let session = sessions::start(engine).usage()?;
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
                let verdict = OpeningJudge::new(session).verdict(fen, self.nodes)?;
                Ok::<_, anyhow::Error>(if *side == Side::White { verdict } else { -verdict })
            },
            |number, verdict| {
                openings[number as usize].verdict = Some(verdict);
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
