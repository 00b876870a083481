//! What endgame tables say about a node of the search (Chess Programming Wiki, "Syzygy Bases").
//!
//! A win or loss is a bound: the mate behind it may still be found, and is worth more than the table's word. A draw is
//! exact, and so is what only the fifty-move rule makes a draw, a hundredth of a pawn away from it.

use super::Searcher;
use super::window::Window;
use crate::tablebases::TableOutcome;
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Ply, Value};
use chess::Position;

/// A table is as good as a search this much deeper, when entries of the hash table compete.
const TABLE_DEPTH_BONUS: i32 = 6;

/// The values that the tables leave to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TablebaseBounds {
    floor: Value,
    ceiling: Value,
}

impl TablebaseBounds {
    /// Nothing is known.
    pub(super) const OPEN: TablebaseBounds =
        TablebaseBounds { floor: Value::new(-Value::INFINITE.get()), ceiling: Value::INFINITE };

    /// What an outcome means at `ply`: the sooner the tables are reached, the better for the winner.
    fn of(outcome: TableOutcome, ply: Ply) -> TablebaseBounds {
        let exactly = |value| TablebaseBounds { floor: value, ceiling: value };
        match outcome {
            TableOutcome::Win => TablebaseBounds { floor: Value::table_win_at(ply), ..TablebaseBounds::OPEN },
            TableOutcome::Loss => {
                TablebaseBounds { ceiling: -Value::table_win_at(ply), ..TablebaseBounds::OPEN }
            }
            TableOutcome::CursedWin => exactly(Value::CURSED_WIN),
            TableOutcome::BlessedLoss => exactly(-Value::CURSED_WIN),
            TableOutcome::Draw => exactly(Value::DRAW),
        }
    }

    /// The value of a node with this window, if it needs no search any more.
    pub(super) fn settle(self, window: Window) -> Option<Value> {
        if self.floor >= window.beta || self.floor == self.ceiling {
            Some(self.floor)
        } else {
            (self.ceiling <= window.alpha).then_some(self.ceiling)
        }
    }

    /// What a search found, as far as the tables agree.
    pub(super) fn clamp(self, value: Value) -> Value {
        value.clamp(self.floor, self.ceiling)
    }

    /// The value and what it is, for the hash table; `None` if nothing is known.
    fn entry_value(self) -> Option<(Value, Bound)> {
        if self == TablebaseBounds::OPEN {
            None
        } else if self.floor == self.ceiling {
            Some((self.floor, Bound::Exact))
        } else if self.ceiling == Value::INFINITE {
            Some((self.floor, Bound::Lower))
        } else {
            Some((self.ceiling, Bound::Upper))
        }
    }
}

impl Searcher<'_> {
    /// Looks the position up, if there are tables for it, and keeps the answer in the hash table.
    pub(super) fn probe_tablebases(
        &mut self,
        position: &Position,
        ply: Ply,
        depth: Depth,
    ) -> TablebaseBounds {
        if !self.probes_tablebases || ply.is_root() {
            return TablebaseBounds::OPEN;
        }
        let tables = self.limits.tables.at_node(position, depth);
        let Some(outcome) = tables.and_then(|tables| tables.outcome(position)) else {
            return TablebaseBounds::OPEN;
        };
        self.tb_hits += 1;
        let bounds = TablebaseBounds::of(outcome, ply);
        if let Some((value, bound)) = bounds.entry_value() {
            let depth = (depth + TABLE_DEPTH_BONUS).min(Depth::MAX);
            self.table.store(position.key(), ply, Entry { best: None, value, bound, depth, eval: None });
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLY: Ply = Ply::new(3);

    #[test]
    fn a_win_is_enough_where_the_opponent_allows_no_evaluation_so_good() {
        let win = TablebaseBounds::of(TableOutcome::Win, PLY);
        assert_eq!(win.settle(Window::zero_above(Value::new(500))), Some(Value::table_win_at(PLY)));
        assert_eq!(win.settle(Window::OPEN), None);
        // A mate is better, and only a search finds it.
        assert_eq!(win.clamp(Value::mate_in(Ply::new(9))), Value::mate_in(Ply::new(9)));
        assert_eq!(win.clamp(Value::new(300)), Value::table_win_at(PLY));
    }

    #[test]
    fn a_loss_is_enough_where_something_better_is_at_hand() {
        let loss = TablebaseBounds::of(TableOutcome::Loss, PLY);
        assert_eq!(loss.settle(Window::zero_above(Value::new(-500))), Some(-Value::table_win_at(PLY)));
        assert_eq!(loss.settle(Window::OPEN), None);
    }

    #[test]
    fn draws_are_exact_and_those_by_the_clock_beside_them() {
        let values = [TableOutcome::BlessedLoss, TableOutcome::Draw, TableOutcome::CursedWin]
            .map(|outcome| TablebaseBounds::of(outcome, PLY).settle(Window::OPEN).unwrap());
        assert!(values.is_sorted() && values[1] == Value::DRAW && values[2] == -values[0]);
    }

    #[test]
    fn without_an_answer_everything_is_left_to_the_search() {
        assert_eq!(TablebaseBounds::OPEN.settle(Window::zero_above(Value::DRAW)), None);
        assert_eq!(TablebaseBounds::OPEN.clamp(Value::new(12)), Value::new(12));
        assert_eq!(TablebaseBounds::OPEN.entry_value(), None);
    }
}
