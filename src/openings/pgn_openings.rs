//! From the tokens of a PGN text to openings.

use super::{
    BookError, BookOptions, Opening, PgnProblem,
    pgn_token::{PgnToken, PgnTokens},
};
use crate::referee::{Referee, san::san_to_uci};

/// A game that is being read.
#[derive(Debug)]
struct Game {
    opening: Opening,
    /// Judges the main line; there is none before the first move.
    referee: Option<Referee>,
}

impl Game {
    const fn new(line: usize) -> Self {
        let opening = Opening { start_fen: None, moves: Vec::new(), line, name: None };
        Self { opening, referee: None }
    }

    /// Takes one token, which is not a result.
    fn take(&mut self, token: PgnToken<'_>, options: &BookOptions) -> Result<(), PgnProblem> {
        match token {
            PgnToken::Tag { name: "FEN", value } => self.opening.start_fen = Some(value),
            PgnToken::Tag { name: "Opening", value } => self.opening.name = Some(value),
            PgnToken::Tag { name: "ECO", value } => _ = self.opening.name.get_or_insert(value),
            PgnToken::Move(text) if options.max_plies.is_none_or(|max| self.opening.moves.len() < max) => {
                return self.play(text, options);
            }
            _ => (),
        }
        Ok(())
    }

    fn play(&mut self, text: &str, options: &BookOptions) -> Result<(), PgnProblem> {
        let referee = match (&mut self.referee, &self.opening.start_fen) {
            (Some(referee), _) => referee,
            (none, Some(fen)) => none.insert(Referee::from_fen(fen, options.variant)?),
            (none, None) => none.insert(Referee::new(options.variant)),
        };
        let uci = san_to_uci(referee, text)?;
        referee.play(&uci)?;
        self.opening.moves.push(uci);
        Ok(())
    }

    /// The opening; a game needs a move or a position of its own.
    fn finish(self) -> Result<Opening, PgnProblem> {
        if self.opening.moves.is_empty() && self.opening.start_fen.is_none() {
            return Err(PgnProblem::Text("at least one move or a tag FEN"));
        }
        Ok(self.opening)
    }
}

/// Reads the main line of every game, up to the half-moves that the options allow.
pub(super) fn read(file: &str, text: &str, options: &BookOptions) -> Result<Vec<Opening>, BookError> {
    let mut openings: Vec<Opening> = Vec::new();
    let mut tokens = PgnTokens::new(text);
    let mut current: Option<(Game, bool)> = None;
    loop {
        let token = tokens.next();
        let line = tokens.line();
        let fault = |game: usize, problem| BookError::Pgn { file: file.to_owned(), line, game, problem };
        let number = openings.len() + 1;
        let token = token.transpose().map_err(|problem| fault(number, problem))?;
        // A tag behind moves begins the next game, even when the result is missing.
        let begins_next = matches!(token, Some(PgnToken::Tag { .. }) | None);
        if let Some((game, _)) =
            current.take_if(|(_, has_moves)| begins_next && (*has_moves || token.is_none()))
        {
            openings.push(game.finish().map_err(|problem| fault(number, problem))?);
        }
        let number = openings.len() + 1;
        let Some(token) = token else { return Ok(openings) };
        let (mut game, has_moves) = current.take().unwrap_or_else(|| (Game::new(line), false));
        if token == PgnToken::Result {
            openings.push(game.finish().map_err(|problem| fault(number, problem))?);
        } else {
            let is_move = matches!(token, PgnToken::Move(_));
            game.take(token, options).map_err(|problem| fault(number, problem))?;
            current = Some((game, has_moves || is_move));
        }
    }
}
