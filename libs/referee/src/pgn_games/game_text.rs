//! Reads the games of a text, usually one, and weighs the evidence for guesses.

use std::mem;

use memchr::memchr_iter;
use shakmaty::san::San;

use super::movetext::{OPEN_TAG, Token, Tokens, word_length};
use super::plain_game::is_book_comment;
use super::{MOST_PLIES, NO_MORE_PLIES, ReadGame};
use crate::Variant;
use crate::files::PgnProblem;
use crate::written_move::{ENGLISH, Language, OTHERS, move_at};

/// Decides by the move numbers whether words in a game were moves.
///
/// An unreadable word may have been a move. It was not if the next move number agrees with the moves before it.
#[derive(Clone, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "what was seen since the start, the last number and the last move"
)]
struct Numbers {
    /// Whether Black moves first.
    black_first: bool,
    /// The last move number read, or the start position's, and the number of plies before it.
    last: (u32, usize),
    has_any: bool,
    /// Whether a number has been read since the last move.
    is_fresh: bool,
    /// Whether White has moved without a move number.
    has_unnumbered: bool,
    /// The first word since the last number: the plies before it, and its offset in the text.
    doubtful: Option<(usize, usize)>,
    /// The number of words since then.
    words: u32,
    /// Whether the rest of the game is ignored.
    is_refused: bool,
}

impl Numbers {
    fn of_start(fen: Option<&[u8]>) -> Numbers {
        let fields = || fen.unwrap_or_default().split(|byte| *byte == b' ').filter(|field| !field.is_empty());
        // Three-check has one more field, before the clocks or behind them.
        let numbers = fields().skip(5).filter_map(|field| str::from_utf8(field).ok()?.parse().ok());
        Numbers {
            black_first: fields().nth(1) == Some(b"b"),
            last: (numbers.last().unwrap_or(1), 0),
            ..Numbers::default()
        }
    }

    /// Whether this is the correct number of the next move after `plies` plies.
    const fn agrees(&self, number: u32, is_black: bool, plies: usize) -> bool {
        let before = self.black_first as usize;
        let moves = usize::midpoint(plies, before) - usize::midpoint(self.last.1, before);
        number == self.last.0.saturating_add(moves as u32) && is_black == ((plies + before) % 2 == 1)
    }

    const fn is_white_to_move(&self, plies: usize) -> bool {
        (plies + self.black_first as usize).is_multiple_of(2)
    }
}

#[derive(Default)]
pub(super) struct GameText<'a> {
    text: &'a [u8],
    keeps_comments: bool,
    /// The language of the previous games, if it is not English.
    pub(super) language: Option<&'static Language>,
    /// The games whose results have been read.
    pub(super) games: Vec<ReadGame>,
    pub(super) current: ReadGame,
    numbers: Numbers,
    /// The state of `numbers` at the end of the last of the games.
    numbers_before: Numbers,
    /// The index of the first move with a piece letter that English does not have.
    first_foreign: Option<usize>,
    /// The offset of a token that is never closed, and what is missing.
    pub(super) unclosed: Option<(usize, &'static str)>,
}

