//! The one reader of PGN: reads the games of files of any size, one after the other.
//!
//! The text is cut where the next game begins, so that only one game is in memory, and a comment that is never closed spoils
//! one game rather than the rest of the file. [`movetext`] cuts a game into moves and other tokens, and [`game_text`] tells
//! by the move numbers which words were not moves: these are counted. At any other word the game breaks off.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::{fmt, mem};

use memchr::memchr_iter;
use rustc_hash::FxBuildHasher;
use shakmaty::san::{San, SanPlus};

use self::game_text::GameText;
use self::plain_game::{MovesHash, PlainGames};
use self::raw_text::{Cut, text_of};
use super::files::{BookError, BookFormat, Guesses, PgnProblem, open_unpacked};
use super::written_move::Language;
use super::{GameResult, PgnGame, PlayedMove, Referee, Side, Variant};

mod game_text;
mod known_games;
mod movetext;
mod plain_game;
mod raw_text;

pub use known_games::{GameIdentity, KnownGames, PlayerNames};
pub use plain_game::is_book_comment;

const READ_BYTES: usize = 1 << 18;

/// The maximum size of a game in bytes. Longer text is cut: it is not a game, and memory is limited.
const MOST_BYTES: usize = 1 << 26;

/// The maximum length of a tag line that the fast reader accepts.
const TAG_LINE_BYTES: usize = 4096;

/// The tag of a game that ended after the SPRT of its run had stopped. Such games do not count.
pub const AFTER_DECISION: &str = "AfterDecision";

/// The minimum number of plies by which a game can be told from others.
const FEWEST_PLIES: u32 = 10;

/// What a last game without a result lacks: the file may be cut off there.
const NO_ENDING: &str = "1-0, 0-1, 1/2-1/2 or * behind the moves, found the end of the file";

/// The number of moves by which openings of games are compared.
const FIRST_MOVES: usize = 32;

/// The most plies that are read of one game. By the 75-move rule none has more than 17,697.
const MOST_PLIES: usize = 20_000;

const NO_MORE_PLIES: &str =
    "at most 20,000 plies, since no game has more under the 75-move rule; the rest is left out";

/// A game of a file, without variations and, by default, without comments. The legality of its moves has not been checked.
#[derive(Clone, Debug, Default)]
pub struct ReadGame {
    /// The line of the file where the game begins, counted from 1.
    pub line: usize,
    /// The number of the game in the file, counted from 1.
    number: usize,
    /// The names and values of the tags, joined, and the ranges of each.
    text: Vec<u8>,
    tags: Vec<[Range<usize>; 2]>,
    moves: Vec<San>,
    /// Where each move begins in the game's text.
    places: Vec<u32>,
    /// The comment after each move; shorter than the moves if the rest has no comments. Without moves there may be one.
    pub(super) comments: Vec<String>,
    /// The hash of the moves, if they are not kept.
    moves_hash: Option<MovesHash>,
    /// The hashes of the first moves, if the moves are not kept.
    first: Vec<u32>,
    /// The hash of the opening moves that comments mark as book moves.
    book: MovesHash,
    /// The result after the moves.
    ending: Option<GameResult>,
    /// The variant, by the tag or otherwise by the start position.
    pub(super) variant: Variant,
    /// The error after the last move, and its line.
    broken: Option<(usize, PgnProblem)>,
    /// The number of words among the moves that are not moves, and the first one with its line.
    words: u32,
    first_word: Option<(usize, String)>,
    /// The language of the piece letters, if it is not English.
    language: Option<&'static str>,
}

impl ReadGame {
    /// A game as it would be read from the PGN of `game`.
    pub fn of(game: &PgnGame) -> ReadGame {
        let moves = game.moves().filter_map(|san| Some(SanPlus::from_ascii(san.as_bytes()).ok()?.san));
        let mut read = ReadGame { moves: moves.collect(), ..ReadGame::default() };
        for (name, value) in game.written_tags() {
            read.push_tag(name.as_bytes(), value.as_bytes());
        }
        read
    }

