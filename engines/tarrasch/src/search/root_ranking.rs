//! The moves at the root, ranked by endgame tables, so that a won ending is won before fifty moves are over.
//!
//! Every move that surely wins under the fifty-move rule has the same rank, and the search chooses among these by its
//! own lights; only when the count runs short does the distance to the next capture or pawn move decide. This is the
//! way of Ronald de Man's own probing code (Chess Programming Wiki, "Syzygy Bases").

use std::cmp::Ordering;

use super::Searcher;
use crate::tablebases::TableOutcome;
use crate::{Ply, Tablebases, Value};
use chess::{Move, Position, ZobristKey};

/// The plies after which a game without capture or pawn move is a draw.
const FIFTY_MOVES: i32 = 100;
/// The rank of a move that surely wins; every distance that a table knows is smaller.
const SURE_WIN: i32 = 10_000;
/// From this rank on a move wins if everything is played to the point.
const JUST_A_WIN: i32 = SURE_WIN - FIFTY_MOVES;

/// What the tables say about a move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootRank {
    /// Higher is better; moves of the same rank are equally good to the tables.
    pub rank: i32,
    /// What the position is worth with this move.
    pub value: Value,
}

impl RootRank {
    /// The rank of a move that leads to a capture, pawn move or mate within `distance` plies, itself included, when the
    /// half-move clock stood at `clock` before it. `has_repeated` says that time was lost before.
    fn by_distance(distance: i32, clock: i32, has_repeated: bool) -> RootRank {
        let rank = match distance.cmp(&0) {
            // A ply is left for the rounding of the tables.
            Ordering::Greater if distance + clock < FIFTY_MOVES && !has_repeated => SURE_WIN,
            Ordering::Greater => SURE_WIN - distance - clock,
            Ordering::Equal => 0,
            // The draw is too far away to play for it: better set the opponent problems.
            Ordering::Less if clock - 2 * distance < FIFTY_MOVES => -SURE_WIN,
            Ordering::Less => -SURE_WIN - distance + clock,
        };
        RootRank { rank, value: value_of(rank) }
    }

    /// The rank by the outcome alone, where no table knows the distance.
    fn by_outcome(outcome: TableOutcome) -> RootRank {
        let rank = match outcome {
            TableOutcome::Win => SURE_WIN,
            TableOutcome::CursedWin => 1,
            TableOutcome::Draw => 0,
            TableOutcome::BlessedLoss => -1,
            TableOutcome::Loss => -SURE_WIN,
        };
        RootRank { rank, value: value_of(rank) }
    }
}

/// The value to tell, since a search without tables would tell less.
fn value_of(rank: i32) -> Value {
    let value = match rank.abs() {
        0 => Value::DRAW,
        JUST_A_WIN.. => Value::table_win_at(Ply::ROOT.next()),
        _ => Value::CURSED_WIN,
    };
    if rank < 0 { -value } else { value }
}

impl Searcher<'_> {
    /// Ranks the moves, if tables know the position. Below a root ranked by distance no table is asked: each would
    /// promise the same win on every path, and the search could not see progress any more.
    pub(super) fn rank_root_moves(&mut self, position: &Position) {
        self.probes_tablebases = self.limits.tables.is_possible();
        let Some(tables) = self.limits.tables.at_root(position) else { return };
        let game = Game { position, keys: &self.keys };
        let moves: Vec<Move> = self.root_moves.moves().collect();
        let ranks = game.ranks(&moves, |child| game.by_distance(tables, child));
        self.probes_tablebases = ranks.is_none();
        let ranks = ranks.or_else(|| {
            let by_outcome = |child: &Position| Some(RootRank::by_outcome(tables.outcome(child)?.reversed()));
            game.ranks(&moves, by_outcome)
        });
        if let Some(ranks) = ranks {
            self.tb_hits += ranks.len() as u64;
            self.root_moves.rank(&ranks);
        }
    }
}

/// The position at the root and how it came about.
struct Game<'a> {
    position: &'a Position,
    /// The keys of the positions, the present one's last.
    keys: &'a [ZobristKey],
}

