//! Iterative deepening with aspiration windows.

use std::time::Duration;

use super::limits::Technique;
use super::node::{Interrupted, Window};
use super::{Outcome, Report, Searcher, params};
use crate::transposition_table::Bound;
use crate::{Depth, Ply, Value};
use chess::{Move, Position};

/// Aspiration windows: minimum depth.
const ASPIRATION_DEPTH: Depth = Depth::new(5);
/// Aspiration windows: each fail high reduces the next search by one ply, up to this many.
const ASPIRATION_MAX_REDUCTION: i32 = 3;
/// Fails high and low are reported after this time.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);
/// Under a clock, iterations that finish sooner are not reported, except the last: at a few milliseconds per move,
/// writing a dozen lines costs both programs more time than they are worth.
const REPORT_AFTER: Duration = Duration::from_millis(5);

impl Searcher<'_> {
    /// Searches until a limit is reached. Hands finished iterations to `report`, always including the last.
    pub fn run(&mut self, position: &Position, report: &mut dyn FnMut(&Report)) -> Outcome {
        let mut stable_iterations = 0;
        let mut best_move = self.best_move();
        let mut pending = Vec::new();
        for depth in (1..=self.limits.depth.get()).map(Depth::new) {
            if self.thread.is_some_and(|thread| thread.skips_depth(depth)) {
                continue;
            }
            if self.iterate(position, depth, report).is_err() {
                // Reports the move to be played if no finished iteration reported it.
                let value = self.root_moves.line(0).known_value();
                let is_unreported = self.best_move() != best_move || self.completed_depth == Depth::ZERO;
                if is_unreported && value > -Value::INFINITE {
                    pending.push(self.report(0, value, Bound::Lower));
                }
                break;
            }
            if self.root_moves.len() == 0 {
                break;
            }
            self.completed_depth = self.root_depth;
            pending = self.best_lines();
            if !self.limits.time.has_soft_limit() || self.control.elapsed() >= REPORT_AFTER {
                for found in pending.drain(..) {
                    report(&found);
                }
            }
            stable_iterations = if self.best_move() == best_move { stable_iterations + 1 } else { 0 };
            best_move = self.best_move();
            if self.is_finished(stable_iterations) {
                break;
            }
        }
        for found in &pending {
            report(found);
        }
        self.outcome(position)
    }

    fn best_move(&self) -> Option<Move> {
        self.root_moves.best().and_then(|best| best.line.first().copied())
    }

    /// The lines of this iteration, the best first.
    fn best_lines(&self) -> Vec<Report> {
        let lines = 0..self.limits.multi_pv.min(self.root_moves.len());
        lines.map(|index| self.report(index, self.root_moves.line(index).value, Bound::Exact)).collect()
    }

    /// One iteration: finds the best lines. `report` gets fails high and low of a long search.
    fn iterate(
        &mut self,
        position: &Position,
        depth: Depth,
        report: &mut dyn FnMut(&Report),
    ) -> Result<(), Interrupted> {
        self.root_depth = depth;
        self.root_moves.begin_iteration();
        let lines = self.limits.multi_pv.min(self.root_moves.len());
        for index in 0..lines {
            self.root_moves.set_pv_index(index);
            let result = self.search_with_aspiration(position, index, report);
            self.root_moves.sort();
            // An interrupted search has not unmade its moves.
            self.keys.truncate(self.root_index + 1);
            result?;
        }
        // A later line may have a better value than the first.
        self.root_moves.set_pv_index(0);
        self.root_moves.sort();
        Ok(())
    }

    /// Searches with a window around the last value, widened until the value lies inside.
    fn search_with_aspiration(
        &mut self,
        position: &Position,
        index: usize,
        report: &mut dyn FnMut(&Report),
    ) -> Result<(), Interrupted> {
        let previous_value = self.root_moves.current().previous_value;
        let (mut radius, mut depth) = (params::aspiration_radius(), self.root_depth);
        let is_narrow = self.root_depth >= ASPIRATION_DEPTH && self.techniques.has(Technique::Aspiration);
        let mut window = if is_narrow { Window::around(previous_value, radius) } else { Window::OPEN };
        loop {
            self.root_moves.begin_window();
            let value = self.search::<true>(position, Ply::ROOT, depth, window, false)?;
            self.root_moves.sort();
            let bound = if value <= window.alpha {
                window.alpha = Window::around(value, radius).alpha;
                depth = self.root_depth;
                Bound::Upper
            } else if value >= window.beta {
                self.root_moves.set_best_bound(value);
                window.beta = Window::around(value, radius).beta;
                depth = (depth - 1).max(self.root_depth - ASPIRATION_MAX_REDUCTION);
                Bound::Lower
            } else {
                return Ok(());
            };
            if self.control.elapsed() >= BOUNDS_AFTER {
                report(&self.report(index, value, bound));
            }
            radius *= 2;
            if radius > params::aspiration_limit() {
                window = Window::OPEN;
            }
        }
    }

    /// Whether to stop instead of starting another iteration.
    fn is_finished(&self, stable_iterations: u32) -> bool {
        let value = self.root_moves.best().map_or(Value::DRAW, |best| best.value);
        let has_found_mate = self.limits.mate.is_some_and(|moves| {
            value.plies_to_mate().is_some_and(|plies| plies > 0 && plies as u32 <= 2 * moves)
        });
        let out_of_time = self.control.clock_elapsed().is_some_and(|used| {
            let is_forced = self.root_moves.len() == 1 && self.limits.time.has_soft_limit();
            is_forced
                || self.limits.time.is_past_soft_limit(used, self.stability(stable_iterations).time_factor())
        });
        has_found_mate || out_of_time || self.control.is_stopped()
    }

    fn stability(&self, iterations: u32) -> Stability {
        let best = self.root_moves.line(0);
        let is_known = best.previous_value > -Value::INFINITE;
        Stability {
            iterations,
            value_drop: if is_known { (best.previous_value - best.value).clamp(-200, 200) } else { 0 },
            node_share: best.nodes.get() as f64 / self.nodes.get().max(1) as f64,
        }
    }

    fn report(&self, index: usize, value: Value, bound: Bound) -> Report {
        Report {
            depth: self.root_depth,
            sel_depth: self.sel_depth,
            line_index: index,
            value: self.root_moves.line(index).reported_value(value),
            bound,
            nodes: self.total_nodes(),
            hashfull: self.tt.hashfull(),
            tb_hits: self.limits.syzygy.is_loaded().then(|| self.total_tb_hits()),
            time: self.control.elapsed(),
            line: self.root_moves.line(index).line.clone(),
        }
    }

    /// The best line; without a legal move an empty line with the value of mate or stalemate.
    fn outcome(&self, position: &Position) -> Outcome {
        let (line, value) = match self.root_moves.best() {
            Some(best) if best.value > -Value::INFINITE => (best.line.clone(), best.value),
            Some(best) => (best.line.clone(), best.previous_value),
            None if position.is_check() => (super::Line::new(), Value::mated_in(Ply::ROOT)),
            None => (super::Line::new(), Value::DRAW),
        };
        let (depth, sel_depth, nodes) = (self.completed_depth, self.sel_depth, self.total_nodes());
        Outcome { line, value, depth, sel_depth, nodes }
    }
}

