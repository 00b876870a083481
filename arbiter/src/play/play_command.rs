//! What a player can type: a move or a command.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;

use super::notation::Notation;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayCommand {
    Move(String),
    Undo,
    Hint,
    Save(PathBuf),
    Load(PathBuf),
    Resign,
    New,
    Pgn,
    Fen,
    Board,
    Flip,
    Notation(Notation),
    Help,
    Quit,
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
    type Err = String;

    /// Commands are not case-sensitive.
    fn from_str(line: &str) -> Result<PlayCommand, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let name = match &*word.to_ascii_lowercase() {
            "?" => "help".to_owned(),
            "exit" => "quit".to_owned(),
            word => word.to_owned(),
        };
        let file = || match rest {
            "" => Err(format!("`{name}`: expected a file, such as {name} game.pgn or {name} game.json")),
            file => Ok(PathBuf::from(file)),
        };
        let command = match &*name {
            "save" => return file().map(PlayCommand::Save),
            "load" => return file().map(PlayCommand::Load),
            "notation" => {
                let expected = "`notation`: expected a language, notation english or notation french";
                let notation = Notation::from_str(rest, true).map_err(|_| expected.to_owned());
                return notation.map(PlayCommand::Notation);
            }
            "undo" => PlayCommand::Undo,
            "hint" => PlayCommand::Hint,
            "resign" => PlayCommand::Resign,
            "new" => PlayCommand::New,
            "pgn" => PlayCommand::Pgn,
            "fen" => PlayCommand::Fen,
            "board" => PlayCommand::Board,
            "flip" => PlayCommand::Flip,
            "help" => PlayCommand::Help,
            "quit" => PlayCommand::Quit,
            _ => return Ok(PlayCommand::Move(line.to_owned())),
        };
        if rest.is_empty() { Ok(command) } else { Err(format!("`{name}`: expected no argument")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
