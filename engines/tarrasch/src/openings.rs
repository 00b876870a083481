//! Random openings: for training games ([`RandomOpening`]), and for OpenBench's `genfens` ([`Openings`]). A search with a
//! soft node limit ([`SoftNodeSearch`]) evaluates them.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use std::{fs, io};

use super::nnue::Network;
use super::search::{Searcher, ThreadData};
use super::transposition_table::Bound;
use super::{Limits, Nodes, SearchControl, TranspositionTable, Value};
use chess::{FenError, Move, Position, SplitMix, ZobristKey};

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
    /// The openings of a request, `genfens N seed S book None|FILE [plies P]`: N openings, each after P random plies from
    /// the start position or from a line of the file, every other time one more. The path has no blanks.
    pub fn read(request: &str) -> Result<Openings, String> {
        let words: Vec<&str> = request.split_ascii_whitespace().collect();
        let [_, count, "seed", seed, "book", book, extra @ ..] = &words[..] else {
            return Err(format!("expected `genfens N seed S book None|FILE [plies P]`, found `{request}`"));
        };
        let book = Some(book).filter(|book| !book.eq_ignore_ascii_case("none"));
        let book = book.map(|path| FenBook::load(Path::new(path))).transpose();
        let book = book.map_err(|error| format!("book {error}"))?;
        let plies = match (plies(extra)?, &book) {
            (Some(plies), _) => plies,
            (None, None) => RandomOpening::DEFAULT.plies,
            (None, Some(_)) => PLIES_AFTER_BOOK,
        };
        Ok(Openings {
            seed: whole_number(seed, "seed")?,
            numbers: 0..whole_number(count, "the number of openings")?,
            book,
            random: RandomOpening { plies, ..RandomOpening::DEFAULT },
            search: SoftNodeSearch::new(HASH_MIB, Network::shipped()).map_err(|error| error.to_string())?,
        })
    }

    fn opening(&mut self, number: u64) -> Result<Position, String> {
        self.search.clear();
        let mut chance = Chance::new(self.seed, number);
        for _ in 0..TRIES {
            let start = match &self.book {
                Some(book) => {
                    let line = chance.below(book.line_count());
                    book.position(line).map_err(|error| format!("book {error}"))?
                }
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
fn plies(extra: &[&str]) -> Result<Option<u32>, String> {
    let plies = match extra {
        [] => return Ok(None),
        ["plies", number] => number.parse().ok().filter(|plies| (1..=MAX_PLIES).contains(plies)),
        _ => None,
    };
    let found = extra.join(" ");
    plies.map(Some).ok_or_else(|| {
        format!("expected `plies P` with P from 1 to {MAX_PLIES} after the book, found `{found}`")
    })
}

fn whole_number(word: &str, what: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("{what}: expected a whole number, found `{word}`"))
}

impl Iterator for Openings {
    type Item = Result<Position, String>;

    fn next(&mut self) -> Option<Result<Position, String>> {
        let number = self.numbers.next()?;
        Some(self.opening(number))
    }
}

/// The random numbers of an opening or a game.
#[derive(Debug)]
pub struct Chance(SplitMix);

impl Chance {
    /// The sequence of this seed and number.
    pub fn new(seed: u64, number: u64) -> Chance {
        // Neighbouring numbers and seeds must give unrelated sequences.
        let of_seed = SplitMix::new(seed).next();
        Chance(SplitMix::new(SplitMix::new(of_seed ^ number).next()))
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.0.next()) * u128::from(bound)) >> 64) as u32
    }
}

/// How random openings are made, and which are rejected.
#[derive(Clone, Copy, Debug)]
pub struct RandomOpening {
    /// The random plies, every other time one more.
    pub plies: u32,
    /// Soft node limit of the search that evaluates the opening.
    pub nodes: u32,
    /// The hard node limit of that search, as a multiple of the soft one.
    pub hard_factor: u32,
    /// Openings with at least this score, in centipawns for either side, are rejected.
    pub score: u16,
}

impl RandomOpening {
    pub const DEFAULT: RandomOpening = RandomOpening { plies: 8, nodes: 10_000, hard_factor: 10, score: 400 };

    /// `start` after random plies; `None` if that is lopsided or the game is over.
    pub fn draw(
        &self,
        start: Position,
        chance: &mut Chance,
        search: &mut SoftNodeSearch,
    ) -> Option<Position> {
        let plies = self.plies + chance.below(2);
        let position = random_plies(start, plies, chance)?;
        let soft = Nodes::new(self.nodes.into());
        let hard = Nodes::new(u64::from(self.nodes) * u64::from(self.hard_factor));
        let (_, value) = search.search(&position, &[], soft, hard);
        (value.get().unsigned_abs() < self.score.into()).then_some(position)
    }
}

