//! Tablebases in the search: WDL probes at inner nodes, and ranks of the root moves (Chess Programming Wiki, "Syzygy
//! Bases").
//!
//! A win is a lower bound and a loss an upper bound, as the search may still find a mate. Draws, cursed wins and blessed
//! losses are exact.
//!
//! At the root all moves that surely win have the same rank, and the search chooses among them. DTZ decides only when the
//! half-move clock gets short, so that a won ending is won under the fifty-move rule. Ronald de Man's probing code does the
//! same.

use std::cmp::Ordering;

use super::Searcher;
use super::node::Window;
use crate::tablebases::Wdl;
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Ply, Tablebases, Value};
use chess::{Move, Position, ZobristKey};

/// A tablebase value is stored in the TT with this much more depth.
const TABLE_DEPTH_BONUS: i32 = 6;

/// The bounds that the tablebases set for the value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TablebaseBounds {
    floor: Value,
    ceiling: Value,
}

impl TablebaseBounds {
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

/// The half-move clock of a draw by the fifty-move rule.
const FIFTY_MOVES: i32 = 100;
/// The rank of a move that surely wins. Larger than every DTZ.
const SURE_WIN: i32 = 10_000;
/// The lowest rank of a move that wins under the fifty-move rule with best play.
const JUST_A_WIN: i32 = SURE_WIN - FIFTY_MOVES;

/// The verdict of the tablebases on a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootRank {
    /// Higher is better. The tablebases do not distinguish moves of the same rank.
    pub rank: i32,
    pub value: Value,
}

impl RootRank {
    /// The rank of a move by its DTZ, counted from the root. `clock` is the half-move clock at the root. `has_repeated`:
    /// a position has been repeated since the clock was reset, so the DTZ must decide from now on.
    fn by_dtz(dtz: i32, clock: i32, has_repeated: bool) -> RootRank {
        let rank = match dtz.cmp(&0) {
            // `<` instead of `<=`, because a DTZ may be one ply too small.
            Ordering::Greater if dtz + clock < FIFTY_MOVES && !has_repeated => SURE_WIN,
            Ordering::Greater => SURE_WIN - dtz - clock,
            Ordering::Equal => 0,
            // The fifty-move rule is too far away to help, so the search may set problems.
            Ordering::Less if clock - 2 * dtz < FIFTY_MOVES => -SURE_WIN,
            Ordering::Less => -SURE_WIN - dtz + clock,
        };
        RootRank { rank, value: value_of_rank(rank) }
    }

    /// The rank of a move by its WDL, without DTZ tables.
    fn by_wdl(wdl: Wdl) -> RootRank {
        let rank = match wdl {
            Wdl::Win => SURE_WIN,
            Wdl::CursedWin => 1,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -1,
            Wdl::Loss => -SURE_WIN,
        };
        RootRank { rank, value: value_of_rank(rank) }
    }
}

fn value_of_rank(rank: i32) -> Value {
    let value = match rank.abs() {
        0 => Value::DRAW,
        JUST_A_WIN.. => Value::tb_win_in(Ply::ROOT.next()),
        _ => Value::CURSED_WIN,
    };
    if rank < 0 { -value } else { value }
}

impl Searcher<'_> {
    /// Ranks the moves, if the tablebases have the position. Below a root ranked by DTZ they are not probed: all moves
    /// would have the same win, and the search would see no progress.
    pub(super) fn rank_root_moves(&mut self, position: &Position) {
        self.probes_tablebases = self.limits.syzygy.is_loaded();
        let Some(tables) = self.limits.syzygy.at_root(position) else { return };
        let game = Game { position, keys: &self.keys };
        let moves: Vec<Move> = self.root_moves.moves().collect();
        let ranks = game.ranks(&moves, |child| game.rank_by_dtz(tables, child));
        self.probes_tablebases = ranks.is_none();
        let ranks = ranks.or_else(|| {
            let by_wdl = |child: &Position| Some(RootRank::by_wdl(-tables.probe_wdl(child)?));
            game.ranks(&moves, by_wdl)
        });
        if let Some(ranks) = ranks {
            self.tb_hits += ranks.len() as u64;
            self.root_moves.rank(&ranks);
        }
    }
}

/// The root position and the game before it.
struct Game<'a> {
    position: &'a Position,
    /// The keys of the game's positions, the root's last.
    keys: &'a [ZobristKey],
}

