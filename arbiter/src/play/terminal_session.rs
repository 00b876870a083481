//! A session in the terminal: draws the board, reads a line, shows the engine's reply.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use referee::{PlayedMove, Side};
use thiserror::Error;

use super::board_drawing::{BoardDrawing, BoardLook};
use super::human_game::GameOutcome;
use super::notation::Notation;
use super::session::{Reply, Session};
use crate::cli::ExitCode;

pub struct TerminalSession<W> {
    session: Session,
    look: BoardLook,
    below: Side,
    out: W,
}

impl<W: Write> TerminalSession<W> {
    pub fn new(session: Session, look: BoardLook, out: W) -> TerminalSession<W> {
        TerminalSession { below: session.game().human(), session, look, out }
    }

    pub fn play(mut self, lines: LineSource) -> io::Result<ExitCode> {
        let (engine, side) = (&self.session.players().engine, self.session.game().human());
        writeln!(self.out, "  You play {side} against {engine}. Type help for the commands.")?;
        self.show_board()?;
        loop {
            if self.session.game().awaits_engine() {
                let reply = self.session.play_engine_move();
                self.show(&reply)?;
            }
            if let Some(words) = self.session.report_outcome() {
                self.say(words)?;
            }
            let prompt = format!("{}> ", self.session.game().turn());
            let Some(line) = lines.next(&prompt)? else { break };
            if line.trim().is_empty() {
                continue;
            }
            match line.parse() {
                Ok(PlayCommand::Quit) => break,
                Ok(command) => self.execute(command)?,
                Err(error) => self.say(error)?,
            }
        }
        let has_failed = matches!(self.session.game().outcome(), Some(GameOutcome::EngineFailed(_)));
        Ok(if has_failed { ExitCode::EngineBroke } else { ExitCode::Done })
    }

    fn execute(&mut self, command: PlayCommand) -> io::Result<()> {
        match command {
            PlayCommand::Board => self.show_board(),
            PlayCommand::Flip => {
                self.below = self.below.other();
                self.show_board()
            }
            // Without indentation, so that it can be copied.
            PlayCommand::Pgn => write!(self.out, "{}", self.session.players().pgn(self.session.game())),
            command => {
                let side = self.session.game().human();
                let reply = self.session.execute(command);
                if self.session.game().human() != side {
                    self.below = side.other();
                }
                self.show(&reply)
            }
        }
    }

    fn show(&mut self, reply: &Reply) -> io::Result<()> {
        reply.lines.iter().try_for_each(|line| self.say(line))?;
        // If the engine moves next, the board is shown after its move.
        if reply.board_changed && !self.session.game().awaits_engine() {
            self.show_board()?;
        }
        self.out.flush()
    }

    fn show_board(&mut self) -> io::Result<()> {
        let game = self.session.game();
        let fen = game.referee().fen();
        let last = game.moves().last().map(PlayedMove::uci);
        let drawing = BoardDrawing { fen: &fen, last, below: self.below, look: self.look };
        write!(self.out, "\n{drawing}")?;
        if let [Some(white), Some(black)] = game.time_left(self.session.thinking_time()) {
            writeln!(self.out, "  White {}   Black {}", clock_text(white), clock_text(black))?;
        }
        if game.referee().is_check() && game.outcome().is_none() {
            writeln!(self.out, "  {} is in check", game.turn())?;
        }
        writeln!(self.out)?;
        self.out.flush()
    }

    fn say(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "  {text}")
    }
}

/// Below this, tenths of a second are shown.
const TENTHS_BELOW: Duration = Duration::from_secs(20);

