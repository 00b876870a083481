//! Opening books, from files or shipped with the program, and the options that choose them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::one_of;
use crate::cli::console;
use crate::files::file_record;
use crate::text::number_text::counted;
use referee::Variant;
use referee::openings::{Book, BookFormat, BookListing, BookOptions, BookReport};
use runner::process::nearest_name;
use runner::{BookConfig, BookOrder, RunConfig, ScheduledOpenings};

/// The start position alone, in a variant its own.
pub const START: &str = "startpos.epd";

pub const DEFAULT: &str = "arbiter-balanced.epd";

pub const DEFAULT_OF_SPRT: &str = "arbiter-unbalanced.epd";

/// The default book of Chess960: all its starting positions.
const DEFAULT_CHESS960: &str = "chess960.epd";

/// Where the user named the openings, for messages about that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedBy {
    Option,
    File,
}

/// What to do if a program or book differs from the one recorded in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    Refused,
    Accepted,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Openings")]
pub struct OpeningArgs {
    /// Opening book: EPD, PGN or Polyglot, or the name of a shipped one
    ///
    /// Shipped: arbiter-balanced.epd, the default; arbiter-unbalanced.epd, the default of match --sprt and --best; chess960.epd, with --variant chess960; startpos.epd, for other variants. A file ends in .epd, .fen, .pgn or .bin (Polyglot), and may be compressed or in an archive: .gz, .zst, .bz2, .tar, .zip.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Order of the openings
    #[arg(long, default_value = "random", value_parser = one_of([
        ("random", "Shuffled by the seed", BookOrder::Random),
        ("sequential", "As in the file", BookOrder::Sequential),
    ]))]
    order: BookOrder,

    /// Seed of the random order [default: a new one, saved in run.toml]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Play at most this many plies of each opening (PGN, Polyglot)
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// First opening to play, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    start: u32,

    /// Play a variant of chess
    ///
    /// chess960, crazyhouse, atomic, antichess, horde, kingofthehill, racingkings or 3check, as Lichess plays them. Both engines need a UCI option for it.
    #[arg(long, value_name = "NAME", default_value_t = Variant::Standard, value_parser = Variant::typed)]
    pub variant: Variant,
}

impl OpeningArgs {
    pub fn is_seeded(&self) -> bool {
        self.seed.is_some()
    }

    /// Finds and reads the chosen book. The default is `usual`, or the variant's own book.
    pub fn open(&self, usual: &str) -> Result<(BookConfig, Book)> {
        let usual = default_of(self.variant, usual);
        let mut config = BookConfig {
            order: self.order,
            // A TOML integer has 63 bits.
            seed: self.seed.unwrap_or_else(|| rand::random::<u64>() >> 1),
            plies: self.plies,
            start: self.start as usize - 1,
            ..BookConfig::of(self.openings.clone().unwrap_or_else(|| usual.into()))
        };
        let place = format!("--openings {}", config.path.display());
        config.sha256 = Some(find(&mut config, &place)?);
        let book = load(&config, self.variant, AskedBy::Option)?;
        Ok((config, book))
    }
}

/// The default book of a variant; `usual` for standard chess.
pub fn default_of(variant: Variant, usual: &str) -> &str {
    match variant {
        Variant::Standard => usual,
        Variant::Chess960 => DEFAULT_CHESS960,
        _ => START,
    }
}

/// Completes the book of a run file: finds it, checks its recorded fingerprint, and fills in what the user left out.
pub fn settle(mut config: BookConfig, changed: Changed) -> Result<BookConfig> {
    let name = config.path.display().to_string();
    let found = find(&mut config, &format!("book, path `{name}`"))?;
    if let Some(expected) = config.sha256.as_ref().filter(|expected| **expected != found)
        && changed == Changed::Refused
    {
        bail!(
            "{name}: expected the book with SHA-256 {expected}, found {found}; the book has changed; \
             --accept-changed plays from it"
        );
    }
    config.sha256 = Some(found);
    Ok(config)
}

/// Notes whether a book is a file or one that ships, and returns its SHA-256. `place` is where the user named it.
fn find(config: &mut BookConfig, place: &str) -> Result<String> {
    let text = shipped_text(&config.path).filter(|_| config.embedded || !config.path.exists());
    config.embedded = text.is_some();
    let found = match text {
        Some(text) => return Ok(file_record::sha256_of_bytes(text.as_bytes())),
        None if config.path.is_file() => file_record::sha256(&config.path)?,
        None => {
            let path = config.path.to_string_lossy();
            let bare = path.strip_prefix("file=").map(|file| format!("; write --openings {file}"));
            let names = suites::names("openings");
            let near = nearest_name(&path, names.iter().map(String::as_str));
            let near = near.map(|near| format!("; did you mean {near}?"));
            let advice = bare.or(near).unwrap_or_else(|| "; Arbiter downloads no books".to_owned());
            bail!("{place}: expected a file, or a shipped book: {}{advice}", names.join(", "))
        }
    };
    config.path = file_record::path(&config.path)?;
    Ok(found)
}

pub fn load(config: &BookConfig, variant: Variant, asked_by: AskedBy) -> Result<Book> {
    let book = read(config, variant)?;
    warn_of(&book);
    let openings = book.report().openings;
    if config.start >= openings {
        let (start, name) = (config.start, book.name());
        match asked_by {
            AskedBy::Option => {
                bail!(
                    "--start {}: expected at most {openings}, because {name} has {openings} openings",
                    start + 1
                )
            }
            AskedBy::File => bail!(
                "book, start = {start}: expected less than {openings}, because {name} has {openings} openings"
            ),
        }
    }
    Ok(book)
}

