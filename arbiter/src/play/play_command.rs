//! What somebody who plays can say: a move or a command.

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
    fn a_line_that_is_not_a_command_is_a_move() {
        assert_eq!(" Nf3 ".parse(), Ok(PlayCommand::Move("Nf3".to_owned())));
        assert_eq!("e8 = Q".parse(), Ok(PlayCommand::Move("e8 = Q".to_owned())));
        assert_eq!("UNDO".parse(), Ok(PlayCommand::Undo));
        assert_eq!("load  my game.pgn".parse(), Ok(PlayCommand::Load("my game.pgn".into())));
        assert_eq!("notation French".parse(), Ok(PlayCommand::Notation(Notation::French)));
    }

    #[test]
    fn a_command_with_a_wrong_argument_says_what_is_expected() {
        let message = |line: &str| line.parse::<PlayCommand>().unwrap_err();
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
