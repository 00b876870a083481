//! Writing a book: EPD or PGN, with a comment at the top that says how it was made.

use crate::{Epd, EpdOperation, FenError, PgnGame, Referee, Side, Variant};

use super::ListedOpening;

/// The tag of a PGN book with the eval, in centipawns for White.
pub(super) const EVALUATION: &str = "Evaluation";

/// A book as EPD: `ce` has the eval for the side to move, `c0` the moves from the usual start position.
pub fn book_as_epd(header: &[String], openings: &[ListedOpening]) -> String {
    let header = header.iter().map(|line| format!("# {line}").trim_end().to_owned());
    let lines: Vec<String> = header
        .chain([String::new()])
        .chain(openings.iter().map(|opening| epd(opening).to_string()))
        .collect();
    lines.join("\n") + "\n"
}

/// A book as PGN: a game without a result for each opening, with the eval in the tag `Evaluation`.
///
/// # Errors
/// A position of the openings is illegal in the variant.
pub fn book_as_pgn(
    header: &[String],
    openings: &[ListedOpening],
    variant: Variant,
) -> Result<String, FenError> {
    let mut text = String::new();
    for line in header {
        text += format!("; {line}").trim_end();
        text.push('\n');
    }
    text.push('\n');
    for opening in openings {
        text += &pgn(opening, variant)?.to_string();
    }
    Ok(text)
}

fn epd(opening: &ListedOpening) -> Epd {
    let operation =
        |opcode: &str, operand: String| EpdOperation { opcode: opcode.to_owned(), operands: vec![operand] };
    let eval = opening.eval.map(|eval| match opening.side_to_move() {
        Side::White => eval,
        Side::Black => -eval,
    });
    let from_usual_start = opening.start_fen.is_none() && !opening.moves.is_empty();
    let mut operations = Vec::new();
    operations.extend(eval.map(|eval| operation("ce", eval.to_string())));
    operations.extend(from_usual_start.then(|| operation("c0", opening.moves.join(" "))));
    operations.extend(opening.name.clone().map(|name| operation("id", name)));
    operations.extend(opening.operations.iter().cloned());
    Epd { fen: opening.fen.clone(), operations }
}

fn pgn(opening: &ListedOpening, variant: Variant) -> Result<PgnGame, FenError> {
    // Where a book has only the position, the game starts there.
    let start =
        opening.start_fen.as_ref().map(|fen| if opening.moves.is_empty() { &opening.fen } else { fen });
    let referee = match start {
        Some(fen) => Referee::from_fen(fen, variant)?,
        None => Referee::new(variant),
    };
    let mut game = PgnGame::starting_like(&referee);
    if let Some(name) = &opening.name {
        game.set_tag("Opening", name);
    }
    if let Some(eval) = opening.eval {
        game.set_tag(EVALUATION, &eval.to_string());
    }
    for san in &opening.moves {
        game.push(san, None);
    }
    Ok(game)
}