    fn push_tag(&mut self, name: &[u8], value: &[u8]) {
        let ranges = [name, value].map(|part| {
            let begin = self.text.len();
            self.text.extend_from_slice(part);
            begin..self.text.len()
        });
        self.tags.push(ranges);
    }

    /// The value of a tag; `None` if it is missing, empty, `?` or `-`.
    pub fn tag(&self, name: &str) -> Option<Cow<'_, str>> {
        self.raw_tag(name).map(text_of).filter(|value| !matches!(&**value, "" | "?" | "-"))
    }

    fn raw_tag(&self, name: &str) -> Option<&[u8]> {
        // The first letter quickly excludes most names.
        let is_named = |[found, _]: &&[Range<usize>; 2]| {
            let found = &self.text[found.clone()];
            found.first() == name.as_bytes().first() && found == name.as_bytes()
        };
        self.tags.iter().find(is_named).map(|[_, value]| &self.text[value.clone()])
    }

    /// The name of a player.
    pub fn player(&self, side: Side) -> Option<Cow<'_, str>> {
        self.tag(if side == Side::White { "White" } else { "Black" })
    }

    /// The result by the tag or, without a tag, after the moves; `None` for `*` and anything else.
    pub fn result(&self) -> Option<GameResult> {
        self.raw_tag("Result").map_or(self.ending, GameResult::from_pgn)
    }

    /// Whether the game ended after the SPRT of its run had stopped.
    pub fn is_after_decision(&self) -> bool {
        self.raw_tag(AFTER_DECISION).is_some()
    }

    /// The number of the game in the file, counted from 1; unreadable games are counted too.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// The variant, by the tag or otherwise by the start position.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The variant by the `Variant` tag, or Chess960 if the start position requires it; `untagged` without a tag, and an error
    /// for other variants.
    fn find_variant(&self, untagged: Variant) -> Result<Variant, PgnProblem> {
        let named = match self.tag("Variant") {
            None => untagged,
            Some(name) => Variant::named(&name).ok_or_else(|| PgnProblem::Variant(name.into_owned()))?,
        };
        let Some(fen) = self.tag("FEN") else { return Ok(named) };
        match Referee::from_fen(&fen, named) {
            Err(error) if !error.is_legal_in_chess960() => Err(error.into()),
            start => Ok(if start.is_err() { Variant::Chess960 } else { named }),
        }
    }

    /// A hash of the start position, the moves and the result; `None` if the moves are too few to tell the game from others.
    pub fn moves_hash(&self) -> Option<u64> {
        let MovesHash(moves, plies) = self.moves_hash.unwrap_or_else(|| MovesHash::of(&self.moves));
        (plies >= FEWEST_PLIES).then(|| FxBuildHasher.hash_one((self.raw_tag("FEN"), self.result(), moves)))
    }

    /// A hash of the start position and the moves that comments such as `{book}` mark as book moves; `None` without any.
    pub fn book_hash(&self) -> Option<u64> {
        let MovesHash(moves, plies) = self.book;
        (plies > 0).then(|| FxBuildHasher.hash_one((self.raw_tag("FEN"), moves)))
    }

    /// Hashes of the first moves: entry n covers the moves up to number n + 1, and is 0 after the last move.
    pub fn first_moves(&self) -> [u32; FIRST_MOVES] {
        let mut first = [0; FIRST_MOVES];
        if self.moves_hash.is_some() {
            first[..self.first.len()].copy_from_slice(&self.first);
        } else {
            let mut moves = MovesHash::default();
            for (place, &san) in first.iter_mut().zip(&self.moves) {
                moves.add(san);
                *place = moves.short();
            }
        }
        first
    }

    /// The identity of the game, which copies share; `None` if neither moves nor times tell it from others.
    pub fn identity(&self) -> Option<GameIdentity> {
        let of_tag = |[name, value]: &[Range<usize>; 2]| {
            let (name, value) = (&self.text[name.clone()], &self.text[value.clone()]);
            let tells = matches!(name, b"White" | b"Black" | b"FEN" | b"Date" | b"UTCDate" | b"Round");
            (tells || is_time(name)).then(|| FxBuildHasher.hash_one((name, value)))
        };
        // Programs that copy games may reorder the tags.
        let of_tags = self.tags.iter().filter_map(of_tag).fold(0, u64::wrapping_add);
        let MovesHash(moves, _) = self.moves_hash.unwrap_or_else(|| MovesHash::of(&self.moves));
        let hash = FxBuildHasher.hash_one((of_tags, self.result(), moves));
        let is_certain = self.is_certain();
        (is_certain || moves != 0).then_some(GameIdentity { hash, is_certain })
    }

    /// Whether the round is known, together with the number of the game in it or the starting time.
    fn is_certain(&self) -> bool {
        let (mut has_round, mut has_number) = (false, false);
        for [name, value] in &self.tags {
            let (name, value) = (&self.text[name.clone()], &self.text[value.clone()]);
            if name == b"Round" {
                has_round = !matches!(value, b"" | b"?" | b"-");
                has_number |= value.contains(&b'.');
            } else if is_time(name) {
                has_number |= !value.is_empty();
            }
        }
        has_round && has_number
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty()
    }

    /// The first `most` moves in UCI notation, up to a null move; or the index of a move and the error in it.
    pub(super) fn uci_moves(
        &self,
        variant: Variant,
        most: usize,
    ) -> Result<Vec<String>, (usize, PgnProblem)> {
        let mut moves = Vec::with_capacity(self.moves.len().min(most));
        if !self.moves.is_empty() && most > 0 {
            let (_, fault) = self
                .play(variant, most, |played| moves.push(played.uci().to_owned()))
                .map_err(|problem| (0, problem))?;
            fault.map_or(Ok(()), Err)?;
        }
        Ok(moves)
    }

    /// Plays the first `most` moves. It stops at a null move, after which the moves are not of the game, or at an illegal move,
    /// which it returns with its index. An error in the start position is an `Err`.
    pub(super) fn play(
        &self,
        variant: Variant,
        most: usize,
        mut visit: impl FnMut(PlayedMove),
    ) -> Result<(Referee, Option<(usize, PgnProblem)>), PgnProblem> {
        let mut referee = Referee::from_start(self.tag("FEN").as_deref(), variant)?;
        let played = self.moves.iter().take_while(|san| **san != San::Null);
        for (index, &san) in played.take(most).enumerate() {
            match referee.play_san(san) {
                Ok(played) => visit(played),
                Err(error) => return Ok((referee, Some((index, error.into())))),
            }
        }
        Ok((referee, None))
    }

    /// Whether the text ends before the result but is otherwise complete.
    pub(super) fn is_cut_off(&self) -> bool {
        matches!(self.broken, Some((_, PgnProblem::Text(NO_ENDING))))
    }

    /// The number of moves in the text, legal or not.
    pub(super) const fn written_moves(&self) -> usize {
        self.moves.len()
    }
}

