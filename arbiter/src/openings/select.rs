//! `arbiter openings thin`: few openings of many.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::{NewBook, ReadingArgs, WishedBand, command_line, grouped};
use crate::cli::{Blame, CliResult, ExitCode, console};
use crate::files::{NewFile, sha256};
use referee::openings::{
    Band, BookListing, KnownPositions, ListedOpening, RepeatKind, diverse, mean_nearest_distance,
};

/// The arguments of `arbiter openings thin`.
#[derive(Debug, Args)]
pub struct ThinArgs {
    /// The books to choose from, as if they were one: EPD, PGN or Polyglot, compressed or not
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

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
        let mut all = Vec::new();
        for path in &self.files {
            let mut listing = self.reading.read(path).usage()?;
            if !listing.faults.is_empty() {
                return Err(listing.faults.remove(0)).usage();
            }
            self.check_for_verdicts(&listing).usage()?;
            all.append(&mut listing.openings);
        }
        let file = NewFile::reserve(&self.new).usage()?;
        let candidates = self.candidates(&all).usage()?;
        let chosen: Vec<ListedOpening> = diverse(&candidates, self.to as usize, self.seed)
            .into_iter()
            .map(|index| candidates[index].clone())
            .collect();
        let header = self.header(all.len(), format).fault()?;
        file.finish(&format.text(&header, &chosen, self.reading.variant()).fault()?).fault()?;
        console::note(&format!(
            "{}: {} openings of {}; {:.1} squares from the nearest other one on average, before {:.1}",
            self.new.display(),
            grouped(chosen.len() as u64),
            grouped(all.len() as u64),
            mean_nearest_distance(&chosen),
            mean_nearest_distance(&candidates)
        ));
        Ok(ExitCode::Done)
    }

    /// The openings in the band, each position once.
    fn candidates(&self, all: &[ListedOpening]) -> Result<Vec<ListedOpening>> {
        let mut known = KnownPositions::new(self.reading.variant());
        let mut candidates = Vec::new();
        for (index, opening) in all.iter().enumerate() {
            let repeat = known.add(all, index).map(|repeat| repeat.kind);
            let is_new = repeat.is_none_or(|kind| kind == RepeatKind::Mirrored && !self.mirrored);
            let is_in_band = |band: Band| opening.verdict.is_some_and(|verdict| band.contains(verdict));
            if is_new && self.band.band().is_none_or(is_in_band) {
                candidates.push(opening.clone());
            }
        }
        if candidates.len() < self.to as usize {
            bail!(
                "--to {}: expected at most {}, the number of different openings{}",
                self.to,
                candidates.len(),
                if self.band.band().is_some() { " in the band" } else { "" }
            );
        }
        Ok(candidates)
    }

    fn check_for_verdicts(&self, listing: &BookListing) -> Result<()> {
        let without = listing.openings.iter().find(|opening| opening.verdict.is_none());
        match (self.band.band(), without) {
            (Some(_), Some(opening)) => bail!(
                "{}:{}: expected a verdict for --band: the operation ce of EPD, or the tag Evaluation of PGN",
                listing.name,
                opening.line
            ),
            _ => Ok(()),
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
        ];
        if let Some(band) = self.band.band() {
            header.push(format!("Of it were taken those of {band}."));
        }
        header.push(format.legend().to_owned());
        for path in &self.files {
            header.push(String::new());
            header.push(format!("From {} with the SHA-256 {}:", path.display(), sha256::of_file(path)?));
            header.extend(comments_at_top(path).iter().map(|line| format!("  {line}").trim_end().to_owned()));
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
