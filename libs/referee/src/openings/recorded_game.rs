//! Whole games of PGN files: moves and players.
//!
//! An illegal move is an error, because a game that lacks a move would have wrong positions.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use super::compression::Compression;
use super::pgn_token::{PgnToken, PgnTokens};
use super::{BookError, PgnProblem};
use crate::{GameResult, Referee, Variant, san::san_to_uci};

/// What a file without games lacks.
const A_GAME: &str = "at least one game with moves or tags";

/// A game as a PGN file has it. Comments and variations are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedGame {
    /// The line of the file that it begins at, counted from 1.
    pub line: usize,
    /// The tag `Event`; `None` where it says nothing.
    pub event: Option<String>,
    /// The player with the white pieces.
    pub white: Option<String>,
    /// The player with the black pieces.
    pub black: Option<String>,
    /// The first position as FEN; `None` is the usual start position.
    pub start_fen: Option<String>,
    /// All moves in UCI notation.
    pub moves: Vec<String>,
    /// The tag `Result`; `None` where it is missing or `*`.
    pub result: Option<GameResult>,
    /// The tag `Termination`, in small letters.
    pub termination: Option<String>,
}

impl RecordedGame {
    /// Reads the games of a file in their order. What ends in `.gz` or `.zst` is unpacked first.
    ///
    /// # Errors
    /// [`BookError`] at the first thing that is wrong, with file, line and game.
    pub fn load_all(path: &Path) -> Result<Vec<RecordedGame>, BookError> {
        let mut games = Vec::new();
        RecordedGame::load_each(path, |game| {
            games.push(game);
            ControlFlow::Continue(())
        })?;
        Ok(games)
    }

    /// The same game by game, for files whose games would fill the memory, until `visit` has enough.
    ///
    /// # Errors
    /// As [`Self::load_all`].
    pub fn load_each(
        path: &Path,
        visit: impl FnMut(RecordedGame) -> ControlFlow<()>,
    ) -> Result<(), BookError> {
        let file = path.display().to_string();
        let (compression, _) = Compression::of_path(path);
        match fs::read(path).and_then(|bytes| compression.unpack(bytes)) {
            // Old collections spell names in other encodings than UTF-8; moves are written in ASCII in all of them.
            Ok(bytes) => read_each(&file, &String::from_utf8_lossy(&bytes), visit),
            Err(source) => Err(BookError::Io { file, source }),
        }
    }
}

/// Reads the games of a text until `visit` has enough; `file` is for messages.
fn read_each(
    file: &str,
    text: &str,
    mut visit: impl FnMut(RecordedGame) -> ControlFlow<()>,
) -> Result<(), BookError> {
    let mut games = GamesOfText { tokens: PgnTokens::new(text), current: Reading::default(), finished: 0 };
    loop {
        match games.next_game() {
            Ok(Some(game)) => {
                if visit(game).is_break() {
                    return Ok(());
                }
            }
            Ok(None) => return Ok(()),
            Err(problem) => {
                let (line, game) = (games.tokens.line(), games.finished + 1);
                return Err(BookError::Pgn { file: file.to_owned(), line, game, problem });
            }
        }
    }
}

/// A text and how far its games have been read.
struct GamesOfText<'a> {
    tokens: PgnTokens<'a>,
    current: Reading,
    finished: usize,
}

impl GamesOfText<'_> {
    /// The next game; `None` behind the last. A text without any is a mistake.
    fn next_game(&mut self) -> Result<Option<RecordedGame>, PgnProblem> {
        while let Some(token) = self.tokens.next().transpose()? {
            let line = self.tokens.line();
            let mut finished = None;
            match token {
                PgnToken::Tag { name, value } => {
                    // A tag behind moves begins the next game, even when the result is missing.
                    if !self.current.game.moves.is_empty() {
                        finished = self.finish();
                    }
                    self.current.begin(line);
                    self.current.tag(name, value)?;
                }
                PgnToken::Move(text) => {
                    self.current.begin(line);
                    self.current.play(text)?;
                }
                PgnToken::Result => finished = self.finish(),
            }
            if finished.is_some() {
                return Ok(finished);
            }
        }
        match self.finish() {
            None if self.finished == 0 => Err(PgnProblem::Text(A_GAME)),
            last => Ok(last),
        }
    }

    fn finish(&mut self) -> Option<RecordedGame> {
        let game = std::mem::take(&mut self.current).finish();
        self.finished += usize::from(game.is_some());
        game
    }
}

/// A game that is being read.
#[derive(Debug, Default)]
struct Reading {
    game: RecordedGame,
    /// Judges the moves; `None` before the first.
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
            "Result" => self.game.result = GameResult::from_pgn(&value),
            "Termination" => self.game.termination = said(value.to_ascii_lowercase()),
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

    fn read_all(text: &str) -> Result<Vec<RecordedGame>, BookError> {
        let mut games = Vec::new();
        read_each("x.pgn", text, |game| {
            games.push(game);
            ControlFlow::Continue(())
        })?;
        Ok(games)
    }

    fn message(text: &str) -> String {
        read_all(text).unwrap_err().to_string()
    }

    #[test]
    fn every_game_has_its_players_its_start_and_its_moves() {
        let games = read_all(GAMES).unwrap();
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
    fn the_tags_say_how_a_game_ended() {
        let tags = "[Result \"1/2-1/2\"]\n[Termination \"Time forfeit\"]\n";
        let games = read_all(&[tags, GAMES].concat()).unwrap();
        assert_eq!(games[0].result, Some(GameResult::Draw));
        assert_eq!(games[0].termination.as_deref(), Some("time forfeit"));
        assert_eq!((games[1].result, &games[1].termination), (None, &None));
        assert_eq!(read_all("[Result \"*\"]\n\n1. e4 *\n").unwrap()[0].result, None);
    }

    #[test]
    fn whoever_has_enough_stops_before_the_rest_is_read() {
        let mut visited = 0;
        let outcome = read_each("x.pgn", &GAMES.replace("Ra8#", "nonsense"), |_| {
            visited += 1;
            ControlFlow::Break(())
        });
        assert!(outcome.is_ok());
        assert_eq!(visited, 1);
    }

    #[test]
    fn a_game_that_lacks_its_result_ends_where_the_next_begins_or_the_file_does() {
        let games = read_all(&GAMES.replace(" *\n", "\n").replace(" 1-0\n", "\n"));
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
