//! `arbiter openings thin`: few openings of many.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::{NewBook, ReadingArgs, WishedBand, command_line, grouped};
use crate::cli::error::{Blame, CliResult};
use crate::cli::new_file::NewFile;
use crate::cli::{ExitCode, console, sha256};
use crate::openings::{
    BookListing, KnownPositions, ListedOpening, RepeatKind, diverse, mean_nearest_distance,
};

/// The arguments of `arbiter openings thin`.
#[derive(Debug, Args)]
pub struct ThinArgs {
    /// The book to choose from: EPD, PGN or Polyglot, compressed or not
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The book to write, .epd or .pgn; it must not exist yet
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// How many openings to choose
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    to: u32,

    #[command(flatten)]
    band: WishedBand,

    /// Take a position with the colours changed for the same one
    #[arg(long)]
    mirrored: bool,

    /// What decides between equals; the same seed chooses the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    reading: ReadingArgs,
}

impl ThinArgs {
    /// Chooses and writes.
    pub fn run(self) -> CliResult {
        let format = NewBook::of_path(&self.new).usage()?;
        let mut listing = self.reading.read(&self.file).usage()?;
        if !listing.faults.is_empty() {
            return Err(listing.faults.remove(0)).usage();
        }
        let file = NewFile::reserve(&self.new).usage()?;
        let all = listing.openings.len();
        let candidates = self.candidates(listing).usage()?;
        let chosen: Vec<ListedOpening> = diverse(&candidates, self.to as usize, self.seed)
            .into_iter()
            .map(|index| candidates[index].clone())
            .collect();
        let header = self.header(all, format).fault()?;
        file.finish(&format.text(&header, &chosen, self.reading.variant()).fault()?).fault()?;
        console::note(&format!(
            "{}: {} openings of {}; {:.1} squares from the nearest other one on average, before {:.1}",
            self.new.display(),
            grouped(chosen.len() as u64),
            grouped(all as u64),
            mean_nearest_distance(&chosen),
            mean_nearest_distance(&candidates)
        ));
        Ok(ExitCode::Done)
    }

    /// The openings in the band, each position once.
    fn candidates(&self, listing: BookListing) -> Result<Vec<ListedOpening>> {
        let BookListing { name, openings, .. } = listing;
        let mut known = KnownPositions::new(self.reading.variant());
        let repeats: Vec<_> = (0..openings.len()).map(|index| known.add(&openings, index)).collect();
        let mut candidates = Vec::new();
        for (opening, repeat) in openings.into_iter().zip(repeats) {
            let is_same = |kind| kind != RepeatKind::Mirrored || self.mirrored;
            if repeat.is_none_or(|repeat| !is_same(repeat.kind)) && self.is_in_band(&name, &opening)? {
                candidates.push(opening);
            }
        }
        if candidates.len() < self.to as usize {
            bail!(
                "--to {}: expected at most {}, the different openings{} of {name}",
                self.to,
                candidates.len(),
                if self.band.band().is_some() { " in the band" } else { "" }
            );
        }
        Ok(candidates)
    }

    fn is_in_band(&self, book: &str, opening: &ListedOpening) -> Result<bool> {
        match (self.band.band(), opening.verdict) {
            (None, _) => Ok(true),
            (Some(band), Some(verdict)) => Ok(band.contains(verdict)),
            (Some(_), None) => bail!(
                "{book}:{}: expected a verdict for --band: the operation ce of EPD, or the tag Evaluation of PGN",
                opening.line
            ),
        }
    }

    fn header(&self, all: usize, format: NewBook) -> Result<Vec<String>> {
        let mut header = vec![
            format!(
                "{} of {} openings, chosen by Arbiter {} so that they differ much:",
                grouped(u64::from(self.to)),
                grouped(all as u64),
                env!("CARGO_PKG_VERSION")
            ),
            command_line(),
            String::new(),
            format!("The book they are from has the SHA-256 {}.", sha256::of_file(&self.file)?),
        ];
        if let Some(band) = self.band.band() {
            header.push(format!("Of it were taken those of {band}."));
        }
        header.push(format.legend().to_owned());
        let origin = comments_at_top(&self.file);
        if !origin.is_empty() {
            header.extend([String::new(), "It begins with:".to_owned()]);
            header.extend(origin.iter().map(|line| format!("  {line}").trim_end().to_owned()));
        }
        Ok(header)
    }
}

/// The comment that a book of text begins with; none in one that is compressed or binary.
fn comments_at_top(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let comments = text.lines().map_while(|line| line.strip_prefix(['#', ';']));
    comments.map(|line| line.trim().to_owned()).collect()
}
