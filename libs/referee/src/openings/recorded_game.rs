//! Whole games of PGN files, with their moves and players.
//!
//! A game that breaks off, at an illegal move or within a comment, keeps the moves before that, since its result is known.

use std::borrow::Cow;
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;

use super::book_writing::EVALUATION;
use super::opening::eval_of;
use super::{BookError, BookOptions, Guesses, Opening, PgnProblem, Skipped};
use crate::{GameEnd, GameResult, PgnGames, ReadGame, Variant};

/// A game of a PGN file, without variations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedGame {
    /// The line of the file where the game begins, counted from 1.
    pub line: usize,
    /// The number of the game in the file, counted from 1; unreadable games are counted too.
    pub number: usize,
    /// The `Event` tag; `None` if it is empty or unknown.
    pub event: Option<String>,
    /// The player of the white pieces.
    pub white: Option<String>,
    /// The player of the black pieces.
    pub black: Option<String>,
    /// The variant, by the tag or otherwise by the start position.
    pub variant: Variant,
    /// The start position as FEN; `None` for the standard one.
    pub start_fen: Option<String>,
    /// All moves in UCI notation.
    pub moves: Vec<String>,
    /// All moves in algebraic notation, as written by the referee.
    pub sans: Vec<String>,
    /// The position after the last move, as FEN.
    pub final_fen: String,
    /// How the game ended by the rules, if it did.
    pub end: Option<GameEnd>,
    /// The comment after each move. Without moves, the comment before the result, if there is one.
    pub comments: Vec<String>,
    /// The `Annotator` tag.
    pub annotator: Option<String>,
    /// The time controls of White and Black, with stages joined by commas; in the tags, colons join them.
    pub time_controls: [Option<String>; 2],
    /// The `Result` tag; `None` if it is missing or `*`.
    pub result: Option<GameResult>,
    /// The `Termination` tag, in lower case.
    pub termination: Option<String>,
    /// The `TerminationDetails` tag, which TCEC uses, or the `ICCResult` tag of ICC.
    pub details: Option<String>,
    /// When the game was played, as far as the tags say: `2026.11.28`, possibly with a time of day, or RFC 3339.
    pub started: Option<String>,
    /// Whether the game ended after the SPRT of its run had stopped.
    pub after_decision: bool,
    /// The error after the last of these moves, with file and line, if the text has more moves or breaks off.
    pub fault: Option<String>,
    /// Whether the only fault is that the file ends before the game's result.
    pub is_cut_off: bool,
}

impl RecordedGame {
    /// Reads the games of a file in order, those of variants that are wanted, until `visit` stops. Returns the games that
    /// cannot be read or are not wanted. [Compressed files](super::read_unpacked) are unpacked on the way.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read, or none of its games can.
    pub fn load_each(
        path: &Path,
        is_wanted: impl Fn(Variant) -> bool,
        visit: impl FnMut(RecordedGame) -> ControlFlow<()>,
    ) -> Result<Skipped, BookError> {
        read_each(PgnGames::open(path)?, is_wanted, visit)
    }

    fn of(
        game: &mut ReadGame,
        games: &PgnGames<'_>,
        is_wanted: impl Fn(Variant) -> bool,
    ) -> Result<RecordedGame, BookError> {
        let mut comments = mem::take(&mut game.comments);
        let tag = |name| game.tag(name).map(Cow::into_owned);
        let variant = game.variant;
        if !is_wanted(variant) {
            let problem = PgnProblem::Variant(variant.in_words().to_owned());
            return Err(games.fault(game, (0, problem)));
        }
        let controls =
            ["WhiteTimeControl", "BlackTimeControl"].map(|own| tag(own).or_else(|| tag("TimeControl")));
        let (mut moves, mut sans) = (Vec::new(), Vec::new());
        let played = game.play(variant, usize::MAX, |played| {
            moves.push(played.uci().to_owned());
            sans.push(played.san().to_owned());
        });
        let (referee, fault) = played.map_err(|problem| games.fault(game, (0, problem)))?;
        let is_whole = fault.is_none() && moves.len() == game.written_moves();
        let null_move = (moves.len(), PgnProblem::Text("a move, found a null move"));
        let fault = match fault {
            Some(fault) => Some(games.fault(game, fault)),
            None if !is_whole => Some(games.fault(game, null_move)),
            None => games.broken_off(game),
        };
        let date = tag("UTCDate").or_else(|| tag("Date")).map(|date| {
            let time = ["UTCTime", "StartTime", "Time"].into_iter().find_map(tag);
            time.map_or(date.clone(), |time| format!("{date} {time}"))
        });
        let started = tag("GameStartTime").or(date);
        let details = tag("TerminationDetails").or_else(|| tag("ICCResult"));
        // A game without moves may have one comment, which may say why.
        comments.resize(moves.len().max(comments.len().min(1)), String::new());
        Ok(RecordedGame {
            line: game.line,
            number: game.number(),
            event: tag("Event"),
            white: tag("White"),
            black: tag("Black"),
            variant,
            start_fen: tag("FEN"),
            result: game.result(),
            termination: tag("Termination").map(|termination| termination.to_ascii_lowercase()),
            comments,
            annotator: tag("Annotator"),
            time_controls: controls.map(|control| Some(control?.replace(':', ","))),
            moves,
            sans,
            final_fen: referee.fen(),
            end: referee.outcome().filter(|_| fault.is_none()),
            details,
            started,
            after_decision: game.is_after_decision(),
            is_cut_off: is_whole && game.is_cut_off(),
            fault: fault.map(|fault| fault.to_string()),
        })
    }
}

