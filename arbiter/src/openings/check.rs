//! `arbiter openings check`: describes a book and lists its faults.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::Args;
use indicatif::ProgressBar;
use referee::Side;
use referee::openings::{BookListing, ListedOpening, Repeat, RepeatKind, repeats};
use runner::EngineConfig;

use super::evaluator::{OpeningEvaluator, WorkEnd, in_order};
use super::{EvalRangeArgs, ReadingArgs};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::{self, EngineSpec, session};
use crate::text::number_text::{counted, thousands};

pub(super) const EXIT_CODES: &str = "Exit codes:
  0  no faults
  1  duplicates, transpositions, illegal lines, or evals outside --eval-range
  2  wrong usage, or a file that is not a book
  3  interrupted before the engine had evaluated every opening
  4  the engine failed";

#[derive(Debug, Args)]
pub struct BookCheckArgs {
    /// The books: EPD, PGN or Polyglot, also as .gz, .zst, .bz2, .tar or .zip
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

impl BookCheckArgs {
    pub fn run(self) -> CliResult {
        let resolve = |spec| engines::resolve(spec, &mut console::announce_build).usage();
        let engine = self.engine.as_ref().map(resolve).transpose()?;
        let stop = engine.as_ref().map(|_| console::stop_flag().fault()).transpose()?.unwrap_or_default();
        let mut is_sound = true;
        for file in &self.files {
            let mut listing = self.reading.read(file, false).usage()?;
            let evaluated_by = match &engine {
                Some(engine) => match self.evaluate(engine, &mut listing.openings, &stop)? {
                    Ok(name) => Some(format!("{name} at {} nodes", thousands(self.nodes))),
                    Err(exit_code) => return Ok(exit_code),
                },
                None => None,
            };
            console::note_guesses(&listing.name, &listing.guesses);
            let audit = self.audit(listing, evaluated_by);
            write!(stdout(), "{audit}").fault()?;
            is_sound &= audit.is_sound();
        }
        Ok(if is_sound { ExitCode::Done } else { ExitCode::Regression })
    }

