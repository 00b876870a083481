//! `arbiter openings`: makes, checks, selects from, converts and rates opening books.

mod check;
mod convert;
mod evaluator;
mod make;
mod maker;
pub mod rating;

use std::path::Path;

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::cli::{self, CliResult, console, run_any};
use referee::openings::{BookListing, BookOptions, EvalRange, ListedOpening, book_as_epd, book_as_pgn};
use referee::{Side, Variant};

#[derive(Debug, Args)]
pub struct OpeningsArgs {
    #[command(subcommand)]
    command: OpeningsCommand,
}

#[derive(Debug, Subcommand)]
enum OpeningsCommand {
    /// Make a book from random play or from games; an engine evaluates each opening.
    Make(Box<make::MakeArgs>),
    /// Check a book: duplicates, illegal lines, lengths, pieces on the board, evals.
    #[command(after_help = check::EXIT_CODES)]
    Check(Box<check::BookCheckArgs>),
    /// Select N openings of a book that differ as much as possible.
    Select(convert::SelectArgs),
    /// Convert books to EPD, PGN or Polyglot.
    Convert(convert::ConvertArgs),
    /// Compare books by finished runs: how well their openings tell two engines apart, per game and per second.
    #[command(after_help = rating::HELP)]
    Rate(rating::BookRateArgs),
}

impl OpeningsArgs {
    pub fn run(self) -> CliResult {
        run_any!(self.command, OpeningsCommand: Make Check Select Convert Rate)
    }
}

#[derive(Debug, Args)]
struct ReadingArgs {
    /// Read only the first N plies of each line of a PGN or Polyglot book
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// Read the positions as this variant
    #[arg(long, value_name = "NAME", default_value_t = Variant::Standard, value_parser = Variant::typed)]
    variant: Variant,
}

impl ReadingArgs {
    /// Reads a book, skipping and naming lines that cannot be read. With `any_variant`, games of Chess960 are read too.
    fn read_sound(&self, path: &Path, any_variant: bool) -> anyhow::Result<BookListing> {
        let mut listing = self.read(path, any_variant)?;
        let skipped = listing.skip_faults()?;
        console::warn_of_skipped(&listing.name, "opening", &skipped);
        Ok(listing)
    }

    fn read(&self, path: &Path, any_variant: bool) -> anyhow::Result<BookListing> {
        let options = BookOptions {
            variant: self.variant,
            any_variant,
            max_plies: self.plies,
            ..BookOptions::default()
        };
        let listing = BookListing::load(path, &options)?;
        console::warn_of_zeros(&listing.name, listing.lines_with_zeros);
        Ok(listing)
    }
}

/// Options that select openings by eval.
#[derive(Debug, Args)]
struct EvalRangeArgs {
    /// Accepted advantage in centipawns: at least A and at most B
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    eval_range: Option<(u32, u32)>,

    /// The side with this advantage [default: either side]
    #[arg(long, value_name = "white|black", value_parser = parse_side, requires = "eval_range")]
    favours: Option<Side>,
}

impl EvalRangeArgs {
    fn eval_range(&self) -> Option<EvalRange> {
        self.eval_range.map(|(least, most)| EvalRange { least, most, favours: self.favours })
    }
}

/// Parses `8..16`: two ascending numbers, both inclusive.
fn parse_range(text: &str) -> Result<(u32, u32), String> {
    let ends = text.split_once("..").and_then(|(least, most)| {
        Some((least.trim().parse::<u32>().ok()?, most.trim().parse::<u32>().ok()?))
    });
    match ends {
        Some((least, most)) if least <= most => Ok((least, most)),
        Some((least, most)) => Err(format!("expected the smaller number first, as in {most}..{least}")),
        None => Err("expected two numbers, as in 8..16".to_owned()),
    }
}

fn parse_side(text: &str) -> Result<Side, String> {
    match text.to_ascii_lowercase().as_str() {
        "white" => Ok(Side::White),
        "black" => Ok(Side::Black),
        _ => Err("expected white or black".to_owned()),
    }
}

#[derive(Clone, Copy, Debug)]
enum NewBook {
    Epd,
    Pgn,
}

impl NewBook {
    fn of_path(path: &Path) -> anyhow::Result<NewBook> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match ending.as_str() {
            "epd" | "fen" => Ok(NewBook::Epd),
            "pgn" => Ok(NewBook::Pgn),
            _ => bail!("{}: expected a file name that ends in .epd or .pgn", path.display()),
        }
    }

    const fn legend(self) -> &'static str {
        match self {
            NewBook::Epd => {
                "Operations: ce is the eval in centipawns for the side to move; c0 has the moves."
            }
            NewBook::Pgn => "The tag Evaluation is the eval in centipawns for White.",
        }
    }

    fn text(self, header: &[String], openings: &[ListedOpening]) -> anyhow::Result<String> {
        match self {
            NewBook::Epd => Ok(book_as_epd(header, openings)),
            NewBook::Pgn => Ok(book_as_pgn(header, openings)?),
        }
    }
}

fn command_line() -> String {
    let words = &cli::command_line()[1..];
    format!("arbiter {}", words.join(" "))
}
