//! The keys and moves of Polyglot books.
//!
//! The format is described by Michel Van den Bergh at <http://hgm.nubati.net/book_format.html>: the key of a position
//! is a Zobrist hash over 781 published random numbers, which shakmaty uses too, and a move is a 15-bit number. The
//! en-passant file is part of the key whenever an enemy pawn stands beside the pawn that has just made a double step,
//! whether or not the capture is legal.

use shakmaty::{EnPassantMode, Move, Position, Role, Square, uci::UciMove, zobrist::Zobrist64};

use super::{IllegalMove, IllegalReason, Referee};

impl Referee {
    /// The key of the current position in a Polyglot book.
    pub fn polyglot_key(&self) -> u64 {
        self.position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
    }

    /// Converts a move of a Polyglot book to UCI notation in the game's variant, if it is legal.
    ///
    /// It consists of three-bit fields, from the lowest bit: file and rank of the target, file and rank of the origin,
    /// and the promotion (0 none, 1 knight, 2 bishop, 3 rook, 4 queen). Castling is the king taking its own rook; the
    /// king's double step, which some books have, is accepted too.
    ///
    /// # Errors
    /// [`IllegalMove`] if the number is not a legal move.
    pub fn polyglot_move(&self, number: u16) -> Result<String, IllegalMove> {
        let mode = self.variant.castling_mode();
        let legal =
            uci_of(number).and_then(|uci| self.legal(uci)).map(|legal| legal.to_uci(mode).to_string());
        legal.ok_or_else(|| {
            let text = uci_of(number).map_or_else(|| format!("{number:#06x}"), |uci| uci.to_string());
            self.refuse(&text, IllegalReason::Illegal)
        })
    }

    /// The number of a legal move in UCI notation; castling is the king taking its own rook.
    ///
    /// # Errors
    /// [`IllegalMove`] if the text is not a legal move.
    pub fn polyglot_number(&self, uci: &str) -> Result<u16, IllegalMove> {
        let legal = uci.parse().ok().and_then(|uci| self.legal(uci));
        let legal = legal.ok_or_else(|| self.refuse(uci, IllegalReason::Illegal))?;
        let promotion = PROMOTIONS.iter().position(|&role| role == legal.promotion()).unwrap_or_default();
        let from = legal.from().map_or(0, u16::from);
        // In shakmaty a castling king moves to its rook's square, as in this format.
        Ok((promotion as u16) << 12 | from << 6 | u16::from(legal.to()))
    }

    fn legal(&self, uci: UciMove) -> Option<Move> {
        uci.to_move(&self.position).ok()
    }
}

/// The promotions by their numbers.
const PROMOTIONS: [Option<Role>; 5] =
    [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)];

fn uci_of(number: u16) -> Option<UciMove> {
    let square = |bits: u16| Square::new(u32::from(bits & 0o77));
    let promotion = *PROMOTIONS.get(usize::from(number >> 12))?;
    Some(UciMove::Normal { from: square(number >> 6), to: square(number), promotion })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Variant;
    use crate::tests::{after_from_start, random_game};

    #[test]
    fn the_keys_are_the_published_ones() {
        // The test positions in the description of the format.
        for (moves, key) in [
            ("", 0x463b96181691fc9c),
            ("e2e4", 0x823c9b50fd114196),
            ("e2e4 d7d5", 0x0756b94461c50fb0),
            ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
        ] {
            assert_eq!(after_from_start(moves).polyglot_key(), key, "{moves}");
        }
    }

    /// The number of a move, where castling is the king taking its rook, computed from the letters of the move.
    fn number(uci: &str) -> u16 {
        let letters = uci.as_bytes();
        let place = |at: usize, first: u8| u16::from(letters[at] - first);
        let promotion =
            letters.get(4).map_or(0, |letter| 1 + b"nbrq".iter().position(|l| l == letter).unwrap());
        place(2, b'a')
            | place(3, b'1') << 3
            | place(0, b'a') << 6
            | place(1, b'1') << 9
            | (promotion as u16) << 12
    }

    #[test]
    fn castling_is_read_in_either_form_and_a_number_that_is_no_legal_move_is_refused() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (variant, short) in [(Variant::Standard, "e1g1"), (Variant::Chess960, "e1h1")] {
            let referee = Referee::from_fen(fen, variant).unwrap();
            assert_eq!(referee.polyglot_move(number("e1h1")).unwrap(), short);
        }
        let referee = Referee::from_fen(fen, Variant::Standard).unwrap();
        assert_eq!(referee.polyglot_move(number("e1c1")).unwrap(), "e1c1");
        let referee = Referee::new(Variant::Standard);
        assert!(referee.polyglot_move(0).unwrap_err().to_string().contains("a1a1"));
        assert!(referee.polyglot_move(0xffff).unwrap_err().to_string().contains("0xffff"));
        assert!(referee.polyglot_move(number("e2e5")).is_err());
    }

    proptest! {
        #[test]
        fn every_legal_move_has_its_number(choices in prop::collection::vec(0_usize..1000, 0..200)) {
            for (referee, chosen) in random_game(Variant::Chess960, &choices).0 {
                prop_assert_eq!(&referee.polyglot_move(number(&chosen)).unwrap(), &chosen);
                prop_assert_eq!(referee.polyglot_number(&chosen).unwrap(), number(&chosen));
            }
        }
    }
}
