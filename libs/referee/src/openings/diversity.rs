//! Selecting openings that differ as much as possible.
//!
//! Farthest-first traversal: the seed decides the first opening; each next one is the opening that differs most from
//! all chosen before (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985). This guarantees
//! that the largest distance from an opening to the nearest chosen one is at most twice the optimum.

use super::ListedOpening;
use super::opening_order::shuffled;

/// The maximum number of openings whose nearest neighbours are searched.
const MOST_ASKED: usize = 200;

/// The indices of `count` openings that differ as much as possible, in the order of the book; all indices if there are
/// fewer openings. The same seed selects the same openings.
pub fn diverse(openings: &[ListedOpening], count: usize, seed: u64) -> Vec<usize> {
    let placements: Vec<Placement> = openings.iter().map(|opening| Placement::of_fen(&opening.fen)).collect();
    // This order decides ties and the first opening.
    let mut rest: Vec<(usize, u32)> =
        shuffled(openings.len(), seed, 0).into_iter().map(|index| (index, u32::MAX)).collect();
    let mut chosen = Vec::with_capacity(count.min(rest.len()));
    while chosen.len() < count && !rest.is_empty() {
        let (at, _) = rest
            .iter()
            .enumerate()
            .fold((0, 0), |best, (at, &(_, distance))| if distance > best.1 { (at, distance) } else { best });
        let (next, _) = rest.remove(at);
        chosen.push(next);
        for (index, distance) in &mut rest {
            *distance = (*distance).min(placements[*index].distance(&placements[next]));
        }
    }
    chosen.sort_unstable();
    chosen
}

/// The mean distance of an opening to its nearest neighbour: the squares that differ, where pawns count twice. For a
/// large book it is taken over a sample. 0 for fewer than two openings.
pub fn mean_nearest_distance(openings: &[ListedOpening]) -> f64 {
    let placements: Vec<Placement> = openings.iter().map(|opening| Placement::of_fen(&opening.fen)).collect();
    let nearest = |index: usize| {
        let others = placements.iter().enumerate().filter(|(other, _)| *other != index);
        others.map(|(_, other)| other.distance(&placements[index])).min()
    };
    let distances: Vec<u32> =
        (0..placements.len()).step_by(placements.len() / MOST_ASKED + 1).filter_map(nearest).collect();
    f64::from(distances.iter().sum::<u32>()) / distances.len().max(1) as f64
}

/// The squares of the board, followed by the squares of the pawns alone: a different pawn structure makes more of a
/// difference than a different piece placement, because pawns do not move back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placement([u8; 128]);

impl Placement {
    pub(super) fn of_fen(fen: &str) -> Placement {
        let mut squares = [0; 128];
        for (at, piece, _) in crate::pieces(fen) {
            squares[at] = piece as u8;
            squares[at + 64] = if matches!(piece, 'p' | 'P') { piece as u8 } else { 0 };
        }
        Placement(squares)
    }

    /// The number of squares that differ between two positions; squares that differ by a pawn count twice.
    pub(super) fn distance(&self, other: &Placement) -> u32 {
        self.0.iter().zip(&other.0).map(|(one, other)| u32::from(one != other)).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Referee, Variant};

    /// The positions after each pair of first moves: 400.
    fn two_plies() -> Vec<ListedOpening> {
        let start = Referee::new(Variant::Standard);
        let mut openings = Vec::new();
        for first in start.legal_moves() {
            let mut after = start.clone();
            after.play(&first).unwrap();
            for second in after.legal_moves() {
                let mut referee = after.clone();
                referee.play(&second).unwrap();
                openings.push(ListedOpening::reached(&referee, None, Vec::new()));
            }
        }
        openings
    }

    #[test]
    fn what_is_chosen_differs_more_than_a_choice_by_chance() {
        let openings = two_plies();
        let of = |indices: &[usize]| {
            mean_nearest_distance(&indices.iter().map(|&index| openings[index].clone()).collect::<Vec<_>>())
        };
        let by_chance = &shuffled(openings.len(), 1, 0)[..30];
        let (diverse, by_chance) = (of(&diverse(&openings, 30, 1)), of(by_chance));
        assert!(diverse > by_chance + 1.0, "{diverse} against {by_chance}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn so_many_are_chosen_each_once_and_a_seed_chooses_the_same(count in 0_usize..40, seed: u64) {
            let openings: Vec<_> = two_plies().into_iter().step_by(13).collect();
            let chosen = diverse(&openings, count, seed);
            prop_assert_eq!(chosen.len(), count.min(openings.len()));
            prop_assert!(chosen.is_sorted_by(|one, next| one < next));
            prop_assert_eq!(diverse(&openings, count, seed), chosen);
        }
    }

    #[test]
    fn a_move_of_a_pawn_counts_twice_as_much_as_that_of_a_piece() {
        let start = Placement::of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let pawn = Placement::of_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        let knight = Placement::of_fen("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
        assert_eq!((start.distance(&start), start.distance(&pawn), start.distance(&knight)), (0, 4, 2));
        assert_eq!(pawn.distance(&knight), 6);
    }
}