/// Minutes and seconds, with hours if needed: `1:05:00`, `4:58`, `0:09.4`. Rounded down.
fn clock_text(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else if left < TENTHS_BELOW {
        format!("{minutes}:{seconds:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// The standard input, with a prompt if input and output are a terminal.
#[derive(Clone, Copy, Debug)]
pub struct LineSource {
    prompts: bool,
}

impl LineSource {
    pub fn of_stdin() -> LineSource {
        LineSource { prompts: io::stdin().is_terminal() && io::stdout().is_terminal() }
    }

    /// The next line; `None` at the end of the input (Ctrl-D).
    pub fn next(self, prompt: &str) -> io::Result<Option<String>> {
        if self.prompts {
            let mut out = io::stdout().lock();
            write!(out, "{prompt}")?;
            out.flush()?;
        }
        let mut bytes = Vec::new();
        let length = io::stdin().lock().read_until(b'\n', &mut bytes)?;
        // Invalid UTF-8 is answered like any other text that is not a move.
        Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// A command, one line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayCommand {
    /// Any other text: probably a move.
    Move(String),
    /// Take back the last move of the human and the reply.
    Undo,
    /// Ask the engine for a move.
    Hint,
    Save(PathBuf),
    Load(PathBuf),
    Resign,
    New,
    Pgn,
    Fen,
    Board,
    Flip,
    /// Use the piece letters of another language.
    Notation(Notation),
    Help,
    Quit,
}

/// A command with a wrong argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlayCommandError {
    #[error("`{0}`: expected a file, such as {0} game.pgn or {0} game.json")]
    NoFile(&'static str),
    /// The language is missing or unknown.
    #[error("`notation`: expected a language, notation english or notation french")]
    NoNotation,
    /// The command takes no argument.
    #[error("`{0}`: expected no argument")]
    Surplus(&'static str),
}

impl PlayCommand {
    pub const HELP: &str = "\
a move         Nf3, exd5, e8=Q, O-O, or by coordinates: g1f3, e7e8q
undo           take back your last move and the engine's reply
hint           show the move that the engine would play
save FILE      write the game to a new file (.pgn or .json)
load FILE      continue the game of a file (.pgn or .json)
resign         resign the game
new            start another game
pgn, fen       print the game as PGN, or the position as FEN
board, flip    show the board again, or turn it around
notation NAME  use english or french letters for the pieces
help, quit     show this list, or quit";
}

impl FromStr for PlayCommand {
    type Err = PlayCommandError;

    /// Commands are not case-sensitive.
    fn from_str(line: &str) -> Result<PlayCommand, PlayCommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let alone =
            |name, command| if rest.is_empty() { Ok(command) } else { Err(PlayCommandError::Surplus(name)) };
        let file = |name| {
            Some(rest)
                .filter(|rest| !rest.is_empty())
                .map(PathBuf::from)
                .ok_or(PlayCommandError::NoFile(name))
        };
        match word.to_ascii_lowercase().as_str() {
            "undo" => alone("undo", PlayCommand::Undo),
            "hint" => alone("hint", PlayCommand::Hint),
            "save" => file("save").map(PlayCommand::Save),
            "load" => file("load").map(PlayCommand::Load),
            "resign" => alone("resign", PlayCommand::Resign),
            "new" => alone("new", PlayCommand::New),
            "pgn" => alone("pgn", PlayCommand::Pgn),
            "fen" => alone("fen", PlayCommand::Fen),
            "board" => alone("board", PlayCommand::Board),
            "flip" => alone("flip", PlayCommand::Flip),
            "notation" => {
                let notation = Notation::from_str(rest, true).map_err(|_| PlayCommandError::NoNotation)?;
                Ok(PlayCommand::Notation(notation))
            }
            "help" | "?" => alone("help", PlayCommand::Help),
            "quit" | "exit" => alone("quit", PlayCommand::Quit),
            _ => Ok(PlayCommand::Move(line.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_time_is_shown_in_tenths() {
        for (millis, text) in
            [(3_900_000, "1:05:00"), (298_700, "4:58"), (20_000, "0:20"), (9_490, "0:09.4"), (0, "0:00.0")]
        {
            assert_eq!(clock_text(Duration::from_millis(millis)), text);
        }
    }

    #[test]
    fn a_line_that_is_not_a_command_is_a_move() {
        assert_eq!(" Nf3 ".parse(), Ok(PlayCommand::Move("Nf3".to_owned())));
        assert_eq!("e8 = Q".parse(), Ok(PlayCommand::Move("e8 = Q".to_owned())));
        assert_eq!("UNDO".parse(), Ok(PlayCommand::Undo));
        assert_eq!("load  my game.pgn".parse(), Ok(PlayCommand::Load("my game.pgn".into())));
        assert_eq!("notation French".parse(), Ok(PlayCommand::Notation(Notation::French)));
    }

    #[test]
    fn a_command_with_a_wrong_argument_says_what_is_expected() {
        let message = |line: &str| line.parse::<PlayCommand>().unwrap_err().to_string();
        assert_eq!(message("save"), "`save`: expected a file, such as save game.pgn or save game.json");
        assert!(message("notation klingon").contains("english"));
        assert_eq!(message("undo 3"), "`undo`: expected no argument");
    }

    #[test]
    fn every_command_of_the_help_is_understood() {
        for line in PlayCommand::HELP.lines().skip(1) {
            let (names, _) = line.split_at(15);
            for name in names.split(',') {
                let typed = name.trim().replace("FILE", "x.pgn").replace("NAME", "french");
                assert!(!matches!(typed.parse(), Ok(PlayCommand::Move(_)) | Err(_)), "{typed}");
            }
        }
    }
}
