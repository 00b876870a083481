//! Whole games of PGN files, move by move, with who played them.
//!
//! Collections of other programs are read too, as long as every move is legal: a game that silently lacks a move would
//! show positions that were never on the board.

use std::fs;
use std::path::Path;

use super::compression::Compression;
use super::pgn_token::{PgnToken, PgnTokens};
use super::{BookError, PgnProblem};
use crate::referee::{Referee, Variant, san::san_to_uci};

/// What a file without games lacks.
const A_GAME: &str = "at least one game with moves or tags";

/// A game as a PGN file has it. Comments and variations are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedGame {
    /// The line of the file that it begins at, counted from 1.
    pub line: usize,
    /// The tag `Event`; `None` where it says nothing.
    pub event: Option<String>,
    /// Who had the white pieces.
    pub white: Option<String>,
    /// Who had the black pieces.
    pub black: Option<String>,
    /// The first position as FEN; `None` is the usual start position.
    pub start_fen: Option<String>,
    /// All moves in UCI notation.
    pub moves: Vec<String>,
}

impl RecordedGame {
    /// Reads the games of a file in their order. What ends in `.gz` or `.zst` is unpacked first.
    ///
    /// # Errors
    /// [`BookError`] at the first thing that is wrong, with file, line and game.
    pub fn load_all(path: &Path) -> Result<Vec<RecordedGame>, BookError> {
        let file = path.display().to_string();
        let (compression, _) = Compression::of_path(path);
        match fs::read(path).and_then(|bytes| compression.unpack(bytes)) {
            // Old collections spell names in other encodings than UTF-8; moves are written in ASCII in all of them.
            Ok(bytes) => RecordedGame::read_all(&file, &String::from_utf8_lossy(&bytes)),
            Err(source) => Err(BookError::Io { file, source }),
        }
    }

    /// Reads the games of a text; `file` is for messages.
    ///
    /// # Errors
    /// [`BookError`] at the first thing that is wrong, with file, line and game.
    pub fn read_all(file: &str, text: &str) -> Result<Vec<RecordedGame>, BookError> {
        let mut games = Vec::new();
        let mut tokens = PgnTokens::new(text);
        let mut current = Reading::default();
        loop {
            let token = tokens.next();
            let line = tokens.line();
            let game = games.len() + 1;
            let fault = |problem| BookError::Pgn { file: file.to_owned(), line, game, problem };
            let Some(token) = token.transpose().map_err(fault)? else {
                games.extend(current.finish());
                return if games.is_empty() { Err(fault(PgnProblem::Text(A_GAME))) } else { Ok(games) };
            };
            match token {
                PgnToken::Tag { name, value } => {
                    // A tag behind moves begins the next game, even when the result is missing.
                    if !current.game.moves.is_empty() {
                        games.extend(std::mem::take(&mut current).finish());
                    }
                    current.begin(line);
                    current.tag(name, value).map_err(fault)?;
                }
                PgnToken::Move(text) => {
                    current.begin(line);
                    current.play(text).map_err(fault)?;
                }
                PgnToken::Result => games.extend(std::mem::take(&mut current).finish()),
            }
        }
    }
}

/// A game that is being read.
#[derive(Debug, Default)]
struct Reading {
    game: RecordedGame,
    /// Judges the moves; there is none before the first.
    referee: Option<Referee>,
}

impl Reading {
    /// Notes where the game begins, unless that is known.
    fn begin(&mut self, line: usize) {
        if self.game.line == 0 {
            self.game.line = line;
        }
    }

    fn tag(&mut self, name: &str, value: String) -> Result<(), PgnProblem> {
        let said = |value: String| Some(value).filter(|value| !value.is_empty() && value != "?");
        match name {
            "Event" => self.game.event = said(value),
            "White" => self.game.white = said(value),
            "Black" => self.game.black = said(value),
            "FEN" => self.game.start_fen = Some(value),
            "Variant" if !value.eq_ignore_ascii_case("standard") => {
                return Err(PgnProblem::Text("a game of standard chess, found another tag Variant"));
            }
            _ => (),
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), PgnProblem> {
        let referee = match (&mut self.referee, &self.game.start_fen) {
            (Some(referee), _) => referee,
            (none, Some(fen)) => none.insert(Referee::from_fen(fen, Variant::Standard)?),
            (none, None) => none.insert(Referee::new(Variant::Standard)),
        };
        let uci = san_to_uci(referee, text)?;
        referee.play(&uci)?;
        self.game.moves.push(uci);
        Ok(())
    }

    /// The game; `None` where nothing was read.
    fn finish(self) -> Option<RecordedGame> {
        (self.game.line > 0).then_some(self.game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "\
[Event \"A match\"]
[White \"one\"]
[Black \"two\"]

1. e4 {book} e5 (1... c5 2. Nf3) 2. Nf3 $1 *

[Event \"?\"]
[White \"two\"]
[SetUp \"1\"]
[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\"]

1. Ra8# 1-0
";

    fn message(text: &str) -> String {
        RecordedGame::read_all("x.pgn", text).unwrap_err().to_string()
    }

    #[test]
    fn every_game_has_its_players_its_start_and_its_moves() {
        let games = RecordedGame::read_all("x.pgn", GAMES).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].line, games[1].line), (1, 7));
        assert_eq!(games[0].event.as_deref(), Some("A match"));
        assert_eq!((games[0].white.as_deref(), games[0].black.as_deref()), (Some("one"), Some("two")));
        assert_eq!(games[0].moves, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!((games[1].event.as_deref(), games[1].black.as_deref()), (None, None));
        assert_eq!(games[1].moves, ["a1a8"]);
        assert!(games[1].start_fen.as_deref().is_some_and(|fen| fen.starts_with("6k1/")));
    }

    #[test]
    fn a_game_that_lacks_its_result_ends_where_the_next_begins_or_the_file_does() {
        let games = RecordedGame::read_all("x.pgn", &GAMES.replace(" *\n", "\n").replace(" 1-0\n", "\n"));
        let plies: Vec<usize> = games.unwrap().iter().map(|game| game.moves.len()).collect();
        assert_eq!(plies, [3, 1]);
    }

    #[test]
    fn what_is_wrong_is_named_with_file_line_and_game() {
        let text = message(&GAMES.replace("Ra8#", "Rb8"));
        assert!(text.starts_with("x.pgn:12: game 2: move \"Rb8\" is not legal"), "{text}");
        let text = message(&GAMES.replace("6k1/", "9/"));
        assert!(text.starts_with("x.pgn:12: game 2: tag FEN"), "{text}");
        let text = message(&GAMES.replace("{book}", "{book"));
        assert!(text.starts_with("x.pgn:5: game 1: expected a '}'"), "{text}");
        let text = message(&GAMES.replace("[SetUp \"1\"]", "[Variant \"Chess960\"]"));
        assert!(text.starts_with("x.pgn:9: game 2: expected a game of standard chess"), "{text}");
        assert!(message("% nothing\n").contains("expected at least one game"));
    }
}
