//! From the tokens of a PGN text to openings.

use super::{
    BookError, BookOptions, Opening, PgnProblem,
    book_text::EVALUATION,
    listed_opening::eval_of,
    pgn_token::{PgnToken, PgnTokens},
};
use crate::{Referee, san::san_to_uci};

/// A game that is being read.
#[derive(Debug)]
struct Game {
    opening: Opening,
    /// Judges the main line; `None` before the first move.
    referee: Option<Referee>,
    /// In centipawns, from White's point of view.
    eval: Option<i32>,
}

/// A game as an opening, with its eval where it has one, in centipawns for White.
pub(super) type JudgedOpening = (Opening, Option<i32>);

impl Game {
    const fn new(line: usize) -> Self {
        let opening = Opening { start_fen: None, moves: Vec::new(), line, name: None };
        Self { opening, referee: None, eval: None }
    }

    /// Takes one token, which is not a result.
    fn take(&mut self, token: PgnToken<'_>, options: &BookOptions) -> Result<(), PgnProblem> {
        match token {
            PgnToken::Tag { name: "FEN", value } => self.opening.start_fen = Some(value),
            PgnToken::Tag { name: "Opening", value } => self.opening.name = Some(value),
            PgnToken::Tag { name: "ECO", value } => _ = self.opening.name.get_or_insert(value),
            PgnToken::Tag { name: EVALUATION, value } => self.eval = eval_of(&value),
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
    fn finish(self) -> Result<JudgedOpening, PgnProblem> {
        if self.opening.moves.is_empty() && self.opening.start_fen.is_none() {
            return Err(PgnProblem::Text("at least one move or a tag FEN"));
        }
        Ok((self.opening, self.eval))
    }
}

/// Reads the main line of every game, up to the half-moves that the options allow.
pub(super) fn read(file: &str, text: &str, options: &BookOptions) -> Result<Vec<Opening>, BookError> {
    read_all(file, text, options).into_iter().map(|game| Ok(game?.0)).collect()
}

/// Reads every game or its error. After a syntax error the start of the next game is unknown, so it is the last entry.
pub(super) fn read_all(
    file: &str,
    text: &str,
    options: &BookOptions,
) -> Vec<Result<JudgedOpening, BookError>> {
    let mut games: Vec<Result<JudgedOpening, BookError>> = Vec::new();
    let mut tokens = PgnTokens::new(text);
    let mut current: Option<(Game, bool)> = None;
    // Behind a move that is not legal, those that follow mean nothing.
    let mut is_spoilt = false;
    loop {
        let token = tokens.next().transpose();
        let line = tokens.line();
        let fault = |game: usize, problem| BookError::Pgn { file: file.to_owned(), line, game, problem };
        let token = match token {
            Ok(token) => token,
            Err(problem) => {
                games.push(Err(fault(games.len() + 1, problem)));
                return games;
            }
        };
        // A tag behind moves begins the next game, even when the result is missing.
        let begins_next = matches!(token, Some(PgnToken::Tag { .. }) | None);
        if is_spoilt {
            is_spoilt = !begins_next && token != Some(PgnToken::Result);
            if !begins_next {
                continue;
            }
        }
        if let Some((game, _)) =
            current.take_if(|(_, has_moves)| begins_next && (*has_moves || token.is_none()))
        {
            games.push(game.finish().map_err(|problem| fault(games.len() + 1, problem)));
        }
        let number = games.len() + 1;
        let Some(token) = token else { return games };
        let (mut game, has_moves) = current.take().unwrap_or_else(|| (Game::new(line), false));
        if token == PgnToken::Result {
            games.push(game.finish().map_err(|problem| fault(number, problem)));
            continue;
        }
        let is_move = matches!(token, PgnToken::Move(_));
        match game.take(token, options) {
            Ok(()) => current = Some((game, has_moves || is_move)),
            Err(problem) => {
                games.push(Err(fault(number, problem)));
                is_spoilt = true;
            }
        }
    }
}
