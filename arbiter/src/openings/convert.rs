//! `arbiter openings convert`: books as EPD, PGN or Polyglot.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::{NewBook, ReadingArgs, command_line};
use crate::cli::{Blame, CliResult, ExitCode, console};
use crate::files::NewFile;
use crate::text::number_text::thousands;
use referee::openings::{ListedOpening, book_as_polyglot};

/// The arguments of `arbiter openings convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The books to convert into one: EPD, PGN or Polyglot, also as .gz or .zst
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
    /// Reads and writes.
    pub fn run(self) -> CliResult {
        let is_polyglot = self.new.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bin"));
        if self.min_lines.is_some() && !is_polyglot {
            return Err(anyhow!("--min-lines is for Polyglot books: expected a new book that ends in .bin"))
                .usage();
        }
        let openings = self.openings().usage()?;
        let contents =
            if is_polyglot { self.polyglot(&openings).usage()? } else { self.text(&openings).usage()? };
        NewFile::reserve(&self.new).usage()?.finish(contents).fault()?;
        let count = thousands(openings.len() as u64);
        console::note(&format!("{}: {count} openings", self.new.display()));
        Ok(ExitCode::Done)
    }

    fn openings(&self) -> Result<Vec<ListedOpening>> {
        let mut openings = Vec::new();
        for path in &self.files {
            openings.append(&mut self.reading.read_sound(path)?.openings);
        }
        Ok(openings)
    }

    fn polyglot(&self, openings: &[ListedOpening]) -> Result<Vec<u8>> {
        let bytes = book_as_polyglot(openings, self.reading.variant(), self.min_lines.unwrap_or(1))?;
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
        Ok(format.text(&header, openings, self.reading.variant())?.into_bytes())
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