    fn audit(&self, listing: BookListing, evaluated_by: Option<String>) -> BookAudit<'_> {
        let range = self.eval_range.eval_range();
        let is_outside = |opening: &ListedOpening| {
            range.is_some_and(|range| opening.eval.is_none_or(|eval| !range.contains(eval)))
        };
        BookAudit {
            args: self,
            repeats: repeats(&listing.openings, self.reading.variant)
                .into_iter()
                .filter(|repeat| repeat.kind != RepeatKind::Mirrored || self.mirrored)
                .collect(),
            outside: (0..listing.openings.len()).filter(|at| is_outside(&listing.openings[*at])).collect(),
            listing,
            evaluated_by,
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
        let session = session::introduce(engine).usage()?;
        let name = session.introduction().name.clone().unwrap_or_else(|| engine.name.clone());
        session.quit();
        let questions: Vec<(String, Side)> =
            openings.iter().map(|opening| (opening.fen.clone(), opening.side_to_move())).collect();
        let progress = ProgressBar::new(questions.len() as u64);
        let start = || session::start(engine);
        let end = in_order(
            questions.len() as u64,
            usize::from(self.concurrency),
            stop,
            start,
            |session, number| {
                let (fen, side) = &questions[number as usize];
                let eval = OpeningEvaluator::new(session, None).eval(fen, self.nodes)?;
                Ok(if *side == Side::White { eval } else { -eval })
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

const MAX_LISTED: usize = 10;

const BAR: usize = 40;

const ROWS: i32 = 16;

#[derive(Debug)]
struct BookAudit<'a> {
    args: &'a BookCheckArgs,
    listing: BookListing,
    repeats: Vec<Repeat>,
    outside: Vec<usize>,
    /// The engine and its node limit; `None` if the evals come from the book.
    evaluated_by: Option<String>,
}

impl BookAudit<'_> {
    const fn is_sound(&self) -> bool {
        self.listing.faults.is_empty() && self.repeats.is_empty() && self.outside.is_empty()
    }

    fn list(&self, f: &mut fmt::Formatter<'_>, heading: &str, lines: &[String]) -> fmt::Result {
        writeln!(f, "  {heading:<16} {}", thousands(lines.len() as u64))?;
        let listed = if self.args.all { lines.len() } else { lines.len().min(MAX_LISTED) };
        for line in &lines[..listed] {
            writeln!(f, "    {line}")?;
        }
        if listed < lines.len() {
            writeln!(
                f,
                "    … and {} more (list them with --all)",
                thousands((lines.len() - listed) as u64)
            )?;
        }
        Ok(())
    }

    fn repeats(&self, kind: RepeatKind) -> Vec<String> {
        let place = |index: usize| self.listing.openings[index].line;
        let of_kind = self.repeats.iter().filter(|repeat| repeat.kind == kind);
        let name = &self.listing.name;
        of_kind
            .map(|repeat| format!("{name}:{}: same as line {}", place(repeat.index), place(repeat.earlier)))
            .collect()
    }

    fn sides(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.listing.openings.len();
        let white = self.listing.openings.iter().filter(|it| it.side_to_move() == Side::White).count();
        let share = |count: usize| 100.0 * count as f64 / all.max(1) as f64;
        writeln!(
            f,
            "  {:<16} White {} ({:.1}%), Black {} ({:.1}%)",
            "to move",
            thousands(white as u64),
            share(white),
            thousands((all - white) as u64),
            share(all - white)
        )
    }

    fn evals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let openings = &self.listing.openings;
        let evals: Vec<i32> = openings.iter().filter_map(|opening| opening.eval).collect();
        if evals.is_empty() {
            return writeln!(f, "  evals            none in the book; compute them with --engine ENGINE");
        }
        let mean = evals.iter().map(|eval| f64::from(eval.abs())).sum::<f64>() / evals.len() as f64;
        let source = self.evaluated_by.as_deref().unwrap_or("the book");
        writeln!(f, "  evals in centipawns for White, from {source}; mean advantage {mean:.0}")?;
        histogram(f, &evals)
    }
}

impl fmt::Display for BookAudit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BookListing { name, openings, faults, .. } = &self.listing;
        writeln!(f, "{name}: {}", counted(openings.len() as u64, "opening"))?;
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        self.list(f, "illegal", &faults)?;
        self.list(f, "duplicates", &self.repeats(RepeatKind::Duplicate))?;
        self.list(f, "transpositions", &self.repeats(RepeatKind::Transposition))?;
        let mirrored = self.repeats(RepeatKind::Mirrored);
        if !mirrored.is_empty() {
            self.list(f, "mirrored", &mirrored)?;
        }
        if let Some(range) = self.args.eval_range.eval_range() {
            let outside = |at: &usize| {
                let ListedOpening { line, eval, .. } = &openings[*at];
                let eval = eval.map_or("no eval".to_owned(), |eval| format!("eval {eval:+}"));
                format!("{name}:{line}: {eval}, expected {range}")
            };
            self.list(f, "out of range", &self.outside.iter().map(outside).collect::<Vec<_>>())?;
        }
        self.sides(f)?;
        let plies: Vec<i32> = openings.iter().filter_map(|it| Some(it.plies()? as i32)).collect();
        if !plies.is_empty() {
            writeln!(f, "  plies")?;
            histogram(f, &plies)?;
        }
        writeln!(f, "  pieces and pawns")?;
        histogram(f, &openings.iter().map(|it| it.pieces() as i32).collect::<Vec<_>>())?;
        self.evals(f)
    }
}

/// One bar per value, or per bin of values if there are more values than rows.
fn histogram(f: &mut fmt::Formatter<'_>, values: &[i32]) -> fmt::Result {
    let (Some(&least), Some(&most)) = (values.iter().min(), values.iter().max()) else { return Ok(()) };
    let width = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
        .into_iter()
        .find(|width| (most - least) / width < ROWS)
        .unwrap_or(2000);
    let bins: Vec<i32> = values.iter().map(|value| value.div_euclid(width)).collect();
    let counts: Vec<(i32, usize)> = (least.div_euclid(width)..=most.div_euclid(width))
        .map(|bin| (bin, bins.iter().filter(|other| **other == bin).count()))
        .collect();
    let tallest = counts.iter().map(|(_, count)| *count).max().unwrap_or(1);
    for (bin, count) in counts {
        let first = bin * width;
        let label = if width == 1 { first.to_string() } else { format!("{first} to {}", first + width - 1) };
        let bar = "█".repeat((count * BAR).div_ceil(tallest));
        writeln!(f, "{label:>16} {:>8} {bar}", thousands(count as u64))?;
    }
    Ok(())
}
