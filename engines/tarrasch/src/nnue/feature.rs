//! The inputs of the network.

use chess::{Color, Piece, Square};

/// The number of inputs: two owners, six kinds of pieces, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// The input for a piece on a square as `perspective` sees it: its own pieces and its own end of the board come first.
/// `mirrored` reverses the files.
#[inline]
pub const fn feature(perspective: Color, mirrored: bool, piece: Piece, square: Square) -> usize {
    let owner = piece.color.index() ^ perspective.index();
    let square = square.relative_to(perspective).index() ^ if mirrored { 7 } else { 0 };
    (owner * 6 + piece.kind.index()) * 64 + square
}

/// Whether a side with its king here sees the board mirrored, so that its king is always on the files a to d. Not all
/// networks do.
#[inline]
pub const fn is_mirrored(king: Square) -> bool {
    king.file().index() >= 4
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use chess::PieceKind;

    use super::*;

    #[test]
    fn every_input_belongs_to_one_piece_on_one_square() {
        for (perspective, mirrored) in [(Color::White, false), (Color::Black, true)] {
            let pieces =
                Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| Piece { color, kind }));
            let inputs: HashSet<usize> = pieces
                .flat_map(|piece| {
                    Square::all().map(move |square| feature(perspective, mirrored, piece, square))
                })
                .collect();
            assert_eq!(inputs.len(), FEATURES);
            assert!(inputs.iter().all(|&input| input < FEATURES));
        }
    }

    #[test]
    fn both_sides_see_the_same_from_their_own_end() {
        let rook = |color| Piece { color, kind: PieceKind::Rook };
        let [a1, a8, h8] = ["a1", "a8", "h8"].map(|text| text.parse().unwrap());
        let ours = feature(Color::White, false, rook(Color::White), a1);
        assert_eq!(ours, feature(Color::Black, false, rook(Color::Black), a8));
        assert_eq!(ours, feature(Color::Black, true, rook(Color::Black), h8));
        assert_ne!(ours, feature(Color::Black, false, rook(Color::White), a8));
    }
}
