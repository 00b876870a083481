//! Writing a book: as EPD or PGN, with a comment at the top that says how it was made, or as a Polyglot book.

use std::collections::BTreeMap;

use super::polyglot_book::PolyglotEntry;
use super::{ListedOpening, OpeningError};
use crate::san::san_to_uci;
use crate::{Epd, EpdOperation, FenError, PgnGame, Referee, Side};

/// The tag of a PGN book for the eval, in centipawns for White.
pub(super) const EVALUATION: &str = "Evaluation";

/// A book as EPD: `ce` is the eval for the side to move, `c0` the moves from the standard start position.
pub fn book_as_epd(header: &[String], openings: &[ListedOpening]) -> String {
    let header = header.iter().map(|line| format!("# {line}").trim_end().to_owned());
    let lines: Vec<String> = header
        .chain([String::new()])
        .chain(openings.iter().map(|opening| epd(opening).to_string()))
        .collect();
    lines.join("\n") + "\n"
}

/// A book as PGN: one game without a result per opening, with the eval in the `Evaluation` tag.
///
/// # Errors
/// If the position of an opening is illegal in its variant.
pub fn book_as_pgn(header: &[String], openings: &[ListedOpening]) -> Result<String, FenError> {
    let mut text = String::new();
    for line in header {
        text += format!("; {line}").trim_end();
        text.push('\n');
    }
    text.push('\n');
    for opening in openings {
        text += &pgn(opening)?.to_string();
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

fn pgn(opening: &ListedOpening) -> Result<PgnGame, FenError> {
    // If a book has only the position, the game starts there.
    let start = opening.start_fen.as_deref();
    let start = start.map(|fen| if opening.moves.is_empty() { &opening.fen } else { fen });
    let referee = Referee::from_start(start, opening.variant)?;
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

/// The bytes of a Polyglot book with the moves of all these lines. The weight of a move is the number of lines that
/// play it in its position; moves of fewer than `least` lines are left out. Weights that are too large for the format
/// are scaled down together with the others of their position.
///
/// # Errors
/// [`OpeningError`] at the first move that cannot be played.
pub fn book_as_polyglot(openings: &[ListedOpening], least: u32) -> Result<Vec<u8>, OpeningError> {
    let mut moves: BTreeMap<u64, BTreeMap<u16, u32>> = BTreeMap::new();
    for opening in openings {
        let mut referee = Referee::from_start(opening.start_fen.as_deref(), opening.variant)?;
        for san in &opening.moves {
            let uci = san_to_uci(&referee, san)?;
            let key = referee.polyglot_key();
            let number = referee.polyglot_number(&uci)?;
            *moves.entry(key).or_default().entry(number).or_default() += 1;
            referee.play(&uci)?;
        }
    }
    let entries = moves.into_iter().flat_map(|(key, moves)| entries_of(key, &moves, least));
    Ok(entries.flat_map(PolyglotEntry::bytes).collect())
}

/// The entries of a position, with the greatest weight first, for programs that take the first entry.
fn entries_of(key: u64, moves: &BTreeMap<u16, u32>, least: u32) -> Vec<PolyglotEntry> {
    let scale = moves.values().max().map_or(1, |most| most.div_ceil(u32::from(u16::MAX)));
    let kept = moves.iter().filter(|(_, count)| **count >= least);
    let mut entries: Vec<PolyglotEntry> = kept
        .map(|(&number, &count)| PolyglotEntry { key, number, weight: count.div_ceil(scale) as u16 })
        .collect();
    // The sort is stable, so equal weights stay in the order of their move numbers.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;
    use crate::openings::polyglot_book::PolyglotBook;
    use crate::tests::after_from_start;

    fn line(moves: &str) -> ListedOpening {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        ListedOpening::reached(&Referee::new(Variant::Standard), None, moves)
    }

    fn book(lines: &[&str], least: u32) -> PolyglotBook {
        let lines: Vec<ListedOpening> = lines.iter().map(|moves| line(moves)).collect();
        let bytes = book_as_polyglot(&lines, least).unwrap();
        PolyglotBook::read("book.bin", &bytes).unwrap()
    }

    fn moves_of(book: &PolyglotBook, before: &str) -> Vec<(String, u16)> {
        let referee = after_from_start(before);
        let entries = book.entries_of(referee.polyglot_key());
        entries.map(|(_, entry)| (referee.polyglot_move(entry.number).unwrap(), entry.weight)).collect()
    }

    #[test]
    fn lines_that_meet_share_their_moves_the_heaviest_first_and_rare_moves_are_left_out_if_asked() {
        let meeting = book(&["e4 e5 Nf3", "Nf3 e5 e4 Nc6", "e4 e5 Nc3"], 1);
        assert_eq!(moves_of(&meeting, ""), [("e2e4".to_owned(), 2), ("g1f3".to_owned(), 1)]);
        assert_eq!(moves_of(&meeting, "e2e4 e7e5 g1f3"), [("b8c6".to_owned(), 1)]);
        let book = book(&["e4 e5", "e4 c5", "d4"], 2);
        assert_eq!(moves_of(&book, ""), [("e2e4".to_owned(), 2)]);
        assert_eq!(moves_of(&book, "e2e4"), []);
    }

    #[test]
    fn weights_are_scaled_down_together_and_a_move_that_cannot_be_played_is_refused() {
        let counts = BTreeMap::from([(1, 200_000), (2, 100_000), (3, 1)]);
        let weights: Vec<u16> = entries_of(7, &counts, 1).iter().map(|entry| entry.weight).collect();
        assert_eq!(weights, [50_000, 25_000, 1]);
        assert!(book_as_polyglot(&[line("e4 e5 Ke3")], 1).is_err());
    }
}