impl Game<'_> {
    /// The ranks of all moves, or `None` if one of them has none.
    fn ranks(&self, moves: &[Move], rank: impl Fn(&Position) -> Option<RootRank>) -> Option<Vec<RootRank>> {
        moves.iter().map(|&mv| rank(&self.position.play(mv))).collect()
    }

    fn by_distance(&self, tables: &Tablebases, child: &Position) -> Option<RootRank> {
        let clock = i32::from(self.position.halfmove_clock());
        Some(RootRank::by_distance(self.distance(tables, child)?, clock, self.has_repeated()))
    }

    /// The distance from the root by way of `child`.
    fn distance(&self, tables: &Tablebases, child: &Position) -> Option<i32> {
        if child.is_check() && !child.has_legal_move() {
            return Some(1);
        }
        if child.halfmove_clock() == 0 {
            return Some(match tables.outcome(child)?.reversed() {
                TableOutcome::Win => 1,
                TableOutcome::CursedWin => FIFTY_MOVES + 1,
                TableOutcome::Draw => 0,
                TableOutcome::BlessedLoss => -FIFTY_MOVES - 1,
                TableOutcome::Loss => -1,
            });
        }
        if self.is_third_occurrence(child) || i32::from(child.halfmove_clock()) >= FIFTY_MOVES {
            return Some(0);
        }
        let after = -tables.distance(child)?;
        Some(after + after.signum())
    }

    fn is_third_occurrence(&self, child: &Position) -> bool {
        self.reversible().iter().filter(|&&key| key == child.key()).count() >= 2
    }

    /// Whether some position has occurred twice since the last capture or pawn move.
    fn has_repeated(&self) -> bool {
        let keys = self.reversible();
        keys.iter().enumerate().any(|(index, key)| keys[..index].contains(key))
    }

    /// The keys since the last capture or pawn move.
    fn reversible(&self) -> &[ZobristKey] {
        let count = usize::from(self.position.halfmove_clock()) + 1;
        &self.keys[self.keys.len().saturating_sub(count)..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(distance: i32, clock: i32) -> i32 {
        RootRank::by_distance(distance, clock, false).rank
    }

    #[test]
    fn all_wins_that_are_in_time_are_equal_and_others_go_by_the_distance() {
        assert_eq!(rank(3, 10), rank(40, 10));
        assert!(rank(3, 90) > rank(20, 90));
        assert!(rank(20, 90) > rank(30, 90));
        assert!(rank(140, 90) > rank(0, 90));
    }

    #[test]
    fn after_a_repetition_the_distance_decides_at_once() {
        let after = |distance| RootRank::by_distance(distance, 4, true).rank;
        assert!(after(3) > after(5));
    }

    #[test]
    fn who_loses_plays_for_the_fifty_moves_only_when_they_are_near() {
        assert_eq!(rank(-3, 10), rank(-20, 10));
        assert!(rank(-30, 60) > rank(-20, 60));
        assert!(rank(-30, 80) < rank(0, 80));
    }

    #[test]
    fn what_the_fifty_moves_decide_is_told_as_next_to_a_draw() {
        let value = |distance, clock| RootRank::by_distance(distance, clock, false).value;
        assert_eq!(value(10, 90), Value::table_win_at(Ply::new(1)));
        assert_eq!(value(11, 90), Value::CURSED_WIN);
        assert_eq!(value(0, 0), Value::DRAW);
        assert_eq!(value(-11, 90), -Value::CURSED_WIN);
        assert_eq!(value(-9, 90), -Value::table_win_at(Ply::new(1)));
    }

    #[test]
    fn outcomes_are_ranked_as_they_are_ordered() {
        let outcomes = [
            TableOutcome::Loss,
            TableOutcome::BlessedLoss,
            TableOutcome::Draw,
            TableOutcome::CursedWin,
            TableOutcome::Win,
        ];
        assert!(outcomes.map(|outcome| RootRank::by_outcome(outcome).rank).is_sorted_by(|a, b| a < b));
    }
}