fn read_each(
    games: PgnGames<'_>,
    is_wanted: impl Fn(Variant) -> bool,
    mut visit: impl FnMut(RecordedGame) -> ControlFlow<()>,
) -> Result<Skipped, BookError> {
    let mut games = games.with_comments();
    let mut skipped = Skipped::default();
    let mut read = 0;
    while let Some(game) = games.next() {
        match game.and_then(|mut game| RecordedGame::of(&mut game, &games, &is_wanted)) {
            Ok(game) => {
                read += 1;
                if visit(game).is_break() {
                    break;
                }
            }
            Err(fault) => skipped.add(fault)?,
        }
    }
    skipped.guesses = games.guesses.clone();
    skipped.beside(read)
}

/// A game as an opening, its eval in centipawns for White, if it has one, and the variant it was read in.
pub(super) type JudgedOpening = (Opening, Option<i32>, Variant);

/// Reads the main line of every game, to the maximum length of the options, or the error in the game. `guesses` is complete
/// once all games have been read.
pub(super) fn read(
    file: &str,
    text: &[u8],
    options: &BookOptions,
    guesses: &mut Guesses,
) -> impl Iterator<Item = Result<JudgedOpening, BookError>> {
    let BookOptions { variant, max_plies, any_variant, .. } = *options;
    let mut games = PgnGames::new(file, text).in_variant(variant);
    let most = max_plies.unwrap_or(usize::MAX);
    std::iter::from_fn(move || {
        let game = match games.next() {
            Some(Ok(game)) => game,
            None | Some(Err(BookError::NoGames { .. })) => {
                guesses.clone_from(&games.guesses);
                return None;
            }
            Some(Err(error)) => return Some(Err(error)),
        };
        let is_by_game = any_variant && variant == Variant::Standard;
        if game.variant != variant && !(game.variant.is_chess() && variant.is_chess()) {
            let problem = PgnProblem::Variant(game.variant.in_words().to_owned());
            return Some(Err(games.fault(&game, (0, problem))));
        }
        let variant = if is_by_game { game.variant } else { variant };
        if !game.is_cut_off()
            && game.written_moves() < most
            && let Some(fault) = games.broken_off(&game)
        {
            return Some(Err(fault));
        }
        let moves = game.uci_moves(variant, most);
        let opening = moves.and_then(|moves| {
            let tag = |name| game.tag(name).map(Cow::into_owned);
            let start_fen = tag("FEN");
            if moves.is_empty() && start_fen.is_none() {
                return Err((0, PgnProblem::Text("at least one move or a tag FEN")));
            }
            let name = tag("Opening").or_else(|| tag("ECO"));
            let eval = game.tag(EVALUATION).and_then(|value| eval_of(&value));
            Ok((Opening { start_fen, moves, line: game.line, name }, eval, variant))
        });
        Some(opening.map_err(|problem| games.fault(&game, problem)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "\
[Event \"A match\"]
[White \"one\"]
[Black \"two\"]

1. e4 {book} e5 (1... c5 2. Nf3) 2. Nf3 $1 {+-0.5/e8Q N;} {x} *

[Event \"?\"]
[White \"two\"]
[SetUp \"1\"]
[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\"]

1. Ra8# 1-0
";

    fn read_all(text: &str) -> Result<Vec<RecordedGame>, BookError> {
        let mut games = Vec::new();
        read_each(
            PgnGames::new("x.pgn", text.as_bytes()),
            |_| true,
            |game| {
                games.push(game);
                ControlFlow::Continue(())
            },
        )?;
        Ok(games)
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
        assert_eq!(games[0].comments, ["book", "", "+-0.5/e8Q N; x"]);
        assert_eq!(games[1].moves, ["a1a8"]);
        assert!(games[1].start_fen.as_deref().is_some_and(|fen| fen.starts_with("6k1/")));
    }

    #[test]
    fn the_tags_say_how_a_game_ended() {
        let tags = "[Result \"1/2-1/2\"]\n[Termination \"Time forfeit\"]\n";
        let games = read_all(&[tags, GAMES].concat()).unwrap();
        assert_eq!(games[0].result, Some(GameResult::Draw));
        assert_eq!(games[0].termination.as_deref(), Some("time forfeit"));
        assert_eq!((games[1].result, &games[1].termination), (Some(GameResult::WhiteWins), &None));
        assert_eq!(read_all("[Result \"*\"]\n\n1. e4 *\n").unwrap()[0].result, None);
    }

    #[test]
    fn whoever_has_enough_stops_before_the_rest_is_read() {
        let mut visited = 0;
        let text = GAMES.replace("Ra8#", "Ra9 Ra8#");
        let skipped = read_each(
            PgnGames::new("x.pgn", text.as_bytes()),
            |_| true,
            |_| {
                visited += 1;
                ControlFlow::Break(())
            },
        );
        assert_eq!((skipped.unwrap().count, visited), (0, 1));
    }

    /// The numbers of plies are python-chess 1.11.2's, except that it reads on after a null move.
    #[test]
    fn games_are_read_as_others_read_them() {
        let head = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n";
        let other = format!("\n{head}\n1. d4 1-0\n");
        for (text, plies) in [
            ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. e1-g1 Nf6 5. d3 e8-g8 1-0", &[10, 1][..]),
            ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 4. Bb5xc6 d7xc6 1-0", &[8, 1]),
            ("1. e4 {a {b} } e5 2. Nf3 {{x}} 1-0", &[3, 1]),
            ("1. e4 {a {b} c} e5 2. Nf3 {x { Nc6 } d5 } Nc6 3. Bb5 1-0", &[4, 1]),
            ("1. e4 ; a {brace\n1... e5 2. Nf3 ; } and {\nNc6 1-0", &[4, 1]),
            ("1-0", &[0, 1]),
            ("1. e4 e5\n% escape {\n2. Nf3 1-0", &[3, 1]),
            ("1. e4 (1. d4 {un (closed} d5) e5 2. Nf3 1-0", &[3, 1]),
            ("1. e4 <x> e5 2. Nf3+- Nc6 $1 3. Bb5!! a6 N 4. Bxc6 D 1-0", &[7, 1]),
            ("1. e4 e5 2. Ke3 Nc6 1-0", &[2, 1]),
            ("1. e4 Z0 2. d4 -- 3. c4 1-0", &[1, 1]),
        ] {
            let text = format!("\u{feff}{head}\n{text}\n{other}");
            let read = read_all(&text).unwrap();
            assert_eq!(read.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), plies, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_counted_and_named_with_file_line_and_game() {
        let chess960 = GAMES.replace("[SetUp \"1\"]", "[Variant \"Chess960\"]");
        let text = [GAMES, &GAMES.replace("Ra8#", "Rb8"), &GAMES.replace("6k1/", "9/"), &chess960].concat();
        let (mut games, mut cut) = (0, Skipped::default());
        let pgn = text.repeat(2);
        let skipped = read_each(
            PgnGames::new("x.pgn", pgn.as_bytes()),
            |variant| variant == Variant::Standard,
            |game| {
                games += 1;
                game.fault.iter().for_each(|fault| cut.name(fault));
                ControlFlow::Continue(())
            },
        );
        let skipped = skipped.unwrap();
        assert_eq!((games, skipped.count, skipped.first.len(), cut.count), (12, 4, 3, 2));
        for (fault, words) in [&cut.first[..1], &skipped.first].concat().iter().zip([
            "x.pgn:24: game 4: move \"Rb8\" is not legal",
            "x.pgn:31: game 6: tag FEN",
            "x.pgn:48: game 8: expected a variant that this command reads, found \"Chess960\"",
        ]) {
            assert!(fault.starts_with(words), "{fault}");
        }
        let other = chess960.replace("Chess960", "Bughouse");
        let nothing =
            read_all(&other[other.find("[Event \"?").unwrap()..].repeat(2)).unwrap_err().to_string();
        let expected = "x.pgn:1: game 1: expected a variant that this command reads, found \"Bughouse\"";
        assert!(nothing.starts_with(expected), "{nothing}");
        assert!(nothing.ends_with("(1 more cannot be used)"), "{nothing}");
    }
}
