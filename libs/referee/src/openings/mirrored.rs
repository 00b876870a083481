//! The same position with the colours changed.

/// A position as FEN with White and Black in each other's place: the ranks upside down, the other side to move. What is
/// no FEN of at least four fields comes back as it is.
pub(super) fn mirrored(fen: &str) -> String {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let [board, side, castling, en_passant, clocks @ ..] = fields.as_slice() else { return fen.to_owned() };
    let board: Vec<String> = board.rsplit('/').map(swapped).collect();
    let side = if *side == "w" { "b" } else { "w" };
    let castling = swapped(castling);
    // White's rights stand first.
    let (white, black): (String, String) = castling.chars().partition(char::is_ascii_uppercase);
    let en_passant = en_passant.replace(['3', '6'], if en_passant.ends_with('3') { "6" } else { "3" });
    let fields =
        [&[board.join("/"), side.to_owned(), white + &black, en_passant], &owned(clocks)[..]].concat();
    fields.join(" ")
}

fn owned(fields: &[&str]) -> Vec<String> {
    fields.iter().map(|field| (*field).to_owned()).collect()
}

/// Small letters for large ones and the reverse.
fn swapped(text: &str) -> String {
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    text.chars().map(swap).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Referee, Variant};

    #[test]
    fn castling_rights_and_en_passant_squares_change_sides() {
        let fen = "r3k2r/8/8/8/3pP3/8/8/4K2R b Kkq e3 0 7";
        assert_eq!(mirrored(fen), "4k2r/8/8/3Pp3/8/8/8/R3K2R w KQk e6 0 7");
        assert_eq!(mirrored("8/8/8/8/8/8/8/8 w - -"), "8/8/8/8/8/8/8/8 b - -");
    }

    proptest! {
        #[test]
        fn a_mirror_of_a_mirror_is_the_position_and_has_as_many_moves(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..40)) {
            let mut referee = Referee::new(Variant::Standard);
            for choice in choices {
                let moves = referee.legal_moves();
                if moves.is_empty() {
                    break;
                }
                referee.play(&moves[choice.index(moves.len())]).unwrap();
            }
            let fen = referee.fen();
            prop_assert_eq!(mirrored(&mirrored(&fen)), fen.clone());
            let other = Referee::from_fen(&mirrored(&fen), Variant::Standard).unwrap();
            prop_assert_eq!(other.legal_moves().len(), referee.legal_moves().len());
        }
    }
}