/// Loads a book for another program's command line, where a start past the end wraps around to the first openings.
pub fn load_from_anywhere(config: &mut BookConfig, variant: Variant) -> Result<Book> {
    let book = read(config, variant)?;
    warn_of(&book);
    config.start %= book.report().openings;
    Ok(book)
}

fn warn_of(book: &Book) {
    console::warn_of_skipped(book.name(), "opening", &book.skipped);
    console::note_unreachable(book.name(), &book.unreachable);
}

/// The lines of a run's book with their evals, as they are on disk.
pub fn list(config: &BookConfig, variant: Variant) -> Result<BookListing> {
    let (options, name) = (options_of(config, variant), config.path.display().to_string());
    Ok(match embedded_text(config, variant)? {
        Some((text, format)) => BookListing::read(&name, text.as_bytes(), format, &options)?,
        None => BookListing::load(&config.path, &options)?,
    })
}

/// A summary of a book for the user: `arbiter-balanced.epd: 600 openings, all legal, no duplicates`.
pub fn describe(book: &Book) -> String {
    let BookReport { openings, duplicates, lines_with_zeros } = book.report();
    let plural = if openings == 1 { "" } else { "s" };
    let drawn = if book.is_drawn { format!("line{plural} drawn") } else { format!("opening{plural}") };
    let duplicates = match duplicates {
        0 => "no duplicates".to_owned(),
        count => counted(count as u64, "duplicate"),
    };
    let zeros = match lines_with_zeros {
        0 => String::new(),
        lines => format!("; warning: {} with zero bytes, which are left out", counted(lines as u64, "line")),
    };
    let skipped = match (book.skipped.count, book.unreachable.count) {
        (0, 0) => "all legal".to_owned(),
        (0, unreachable) => format!("{unreachable} that no game reaches"),
        (skipped, _) => format!("{skipped} skipped"),
    };
    format!("{}: {openings} {drawn}, {skipped}, {duplicates}{zeros}", book.name())
}

/// Few tests last longer than this many rounds, so a book that runs out later needs no warning.
const LONG_TEST: u32 = 1_000;

/// If each opening is played this often, a result holds for these openings only.
const MANY_TIMES: u32 = 20;

/// A warning if games are likely to repeat: openings recur and no clock makes games differ, or in a dialect, fastchess's
/// rule repeats openings before the book is exhausted. Also if a clock makes games differ, but openings are few.
pub fn warning_of_repeats(config: &RunConfig, book: &Book) -> Option<String> {
    let again = ScheduledOpenings::rounds_again(config, book.report().openings);
    let is_by_rule = config.book.wrap == Some(true) && config.engines.len() > 2;
    let is_likely = if config.test_repeats { is_by_rule } else { !config.is_timed() };
    let rounds = config.games / config.rounds.games;
    let different = rounds.saturating_sub(again);
    let times = if config.sprt.is_none() { rounds } else { rounds.min(LONG_TEST) } / different.max(1);
    if again > 0 && !is_likely && !config.test_repeats && times >= MANY_TIMES {
        let openings = counted(different.into(), "opening");
        return Some(format!(
            "{openings} in {}, each for up to {times} pairs: the result holds for few openings only",
            book.name()
        ));
    }
    let round = different + 1;
    let is_near = config.sprt.is_none() || round <= LONG_TEST;
    (again > 0 && is_likely && is_near).then(|| {
        format!(
            "from round {round} on, every two engines have openings that they had before, and who plays the same again \
             repeats a game"
        )
    })
}

fn read(config: &BookConfig, variant: Variant) -> Result<Book> {
    let options = options_of(config, variant);
    Ok(match embedded_text(config, variant)? {
        Some((text, format)) => {
            Book::read(&config.path.display().to_string(), text.as_bytes(), format, &options)?
        }
        None => Book::load(&config.path, config.format, &options)?,
    })
}

fn options_of(config: &BookConfig, variant: Variant) -> BookOptions {
    let order = config.opening_order();
    BookOptions { variant, max_plies: config.plies, order, ..BookOptions::default() }
}

/// The text of a shipped book, or `None` for a file. Fails if the SHA-256 is not the recorded one.
fn embedded_text(config: &BookConfig, variant: Variant) -> Result<Option<(Cow<'static, str>, BookFormat)>> {
    let name = config.path.display();
    let text = config
        .embedded
        .then(|| shipped_text(&config.path).with_context(|| format!("{name}: no shipped book of this name")));
    let text = text.transpose()?;
    let found = match text {
        Some(text) => file_record::sha256_of_bytes(text.as_bytes()),
        None => file_record::sha256(&config.path)?,
    };
    if let Some(expected) = config.sha256.as_ref().filter(|expected| **expected != found) {
        bail!(
            "{name}: expected the book with SHA-256 {expected}, found {found}; the openings would not be the same"
        );
    }
    let format = config.format.or_else(|| BookFormat::of_path(&config.path)).unwrap_or(BookFormat::Epd);
    let is_of_start = !variant.is_chess() && config.path.as_os_str() == START;
    let start = is_of_start.then(|| variant.start_fen());
    Ok(text.map(|text| (start.map_or(text.into(), Cow::Owned), format)))
}

fn shipped_text(path: &Path) -> Option<&'static str> {
    suites::suite("openings", path.to_str()?)
}
