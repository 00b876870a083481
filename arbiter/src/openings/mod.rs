//! `arbiter openings`: makes, checks, thins and converts opening books.

mod book_audit;
mod check;
mod convert;
mod make;
mod making;
mod thin;

use std::env;
use std::path::Path;

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::cli::{CliResult, console};
use referee::openings::{
    Band, BookFormat, BookListing, BookOptions, ListedOpening, book_as_epd, book_as_pgn,
};
use referee::{Side, Variant};

/// The arguments of `arbiter openings`.
#[derive(Debug, Args)]
pub struct OpeningsArgs {
    #[command(subcommand)]
    command: OpeningsCommand,
}

/// What can be done with opening books.
#[derive(Debug, Subcommand)]
enum OpeningsCommand {
    /// Make a book by random play that an engine keeps from nonsense, or from games, each opening judged by the engine.
    Make(Box<make::MakeArgs>),
    /// Say what is in a book: repetitions, illegal lines, and how long, full and balanced its openings are.
    #[command(after_help = check::EXIT_CODES)]
    Check(check::CheckArgs),
    /// Choose some openings of a book, as diverse as possible.
    Thin(thin::ThinArgs),
    /// Write books in another format, Polyglot's among them.
    Convert(convert::ConvertArgs),
}

impl OpeningsArgs {
    /// Runs the command.
    pub fn run(self) -> CliResult {
        match self.command {
            OpeningsCommand::Make(args) => args.run(),
            OpeningsCommand::Check(args) => args.run(),
            OpeningsCommand::Thin(args) => args.run(),
            OpeningsCommand::Convert(args) => args.run(),
        }
    }
}

/// How a book is read.
#[derive(Debug, Args)]
struct ReadingArgs {
    /// Cut the lines of PGN and Polyglot books after so many plies
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// The positions are of Chess960
    #[arg(long)]
    chess960: bool,
}

impl ReadingArgs {
    fn variant(&self) -> Variant {
        if self.chess960 { Variant::Chess960 } else { Variant::Standard }
    }

    fn read(&self, path: &Path) -> anyhow::Result<BookListing> {
        let options =
            BookOptions { variant: self.variant(), max_plies: self.plies, ..BookOptions::default() };
        let listing = BookListing::load(path, &options)?;
        console::warn_of_zeros(&listing.name, listing.lines_with_zeros);
        Ok(listing)
    }
}

/// Which verdicts are wanted, as the user says it.
#[derive(Debug, Args)]
struct WishedBand {
    /// Verdicts at least and at most so many centipawns from 0
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    band: Option<(u32, u32)>,

    /// The side that is to be better by so much; either one when it is not given
    #[arg(long, value_name = "white|black", value_parser = parse_side, requires = "band")]
    favours: Option<Side>,
}

impl WishedBand {
    fn band(&self) -> Option<Band> {
        self.band.map(|(least, most)| Band { least, most, favours: self.favours })
    }
}

/// `8..16`: two ascending numbers, both of them included.
fn parse_range(text: &str) -> Result<(u32, u32), String> {
    let ends = text.split_once("..").and_then(|(least, most)| {
        Some((least.trim().parse::<u32>().ok()?, most.trim().parse::<u32>().ok()?))
    });
    match ends {
        Some((least, most)) if least <= most => Ok((least, most)),
        Some((least, most)) => Err(format!("expected the smaller number first: {most}..{least}")),
        None => Err("expected two numbers, such as 8..16".to_owned()),
    }
}

fn parse_side(text: &str) -> Result<Side, String> {
    match text.to_ascii_lowercase().as_str() {
        "white" => Ok(Side::White),
        "black" => Ok(Side::Black),
        _ => Err("expected white or black".to_owned()),
    }
}

/// How a new book is written.
#[derive(Clone, Copy, Debug)]
enum NewBook {
    Epd,
    Pgn,
}

impl NewBook {
    /// What the ending of the file asks for.
    fn of_path(path: &Path) -> anyhow::Result<NewBook> {
        let is_plain = path
            .extension()
            .is_some_and(|it| !it.eq_ignore_ascii_case("gz") && !it.eq_ignore_ascii_case("zst"));
        match BookFormat::of_path(path).filter(|_| is_plain) {
            Some(BookFormat::Epd) => Ok(NewBook::Epd),
            Some(BookFormat::Pgn) => Ok(NewBook::Pgn),
            Some(BookFormat::Polyglot) | None => {
                bail!("{}: expected a new file that ends in .epd or .pgn", path.display())
            }
        }
    }

    /// What the header says about the lines.
    const fn legend(self) -> &'static str {
        match self {
            NewBook::Epd => {
                "Operations: ce is the verdict in centipawns for the side to move, c0 has the moves."
            }
            NewBook::Pgn => "The tag Evaluation is the verdict in centipawns for White.",
        }
    }

    fn text(self, header: &[String], openings: &[ListedOpening], variant: Variant) -> anyhow::Result<String> {
        match self {
            NewBook::Epd => Ok(book_as_epd(header, openings)),
            NewBook::Pgn => Ok(book_as_pgn(header, openings, variant)?),
        }
    }
}

/// The command as it was typed, without the folder of the program.
fn command_line() -> String {
    let words: Vec<String> = env::args().skip(1).collect();
    format!("arbiter {}", words.join(" "))
}

/// A number with its thousands apart: `5,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_its_smaller_number_first() {
        assert_eq!(parse_range("8..16"), Ok((8, 16)));
        assert_eq!(parse_range("0..0"), Ok((0, 0)));
        assert!(parse_range("60..0").unwrap_err().contains("0..60"));
        for text in ["8", "8,16", "..4", "-1..4", "a..b"] {
            assert!(parse_range(text).unwrap_err().starts_with("expected two numbers"), "{text}");
        }
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
