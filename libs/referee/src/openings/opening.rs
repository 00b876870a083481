use thiserror::Error;

use crate::{FenError, IllegalMove, Referee, Variant, san::SanError};

/// Where a game starts: a position and the moves that are played from there before the engines think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The first position as FEN; `None` is the usual start position.
    pub start_fen: Option<String>,
    /// The moves of the opening in UCI notation.
    pub moves: Vec<String>,
    /// The line of the book it comes from, counted from 1; for PGN, the first line of the game; for Polyglot, the entry
    /// of its last move.
    pub line: usize,
    /// What the book calls it.
    pub name: Option<String>,
}

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// Its first position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// One of its moves.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// One of its moves in algebraic notation.
    #[error(transparent)]
    San(#[from] SanError),
}

impl Opening {
    /// A referee behind the last move of the opening.
    ///
    /// # Errors
    /// [`OpeningError`] when the position or a move is illegal in the variant, which cannot be when the opening
    /// comes from a [`Book`](super::Book) of that variant.
    pub fn referee(&self, variant: Variant) -> Result<Referee, OpeningError> {
        let mut referee = match &self.start_fen {
            Some(fen) => Referee::from_fen(fen, variant)?,
            None => Referee::new(variant),
        };
        for text in &self.moves {
            referee.play(text)?;
        }
        Ok(referee)
    }
}
