//! Playing by hand in French notation, with `undo`, `save` and `load` (sections 1.5, 4 and 5).
//!
//! A game that cannot be loaded leaves the one on the board as it was.

use std::io::{self, BufRead, Write};
use std::path::Path;

use referee::{Referee, SavedGame, Variant, french};

use super::engine::{Druelle, board_text};
use super::game::Game;
use super::movement::Played;
use super::side::Side;

const HELP: &str =
    "A move (e2-e4, Cg1-f3, Fc4xf7, 0-0, or short: Cf3), undo, save FILE, load FILE, moves, quit";

/// A game between a person and the engine.
pub struct TextMode {
    game: Game,
    /// What was played since the start, or since the game was loaded.
    played: Vec<Played>,
    engine: Druelle,
    person: Side,
}

/// What a command leads to.
enum Next {
    /// The board is shown.
    Board,
    /// Only this is said.
    Say(String),
    /// The person is asked again.
    Ask,
    Quit,
}

impl TextMode {
    /// A game from the start, in which the person has `person`.
    pub fn new(engine: Druelle, person: Side) -> TextMode {
        TextMode { game: Game::start(), played: Vec::new(), engine, person }
    }

    /// Plays until the game is over, the person quits, or the input ends.
    ///
    /// # Errors
    /// When `input` cannot be read or `output` cannot be written.
    pub fn run(&mut self, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut lines = input.lines();
        writeln!(output, "{HELP}")?;
        let mut next = Next::Board;
        loop {
            match &next {
                Next::Quit => return Ok(()),
                Next::Say(text) => writeln!(output, "{text}")?,
                Next::Ask => {}
                Next::Board => {
                    if self.game.turn() != self.person {
                        self.answer(&mut output)?;
                    }
                    writeln!(output, "\n{}", board_text(&self.game))?;
                    if let Some(end) = self.end() {
                        writeln!(output, "{end}")?;
                    }
                }
            }
            write!(output, "> ")?;
            output.flush()?;
            let Some(line) = lines.next().transpose()? else { return Ok(()) };
            next = self.obey(line.trim());
        }
    }

    fn obey(&mut self, line: &str) -> Next {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => Next::Ask,
            ("quit", _) => Next::Quit,
            ("help", _) => Next::Say(HELP.to_owned()),
            ("undo", _) => self.undo(),
            ("moves", _) => Next::Say(self.moves()),
            ("save" | "load", "") => Next::Say(format!("{word} needs the name of a file")),
            ("save", file) => Next::Say(self.save(Path::new(file))),
            ("load", file) => self.load(Path::new(file)),
            _ => self.play(line),
        }
    }

    /// Plays the person's move.
    fn play(&mut self, text: &str) -> Next {
        let found = self
            .referee()
            .and_then(|referee| french::french_to_uci(&referee, text).map_err(|error| error.to_string()));
        match found.map(|uci| self.game.find(&uci).and_then(|mv| self.game.play(mv))) {
            Ok(Some(played)) => {
                self.played.push(played);
                Next::Board
            }
            Ok(None) => Next::Say(format!("`{text}` is not legal")),
            Err(message) => Next::Say(message),
        }
    }

    /// Plays the engine's move, when it has one.
    fn answer(&mut self, output: &mut impl Write) -> io::Result<()> {
        let Some(mv) = self.engine.answer(&self.game) else { return Ok(()) };
        let french = self.referee().and_then(|referee| {
            french::uci_to_french(&referee, &mv.to_string()).map_err(|error| error.to_string())
        });
        writeln!(output, "druelle plays {}", french.unwrap_or_else(|_| mv.to_string()))?;
        self.played.extend(self.game.play(mv));
        Ok(())
    }

    /// Takes moves back until it was the person's turn before.
    fn undo(&mut self) -> Next {
        let answers = usize::from(self.game.turn() == self.person);
        if self.played.len() <= answers {
            return Next::Say("there is no move of yours to take back".to_owned());
        }
        for _ in 0..=answers {
            if let Some(played) = self.played.pop() {
                self.game.take_back(played);
            }
        }
        Next::Board
    }

    fn moves(&mut self) -> String {
        let Ok(referee) = self.referee() else { return String::new() };
        let moves = self.game.legal_moves();
        let french = moves.iter().filter_map(|mv| french::uci_to_french(&referee, &mv.to_string()).ok());
        french.collect::<Vec<_>>().join(" ")
    }

    fn save(&self, file: &Path) -> String {
        let saved = SavedGame::from_fen(&self.game.fen()).map_err(|error| error.to_string());
        match saved.and_then(|saved| saved.save(file).map_err(|error| error.to_string())) {
            Ok(()) => format!("saved to {}", file.display()),
            Err(message) => message,
        }
    }

    fn load(&mut self, file: &Path) -> Next {
        let saved = SavedGame::load(file).map_err(|error| error.to_string());
        match saved.and_then(|saved| Game::from_fen(&saved.fen()).map_err(|error| error.to_string())) {
            Ok(game) => {
                self.game = game;
                self.played.clear();
                Next::Board
            }
            Err(message) => Next::Say(message),
        }
    }

    /// The position for the referee, who reads and writes the notation.
    fn referee(&self) -> Result<Referee, String> {
        Referee::from_fen(&self.game.fen(), Variant::Standard).map_err(|error| error.to_string())
    }

    fn end(&mut self) -> Option<&'static str> {
        let side = self.game.turn();
        if self.game.has_legal_move() {
            return None;
        }
        Some(match (self.game.is_check(side), side) {
            (true, Side::White) => "Checkmate, Black wins.",
            (true, Side::Black) => "Checkmate, White wins.",
            (false, _) => "Stalemate.",
        })
    }
}

#[cfg(test)]
mod tests;
