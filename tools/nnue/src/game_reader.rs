//! Reads a file of games.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use thiserror::Error;

use super::game::Game;
use super::viriformat::{END, GameProblem, PLY_BYTES, START_BYTES, decode_ply, decode_start};

/// Why a file of games cannot be used.
#[derive(Debug, Error)]
pub enum GamesError {
    /// The file system refused.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// There is something else.
    #[error("{file}: byte {offset}: expected a game in viriformat, found {problem}")]
    Game {
        /// The file.
        file: String,
        /// Where the game begins.
        offset: u64,
        /// What is wrong with it.
        problem: GameProblem,
    },
    /// It has something, but no whole game.
    #[error("{file}: expected games in viriformat, found {bytes} bytes that are none")]
    NoGame {
        /// The file.
        file: String,
        /// How long it is.
        bytes: u64,
    },
}

/// The games of a file, one after the other. Every move is checked to be legal.
#[derive(Debug)]
pub struct GameReader<R> {
    name: String,
    input: BufReader<R>,
    whole: u64,
    torn: u64,
}

impl GameReader<File> {
    /// Opens a file.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: &Path) -> Result<GameReader<File>, GamesError> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(GameReader::new(name, file)),
            Err(source) => Err(GamesError::Io { file: name, source }),
        }
    }
}

impl<R: Read> GameReader<R> {
    /// Reads what the name belongs to; it is for messages.
    pub fn new(name: String, input: R) -> GameReader<R> {
        GameReader { name, input: BufReader::with_capacity(1 << 18, input), whole: 0, torn: 0 }
    }

    /// The bytes of the whole games read so far.
    pub fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// The bytes behind the last whole game: one that was not written to its end. Known when there is no next game.
    pub fn torn_bytes(&self) -> u64 {
        self.torn
    }

    /// The next game; `None` behind the last whole one.
    ///
    /// # Errors
    /// The file cannot be read, or has something else here.
    pub fn next_game(&mut self) -> Result<Option<Game>, GamesError> {
        let mut start = [0; START_BYTES];
        if !self.fill(&mut start)? {
            return Ok(None);
        }
        let mut game = decode_start(&start).map_err(|problem| self.wrong(problem))?;
        let mut position = game.start.clone();
        loop {
            let mut bytes = [0; PLY_BYTES];
            if !self.fill(&mut bytes)? {
                return Ok(None);
            }
            if bytes == END {
                self.whole += std::mem::take(&mut self.torn);
                return Ok(Some(game));
            }
            let ply = decode_ply(bytes, &position, game.moves.len());
            let ply = ply.map_err(|problem| self.wrong(problem))?;
            position.play_unchecked(ply.mv);
            game.moves.push(ply);
        }
    }

    /// Reads so many bytes, or says that the file ends before.
    fn fill(&mut self, mut bytes: &mut [u8]) -> Result<bool, GamesError> {
        while !bytes.is_empty() {
            match self.input.read(bytes) {
                Ok(0) => return Ok(false),
                Ok(count) => {
                    self.torn += count as u64;
                    bytes = &mut bytes[count..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(source) => return Err(GamesError::Io { file: self.name.clone(), source }),
            }
        }
        Ok(true)
    }

    fn wrong(&self, problem: GameProblem) -> GamesError {
        GamesError::Game { file: self.name.clone(), offset: self.whole, problem }
    }
}

/// Hands each game of a file to `visit`, and returns the bytes behind the last whole one.
///
/// # Errors
/// The file cannot be read, has something else, or nothing that is a whole game; or the error of `visit`.
pub fn read_games<E: From<GamesError>>(
    path: &Path,
    mut visit: impl FnMut(&Game) -> Result<(), E>,
) -> Result<u64, E> {
    let mut reader = GameReader::open(path)?;
    while let Some(game) = reader.next_game()? {
        visit(&game)?;
    }
    if reader.whole == 0 && reader.torn > 0 {
        return Err(GamesError::NoGame { file: reader.name, bytes: reader.torn }.into());
    }
    Ok(reader.torn)
}
