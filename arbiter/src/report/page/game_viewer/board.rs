//! The pieces on the board, and the changes by a move.

/// The piece on each square, from a8 to h1 as in a FEN; a dot for an empty square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board([char; 64]);

impl Board {
    /// The board of a FEN that the referee wrote.
    pub fn of_fen(fen: &str) -> Board {
        let mut squares = ['.'; 64];
        let mut at = 0;
        for letter in fen.chars().take_while(|letter| *letter != ' ').filter(|letter| *letter != '/') {
            let gap = letter.to_digit(10);
            if gap.is_none() {
                squares[at] = letter;
            }
            at += gap.unwrap_or(1) as usize;
        }
        Board(squares)
    }

    /// The squares that a move changed with their new pieces: `g1.f3N`, `e1.g1Kh1.f1R`.
    ///
    /// The square that the move starts from comes first, then the one that its piece went to, so that these two can be
    /// marked. If the king castles without moving (in Chess960), there are only the two squares of the rook.
    pub fn changes_to(&self, after: &Board, uci: &str) -> String {
        let mut changed: Vec<usize> = (0..64).filter(|&at| self.0[at] != after.0[at]).collect();
        let is_start = |at: usize| uci.chars().zip(square_name(at)).all(|(piece, name)| piece == name);
        let moved = changed.iter().find(|&&at| is_start(at)).map(|&at| self.0[at]);
        changed.sort_by_key(|&at| {
            let now = after.0[at];
            let order = [is_start(at), Some(now) == moved, now != '.'];
            order.iter().position(|holds| *holds).unwrap_or(order.len())
        });
        changed.iter().flat_map(|&at| square_name(at).into_iter().chain([after.0[at]])).collect()
    }
}

fn square_name(at: usize) -> [char; 2] {
    [b'a' + (at % 8) as u8, b'8' - (at / 8) as u8].map(char::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::{Referee, Variant};

    fn changes(fen: &str, variant: Variant, uci: &str) -> String {
        let mut referee = Referee::from_fen(fen, variant).unwrap();
        let before = Board::of_fen(&referee.fen());
        referee.play(uci).unwrap();
        before.changes_to(&Board::of_fen(&referee.fen()), uci)
    }

    #[test]
    fn every_kind_of_move_says_what_it_changes() {
        let standard = Variant::Standard;
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(changes(castling, standard, "e1g1"), "e1.g1Kf1Rh1.");
        assert_eq!(changes(castling, standard, "e1c1"), "e1.c1Kd1Ra1.");
        assert_eq!(changes(castling, standard, "h1h8"), "h1.h8R");
        assert_eq!(changes("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", standard, "e5d6"), "e5.d6Pd5.");
        assert_eq!(changes("3nk3/2P5/8/8/8/8/8/4K3 w - - 0 1", standard, "c7d8n"), "c7.d8N");
    }

    #[test]
    fn kings_and_rooks_that_change_places_or_stay_are_right() {
        let changes = |fen, uci| changes(fen, Variant::Chess960, uci);
        assert_eq!(changes("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"), "f1Rg1K");
        assert_eq!(changes("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1"), "f1Rh1.");
        assert_eq!(changes("1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1", "e1b1"), "e1.c1Kd1Rb1.");
    }
}
