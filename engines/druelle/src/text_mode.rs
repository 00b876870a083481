//! Playing by hand in French notation, with `undo`, `save` and `load` (sections 1.5, 4 and 5).
//!
//! If a game cannot be loaded, the current one stays on the board.

use std::io::{self, BufRead, Write};
use std::path::Path;

use referee::druelle::{SavedGame, french};
use referee::{Referee, Variant};
use uci::server::{Color, board_text, end_in_words};

use super::engine::Druelle;
use super::game::Game;
use super::movement::Played;

const HELP: &str =
    "A move (e2-e4, Cg1-f3, Fc4xf7, 0-0, or short: Cf3), undo, save FILE, load FILE, moves, quit";

pub struct TextMode {
    game: Game,
    /// The moves since the start, or since the game was loaded.
    played: Vec<Played>,
    engine: Druelle,
    person: Color,
}

enum Next {
    Board,
    Say(String),
    Ask,
    Quit,
}

impl TextMode {
    pub fn new(engine: Druelle, person: Color) -> TextMode {
        TextMode { game: Game::start(), played: Vec::new(), engine, person }
    }

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
                    writeln!(output, "\n{}", board_text(|square| self.game.letter_at(square)))?;
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

    fn answer(&mut self, output: &mut impl Write) -> io::Result<()> {
        let Some(mv) = self.engine.answer(&self.game) else { return Ok(()) };
        let french = self.referee().and_then(|referee| {
            french::uci_to_french(&referee, &mv.to_string()).map_err(|error| error.to_string())
        });
        writeln!(output, "druelle plays {}", french.unwrap_or_else(|_| mv.to_string()))?;
        self.played.extend(self.game.play(mv));
        Ok(())
    }

    /// Takes back moves until the person's previous turn.
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

    /// The position for the referee, which reads and writes the notation.
    fn referee(&self) -> Result<Referee, String> {
        Referee::from_fen(&self.game.fen(), Variant::Standard).map_err(|error| error.to_string())
    }

    fn end(&mut self) -> Option<&'static str> {
        let side = self.game.turn();
        (!self.game.has_legal_move()).then(|| end_in_words(self.game.is_check(side), side))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn new() -> TextMode {
        TextMode::new(Druelle::new(), Color::White)
    }

    fn tell(game: &mut TextMode, input: &str) -> String {
        let mut output = Vec::new();
        game.run(input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn save_quit_restore_and_play_on_to_the_same_game() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("partie.json").display().to_string();
        let (opening, rest) = ("e2-e4\nCg1-f3\nFf1-b5\n", "0-0\nd2-d3\nCb1-c3\nTf1-e1\n");
        let mut whole = new();
        tell(&mut whole, &format!("{opening}{rest}"));
        let mut first = new();
        tell(&mut first, &format!("{opening}save {file}\nquit\n"));
        let mut second = new();
        tell(&mut second, &format!("load {file}\n"));
        assert_eq!(second.game.fen(), first.game.fen());
        let text = tell(&mut second, rest);
        assert_eq!(second.game.fen(), whole.game.fen(), "{text}");
        assert!(whole.game.turns >= 10, "{}", whole.game.fen());
    }

    #[test]
    fn a_file_cut_short_or_edited_badly_gives_a_clear_error_and_leaves_the_game_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("partie.json").display().to_string();
        let mut game = new();
        tell(&mut game, &format!("e2-e4\nsave {file}\n"));
        let good = fs::read_to_string(&file).unwrap();
        let before = game.game.clone();
        for (bad, part) in [
            (good[..good.len() / 2].to_owned(), "not a saved game: EOF"),
            (good.replace("RE1", "RE9"), "Joueurs1.Hash: `RE9` is not a piece"),
            (String::new(), "not a saved game"),
        ] {
            fs::write(&file, bad).unwrap();
            let text = tell(&mut game, &format!("load {file}\n"));
            assert!(text.contains(&file) && text.contains(part), "{part}: {text}");
            assert_eq!(game.game, before);
        }
        let text = tell(&mut game, "load /no/such/file\nload\n");
        assert!(text.contains("/no/such/file: ") && text.contains("load needs"), "{text}");
        // The game continues with its history intact.
        assert!(tell(&mut game, "undo\n").contains("P P P P P P P P"));
    }

    #[test]
    fn moves_are_written_and_read_in_french() {
        let mut game = new();
        let text = tell(&mut game, "moves\nNf3\nCg1-f4\nCf3\n");
        assert!(text.contains("Cg1-f3") && text.contains("is not French notation"), "{text}");
        assert!(text.contains("\"Cg1-f4\" is not legal") && text.contains("druelle plays "), "{text}");
    }

    #[test]
    fn undo_takes_back_the_answer_and_the_move() {
        let mut game = new();
        assert!(tell(&mut game, "undo\n").contains("no move of yours"));
        tell(&mut game, "e2-e4\nd2-d4\nundo\nundo\n");
        assert_eq!(game.game, Game::start());
        let mut black = TextMode::new(Druelle::new(), Color::Black);
        assert!(tell(&mut black, "undo\n").contains("no move of yours"));
    }

    #[test]
    fn the_end_of_a_game_is_told() {
        let mut game = new();
        game.game =
            Game::from_fen("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4").unwrap();
        let text = tell(&mut game, "Dh5xf7\nundo\n");
        assert!(text.contains("Checkmate, White wins."), "{text}");
        assert!(game.end().is_none());
    }
}
