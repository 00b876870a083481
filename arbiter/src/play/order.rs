//! What a person types at the board.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use thiserror::Error;

use super::notation::Notation;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Anything that is no command: a move, most likely.
    Move(String),
    /// Take back the last move and the answer to it.
    Undo,
    /// Ask the engine what it would play.
    Hint,
    /// Write the game to a file.
    Save(PathBuf),
    /// Read a game from a file and go on with it.
    Load(PathBuf),
    /// Give up.
    Resign,
    /// Begin another game.
    New,
    /// Show the game as PGN.
    Pgn,
    /// Show the position as FEN.
    Fen,
    /// Show the board again.
    Board,
    /// Show it from the other side.
    Flip,
    /// Read and write moves in another language.
    Notation(Notation),
    /// List the commands.
    Help,
    /// Leave.
    Quit,
}

/// A command that lacks what it needs, or has too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    /// No file was named.
    #[error("`{0}` needs a file: {0} game.pgn, or {0} game.json")]
    NoFile(&'static str),
    /// No language that we know was named.
    #[error("`notation` needs a language: notation english, or notation french")]
    NoNotation,
    /// Something stands behind a command that takes nothing.
    #[error("nothing may stand behind `{0}`")]
    Surplus(&'static str),
}

impl Order {
    /// What `help` answers.
    pub const HELP: &str = "\
a move         Nf3, exd5, e8=Q, O-O, or by coordinates: g1f3, e7e8q
undo           take back your last move and the answer to it
hint           what the engine would play
save FILE      write the game to a new file: .pgn or .json
load FILE      go on with the game of a file
resign         give up
new            begin another game
pgn, fen       show the game, or the position, as text
board, flip    show the board again, or from the other side
notation NAME  english or french letters for the pieces
help, quit     this list; leave";
}

impl FromStr for Order {
    type Err = OrderError;

    /// Commands may be written in capitals.
    fn from_str(line: &str) -> Result<Order, OrderError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let alone = |name, order| if rest.is_empty() { Ok(order) } else { Err(OrderError::Surplus(name)) };
        let file = |name| {
            Some(rest).filter(|rest| !rest.is_empty()).map(PathBuf::from).ok_or(OrderError::NoFile(name))
        };
        match word.to_ascii_lowercase().as_str() {
            "undo" => alone("undo", Order::Undo),
            "hint" => alone("hint", Order::Hint),
            "save" => file("save").map(Order::Save),
            "load" => file("load").map(Order::Load),
            "resign" => alone("resign", Order::Resign),
            "new" => alone("new", Order::New),
            "pgn" => alone("pgn", Order::Pgn),
            "fen" => alone("fen", Order::Fen),
            "board" => alone("board", Order::Board),
            "flip" => alone("flip", Order::Flip),
            "notation" => {
                let notation = Notation::from_str(rest, true).map_err(|_| OrderError::NoNotation)?;
                Ok(Order::Notation(notation))
            }
            "help" | "?" => alone("help", Order::Help),
            "quit" | "exit" => alone("quit", Order::Quit),
            _ => Ok(Order::Move(line.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_command_is_a_move() {
        assert_eq!(" Nf3 ".parse(), Ok(Order::Move("Nf3".to_owned())));
        assert_eq!("e8 = Q".parse(), Ok(Order::Move("e8 = Q".to_owned())));
        assert_eq!("UNDO".parse(), Ok(Order::Undo));
        assert_eq!("load  my game.pgn".parse(), Ok(Order::Load("my game.pgn".into())));
        assert_eq!("notation French".parse(), Ok(Order::Notation(Notation::French)));
    }

    #[test]
    fn a_command_that_lacks_something_says_what() {
        let message = |line: &str| line.parse::<Order>().unwrap_err().to_string();
        assert_eq!(message("save"), "`save` needs a file: save game.pgn, or save game.json");
        assert!(message("notation klingon").contains("english"));
        assert_eq!(message("undo 3"), "nothing may stand behind `undo`");
    }

    #[test]
    fn every_command_of_the_help_is_understood() {
        for line in Order::HELP.lines().skip(1) {
            let (names, _) = line.split_at(15);
            for name in names.split(',') {
                let typed = name.trim().replace("FILE", "x.pgn").replace("NAME", "french");
                assert!(!matches!(typed.parse(), Ok(Order::Move(_)) | Err(_)), "{typed}");
            }
        }
    }
}
