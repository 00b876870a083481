//! The evaluation has no favourite colour and no favourite wing.

use chess::{Color, File, MoveList, Position, Square};
use proptest::prelude::*;
use tarrasch::Value;
use tarrasch::eval::{Coefficients, Evaluator, Score, Term, WEIGHTS, explain};

fn evaluate(position: &Position) -> Value {
    Evaluator::new().evaluate(position)
}

/// The position after a random walk; each number picks a legal move.
pub fn walk(choices: &[u16]) -> Position {
    let mut position = Position::start();
    for &choice in choices {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[usize::from(choice) % moves.len()]);
    }
    position
}

/// The FEN of the position with other squares and letters, without castling rights and en passant.
pub fn transformed(
    position: &Position,
    square_of: impl Fn(Square) -> Square,
    swap_colors: bool,
) -> Option<Position> {
    let mut board = vec!['1'; 64];
    for square in position.occupied() {
        let letter = position.piece_on(square)?.letter();
        let swapped = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
        board[square_of(square).index()] = if swap_colors { swapped } else { letter };
    }
    let ranks: Vec<String> = board.chunks(8).rev().map(|rank| rank.iter().collect()).collect();
    // FEN joins neighbouring empty squares; the longest runs first.
    let placement =
        (2..=8).rev().fold(ranks.join("/"), |text, run| text.replace(&"1".repeat(run), &run.to_string()));
    let side = if swap_colors { !position.side_to_move() } else { position.side_to_move() };
    Position::from_fen(&format!("{placement} {} - - 0 1", side.letter())).ok()
}

/// The position without castling rights and en passant: a rook beside a king that may castle is not shut in.
pub fn without_rights(position: &Position) -> Position {
    transformed(position, |square| square, false).expect("a position without rights is legal")
}

pub fn mirrored(square: Square) -> Square {
    Square::new(File::ALL[7 - square.file().index()], square.rank())
}

proptest! {
    #[test]
    fn swapping_the_colours_changes_nothing(choices in prop::collection::vec(any::<u16>(), 0..150)) {
        let position = without_rights(&walk(&choices));
        let flipped = transformed(&position, Square::flip, true).expect("the mirrored position is legal");
        prop_assert_eq!(evaluate(&position), evaluate(&flipped), "{}", position);
    }

    #[test]
    fn mirroring_the_files_changes_nothing(choices in prop::collection::vec(any::<u16>(), 0..150)) {
        let position = without_rights(&walk(&choices));
        let mirror = transformed(&position, mirrored, false).expect("the mirrored position is legal");
        prop_assert_eq!(evaluate(&position), evaluate(&mirror), "{}", position);
    }

    #[test]
    fn an_explanation_adds_up_to_the_evaluation(choices in prop::collection::vec(any::<u16>(), 0..150)) {
        let position = walk(&choices);
        let explanation = explain(&position);
        let total: Score = Term::ALL
            .into_iter()
            .map(|term| explanation.score(term, Color::White) - explanation.score(term, Color::Black))
            .sum();
        let white = total.blend(explanation.phase, explanation.scale).get();
        let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
        prop_assert_eq!(explanation.value.get(), sign * white);
        prop_assert_eq!(explanation.value, evaluate(&position));
    }
}

proptest! {
    #[test]
    fn what_is_remembered_of_the_pawns_changes_nothing(choices in prop::collection::vec(any::<u16>(), 0..150)) {
        let mut evaluator = Evaluator::new();
        for length in 0..choices.len() {
            let position = walk(&choices[..length]);
            prop_assert_eq!(evaluator.evaluate(&position), evaluate(&position));
        }
    }

    #[test]
    fn counts_and_weights_give_the_evaluation(choices in prop::collection::vec(any::<u16>(), 0..150)) {
        let position = walk(&choices);
        let coefficients = Coefficients::of(&position);
        let sum = |counts: &[(u16, i16)]| -> Score {
            counts.iter().map(|&(place, count)| WEIGHTS[usize::from(place)] * i32::from(count)).sum()
        };
        let attacks = [0, 1].map(|side| {
            let danger = sum(&coefficients.danger[side]);
            let (mg, eg) = (danger.mg().clamp(0, 1500), danger.eg().max(0));
            Score::new(mg * mg / Coefficients::DANGER_MG_DIVISOR, eg / Coefficients::DANGER_EG_DIVISOR)
        });
        let total = sum(&coefficients.linear) + attacks[0] - attacks[1];
        let white = total.blend(coefficients.phase, coefficients.scale).get();
        let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
        prop_assert_eq!(evaluate(&position).get(), sign * white);
    }
}

#[test]
fn the_display_names_every_term_for_both_sides() {
    let text = explain(&Position::start()).to_string();
    for word in ["material", "mobility", "king attack", "White", "Black", "phase 24 of 24"] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
}

#[test]
fn the_greater_the_piece_the_more_it_is_missed() {
    let without = |pieces: &str| {
        let fen = format!("{pieces}/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        evaluate(&Position::from_fen(&fen).unwrap()).get()
    };
    let values = [
        without("rnbqkbnr/pppppppp"),
        without("rnbqkbnr/ppp1pppp"),
        without("rnbqkb1r/pppppppp"),
        without("rnb1kbnr/pppppppp"),
    ];
    assert!(values.is_sorted_by(|less, more| less < more), "{values:?}");
    assert!((500..1400).contains(&values[3]), "{values:?}");
}