/// Whether this tag contains the starting time.
fn is_time(tag: &[u8]) -> bool {
    matches!(tag, b"UTCTime" | b"GameStartTime" | b"StartTime" | b"Time")
}

/// The games of a text, or the errors in them. [`BookError::Pgn`] concerns one game; after any other error nothing more is
/// read. A text without games gives a [`BookError::NoGames`].
pub struct PgnGames<'a> {
    file: String,
    source: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    /// The start of the next game in the buffer.
    at: usize,
    is_at_end: bool,
    is_over: bool,
    keeps_comments: bool,
    /// The variant of games that do not name one.
    untagged: Variant,
    /// Reads plain games fast if no caller needs the moves.
    plain: Option<PlainGames>,
    line: usize,
    number: usize,
    ready: VecDeque<Result<ReadGame, BookError>>,
    /// The game text that was cut out last, as a range of the buffer, and its first line.
    cut: Range<usize>,
    cut_line: usize,
    /// The language of the previous game, if it is not English.
    language: Option<&'static Language>,
    /// What was guessed in the games so far.
    pub guesses: Guesses,
}

impl fmt::Debug for PgnGames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PgnGames({}:{})", self.file, self.line)
    }
}

impl<'a> PgnGames<'a> {
    /// The games of a file. [Compressed files](super::openings::read_unpacked) are unpacked on the way.
    ///
    /// # Errors
    /// [`BookError::Io`] if the file cannot be opened.
    pub fn open(path: &Path) -> Result<PgnGames<'a>, BookError> {
        let name = path.display().to_string();
        match open_unpacked(path, Some(BookFormat::Pgn)) {
            Ok(((_, source), locked)) => {
                let mut games = PgnGames::new(&name, source);
                games.ready.extend(locked.into_iter().map(|member| {
                    let file = format!("{name}/{}", member.display());
                    let problem = PgnProblem::Text("games, found a file that is encrypted");
                    Err(BookError::Pgn { file, line: 1, game: 1, problem })
                }));
                Ok(games)
            }
            Err(source) => Err(BookError::Io { file: name, source }),
        }
    }

    /// The games of a source; `file` is for messages. Old collections have names in other encodings than UTF-8; the moves are
    /// ASCII in all of them except UTF-16, which is refused.
    pub fn new(file: impl Into<String>, source: impl Read + 'a) -> PgnGames<'a> {
        PgnGames {
            file: file.into(),
            source: Box::new(source),
            buffer: Vec::new(),
            at: 0,
            is_at_end: false,
            is_over: false,
            keeps_comments: false,
            untagged: Variant::Standard,
            plain: None,
            line: 1,
            number: 0,
            ready: VecDeque::new(),
            cut: 0..0,
            cut_line: 1,
            language: None,
            guesses: Guesses::default(),
        }
    }

    /// Takes games for games of this variant if they have no tag `Variant`.
    #[must_use]
    pub(super) fn in_variant(mut self, variant: Variant) -> PgnGames<'a> {
        self.untagged = variant;
        self
    }

    /// Keeps the comments after moves.
    #[must_use]
    pub fn with_comments(mut self) -> PgnGames<'a> {
        self.keeps_comments = true;
        self
    }

    /// Keeps only hashes of the moves of most games, which tell games apart. This is several times as fast.
    #[must_use]
    pub fn without_moves(mut self) -> PgnGames<'a> {
        self.plain = Some(PlainGames::new());
        self
    }

    /// The error for a move of the game that was returned last, given by index, or for its start position.
    pub(super) fn fault(&self, game: &ReadGame, (index, problem): (usize, PgnProblem)) -> BookError {
        let cut = &self.buffer[self.cut.clone()];
        let end = game.places.get(index).map_or(cut.trim_ascii_end().len(), |place| *place as usize);
        let end = end.min(cut.len());
        let line = self.cut_line + memchr_iter(b'\n', &cut[..end]).count();
        self.fault_at(line, game.number, problem)
    }

    /// Where a game of this reader breaks off, if it does.
    pub fn broken_off(&self, game: &ReadGame) -> Option<BookError> {
        let (line, problem) = game.broken.clone()?;
        Some(self.fault_at(line, game.number, problem))
    }

    fn fault_at(&self, line: usize, game: usize, problem: PgnProblem) -> BookError {
        BookError::Pgn { file: self.file.clone(), line, game, problem }
    }

    fn fill(&mut self) -> Result<(), BookError> {
        let is_first = self.buffer.is_empty() && self.number == 0;
        self.buffer.drain(..mem::take(&mut self.at));
        self.cut = 0..0;
        let wanted = READ_BYTES.max(self.buffer.len()) as u64;
        let outcome = self.source.by_ref().take(wanted).read_to_end(&mut self.buffer);
        let read = outcome.map_err(|source| BookError::Io { file: self.file.clone(), source })?;
        self.is_at_end = (read as u64) < wanted;
        if is_first && matches!(self.buffer[..], [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
            return Err(BookError::Utf16 { file: self.file.clone() });
        }
        Ok(())
    }

    /// Reads the next game into an existing one, whose memory it reuses. After an error, `place` has no game.
    pub fn next_into(&mut self, place: &mut ReadGame) -> Option<Result<(), BookError>> {
        while self.ready.is_empty() && !self.is_over {
            if self.is_at_end && self.at == self.buffer.len() {
                self.is_over = true;
                if self.number == 0 {
                    self.ready.push_back(Err(BookError::NoGames { file: self.file.clone() }));
                }
                break;
            }
            match self.advance(place) {
                Ok(true) => return Some(self.checked(place)),
                Ok(false) => (),
                Err(error) => {
                    self.is_over = true;
                    self.ready.push_back(Err(error));
                }
            }
        }
        let game = self.ready.pop_front()?;
        Some(game.and_then(|game| {
            *place = game;
            self.checked(place)
        }))
    }

    /// Finds the variant of a game; a game of an unknown variant or from an illegal position is an error.
    fn checked(&mut self, game: &mut ReadGame) -> Result<(), BookError> {
        let variant = game.find_variant(self.untagged);
        game.variant = variant.map_err(|problem| self.fault_at(game.line, game.number, problem))?;
        if let Some((line, word)) = &game.first_word {
            self.guesses.words += game.words as usize;
            self.guesses.first_word.get_or_insert_with(|| format!("{}:{line}: {word:?}", self.file));
        }
        if let Some(language) = game.language {
            *self.guesses.languages.entry(language).or_default() += 1;
        }
        Ok(())
    }

    /// Reads the next game into `place` if it is plain, and returns whether it was. Otherwise cuts the next games out of the
    /// text and queues them.
    fn advance(&mut self, place: &mut ReadGame) -> Result<bool, BookError> {
        let cut = loop {
            let rest = &self.buffer[self.at..];
            let plain = self.plain.as_mut().and_then(|plain| plain.game(rest, self.is_at_end, place));
            if let Some(length) = plain {
                self.number += 1;
                (place.line, place.number) = (self.line, self.number);
                self.line += memchr_iter(b'\n', &rest[..length]).count();
                self.at += length;
                return Ok(true);
            }
            match Cut::of(rest, self.is_at_end || rest.len() > MOST_BYTES) {
                Some(cut) => break cut,
                None => self.fill()?,
            }
        };
        self.cut = self.at..self.at + cut.length;
        self.at += cut.length;
        let is_last = self.is_at_end && self.at == self.buffer.len();
        let text = &self.buffer[self.cut.clone()];
        self.cut_line = self.line;
        self.line += memchr_iter(b'\n', text).count();
        let first_line = self.cut_line + cut.lines_before;
        let mut read = GameText::read(text, self.keeps_comments, self.language);
        if read.language.is_some() {
            // From here on, an English word may mean something else.
            (self.language, self.plain) = (read.language, None);
        }
        let (mut games, mut current) = (mem::take(&mut read.games), mem::take(&mut read.current));
        let is_cut_off = is_last && (cut.has_moves || current.raw_tag("Result").is_none());
        let problem = match read.unclosed {
            // An error after a result belongs to no game.
            _ if current.is_empty() && (read.unclosed.is_none() || !games.is_empty()) => None,
            Some((_, closing)) if read.ends_in_tag() => Some((first_line, closing)),
            Some((at, closing)) => Some((self.cut_line + read.lines_before(at), closing)),
            None => is_cut_off.then_some((self.line, NO_ENDING)),
        };
        let problem = problem.map(|(line, expected)| (line, PgnProblem::Text(expected)));
        // A game that breaks off is a game if it has tags or moves.
        let is_game = !current.is_empty() && !read.ends_in_tag();
        for game in games.iter_mut().chain([&mut current]) {
            let lines =
                [game.broken.as_mut().map(|(line, _)| line), game.first_word.as_mut().map(|(line, _)| line)];
            lines.into_iter().flatten().for_each(|line| *line += self.cut_line);
        }
        if is_game {
            current.broken = current.broken.or_else(|| problem.clone());
            games.push(current);
        }
        for mut game in games.into_iter().filter(|game| !game.is_empty()) {
            self.number += 1;
            (game.line, game.number) = (first_line, self.number);
            self.ready.push_back(Ok(game));
        }
        if let (false, Some((line, problem))) = (is_game, problem) {
            self.number += 1;
            self.ready.push_back(Err(self.fault_at(line, self.number, problem)));
        }
        Ok(false)
    }
}

impl Iterator for PgnGames<'_> {
    type Item = Result<ReadGame, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut game = ReadGame::default();
        Some(self.next_into(&mut game)?.map(|()| game))
    }
}

#[cfg(test)]
mod tests;
