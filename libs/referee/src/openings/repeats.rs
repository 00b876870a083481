//! The lines of a book that repeat the position of an earlier line.

use std::collections::HashMap;

use super::ListedOpening;
use crate::Variant;

/// How a line can repeat an earlier line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RepeatKind {
    /// The same position, by the same moves or without known moves.
    Duplicate,
    /// The same position by other moves.
    Transposition,
    /// The same position with colours reversed.
    Mirrored,
}

/// A line that repeats an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// How the line repeats the earlier one.
    pub kind: RepeatKind,
    /// The index of the line among the openings, from 0.
    pub index: usize,
    /// The index of the earlier line.
    pub earlier: usize,
}

/// The positions that a book already has.
#[derive(Clone, Debug, Default)]
pub struct KnownPositions {
    variant: Variant,
    by_key: HashMap<u64, Vec<usize>>,
    by_mirrored_key: HashMap<u64, usize>,
}

impl KnownPositions {
    /// No positions yet.
    pub fn new(variant: Variant) -> KnownPositions {
        KnownPositions { variant, ..KnownPositions::default() }
    }

    /// Adds the opening at `index` in `openings`, and returns the earlier one that it repeats, if any.
    pub fn add(&mut self, openings: &[ListedOpening], index: usize) -> Option<Repeat> {
        let opening = &openings[index];
        let same = self.by_key.entry(opening.key).or_default();
        let by_same_moves = same
            .iter()
            .find(|&&earlier| is_same_way(&openings[earlier], opening))
            .map(|&earlier| Repeat { kind: RepeatKind::Duplicate, index, earlier });
        let repeat = by_same_moves
            .or_else(|| {
                let earlier = *same.first()?;
                Some(Repeat { kind: RepeatKind::Transposition, index, earlier })
            })
            .or_else(|| {
                let earlier = *self.by_mirrored_key.get(&opening.key)?;
                Some(Repeat { kind: RepeatKind::Mirrored, index, earlier })
            });
        same.push(index);
        // In most variants a position is another one with colours reversed.
        if self.variant.is_chess()
            && let Ok(key) = opening.mirrored_key(self.variant)
        {
            self.by_mirrored_key.entry(key).or_insert(index);
        }
        repeat
    }
}

/// Whether two lines to one position have the same moves, as far as the book has moves.
fn is_same_way(one: &ListedOpening, other: &ListedOpening) -> bool {
    one.moves.is_empty()
        || other.moves.is_empty()
        || (&one.start_fen, &one.moves) == (&other.start_fen, &other.moves)
}

/// All lines that repeat an earlier line, in the order of the book.
pub fn repeats(openings: &[ListedOpening], variant: Variant) -> Vec<Repeat> {
    let mut known = KnownPositions::new(variant);
    (0..openings.len()).filter_map(|index| known.add(openings, index)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Referee, san::san_to_uci};

    fn opening(line: &str) -> ListedOpening {
        let mut referee = Referee::new(Variant::Standard);
        let moves: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        for san in &moves {
            referee.play(&san_to_uci(&referee, san).unwrap()).unwrap();
        }
        ListedOpening::reached(&referee, None, moves)
    }

    fn found(lines: &[&str]) -> Vec<(RepeatKind, usize, usize)> {
        let openings: Vec<_> = lines.iter().map(|line| opening(line)).collect();
        let repeats = repeats(&openings, Variant::Standard);
        repeats.iter().map(|repeat| (repeat.kind, repeat.index, repeat.earlier)).collect()
    }

    #[test]
    fn duplicates_transpositions_and_positions_with_the_colours_changed_are_told_apart() {
        let lines = ["d4 Nf6 c4", "e4 e5", "c4 Nf6 d4", "c4 Nf6 d4", "e4 e5", "e4 e6"];
        let expected =
            [(RepeatKind::Transposition, 2, 0), (RepeatKind::Duplicate, 3, 2), (RepeatKind::Duplicate, 4, 1)];
        assert_eq!(found(&lines), expected);
        // 1. e4 e5 2. Nf3 with colours reversed, where Black is the one a move ahead: 1. e3 e5 2. e4 Nf6.
        assert_eq!(found(&["e4 e5 Nf3", "e3 e5 e4 Nf6"]), [(RepeatKind::Mirrored, 1, 0)]);
        assert_eq!(found(&["e4 e6 d4 d5", "d4 d5 e4 e6"]), [(RepeatKind::Transposition, 1, 0)]);
    }
}
