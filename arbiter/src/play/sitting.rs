//! The person, the engine and the game between them: what is typed or clicked is obeyed here, and answered in words.

use std::path::Path;
use std::time::{Duration, Instant};

use super::game_file::{GameFile, Players};
use super::move_reading::read_move;
use super::notation::Notation;
use super::numbered_moves::numbered_moves;
use super::opponent::{Opponent, Thought};
use super::order::Order;
use super::outcome::Outcome;
use super::sparring_game::{Refused, SparringGame};
use crate::cli::CliError;
use referee::{IllegalMove, PlayedMove, Referee};
use runner::process::SearchFailure;

/// One person at one board, for as many games as they like. Whoever shows it, on whatever screen, hands in orders and
/// lets the engine move when it is its turn.
#[derive(Debug)]
pub struct Sitting {
    game: SparringGame,
    /// How every new game begins.
    fresh: SparringGame,
    opponent: Opponent,
    players: Players,
    file: GameFile,
    notation: Notation,
    /// When the clock of the side on turn began to run.
    turn_began: Instant,
    /// Whether the end of the game was told.
    is_told: bool,
}

/// What there is to say about an order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Sentences, or lines of a list.
    pub lines: Vec<String>,
    /// Whether the board is another one now, and should be shown.
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

impl Sitting {
    /// A board with a game on it, and the one with which every new game begins.
    pub fn new(game: SparringGame, fresh: SparringGame, opponent: Opponent, players: Players) -> Sitting {
        Sitting {
            game,
            fresh,
            opponent,
            players,
            file: GameFile::default(),
            notation: Notation::default(),
            turn_began: Instant::now(),
            is_told: false,
        }
    }

    /// Reads and writes moves so.
    #[must_use]
    pub fn with_notation(self, notation: Notation) -> Sitting {
        Sitting { notation, ..self }
    }

    /// Remembers that the game comes from a file, which may be written again.
    #[must_use]
    pub fn with_file(self, path: &Path) -> Sitting {
        Sitting { file: GameFile::loaded_from(path), ..self }
    }

    /// The game on the board.
    pub const fn game(&self) -> &SparringGame {
        &self.game
    }

    /// Who plays.
    pub const fn players(&self) -> &Players {
        &self.players
    }

    /// How moves are written.
    pub const fn notation(&self) -> Notation {
        self.notation
    }

    /// For how long the side on turn has been thinking.
    pub fn thinking_time(&self) -> Duration {
        self.turn_began.elapsed()
    }

    /// Obeys an order as far as it concerns the game. What only concerns the screen has no answer here.
    pub fn obey(&mut self, order: Order) -> Reply {
        match order {
            Order::Move(text) => self.play_typed(&text),
            Order::Undo => self.undo(),
            Order::Hint => self.hint(),
            Order::Save(path) => match self.file.save(&path, &self.game, &self.players) {
                Ok(()) => Reply::say(format!("saved in {}", path.display())),
                Err(error) => Reply::say(format!("not saved: {}", CliError::Usage(error).message())),
            },
            Order::Load(path) => self.load(&path),
            Order::Resign if self.game.outcome().is_some() => Reply::say("the game is over already"),
            Order::Resign => {
                self.game.resign();
                Reply::default()
            }
            Order::New => {
                self.file = GameFile::default();
                self.begin(self.fresh.clone())
            }
            Order::Pgn => Reply::say(self.players.pgn(&self.game).to_string()),
            Order::Fen => Reply::say(self.game.referee().fen()),
            Order::Notation(notation) => {
                self.notation = notation;
                Reply::say(format!("moves look like {} now", notation.show("Nf3")))
            }
            Order::Help => {
                Reply { lines: Order::HELP.lines().map(str::to_owned).collect(), board_changed: false }
            }
            Order::Board | Order::Flip | Order::Quit => Reply::default(),
        }
    }

    /// The end of the game in words, once.
    pub fn tell_outcome(&mut self) -> Option<String> {
        let words = self.game.outcome().filter(|_| !self.is_told).map(Outcome::words);
        self.is_told = self.game.outcome().is_some();
        words
    }

    /// Ends the game if the flag of the side on turn has fallen.
    pub fn check_flag(&mut self) -> bool {
        self.game.check_flag(self.turn_began.elapsed())
    }

    fn play_typed(&mut self, text: &str) -> Reply {
        if self.game.outcome().is_some() {
            return Reply::say("the game is over; what is left is undo, new, load, save, pgn and quit");
        }
        if self.game.turn() != self.game.person() {
            return Reply::say("it is not your move");
        }
        let elapsed = self.turn_began.elapsed();
        if self.game.check_flag(elapsed) {
            return Reply::default();
        }
        let uci = match read_move(self.game.referee(), self.notation, text) {
            Ok(uci) => uci,
            Err(refused) => return Reply::say(refused.to_string()),
        };
        let before = self.game.referee().clone();
        match self.game.play(&uci, elapsed) {
            Ok(played) => {
                self.turn_began = Instant::now();
                Reply::say(self.numbered(&before, [played.san()])).with_board()
            }
            Err(Refused::OutOfTime) => Reply::default(),
            Err(refused) => Reply::say(refused.to_string()),
        }
    }