/// How certain the search is of its move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// For how many iterations the best move has been the same.
    pub iterations: u32,
    /// By how many centipawns its value fell in the last one.
    pub value_drop: i32,
    /// The best move's share of all nodes, from 0 to 1; the rest went into refuting other moves.
    pub node_share: f64,
}

impl Stability {
    /// The factor for the soft limit: an unstable best move gets more time, a stable one less.
    pub fn time_factor(self) -> f64 {
        let percent = |value: i32| f64::from(value) / 100.0;
        let by_iterations = match self.iterations {
            0 => params::time_new_move(),
            1 => params::time_second_iteration(),
            2 => params::time_third_iteration(),
            3 => params::time_fourth_iteration(),
            4 => params::time_fifth_iteration(),
            _ => params::time_steady_move(),
        };
        let by_drop = (1.0 + f64::from(self.value_drop) * percent(params::time_drop()) / 100.0)
            .clamp(percent(params::time_drop_min()), percent(params::time_drop_max()));
        let by_share =
            (percent(params::time_share_base()) - self.node_share) * percent(params::time_share_scale());
        percent(by_iterations) * by_drop * by_share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsteady_best_move_gets_more_time() {
        let steady = Stability { iterations: 5, value_drop: 0, node_share: 0.9 };
        assert!(steady.time_factor() < 1.0);
        for unsteady in [
            Stability { iterations: 0, ..steady },
            Stability { value_drop: 60, ..steady },
            Stability { node_share: 0.4, ..steady },
        ] {
            assert!(unsteady.time_factor() > steady.time_factor());
        }
        assert!(Stability { iterations: 0, value_drop: 30, node_share: 0.5 }.time_factor() > 1.0);
    }
}
