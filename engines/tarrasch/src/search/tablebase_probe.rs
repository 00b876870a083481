//! WDL probes at inner nodes of the search (Chess Programming Wiki, "Syzygy Bases").
//!
//! A win is a lower bound and a loss an upper bound, as the search may still find a mate. Draws, cursed wins and blessed
//! losses are exact.

use super::Searcher;
use super::window::Window;
use crate::tablebases::Wdl;
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Ply, Value};
use chess::Position;

/// A tablebase value is stored in the TT with this much more depth.
const TABLE_DEPTH_BONUS: i32 = 6;

/// The bounds that the tablebases set for the value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TablebaseBounds {
    floor: Value,
    ceiling: Value,
}

impl TablebaseBounds {
    /// No bounds.
    pub(super) const OPEN: TablebaseBounds =
        TablebaseBounds { floor: Value::new(-Value::INFINITE.get()), ceiling: Value::INFINITE };

    /// The bounds for this WDL at `ply`. The winner prefers a tablebase win at a lower ply.
    fn of(outcome: Wdl, ply: Ply) -> TablebaseBounds {
        let exactly = |value| TablebaseBounds { floor: value, ceiling: value };
        match outcome {
            Wdl::Win => TablebaseBounds { floor: Value::tb_win_in(ply), ..TablebaseBounds::OPEN },
            Wdl::Loss => TablebaseBounds { ceiling: -Value::tb_win_in(ply), ..TablebaseBounds::OPEN },
            Wdl::CursedWin => exactly(Value::CURSED_WIN),
            Wdl::BlessedLoss => exactly(-Value::CURSED_WIN),
            Wdl::Draw => exactly(Value::DRAW),
        }
    }

    /// The value of a node with this window, if the bounds cut it off.
    pub(super) fn cutoff_value(self, window: Window) -> Option<Value> {
        if self.floor >= window.beta || self.floor == self.ceiling {
            Some(self.floor)
        } else {
            (self.ceiling <= window.alpha).then_some(self.ceiling)
        }
    }

    /// The value of a search, clamped to the bounds.
    pub(super) fn clamp(self, value: Value) -> Value {
        value.clamp(self.floor, self.ceiling)
    }

    /// The value and its bound for the TT; `None` without bounds.
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
    /// Probes the tablebases, if they have the position, and stores the result in the TT.
    pub(super) fn probe_tablebases(
        &mut self,
        position: &Position,
        ply: Ply,
        depth: Depth,
    ) -> TablebaseBounds {
        if !self.probes_tablebases || ply.is_root() {
            return TablebaseBounds::OPEN;
        }
        let tables = self.limits.syzygy.at_node(position, depth);
        let Some(outcome) = tables.and_then(|tables| tables.probe_wdl(position)) else {
            return TablebaseBounds::OPEN;
        };
        self.tb_hits += 1;
        let bounds = TablebaseBounds::of(outcome, ply);
        if let Some((value, bound)) = bounds.entry_value() {
            let depth = (depth + TABLE_DEPTH_BONUS).min(Depth::MAX);
            self.tt.store(position.key(), ply, Entry { best: None, value, bound, depth, eval: None });
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLY: Ply = Ply::new(3);

    #[test]
    fn a_win_cuts_off_below_its_value() {
        let win = TablebaseBounds::of(Wdl::Win, PLY);
        assert_eq!(win.cutoff_value(Window::zero_above(Value::new(500))), Some(Value::tb_win_in(PLY)));
        assert_eq!(win.cutoff_value(Window::OPEN), None);
        // A mate is better, and only a search finds it.
        assert_eq!(win.clamp(Value::mate_in(Ply::new(9))), Value::mate_in(Ply::new(9)));
        assert_eq!(win.clamp(Value::new(300)), Value::tb_win_in(PLY));
    }

    #[test]
    fn a_loss_cuts_off_above_its_value() {
        let loss = TablebaseBounds::of(Wdl::Loss, PLY);
        assert_eq!(loss.cutoff_value(Window::zero_above(Value::new(-500))), Some(-Value::tb_win_in(PLY)));
        assert_eq!(loss.cutoff_value(Window::OPEN), None);
    }

    #[test]
    fn draws_are_exact_and_cursed_wins_next_to_them() {
        let values = [Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin]
            .map(|outcome| TablebaseBounds::of(outcome, PLY).cutoff_value(Window::OPEN).unwrap());
        assert!(values.is_sorted() && values[1] == Value::DRAW && values[2] == -values[0]);
    }

    #[test]
    fn without_tables_there_are_no_bounds() {
        assert_eq!(TablebaseBounds::OPEN.cutoff_value(Window::zero_above(Value::DRAW)), None);
        assert_eq!(TablebaseBounds::OPEN.clamp(Value::new(12)), Value::new(12));
        assert_eq!(TablebaseBounds::OPEN.entry_value(), None);
    }
}