impl<'a> GameText<'a> {
    pub(super) fn read(
        text: &'a [u8],
        keeps_comments: bool,
        language: Option<&'static Language>,
    ) -> GameText<'a> {
        // Reserves room for the tags and moves of most games.
        let mut current = ReadGame { text: Vec::with_capacity(512), ..ReadGame::default() };
        (current.moves, current.places) = (Vec::with_capacity(128), Vec::with_capacity(128));
        let numbers = Numbers::of_start(None);
        let mut games = GameText {
            text,
            keeps_comments,
            language,
            current,
            numbers_before: numbers.clone(),
            numbers,
            ..GameText::default()
        };
        let mut tokens = Tokens::of(text);
        while let Some((at, token)) = tokens.next() {
            games.add(at, token);
        }
        games.end();
        games
    }

    fn add(&mut self, at: usize, token: Token<'_>) {
        let plies = self.current.moves.len();
        match token {
            Token::Tag(name, value) => {
                self.current.push_tag(name, value);
                if name == b"FEN" {
                    self.numbers = Numbers::of_start(Some(value));
                }
            }
            Token::Result(result) => {
                self.end();
                self.current.ending = result;
                self.games.push(mem::take(&mut self.current));
                self.numbers_before = mem::replace(&mut self.numbers, Numbers::of_start(None));
            }
            _ if self.numbers.is_refused => (),
            Token::Move(_) | Token::Foreign(_) if plies == MOST_PLIES => {
                self.current.broken = Some((self.lines_before(at), PgnProblem::Text(NO_MORE_PLIES)));
                self.numbers.is_refused = true;
            }
            Token::Number(number, is_black) => {
                self.resume(number, is_black);
                self.number(number, is_black);
            }
            Token::Move(san) => self.push(at, san),
            Token::Foreign(english) => {
                self.first_foreign.get_or_insert(plies);
                self.push(at, english.unwrap_or(San::Null));
            }
            Token::Comment(comment) => self.comment(comment),
            // A word before the first move is a heading, unless it could be a move.
            Token::Word if plies == 0 && !self.is_like_move(at) => self.cross(at, 1),
            Token::Word => {
                self.numbers.doubtful.get_or_insert((plies, at));
                self.numbers.words += 1;
            }
            Token::Unclosed(closing) => self.unclosed = Some((at, closing)),
        }
    }

    fn push(&mut self, at: usize, san: San) {
        let ReadGame { moves, places, comments, .. } = &mut self.current;
        if moves.is_empty() {
            comments.clear();
        }
        self.numbers.has_unnumbered |= self.numbers.is_white_to_move(moves.len()) && !self.numbers.is_fresh;
        self.numbers.is_fresh = false;
        moves.push(san);
        places.push(at as u32);
    }

    /// Continues the last game if the next number shows that its result was written among its moves.
    fn resume(&mut self, number: u32, is_black: bool) {
        let before = &self.numbers_before;
        let is_last =
            |game: &ReadGame| !before.is_refused && before.agrees(number, is_black, game.moves.len());
        if number > 1 && self.current.is_empty() && self.games.last().is_some_and(is_last) {
            let words = self.current.words;
            self.numbers = self.numbers_before.clone();
            self.current = self.games.pop().unwrap_or_default();
            let at = self.current.places.last().map_or(0, |place| *place as usize);
            self.cross(at, 1 + words);
        }
    }

    fn number(&mut self, number: u32, is_black: bool) {
        let plies = self.current.moves.len();
        let agrees = self.numbers.agrees(number, is_black, plies);
        match self.numbers.doubtful {
            Some(doubtful) if !agrees => self.refuse(doubtful),
            Some((_, at)) => self.cross_doubtful(at),
            // Many games begin with another number than their start position has.
            None => (),
        }
        self.numbers.last = (number, plies);
        (self.numbers.has_any, self.numbers.is_fresh) = (true, true);
    }

    fn cross_doubtful(&mut self, at: usize) {
        let words = mem::take(&mut self.numbers.words);
        self.numbers.doubtful = None;
        self.cross(at, words);
    }

    fn cross(&mut self, at: usize, words: u32) {
        if self.current.words == 0 {
            self.current.first_word = Some((self.lines_before(at), self.word(at)));
        }
        self.current.words += words;
    }

    /// Breaks off the game at the word at an offset, after this many plies.
    fn refuse(&mut self, (plies, at): (usize, usize)) {
        let game = &mut self.current;
        game.moves.truncate(plies);
        game.places.truncate(plies);
        game.comments.truncate(plies);
        let word = PgnProblem::Word(self.word(at));
        self.current.broken = Some((self.lines_before(at), word));
        self.numbers.doubtful = None;
        self.numbers.is_refused = true;
    }

    /// Ends the moves of the current game.
    fn end(&mut self) {
        if let Some((plies, at)) = self.numbers.doubtful {
            let is_last = plies == self.current.moves.len();
            let is_numbered = self.numbers.has_any && !self.numbers.has_unnumbered;
            if (is_last || is_numbered) && !self.is_like_move(at) {
                self.cross_doubtful(at);
            } else {
                self.refuse((plies, at));
            }
        }
        // If a word was refused above, the first foreign move may have been cut off with it.
        let first = self.first_foreign.take().filter(|first| *first < self.current.moves.len());
        if (first.is_some() || self.language.is_some())
            && !self.current.moves.is_empty()
            && let Some(first) = self.read_by_language(first)
        {
            self.refuse((first, self.current.places[first] as usize));
        }
    }

    /// Reads the moves in the language in which the most are legal, and more than up to the first foreign move.
    /// Returns `first` if there is no such language, or if several fit with different moves.
    fn read_by_language(&mut self, first: Option<usize>) -> Option<usize> {
        let game = &mut self.current;
        let Ok(variant) = game.find_variant(Variant::Standard) else { return None };
        let english = mem::take(&mut game.moves);
        let mut best: Option<(usize, Vec<San>, &'static Language)> = None;
        let mut has_rival = false;
        let before = self.language;
        for language in before.into_iter().chain([&ENGLISH]).chain(OTHERS) {
            let read = |place: &u32| Some(move_at(&self.text[*place as usize..], language)?.0);
            let Some(moves) = game.places.iter().map(read).collect::<Option<Vec<San>>>() else { continue };
            game.moves = moves;
            let mut legal = 0;
            let _ = game.play(variant, usize::MAX, |_| legal += 1);
            let moves = mem::take(&mut game.moves);
            let most = best.as_ref().map_or(0, |(most, ..)| *most);
            if legal > most {
                has_rival = false;
                best = Some((legal, moves, language));
            } else if let Some((_, known, of)) = &best
                && legal == most
            {
                has_rival |= known[..legal] != moves[..legal] && before != Some(of);
            }
            let is_whole = best.as_ref().is_some_and(|(legal, moves, _)| *legal == moves.len());
            if is_whole && before == Some(language) {
                break;
            }
        }
        game.moves = english;
        let is_beyond = |legal: usize| first.is_none_or(|first| legal > first);
        match best {
            Some((legal, moves, language)) if is_beyond(legal) && !has_rival => {
                // Nothing is guessed if the moves are the same as in English.
                let is_guess = moves != game.moves;
                game.moves = moves;
                if is_guess {
                    game.language = Some(language.name);
                    self.language = Some(language);
                }
                None
            }
            _ => first,
        }
    }

    fn comment(&mut self, comment: &[u8]) {
        let ReadGame { moves, book, comments, .. } = &mut self.current;
        if self.keeps_comments {
            comments.resize(moves.len().max(1), String::new());
            let text = &mut comments[moves.len().saturating_sub(1)];
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(&String::from_utf8_lossy(comment));
        }
        if let Some(&last) = moves.last()
            && book.1 as usize + 1 == moves.len()
            && is_book_comment(comment)
        {
            book.add(last);
        }
    }

    fn word(&self, at: usize) -> String {
        let rest = &self.text[at..];
        String::from_utf8_lossy(&rest[..word_length(rest)]).into_owned()
    }

    /// Whether a word may well be a move: it has a letter before a digit, or begins like castling.
    fn is_like_move(&self, at: usize) -> bool {
        let word = self.word(at);
        let is_square = |pair: &[u8]| pair[0].is_ascii_alphabetic() && matches!(pair[1], b'1'..=b'8');
        word.as_bytes().windows(2).any(is_square) || word.starts_with("O-") || word.starts_with("0-")
    }

    /// The number of line breaks before an offset.
    pub(super) fn lines_before(&self, at: usize) -> usize {
        memchr_iter(b'\n', &self.text[..at]).count()
    }

    /// Whether the token that is never closed is a tag.
    pub(super) fn ends_in_tag(&self) -> bool {
        self.unclosed.is_some_and(|(_, closing)| closing == OPEN_TAG)
    }
}
