//! Reads a file of games.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use thiserror::Error;

use super::game::Game;
use super::viriformat::{END, GameProblem, PLY_BYTES, START_BYTES, decode_ply, decode_start};

/// Why a file of games cannot be read.
#[derive(Debug, Error)]
pub enum GamesError {
    /// An error of the file system.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// The data are wrong.
    #[error("{file}: byte {offset}: expected a game in viriformat, found {problem}")]
    Game {
        /// The file.
        file: String,
        /// The offset of the game.
        offset: u64,
        /// What is wrong with it.
        problem: GameProblem,
    },
    /// The file is not empty, but has no complete game.
    #[error("{file}: expected games in viriformat, found {bytes} bytes that are none")]
    NoGame {
        /// The file.
        file: String,
        /// Its size.
        bytes: u64,
    },
}

/// Reads the games of a file and checks that every move is legal.
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
    /// Reads from `input`. The name is for messages.
    pub fn new(name: String, input: R) -> GameReader<R> {
        GameReader { name, input: BufReader::with_capacity(1 << 18, input), whole: 0, torn: 0 }
    }

    /// The bytes of the complete games read so far.
    pub fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// The bytes of a truncated game at the end. Valid once there is no next game.
    pub fn torn_bytes(&self) -> u64 {
        self.torn
    }

    /// The next game; `None` after the last complete one.
    ///
    /// # Errors
    /// The file cannot be read, or its data are wrong.
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

    /// Reads this many bytes. Returns whether the file has them.
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

/// Hands each game of a file to `visit`. Returns the bytes of a truncated game at the end.
///
/// # Errors
/// The file cannot be read, its data are wrong, or it has no complete game; or the error of `visit`.
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