impl Game<'_> {
    /// The ranks of all moves; `None` if a move has none.
    fn ranks(&self, moves: &[Move], rank: impl Fn(&Position) -> Option<RootRank>) -> Option<Vec<RootRank>> {
        moves.iter().map(|&mv| rank(&self.position.play(mv))).collect()
    }

    fn rank_by_dtz(&self, tables: &Tablebases, child: &Position) -> Option<RootRank> {
        let clock = i32::from(self.position.halfmove_clock());
        Some(RootRank::by_dtz(self.dtz(tables, child)?, clock, self.has_repeated()))
    }

    /// The DTZ from the root through `child`.
    fn dtz(&self, tables: &Tablebases, child: &Position) -> Option<i32> {
        if child.is_check() && !child.has_legal_move() {
            return Some(1);
        }
        if child.halfmove_clock() == 0 {
            return Some(match -tables.probe_wdl(child)? {
                Wdl::Win => 1,
                Wdl::CursedWin => FIFTY_MOVES + 1,
                Wdl::Draw => 0,
                Wdl::BlessedLoss => -FIFTY_MOVES - 1,
                Wdl::Loss => -1,
            });
        }
        if self.is_third_occurrence(child) || i32::from(child.halfmove_clock()) >= FIFTY_MOVES {
            return Some(0);
        }
        let after = -tables.probe_dtz(child)?;
        Some(after + after.signum())
    }

    fn is_third_occurrence(&self, child: &Position) -> bool {
        self.reversible().iter().filter(|&&key| key == child.key()).count() >= 2
    }

    /// Whether a position has occurred twice since the last capture or pawn move.
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

    const PLY: Ply = Ply::new(3);

    #[test]
    fn a_win_or_loss_cuts_off_beyond_its_value_a_draw_is_exact_and_without_tables_nothing_is_bounded() {
        let [win, loss] = [Wdl::Win, Wdl::Loss].map(|outcome| TablebaseBounds::of(outcome, PLY));
        assert_eq!(win.cutoff_value(Window::zero_above(Value::new(500))), Some(Value::tb_win_in(PLY)));
        assert_eq!(loss.cutoff_value(Window::zero_above(Value::new(-500))), Some(-Value::tb_win_in(PLY)));
        assert_eq!([win, loss].map(|bounds| bounds.cutoff_value(Window::OPEN)), [None; 2]);
        // A mate is better, and only a search finds it.
        assert_eq!(win.clamp(Value::mate_in(Ply::new(9))), Value::mate_in(Ply::new(9)));
        assert_eq!(win.clamp(Value::new(300)), Value::tb_win_in(PLY));
        let values = [Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin]
            .map(|outcome| TablebaseBounds::of(outcome, PLY).cutoff_value(Window::OPEN).unwrap());
        assert!(values.is_sorted() && values[1] == Value::DRAW && values[2] == -values[0]);
        assert_eq!(TablebaseBounds::OPEN.cutoff_value(Window::zero_above(Value::DRAW)), None);
        assert_eq!(TablebaseBounds::OPEN.clamp(Value::new(12)), Value::new(12));
        assert_eq!(TablebaseBounds::OPEN.entry_value(), None);
    }

    #[test]
    fn ranks_by_dtz_depend_on_the_clock() {
        let rank = |dtz, clock| RootRank::by_dtz(dtz, clock, false).rank;
        // Sure wins have one rank.
        assert_eq!(rank(3, 10), rank(40, 10));
        assert!(rank(3, 90) > rank(20, 90));
        assert!(rank(20, 90) > rank(30, 90));
        assert!(rank(140, 90) > rank(0, 90));
        // The losing side plays for the fifty-move rule when it is near.
        assert_eq!(rank(-3, 10), rank(-20, 10));
        assert!(rank(-30, 60) > rank(-20, 60));
        assert!(rank(-30, 80) < rank(0, 80));
        // After a repetition the DTZ decides.
        let after = |dtz| RootRank::by_dtz(dtz, 4, true).rank;
        assert!(after(3) > after(5));
    }

    #[test]
    fn a_win_that_the_fifty_move_rule_spoils_is_reported_next_to_a_draw() {
        let value = |dtz, clock| RootRank::by_dtz(dtz, clock, false).value;
        assert_eq!(value(10, 90), Value::tb_win_in(Ply::new(1)));
        assert_eq!(value(11, 90), Value::CURSED_WIN);
        assert_eq!(value(0, 0), Value::DRAW);
        assert_eq!(value(-11, 90), -Value::CURSED_WIN);
        assert_eq!(value(-9, 90), -Value::tb_win_in(Ply::new(1)));
    }

    #[test]
    fn ranks_by_wdl_are_in_the_order_of_wdl() {
        let outcomes = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];
        assert!(outcomes.map(|wdl| RootRank::by_wdl(wdl).rank).is_sorted_by(|a, b| a < b));
    }
}
