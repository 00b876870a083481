//! Random openings: for training games ([`RandomOpening`]), and for OpenBench's `genfens` ([`Openings`]).

mod chance;
mod fen_book;
mod random_opening;

pub use chance::Chance;
pub use random_opening::RandomOpening;

use std::ops::Range;
use std::path::Path;

use self::fen_book::FenBook;
use crate::SoftNodeSearch;
use crate::nnue::Network;
use chess::Position;
use uci::Genfens;

/// The TT of the search that evaluates openings, in MiB.
const HASH_MIB: usize = 4;
/// The random plies after a line of a book.
const PLIES_AFTER_BOOK: u32 = 4;
/// The maximum of `plies`.
const MAX_PLIES: u32 = 30;
/// The number of failed tries after which the generator stops. They take a few seconds; OpenBench waits fifteen.
const TRIES: u32 = 200;

/// The openings of a `genfens` request. Each depends only on the seed, the book and its number.
#[derive(Debug)]
pub struct Openings {
    seed: u64,
    numbers: Range<u64>,
    book: Option<FenBook>,
    random: RandomOpening,
    search: SoftNodeSearch,
}

impl Openings {
    /// The openings of a request. Its last words may be `plies P`: the number of random plies, every other time one more.
    ///
    /// # Errors
    /// The book cannot be read or is empty, the request has unknown words, or there is not enough memory.
    pub fn new(request: &Genfens) -> Result<Openings, String> {
        let book = request.book.as_deref().map(|path| FenBook::load(Path::new(path))).transpose()?;
        let plies = match (plies(&request.extra)?, &book) {
            (Some(plies), _) => plies,
            (None, None) => RandomOpening::DEFAULT.plies,
            (None, Some(_)) => PLIES_AFTER_BOOK,
        };
        Ok(Openings {
            seed: request.seed,
            numbers: 0..request.count,
            book,
            random: RandomOpening { plies, ..RandomOpening::DEFAULT },
            search: SoftNodeSearch::new(HASH_MIB, Network::shipped()).map_err(|error| error.to_string())?,
        })
    }

    /// The opening with this number.
    fn opening(&mut self, number: u64) -> Result<Position, String> {
        self.search.clear();
        let mut chance = Chance::new(self.seed, number);
        for _ in 0..TRIES {
            let start = match &self.book {
                Some(book) => book.draw(&mut chance)?,
                None => Position::start(),
            };
            let found = self.random.draw(start, &mut chance, &mut self.search);
            if let Some(position) = found.filter(|position| !position.is_insufficient_material()) {
                return Ok(position);
            }
        }
        Err(format!("{TRIES} openings in a row were lopsided: ask for fewer plies, or for another book"))
    }
}

/// The number in `plies P`, if given.
fn plies(extra: &str) -> Result<Option<u32>, String> {
    if extra.is_empty() {
        return Ok(None);
    }
    let plies = extra.strip_prefix("plies ").and_then(|number| number.parse().ok());
    let plies = plies.filter(|plies| (1..=MAX_PLIES).contains(plies));
    plies.map(Some).ok_or_else(|| {
        format!("expected `plies P` with P from 1 to {MAX_PLIES} after the book, found `{extra}`")
    })
}

impl Iterator for Openings {
    type Item = Result<Position, String>;

    fn next(&mut self) -> Option<Result<Position, String>> {
        let number = self.numbers.next()?;
        Some(self.opening(number))
    }
}