    /// Lets the engine find its move, which takes as long as it takes.
    pub fn let_engine_move(&mut self) -> Reply {
        let before = self.game.referee().clone();
        let searched = self.opponent.think(&self.game);
        self.turn_began = Instant::now();
        match searched {
            Ok(Thought { uci, elapsed, .. }) => match self.game.play(&uci, elapsed) {
                Ok(played) => {
                    let text = self.numbered(&before, [played.san()]);
                    Reply::say(format!("{} plays {text}", self.opponent.name())).with_board()
                }
                Err(Refused::Illegal(IllegalMove { text, fen, .. })) => {
                    self.engine_broke(&format!("{text} is no legal move in {fen}"))
                }
                Err(Refused::OutOfTime | Refused::GameOver) => Reply::default(),
            },
            Err(SearchFailure::Timeout { elapsed }) if self.game.check_flag(elapsed) => self.restart_engine(),
            Err(failure) => self.engine_broke(&failure.to_string()),
        }
    }

    fn engine_broke(&mut self, how: &str) -> Reply {
        self.game.engine_failed();
        Reply::say(format!("{} broke: {how}", self.opponent.name()))
            .and(self.restart_engine())
            .and(Reply::say("you may take your move back and play on (undo), or begin another game (new)"))
    }

    fn restart_engine(&mut self) -> Reply {
        match self.opponent.restart() {
            Ok(()) => Reply::default(),
            Err(error) => Reply::say(format!("the engine does not start again: {error}")),
        }
    }

    fn undo(&mut self) -> Reply {
        if self.game.undo() == 0 {
            return Reply::say("you have not moved yet");
        }
        self.is_told = false;
        self.turn_began = Instant::now();
        Reply::default().with_board()
    }

    fn hint(&mut self) -> Reply {
        if self.game.outcome().is_some() {
            return Reply::say("the game is over");
        }
        let thought = match self.opponent.hint(&self.game) {
            Ok(thought) => thought,
            Err(failure) => return Reply::say(format!("no hint: {failure}")).and(self.restart_engine()),
        };
        let mut ahead = self.game.referee().clone();
        let Ok(played) = ahead.play(&thought.uci) else {
            return Reply::say(format!("no hint: the engine would play {}, which is not legal", thought.uci));
        };
        let mut remarks: Vec<String> = Vec::new();
        remarks.extend(thought.score.map(|score| score.to_string()));
        remarks.extend(thought.depth.map(|depth| format!("depth {depth}")));
        let line = self.numbered(self.game.referee(), thought.line.iter().map(String::as_str));
        remarks.extend(Some(line).filter(|line| !line.is_empty()));
        let remarks = if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join(", ")) };
        Reply::say(format!("hint: {}{remarks}", self.notation.show(played.san())))
    }

    fn load(&mut self, path: &Path) -> Reply {
        let loaded = match self.players.load(path, self.game.person()) {
            Ok(loaded) => loaded,
            Err(error) => {
                let problem = CliError::Usage(error).message();
                return Reply::say(format!("not loaded, the game here goes on: {problem}"));
            }
        };
        let mut reply = Reply::default();
        if loaded.others > 0 {
            reply.lines.push(format!("the first of {} games in the file", loaded.others + 1));
        }
        let moves: Vec<&str> = loaded.game.moves().map(PlayedMove::san).collect();
        let text = self.numbered(loaded.game.start(), moves);
        reply.lines.push(format!("you have {}", loaded.game.person()));
        reply.lines.extend(Some(text).filter(|text| !text.is_empty()));
        self.file = GameFile::loaded_from(path);
        reply.and(self.begin(loaded.game))
    }

    fn begin(&mut self, game: SparringGame) -> Reply {
        let reply = match self.opponent.begin_game() {
            Ok(()) => Reply::default(),
            Err(error) => Reply::say(error.to_string()),
        };
        self.game = game;
        self.is_told = false;
        self.turn_began = Instant::now();
        reply.with_board()
    }

    /// Moves from a position on, with their numbers and in the notation that is set.
    fn numbered<'a>(&self, before: &Referee, sans: impl IntoIterator<Item = &'a str>) -> String {
        let shown: Vec<String> = sans.into_iter().map(|san| self.notation.show(san)).collect();
        numbered_moves(before, shown.iter().map(String::as_str))
    }
}
