//! French notation: moves such as `Cg1-f3`, `Dh5xf7#` and `0-0`, and the pieces of one player,
//! `RE1:DD1:FC1:FF1:TA1:TH1:CB1:CG1:A2:B2:C2`.
//!
//! Both are defined in M. Druelle, P. Boutes and D. Cassan, "Documentation sur le jeu d'échecs et son implémentation".
//!
//! A move (section 1.5) is the initial of the piece (R roi, D dame, T tour, F fou, C cavalier, none for a pawn), the
//! origin, `-` or `x`, the target, and `+` for check or `!=` for mate. The short forms of the document's own openings
//! (`Cf6`, `de5`, `Df7`) can be read too, and so can everything that [`san`](crate::san) tolerates.
//!
//! The pieces (section 3.1) are listed as king, queens, bishops, rooks, knights and pawns, each kind by file and then
//! rank; each piece is its initial and its square.

use shakmaty::{Board, Color, Role, Square};
use thiserror::Error;

use crate::Referee;
use crate::san::{SanErrorReason, read_in};
use crate::written_move::FRENCH;

/// A text in French notation that does not stand for exactly one legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {text:?} {} in {fen}", told(*reason))]
pub struct FrenchError {
    /// The text as given.
    pub text: String,
    /// The position that the move was read in.
    pub fen: String,
    /// The problem.
    pub reason: SanErrorReason,
}

const fn told(reason: SanErrorReason) -> &'static str {
    match reason {
        SanErrorReason::Unparsable => {
            "is not French notation (expected something like Cg1-f3, e4xd5, 0-0 or e7-e8=D)"
        }
        SanErrorReason::Illegal => "is not legal",
        SanErrorReason::Ambiguous => "could be more than one move (expected the square it starts from)",
    }
}

/// The UCI notation of a move given in French notation or by its squares.
///
/// # Errors
/// [`FrenchError`] if it is not a move, or is illegal or ambiguous.
pub fn french_to_uci(referee: &Referee, text: &str) -> Result<String, FrenchError> {
    let error = |reason| FrenchError { text: text.to_owned(), fen: referee.fen(), reason };
    let plain = text.trim().trim_end_matches("mat").trim_end_matches(['≠', ' ']);
    let plain = plain.strip_suffix("!=").unwrap_or(plain);
    let found = read_in(referee, plain, &FRENCH).map_err(error)?;
    Ok(found.to_uci(referee.variant.castling_mode()).to_string())
}

/// The French initial of a piece, empty for a pawn.
const fn initial(role: Role) -> &'static str {
    match role {
        Role::King => "R",
        Role::Queen => "D",
        Role::Rook => "T",
        Role::Bishop => "F",
        Role::Knight => "C",
        Role::Pawn => "",
    }
}

/// The order in which the pieces are listed.
const ORDER: [Role; 6] = [Role::King, Role::Queen, Role::Bishop, Role::Rook, Role::Knight, Role::Pawn];

/// The pieces of one player in the document's notation.
pub(super) fn player_text(board: &Board, color: Color) -> String {
    let pieces = board.iter().filter(|(_, piece)| piece.color == color);
    let mut pieces: Vec<(Role, Square)> = pieces.map(|(square, piece)| (piece.role, square)).collect();
    let rank_of = |role| ORDER.iter().position(|other| *other == role);
    pieces.sort_by_key(|&(role, square)| (rank_of(role), square.file(), square.rank()));
    let entry =
        |(role, square): (Role, Square)| initial(role).to_owned() + &square.to_string().to_ascii_uppercase();
    pieces.into_iter().map(entry).collect::<Vec<_>>().join(":")
}

