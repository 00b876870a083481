//! A session of a human, an engine and their game: executes commands and answers in text.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::game_file::{GameFile, Players};
use super::human_game::{HumanGame, HumanGameOutcome, Refused};
use super::notation::{Notation, numbered_moves, read_move};
use super::opponent::Opponent;
use super::play_command::PlayCommand;
use crate::cli::CliError;
use referee::san::line_to_san;
use referee::{IllegalMove, PlayedMove, Referee, Side};
use runner::MoveScore;

/// One human and one engine, for any number of games. The terminal or the web page passes commands in and calls
/// [`Session::play_engine_move`] when it is the engine's turn.
#[derive(Debug)]
pub struct Session {
    pub(super) game: HumanGame,
    pub(super) fresh: HumanGame,
    pub(super) opponent: Opponent,
    pub(super) players: Players,
    pub(super) file: GameFile,
    pub(super) notation: Notation,
    pub(super) turn_started: Instant,
    pub(super) is_reported: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    pub lines: Vec<String>,
    pub board_changed: bool,
}

impl Reply {
    fn say(line: impl Into<String>) -> Reply {
        Reply { lines: vec![line.into()], board_changed: false }
    }

    fn with_board(self) -> Reply {
        Reply { board_changed: true, ..self }
    }

    fn and(mut self, other: Reply) -> Reply {
        self.lines.extend(other.lines);
        Reply { board_changed: self.board_changed || other.board_changed, ..self }
    }
}

impl Session {
    pub fn thinking_time(&self) -> Duration {
        self.turn_started.elapsed()
    }

    /// Executes a command about the game. Commands about the screen get an empty reply.
    pub fn execute(&mut self, command: PlayCommand) -> Reply {
        match command {
            PlayCommand::Move(text) => self.play_typed(&text),
            PlayCommand::Undo => self.undo(),
            PlayCommand::Hint => self.hint(),
            PlayCommand::Save(path) => match self.file.save(&path, &self.game, &self.players) {
                Ok(()) => Reply::say(format!("saved in {}", path.display())),
                Err(error) => Reply::say(format!("not saved: {}", CliError::Usage(error).message())),
            },
            PlayCommand::Load(path) => self.load(&path),
            PlayCommand::Resign if self.game.outcome().is_some() => Reply::say("the game is already over"),
            PlayCommand::Resign => {
                self.game.resign();
                Reply::default()
            }
            PlayCommand::New => {
                self.file = GameFile::default();
                self.begin(self.fresh.clone())
            }
            PlayCommand::Pgn => Reply::say(self.players.pgn(&self.game).to_string()),
            PlayCommand::Fen => Reply::say(self.game.referee().fen()),
            PlayCommand::Notation(notation) => {
                self.notation = notation;
                Reply::say(format!("moves are now written like {}", notation.show("Nf3")))
            }
            PlayCommand::Help => {
                Reply { lines: PlayCommand::HELP.lines().map(str::to_owned).collect(), board_changed: false }
            }
            PlayCommand::Board | PlayCommand::Flip | PlayCommand::Quit => Reply::default(),
        }
    }

    /// The outcome of the game in words, but only the first time it is asked for.
    pub fn report_outcome(&mut self) -> Option<String> {
        let words = self.game.outcome().filter(|_| !self.is_reported).map(HumanGameOutcome::words);
        self.is_reported = self.game.outcome().is_some();
        words
    }

    pub fn check_flag(&mut self) -> bool {
        self.game.check_flag(self.turn_started.elapsed())
    }

    fn play_typed(&mut self, text: &str) -> Reply {
        if self.game.outcome().is_some() {
            return Reply::say("the game is over; you can type undo, new, load, save, pgn or quit");
        }
        if self.game.turn() != self.game.human {
            return Reply::say("it is not your move");
        }
        let elapsed = self.turn_started.elapsed();
        if self.game.check_flag(elapsed) {
            return Reply::default();
        }
        let uci = match read_move(self.game.referee(), self.notation, text) {
            Ok(uci) => uci,
            Err(refused) => return Reply::say(refused),
        };
        let before = self.game.referee().clone();
        match self.game.play(&uci, elapsed) {
            Ok(played) => {
                self.turn_started = Instant::now();
                Reply::say(self.numbered(&before, [played.san()])).with_board()
            }
            Err(Refused::LostOnTime) => Reply::default(),
            Err(refused) => Reply::say(refused.to_string()),
        }
    }

    pub fn play_engine_move(&mut self) -> Reply {
        let before = self.game.referee().clone();
        let searched = self.opponent.think(&self.game);
        self.turn_started = Instant::now();
        match searched {
            Ok(answer) => match self.game.play(answer.best.as_str(), answer.elapsed) {
                Ok(played) => {
                    let text = self.numbered(&before, [played.san()]);
                    Reply::say(format!("{} plays {text}", self.players.engine)).with_board()
                }
                Err(Refused::Illegal(IllegalMove { text, fen, .. })) => {
                    self.engine_failed(&format!("it played {text}, which is illegal in {fen}"))
                }
                Err(Refused::LostOnTime | Refused::GameOver) => Reply::default(),
            },
            Err(failure) if failure.elapsed().is_some_and(|elapsed| self.game.check_flag(elapsed)) => {
                self.restart_engine()
            }
            Err(failure) => self.engine_failed(&failure.to_string()),
        }
    }

    fn engine_failed(&mut self, how: &str) -> Reply {
        self.game.engine_failed();
        Reply::say(format!("{} failed: {how}", self.players.engine))
            .and(self.restart_engine())
            .and(Reply::say("type undo to take back your move, or new to start another game"))
    }

