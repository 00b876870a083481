//! One player's pieces as a canonical text: `RE1:DD1:FC1:FF1:TA1:TH1:CB1:CG1:A2:B2:C2`.
//!
//! The format is that of M. Druelle, P. Boutes and D. Cassan, "Documentation sur le jeu d'échecs et son implémentation"
//! (2014), section 3.1: king, queens, bishops, rooks, knights, pawns in this order, pieces of one kind by file and then
//! by rank, each as its French initial and its square; a pawn has no initial.

use std::fmt;

use shakmaty::{Board, Color, Role, Square};
use thiserror::Error;

use super::french::initial;

/// The kinds of pieces in the order of the text.
const ORDER: [Role; 6] = [Role::King, Role::Queen, Role::Bishop, Role::Rook, Role::Knight, Role::Pawn];

/// The pieces of one player, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlayerText(Vec<(Role, Square)>);

/// A text that is not one player's pieces.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerTextError {
    /// An entry is not a piece and a square.
    #[error("`{0}` is not a piece and its square (expected something like RE1, or E2 for a pawn)")]
    Entry(String),
    /// A square is named twice.
    #[error("two pieces stand on {0}")]
    Twice(String),
}

impl PlayerText {
    pub(super) fn of(board: &Board, color: Color) -> PlayerText {
        let pieces = board.iter().filter(|(_, piece)| piece.color == color);
        PlayerText::sorted(pieces.map(|(square, piece)| (piece.role, square)).collect())
    }

    /// Reads the entries in any order, with colons or blanks between them.
    pub(super) fn parse(text: &str) -> Result<PlayerText, PlayerTextError> {
        let entries = text.split([':', ' ']).filter(|entry| !entry.is_empty());
        let mut pieces: Vec<(Role, Square)> = Vec::new();
        for entry in entries {
            let piece = read_entry(entry).ok_or_else(|| PlayerTextError::Entry(entry.to_owned()))?;
            if pieces.iter().any(|(_, square)| *square == piece.1) {
                return Err(PlayerTextError::Twice(piece.1.to_string()));
            }
            pieces.push(piece);
        }
        Ok(PlayerText::sorted(pieces))
    }

    pub(super) fn pieces(&self) -> impl Iterator<Item = (Role, Square)> {
        self.0.iter().copied()
    }

    fn sorted(mut pieces: Vec<(Role, Square)>) -> PlayerText {
        let rank_of = |role| ORDER.iter().position(|other| *other == role);
        pieces.sort_by_key(|&(role, square)| (rank_of(role), square.file(), square.rank()));
        PlayerText(pieces)
    }
}

fn read_entry(entry: &str) -> Option<(Role, Square)> {
    let role = ORDER.into_iter().find(|&role| role != Role::Pawn && entry.starts_with(initial(role)));
    // `C4` is a pawn's square and `CB1` a knight's.
    let role = role.filter(|_| entry.len() == 3).unwrap_or(Role::Pawn);
    let square = entry.strip_prefix(initial(role))?;
    square.to_ascii_lowercase().parse().ok().map(|square| (role, square))
}

impl fmt::Display for PlayerText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (role, square)) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ":" };
            write!(f, "{separator}{}{}", initial(*role), square.to_string().to_ascii_uppercase())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_the_first_position_is_canonical() {
        let white = PlayerText::of(&Board::new(), Color::White).to_string();
        assert_eq!(white, "RE1:DD1:FC1:FF1:TA1:TH1:CB1:CG1:A2:B2:C2:D2:E2:F2:G2:H2");
    }

    #[test]
    fn any_order_and_any_separator_is_the_same_position() {
        let canonical = PlayerText::parse("RA1:DA3:F2:C4").unwrap();
        assert_eq!(PlayerText::parse("C4 DA3 : F2:RA1").unwrap(), canonical);
        // Pawns on f2 and c4: files and initials share letters, but the lengths differ.
        assert_eq!(canonical.to_string(), "RA1:DA3:C4:F2");
    }

    #[test]
    fn what_is_no_piece_and_square_is_named() {
        let message = |text| PlayerText::parse(text).unwrap_err().to_string();
        assert!(message("RE1:DX9").contains("`DX9` is not a piece"));
        assert!(message("RE1:QD1").contains("`QD1`"));
        assert!(message("RE1:DE1").contains("two pieces stand on e1"));
    }
}
