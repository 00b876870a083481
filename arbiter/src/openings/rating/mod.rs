//! Measures from finished runs how sharply openings tell two engines apart.

mod book_rating;
mod run_books;

use book_rating::BookRating;
pub use run_books::BookRatings;
use run_books::{EvalBins, rate};

use std::path::{Path, PathBuf};

use clap::Args;
use stats::Proportion;

use crate::cli::{CliResult, ExitCode, OrExitCode, answer};
use crate::text::number_text::{counted, elo, elo_to, percent, ptnml, thousands, three_digits};
use crate::text::{Document, Table};
use book_rating::Cost;

pub const HELP: &str = "\
nElo per second is for one second of engine time. Games needed and time needed are the cost of an equally certain \
verdict, relative to the first book: below 1 is cheaper. They are unknown if the nElo interval of either book contains 0.";

#[derive(Debug, Args)]
pub struct BookRateArgs {
    /// Run folders of matches between the same two engines, each with a different book
    #[arg(required = true, value_name = "DIR")]
    runs: Vec<PathBuf>,

    /// Rate openings in groups by the advantage that the book gives to either side (`ce` in EPD): bounds in centipawns,
    /// e.g. 0,50,100 for 0 to 49 and 50 to 99
    #[arg(long, value_name = "A,B,…")]
    by_eval: Option<EvalBins>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl BookRateArgs {
    pub fn run(self) -> CliResult {
        let report = rate(&self.runs, self.by_eval.as_ref()).usage()?;
        answer(&report, self.json, document)?;
        Ok(ExitCode::Done)
    }
}

pub fn document(report: &BookRatings) -> Document {
    let books = &report.books;
    let name = |book: &BookRating| {
        Path::new(&book.run).file_name().map_or(book.run.clone(), |name| name.to_string_lossy().into_owned())
    };
    let mut table = Table::new(std::iter::once(String::new()).chain(books.iter().map(name)));
    for (label, value) in rows(books) {
        let cells = books.iter().enumerate().map(|(place, book)| value(book, place));
        table.plain(std::iter::once(label.to_owned()).chain(cells));
    }
    let mut document = Document::default();
    document.table(table);
    if report.without_range > 0 {
        let games = counted(report.without_range, "game");
        document.gap();
        document.line(format!("{games} not counted: the eval of the opening is missing or in no range."));
    }
    document
}

type RowValue = fn(&BookRating, usize) -> String;

fn rows(books: &[BookRating]) -> Vec<(&'static str, RowValue)> {
    let mut rows: Vec<(&'static str, RowValue)> = vec![("Book", |book, _| book.book.clone())];
    if books.iter().any(|book| book.eval.is_some()) {
        rows.push(("Eval (cp)", |book, _| book.eval.map_or_else(String::new, |range| range.to_string())));
    }
    let figures: [(&'static str, RowValue); 16] = [
        ("Games", |book, _| thousands(book.wdl.games())),
        ("Ptnml(0-2)", |book, _| ptnml(&book.pentanomial)),
        ("nElo (95%)", |book, _| elo(&book.normalized_elo)),
        ("nElo per second", |book, _| {
            book.normalized_elo_per_second.as_ref().map_or("–".to_owned(), |estimate| elo_to(estimate, 2))
        }),
        ("nElo per Elo", |book, _| {
            book.sharpness.map_or("–".to_owned(), |sharpness| {
                format!("{:.2} ± {:.2}", sharpness.nelo_per_elo, sharpness.margin)
            })
        }),
        ("Draws", |book, _| share(book.draws)),
        ("Pairs decided", |book, _| share(book.decided)),
        ("1-1 by two draws", |book, _| share_of_pairs(book, book.level.by_draws)),
        ("1-1 by two wins", |book, _| share_of_pairs(book, book.level.by_wins)),
        ("White's score", |book, _| {
            let games = book.white.games();
            share((games > 0).then(|| book.white.points() / games as f64))
        }),
        ("White's Elo (95%)", |book, _| elo(&book.white_advantage)),
        ("Plies per game", |book, _| book.plies_per_game.map_or("–".to_owned(), three_digits)),
        ("Seconds per game", |book, _| book.seconds_per_game.map_or("–".to_owned(), three_digits)),
        ("Games needed", |book, place| cost(book.games_needed, place)),
        ("Time needed", |book, place| cost(book.time_needed, place)),
        ("By nElo per Elo", |book, place| cost(book.time_needed_by_sharpness, place)),
    ];
    rows.extend(figures);
    rows
}

fn share(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), percent)
}

fn share_of_pairs(book: &BookRating, count: u64) -> String {
    share(Proportion { hits: count, trials: book.pentanomial.pairs() }.share())
}

/// `0.62 (0.31 to 1.24)`: the cost compared with the first book.
fn cost(cost: Option<Cost>, place: usize) -> String {
    match cost {
        _ if place == 0 => "1".to_owned(),
        Some(Cost { ratio, lower, upper }) => {
            format!("{} ({} to {})", three_digits(ratio), three_digits(lower), three_digits(upper))
        }
        None => "unknown".to_owned(),
    }
}