    fn restart_engine(&mut self) -> Reply {
        match self.opponent.restart() {
            Ok(()) => Reply::default(),
            Err(error) => Reply::say(format!("the engine cannot be restarted: {error}")),
        }
    }

    fn undo(&mut self) -> Reply {
        if self.game.undo() == 0 {
            return Reply::say("you have not played a move");
        }
        self.is_reported = false;
        self.turn_started = Instant::now();
        Reply::default().with_board()
    }

    fn hint(&mut self) -> Reply {
        if self.game.outcome().is_some() {
            return Reply::say("the game is over");
        }
        let answer = match self.opponent.hint(&self.game) {
            Ok(answer) => answer,
            Err(failure) => return Reply::say(format!("no hint: {failure}")).and(self.restart_engine()),
        };
        let referee = self.game.referee();
        let Ok(played) = referee.clone().play(answer.best.as_str()) else {
            return Reply::say(format!("no hint: the engine would play {}, which is illegal", answer.best));
        };
        let mut remarks: Vec<String> = Vec::new();
        let info = answer.info.unwrap_or_default();
        remarks.extend(info.score.map(|score| MoveScore::from(score.value).to_string()));
        remarks.extend(info.depth.map(|depth| format!("depth {depth}")));
        // A PV that starts with another move belongs to another search.
        let pv = if info.pv.first() == Some(&answer.best) { &info.pv[..] } else { &[] };
        let legal = referee.check_line(pv).unwrap_or_else(|broken| broken.legal);
        let line = line_to_san(referee, &pv[..legal]).unwrap_or_default();
        let line = self.numbered(referee, line.iter().map(String::as_str));
        remarks.extend(Some(line).filter(|line| !line.is_empty()));
        let remarks = if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join(", ")) };
        Reply::say(format!("hint: {}{remarks}", self.notation.show(played.san())))
    }

    fn load(&mut self, path: &Path) -> Reply {
        let (game, others) = match self.players.load(path, self.game.human) {
            Ok(loaded) => loaded,
            Err(error) => {
                let problem = CliError::Usage(error).message();
                return Reply::say(format!("not loaded, the current game continues: {problem}"));
            }
        };
        let mut reply = Reply::default();
        if others > 0 {
            reply.lines.push(format!("loaded the first of {} games in the file", others + 1));
        }
        let text = self.numbered(&game.start, game.moves().map(PlayedMove::san));
        reply.lines.push(format!("you play {}", game.human));
        reply.lines.extend(Some(text).filter(|text| !text.is_empty()));
        self.file = GameFile::loaded_from(path);
        reply.and(self.begin(game))
    }

    fn begin(&mut self, game: HumanGame) -> Reply {
        let reply = match self.opponent.begin_game() {
            Ok(()) => Reply::default(),
            Err(error) => Reply::say(error.to_string()),
        };
        self.game = game;
        self.is_reported = false;
        self.turn_started = Instant::now();
        reply.with_board()
    }

    fn numbered<'a>(&self, before: &Referee, sans: impl IntoIterator<Item = &'a str>) -> String {
        let shown: Vec<String> = sans.into_iter().map(|san| self.notation.show(san)).collect();
        numbered_moves(before, shown.iter().map(String::as_str))
    }
}

#[derive(Debug, Serialize)]
pub struct SessionView {
    you: Side,
    white: PlayerView,
    black: PlayerView,
    fen: String,
    last: Option<String>,
    check: bool,
    /// The legal moves of the human, in UCI notation; empty on the engine's turn.
    legal: Vec<String>,
    moves: Vec<String>,
    first: u32,
    white_begins: bool,
    thinking: bool,
    outcome: Option<String>,
    messages: Vec<String>,
    notation: Notation,
}

#[derive(Debug, Serialize)]
struct PlayerView {
    name: String,
    /// The time left in milliseconds, for the side to move as of `since`.
    left: Option<u64>,
    /// When the clock started, in milliseconds since 1970; `None` while it is stopped.
    since: Option<i64>,
}

impl SessionView {
    pub fn new(session: &Session, messages: &[String]) -> SessionView {
        let game = &session.game;
        let is_humans_turn = game.outcome().is_none() && game.turn() == game.human;
        SessionView {
            you: game.human,
            white: PlayerView::new(session, Side::White),
            black: PlayerView::new(session, Side::Black),
            fen: game.referee().fen(),
            last: game.moves().last().map(|played| played.uci().to_owned()),
            check: game.referee().is_check(),
            legal: if is_humans_turn { game.referee().legal_moves() } else { Vec::new() },
            moves: game.moves().map(|played| session.notation.show(played.san())).collect(),
            first: game.start.move_number(),
            white_begins: game.start.turn() == Side::White,
            thinking: game.awaits_engine(),
            outcome: game.outcome().map(HumanGameOutcome::words),
            messages: messages.to_vec(),
            notation: session.notation,
        }
    }

    pub fn to_json(&self) -> String {
        // Serialization cannot fail: there are only strings and numbers.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl PlayerView {
    fn new(session: &Session, side: Side) -> PlayerView {
        let game = &session.game;
        let left = game.time_left(Duration::ZERO)[side as usize];
        let runs = left.is_some() && game.outcome().is_none() && game.turn() == side;
        let now = runner::now().as_millisecond();
        PlayerView {
            name: session.players.name_of(side, game.human).to_owned(),
            left: left.map(|left| left.as_millis() as u64),
            since: runs.then(|| now - session.thinking_time().as_millis() as i64),
        }
    }
}
