//! `arbiter openings convert` and `arbiter openings select`: make a book from other books.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use referee::openings::{
    BookListing, EvalRange, KnownPositions, ListedOpening, RepeatKind, book_as_polyglot, diverse,
    mean_nearest_distance,
};

use super::{EvalRangeArgs, NewBook, ReadingArgs, command_line};
use crate::cli::{CliResult, ExitCode, OrExitCode, console};
use crate::files::{NewFile, file_record};
use crate::text::number_text::{counted, thousands};

#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The books to convert into one: EPD, PGN or Polyglot, also as .gz, .zst, .bz2, .tar or .zip
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The new book, .epd, .pgn or .bin (Polyglot); the file must not exist yet
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// For a .bin book: keep only moves that at least N lines play in the position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    min_lines: Option<u32>,

    #[command(flatten)]
    reading: ReadingArgs,
}

impl ConvertArgs {
    pub fn run(self) -> CliResult {
        let is_polyglot = self.new.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bin"));
        if self.min_lines.is_some() && !is_polyglot {
            return Err(anyhow!("--min-lines is for Polyglot books: expected a new book that ends in .bin"))
                .usage();
        }
        if is_polyglot && !self.reading.variant.is_chess() {
            let (new, variant) = (self.new.display(), self.reading.variant);
            return Err(anyhow!("{new}: Polyglot books have no positions of {variant}; use .epd or .pgn"))
                .usage();
        }
        let mut openings = Vec::new();
        for path in &self.files {
            openings.append(&mut self.reading.read_sound(path, true).usage()?.openings);
        }
        let contents =
            if is_polyglot { self.polyglot(&openings).usage()? } else { self.text(&openings).usage()? };
        NewFile::reserve(&self.new).usage()?.finish(contents).of_path()?;
        console::note(&format!("{}: {}", self.new.display(), counted(openings.len() as u64, "opening")));
        Ok(ExitCode::Done)
    }

    fn polyglot(&self, openings: &[ListedOpening]) -> Result<Vec<u8>> {
        let bytes = book_as_polyglot(openings, self.min_lines.unwrap_or(1))?;
        if bytes.is_empty() {
            let files: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
            bail!(
                "{}: no move is played by at least {} lines; use a smaller --min-lines or a book with moves",
                files.join(", "),
                self.min_lines.unwrap_or(1)
            );
        }
        Ok(bytes)
    }

    fn text(&self, openings: &[ListedOpening]) -> Result<Vec<u8>> {
        let format = NewBook::of_path(&self.new)?;
        let names: Vec<String> = self.files.iter().map(|path| name_of(path)).collect();
        let from = format!(
            "{} openings of {}, converted by Arbiter {}:",
            thousands(openings.len() as u64),
            names.join(", "),
            env!("CARGO_PKG_VERSION")
        );
        let header = [from, command_line(), String::new(), format.legend().to_owned()];
        Ok(format.text(&header, openings)?.into_bytes())
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[derive(Debug, Args)]
pub struct SelectArgs {
    /// The books to select from: EPD, PGN or Polyglot, also as .gz, .zst, .bz2, .tar or .zip
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The new book, .epd or .pgn; the file must not exist yet
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// Number of openings to select
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    to: u32,

    #[command(flatten)]
    eval_range: EvalRangeArgs,

    /// Treat a position and its mirror image (colours swapped) as duplicates
    #[arg(long)]
    mirrored: bool,

    /// Seed for ties; the same seed selects the same openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    reading: ReadingArgs,
}

impl SelectArgs {
    pub fn run(self) -> CliResult {
        let format = NewBook::of_path(&self.new).usage()?;
        let mut all = Vec::new();
        for path in &self.files {
            let mut listing = self.reading.read_sound(path, false).usage()?;
            self.check_for_evals(&listing).usage()?;
            all.append(&mut listing.openings);
        }
        let file = NewFile::reserve(&self.new).usage()?;
        let candidates = self.candidates(&all).usage()?;
        let selected: Vec<ListedOpening> = diverse(&candidates, self.to as usize, self.seed)
            .into_iter()
            .map(|index| candidates[index].clone())
            .collect();
        let header = self.header(all.len(), format).fault()?;
        file.finish(&format.text(&header, &selected).fault()?).fault()?;
        console::note(&format!(
            "{}: selected {} of {} openings; mean distance to the nearest opening: {:.1} squares (whole book: {:.1})",
            self.new.display(),
            thousands(selected.len() as u64),
            thousands(all.len() as u64),
            mean_nearest_distance(&selected),
            mean_nearest_distance(&candidates)
        ));
        Ok(ExitCode::Done)
    }

    fn candidates(&self, all: &[ListedOpening]) -> Result<Vec<ListedOpening>> {
        let mut known = KnownPositions::new(self.reading.variant);
        let mut candidates = Vec::new();
        for (index, opening) in all.iter().enumerate() {
            let repeat = known.add(all, index).map(|repeat| repeat.kind);
            let is_new = repeat.is_none_or(|kind| kind == RepeatKind::Mirrored && !self.mirrored);
            let is_in_range = |range: EvalRange| opening.eval.is_some_and(|eval| range.contains(eval));
            if is_new && self.eval_range.eval_range().is_none_or(is_in_range) {
                candidates.push(opening.clone());
            }
        }
        if candidates.len() < self.to as usize {
            bail!(
                "--to {}: the books have only {}{}; ask for fewer",
                self.to,
                counted(candidates.len() as u64, "different opening"),
                if self.eval_range.eval_range().is_some() { " with an eval in --eval-range" } else { "" }
            );
        }
        Ok(candidates)
    }

    fn check_for_evals(&self, listing: &BookListing) -> Result<()> {
        let without = listing.openings.iter().find(|opening| opening.eval.is_none());
        match (self.eval_range.eval_range(), without) {
            (Some(_), Some(opening)) => bail!(
                "{}:{}: --eval-range needs an eval (EPD operation ce, or PGN tag Evaluation), found none",
                listing.name,
                opening.line
            ),
            _ => Ok(()),
        }
    }

    fn header(&self, all: usize, format: NewBook) -> Result<Vec<String>> {
        let mut header = vec![
            format!(
                "{} of {} openings, selected by Arbiter {} for diversity:",
                thousands(u64::from(self.to)),
                thousands(all as u64),
                env!("CARGO_PKG_VERSION")
            ),
            command_line(),
            String::new(),
        ];
        if let Some(range) = self.eval_range.eval_range() {
            header.push(format!("Only openings with an eval of {range}."));
        }
        header.push(format.legend().to_owned());
        for path in &self.files {
            header.push(String::new());
            header.push(format!("From {} (SHA-256 {}):", path.display(), file_record::sha256(path)?));
            header.extend(comments_at_top(path).iter().map(|line| format!("  {line}").trim_end().to_owned()));
        }
        Ok(header)
    }
}

/// The comment at the top of a text book; empty for a compressed or binary one.
fn comments_at_top(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let comments = text.lines().map_while(|line| line.strip_prefix(['#', ';']));
    comments.map(|line| line.trim().to_owned()).collect()
}