/// `start` after this many random plies; `None` if the game is over.
pub fn random_plies(start: Position, plies: u32, chance: &mut Chance) -> Option<Position> {
    let mut position = start;
    for _ in 0..plies {
        let moves = position.move_list();
        if moves.is_empty() {
            return None;
        }
        position.play_unchecked(moves[chance.below(moves.len() as u32) as usize]);
    }
    position.has_legal_move().then_some(position)
}

/// The lines of a book. A line is parsed only when it is drawn, because books have millions of them.
#[derive(Debug)]
pub struct FenBook {
    file: String,
    text: String,
    /// The number (from 1) and the offset of each line that is not blank and not a comment (`#`).
    lines: Vec<(usize, usize)>,
}

impl FenBook {
    pub fn load(path: &Path) -> Result<FenBook, String> {
        let file = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
        let (mut lines, mut start) = (Vec::new(), 0);
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                lines.push((index + 1, start));
            }
            start += line.len();
        }
        if lines.is_empty() {
            return Err(format!("{file}: expected lines of FEN or EPD, found none"));
        }
        Ok(FenBook { file, text, lines })
    }

    pub fn line_count(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The position of a line, counted from 0.
    pub fn position(&self, line: u32) -> Result<Position, String> {
        let (_, start) = self.lines[line as usize];
        let text = self.text[start..].lines().next().unwrap_or_default();
        read_line(text).map_err(|error| format!("{}: {error}", self.place(line)))
    }

    /// The file and the number of a line, for messages.
    pub fn place(&self, line: u32) -> String {
        format!("{}:{}", self.file, self.lines[line as usize].0)
    }
}

/// Reads a FEN, or an EPD whose operations `hmvc` and `fmvn` may count the moves.
fn read_line(line: &str) -> Result<Position, FenError> {
    let mut words = line.split_ascii_whitespace();
    let board: Vec<&str> = words.by_ref().take(4).collect();
    let rest: Vec<&str> = words.collect();
    let is_fen = rest.first().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let operand = |opcode| rest.windows(2).find(|pair| pair[0] == opcode).map(|pair| &pair[1]);
    let count = |index, opcode| if is_fen { rest.get(index) } else { operand(opcode) };
    let halfmoves = count(0, "hmvc").map_or("0", |word| word.trim_end_matches(';'));
    let fullmoves = count(1, "fmvn").map_or("1", |word| word.trim_end_matches(';'));
    Position::from_fen(&format!("{} {halfmoves} {fullmoves}", board.join(" ")))
}

/// A search with its own TT, on the calling thread. Its soft node limit ends it between iterations.
#[derive(Debug)]
pub struct SoftNodeSearch {
    tt: TranspositionTable,
    thread_data: ThreadData,
    network: Arc<Network>,
}

impl SoftNodeSearch {
    /// An empty TT of this many MiB, and a network to evaluate with.
    pub fn new(hash_mib: usize, network: Arc<Network>) -> io::Result<SoftNodeSearch> {
        let tt = TranspositionTable::new(hash_mib)?;
        Ok(SoftNodeSearch { tt, thread_data: ThreadData::new(), network })
    }

    /// Clears everything, so that later searches do not depend on earlier ones.
    pub fn clear(&mut self) {
        self.tt.clear(1);
        self.thread_data.clear();
    }

    /// The best move of the last finished iteration, and its value for the side to move. No iteration starts after `soft`
    /// nodes, and none continues after `hard` nodes. `before` has the keys of earlier positions.
    ///
    /// # Panics
    /// The position has no legal move.
    pub fn search(
        &mut self,
        position: &Position,
        before: &[ZobristKey],
        soft: Nodes,
        hard: Nodes,
    ) -> (Move, Value) {
        let limits = Limits { network: self.network.clone(), ..Limits::nodes(hard) };
        let control = SearchControl::new(Instant::now(), false);
        let tt = self.tt.begin_search();
        let mut finished = None;
        let mut searcher = Searcher::new(position, before, &limits, &control, tt, &mut self.thread_data);
        let outcome = searcher.run(position, &mut |report| {
            if report.bound == Bound::Exact {
                finished = report.line.first().map(|&mv| (mv, report.value));
                if report.nodes >= soft {
                    control.stop();
                }
            }
        });
        finished
            .or_else(|| outcome.line.first().map(|&mv| (mv, outcome.value)))
            .expect("a position with a legal move has a line")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fen_and_epd_are_read_with_their_counts() {
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (operations, counts) in [
            ("", "0 1"),
            (" 3 40", "3 40"),
            (" hmvc 5; fmvn 20;", "5 20"),
            (" hmvc 5 ; id \"x\";", "5 1"),
            (" bm e4; id \"x\";", "0 1"),
            (" 7 9 ; c0 \"x\";", "7 9"),
        ] {
            let position = read_line(&format!("{board}{operations}")).unwrap();
            assert_eq!(position.to_string(), format!("{board} {counts}"), "{operations}");
        }
        assert!(read_line("4k3/8/8").is_err());
    }
}
