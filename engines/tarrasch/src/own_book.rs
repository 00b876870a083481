//! Opening books in Polyglot's format.
//!
//! Michel Van den Bergh describes the format at <http://hgm.nubati.net/book_format.html>: entries of 16 bytes, sorted by
//! the key of the position. shakmaty computes the key with the published random numbers; the keys of the search differ.

use std::path::Path;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};
use thiserror::Error;

use super::tablebases::shakmaty_position;
use chess::{Move, MoveList, Position};

/// The book that ships: moves of the openings in `suites/openings/arbiter-balanced.epd`.
const SHIPPED: &[u8] = include_bytes!("../book.bin");

const ENTRY_BYTES: usize = 16;

/// A book: its entries, sorted by key.
#[derive(Debug)]
pub struct OwnBook(Vec<Entry>);

/// One move in one position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    move_bits: u16,
    /// The relative frequency of the move; 0 means never.
    weight: u16,
}

/// Why a book cannot be loaded.
#[derive(Debug, Error)]
pub enum OwnBookError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("expected entries of {ENTRY_BYTES} bytes, found {0} bytes more")]
    Length(usize),
    #[error("entry {0}: expected a key of at least that of the entry before")]
    Order(usize),
}

impl OwnBook {
    pub fn shipped() -> OwnBook {
        OwnBook::read(SHIPPED).expect("the book that ships is one")
    }

    /// The legality of a move is checked only when its position is looked up.
    pub fn load(path: &Path) -> Result<OwnBook, OwnBookError> {
        OwnBook::read(&std::fs::read(path)?)
    }

    fn read(bytes: &[u8]) -> Result<OwnBook, OwnBookError> {
        let (chunks, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(OwnBookError::Length(rest.len()));
        }
        let entries: Vec<Entry> = chunks.iter().map(Entry::read).collect();
        match entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            Some(index) => Err(OwnBookError::Order(index + 2)),
            None => Ok(OwnBook(entries)),
        }
    }

    /// A legal move of the book for this position. The random number `chance` chooses one by the weights.
    pub fn choose(&self, position: &Position, chance: u64) -> Option<Move> {
        let legal = position.move_list();
        let moves = self.entries_of(key_of(position)?).iter();
        let moves: Vec<(Move, u64)> = moves
            .filter_map(|entry| Some((entry.legal_move(&legal)?, u64::from(entry.weight))))
            .filter(|(_, weight)| *weight > 0)
            .collect();
        let total: u64 = moves.iter().map(|(_, weight)| weight).sum();
        let mut left = chance.checked_rem(total)?;
        let chosen = moves.iter().find(|(_, weight)| {
            let is_chosen = left < *weight;
            left = left.saturating_sub(*weight);
            is_chosen
        });
        chosen.map(|(mv, _)| *mv)
    }

    fn entries_of(&self, key: u64) -> &[Entry] {
        let first = self.0.partition_point(|entry| entry.key < key);
        let count = self.0[first..].partition_point(|entry| entry.key == key);
        &self.0[first..first + count]
    }
}

impl Entry {
    /// Big-endian: key, move, weight, and learning data, which is ignored.
    fn read(bytes: &[u8; ENTRY_BYTES]) -> Entry {
        let whole = u128::from_be_bytes(*bytes);
        Entry { key: (whole >> 64) as u64, move_bits: (whole >> 48) as u16, weight: (whole >> 32) as u16 }
    }

    /// The legal move of the entry. Castling is written as the king taking its rook, in some books as the king's two
    /// steps.
    fn legal_move(self, legal: &MoveList) -> Option<Move> {
        let text = self.uci_text()?;
        legal.iter().copied().find(|mv| mv.to_uci(true) == text || mv.to_uci(false) == text)
    }

    /// From the lowest bit, three bits each: file and rank of the target, file and rank of the origin, promotion.
    fn uci_text(self) -> Option<String> {
        let bits = |shift: u16| (self.move_bits >> shift & 7) as u8;
        let square = |shift| [char::from(b'a' + bits(shift)), char::from(b'1' + bits(shift + 3))];
        let promotion = ["", "n", "b", "r", "q"].get(usize::from(self.move_bits >> 12))?;
        Some(square(6).into_iter().chain(square(0)).chain(promotion.chars()).collect())
    }
}

/// The Polyglot key of a position; `None` if shakmaty takes it for illegal.
fn key_of(position: &Position) -> Option<u64> {
    Some(shakmaty_position(position)?.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(moves: &str) -> Position {
        let mut position = Position::start();
        for text in moves.split_whitespace() {
            position.play_unchecked(position.parse_uci(text).unwrap());
        }
        position
    }

    /// The bytes of an entry. Squares count from a1 = 0 to h8 = 63.
    fn entry(position: &Position, from: u16, to: u16, weight: u16) -> [u8; ENTRY_BYTES] {
        let key = u128::from(key_of(position).unwrap()) << 64;
        (key | u128::from(from << 6 | to) << 48 | u128::from(weight) << 32).to_be_bytes()
    }

    #[test]
    fn the_keys_are_the_published_ones() {
        for (moves, key) in [
            ("", 0x463b96181691fc9c),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
        ] {
            assert_eq!(key_of(&position(moves)), Some(key), "{moves}");
        }
    }

    #[test]
    fn moves_are_chosen_by_their_weights() {
        let start = position("");
        let book = [entry(&start, 12, 28, 3), entry(&start, 11, 27, 1), entry(&start, 10, 26, 0)].concat();
        let book = OwnBook::read(&book).unwrap();
        let chosen = (0..8).map(|chance| book.choose(&start, chance).unwrap().to_uci(false));
        assert_eq!(chosen.collect::<Vec<_>>(), ["e2e4", "e2e4", "e2e4", "d2d4"].repeat(2));
        assert_eq!(book.choose(&position("e2e4"), 0), None);
    }

    #[test]
    fn castling_is_understood_in_either_form_and_an_illegal_move_left_out() {
        let castling = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        for (target, expected) in [(7, Some("e1g1")), (6, Some("e1g1")), (32, None)] {
            let book = OwnBook::read(&entry(&castling, 4, target, 1)).unwrap();
            let chosen = book.choose(&castling, 0).map(|mv| mv.to_uci(false));
            assert_eq!(chosen.as_deref(), expected);
        }
    }

    #[test]
    fn what_is_no_book_is_refused() {
        assert!(matches!(OwnBook::read(&[0; 17]), Err(OwnBookError::Length(1))));
        let unsorted = [[9; ENTRY_BYTES], [3; ENTRY_BYTES]].concat();
        assert!(matches!(OwnBook::read(&unsorted), Err(OwnBookError::Order(2))));
        assert!(matches!(OwnBook::load(Path::new("/nowhere/book.bin")), Err(OwnBookError::Io(_))));
    }
}