/// The pieces in a text, in any order, or the error in it.
pub(super) fn read_player(text: &str) -> Result<Vec<(Role, Square)>, String> {
    let mut pieces: Vec<(Role, Square)> = Vec::new();
    for entry in text.split([':', ' ']).filter(|entry| !entry.is_empty()) {
        let (role, square) = read_entry(entry).ok_or_else(|| {
            format!("`{entry}` is not a piece and its square (expected something like RE1, or E2 for a pawn)")
        })?;
        if pieces.iter().any(|(_, other)| *other == square) {
            return Err(format!("two pieces stand on {square}"));
        }
        pieces.push((role, square));
    }
    Ok(pieces)
}

fn read_entry(entry: &str) -> Option<(Role, Square)> {
    let role = ORDER.into_iter().find(|&role| role != Role::Pawn && entry.starts_with(initial(role)));
    // `C4` is a pawn on c4, `CB1` a knight on b1.
    let role = role.filter(|_| entry.len() == 3).unwrap_or(Role::Pawn);
    let square = entry.strip_prefix(initial(role))?;
    square.to_ascii_lowercase().parse().ok().map(|square| (role, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    fn read(fen: &str, text: &str) -> Result<String, SanErrorReason> {
        let referee = Referee::from_fen(fen, Variant::Standard).unwrap();
        french_to_uci(&referee, text).map_err(|error| error.reason)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_forms_of_one_move_are_the_same_move() {
        let taking = "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPPNPPPP/R1BQKBNR w KQkq - 0 3";
        let mate = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let promotion = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
        for (fen, uci, texts) in [
            (START, "e2e4", &["e4", "e2-e4"][..]),
            (START, "g1f3", &["Cg1-f3", "Cf3", "g1f3", "Cg1f3", "Cgf3"]),
            (taking, "d4e5", &["de5", "dxe5", "d4xe5", "d4e5"]),
            (mate, "h5f7", &["Dh5xf7#", "Dh5xf7!=", "Dxf7≠", "Df7+", "Df7 mat"]),
            (castling, "e1g1", &["0-0"]),
            (castling, "e1c1", &["0-0-0"]),
            (castling, "a1a8", &["Ta1xa8+"]),
            (promotion, "e7d8q", &["e7xd8=D+"]),
            (promotion, "e7e8n", &["e7-e8=C"]),
        ] {
            for text in texts {
                assert_eq!(read(fen, text).as_deref(), Ok(uci), "{text}");
            }
        }
    }

    #[test]
    fn what_names_no_move_says_why_in_french_letters() {
        assert_eq!(read(START, "Nf3"), Err(SanErrorReason::Unparsable));
        assert_eq!(read(START, "Cf4"), Err(SanErrorReason::Illegal));
        let two = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
        assert_eq!(read(two, "Cd2"), Err(SanErrorReason::Ambiguous));
        let referee = Referee::new(Variant::Standard);
        let message = french_to_uci(&referee, "Nf3").unwrap_err().to_string();
        assert!(message.contains("something like Cg1-f3"), "{message}");
    }

    #[test]
    fn any_order_and_any_separator_is_the_same_position_whose_text_is_canonical() {
        let white = player_text(&Board::new(), Color::White);
        assert_eq!(white, "RE1:DD1:FC1:FF1:TA1:TH1:CB1:CG1:A2:B2:C2:D2:E2:F2:G2:H2");
        let board = "8/8/8/8/2P5/Q7/5P2/K7".parse().unwrap();
        // Pawns on f2 and c4: files and initials share letters, but entries differ in length.
        assert_eq!(player_text(&board, Color::White), "RA1:DA3:C4:F2");
        let mut pieces = read_player("C4 DA3 : F2:RA1").unwrap();
        pieces.sort_by_key(|(_, square)| *square);
        let expected = board.iter().map(|(square, piece)| (piece.role, square)).collect::<Vec<_>>();
        assert_eq!(pieces, expected);
        let message = |text| read_player(text).unwrap_err();
        assert!(message("RE1:DX9").contains("`DX9` is not a piece"));
        assert!(message("RE1:QD1").contains("`QD1`"));
        assert!(message("RE1:DE1").contains("two pieces stand on e1"));
    }
}
