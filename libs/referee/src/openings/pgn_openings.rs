//! From the games of a PGN text to openings.

use std::borrow::Cow;

use super::{BookError, BookOptions, Opening, PgnProblem, book_text::EVALUATION, listed_opening::eval_of};
use crate::PgnGames;

/// A game as an opening, with its eval where it has one, in centipawns for White.
pub(super) type JudgedOpening = (Opening, Option<i32>);

/// Reads the main line of every game, up to the half-moves that the options allow, or what is wrong with it.
pub(super) fn read(
    file: &str,
    text: &[u8],
    options: &BookOptions,
) -> impl Iterator<Item = Result<JudgedOpening, BookError>> {
    let mut games = PgnGames::new(file, text);
    let (variant, max_plies) = (options.variant, options.max_plies.unwrap_or(usize::MAX));
    std::iter::from_fn(move || {
        let game = match games.next()? {
            Ok(game) => game,
            Err(BookError::NoGames { .. }) => return None,
            Err(error) => return Some(Err(error)),
        };
        let moves = game.uci_moves(variant, max_plies);
        let opening = moves.and_then(|moves| {
            let tag = |name| game.tag(name).map(Cow::into_owned);
            let start_fen = tag("FEN");
            if moves.is_empty() && start_fen.is_none() {
                return Err((0, PgnProblem::Text("at least one move or a tag FEN")));
            }
            let name = tag("Opening").or_else(|| tag("ECO"));
            let eval = game.tag(EVALUATION).and_then(|value| eval_of(&value));
            Ok((Opening { start_fen, moves, line: game.line, name }, eval))
        });
        Some(opening.map_err(|problem| games.fault(&game, problem)))
    })
}
