//! One iteration after the other, each a ply deeper and quicker for what the last one found.

use super::interrupted::Interrupted;
use super::params;
use super::techniques::Technique;
use super::window::Window;
use super::{Outcome, Report, Searcher};
use crate::transposition_table::Bound;
use crate::{Depth, Ply, Value};
use chess::{Move, Position};
use std::time::Duration;
use uci::server::Steadiness;

/// Aspiration: from this depth.
const ASPIRATION_DEPTH: Depth = Depth::new(5);
/// Aspiration: so many plies less deep at most is a move searched that turned out too good for the window.
const ASPIRATION_PLIES: i32 = 3;
/// Bounds are reported only when a search has gone on so long that someone may be waiting for news.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);
/// When a clock decides, an iteration that ends sooner is reported only if it is the last: at a few milliseconds a
/// move, a dozen lines in the first of them take both sides of the pipe more time than they are worth.
const NEWS_AFTER: Duration = Duration::from_millis(5);

impl Searcher<'_> {
    /// Searches until a limit is met and hands the finished iterations to `report`, the last one always.
    pub fn run(&mut self, position: &Position, report: &mut dyn FnMut(&Report)) -> Outcome {
        let mut steady_iterations = 0;
        let mut best_move = self.best_move();
        let mut news = Vec::new();
        for depth in (1..=self.limits.depth.get()).map(Depth::new) {
            if self.seat.is_some_and(|seat| seat.skips(depth)) {
                continue;
            }
            if self.iterate(position, depth, report).is_err() {
                // A better move than that of the last iteration will be played, or the first there is: tell it.
                let value = self.root_moves.line(0).known_value();
                let is_untold = self.best_move() != best_move || self.completed == Depth::ZERO;
                if is_untold && value > -Value::INFINITE {
                    news.push(self.report(0, value, Bound::Lower));
                }
                break;
            }
            if self.root_moves.len() == 0 {
                break;
            }
            self.completed = self.iteration;
            news = self.best_lines();
            if !self.limits.time.is_by_clock() || self.control.elapsed() >= NEWS_AFTER {
                for found in news.drain(..) {
                    report(&found);
                }
            }
            steady_iterations = if self.best_move() == best_move { steady_iterations + 1 } else { 0 };
            best_move = self.best_move();
            if self.is_enough(steady_iterations) {
                break;
            }
        }
        for found in &news {
            report(found);
        }
        self.outcome(position)
    }

    fn best_move(&self) -> Option<Move> {
        self.root_moves.best().and_then(|best| best.line.first().copied())
    }

    /// The lines that the iteration found, the best first.
    fn best_lines(&self) -> Vec<Report> {
        let lines = 0..self.limits.multi_pv.min(self.root_moves.len());
        lines.map(|index| self.report(index, self.root_moves.line(index).value, Bound::Exact)).collect()
    }

    /// Finds the best lines to one depth; `report` hears of values outside the window in a long search.
    fn iterate(
        &mut self,
        position: &Position,
        depth: Depth,
        report: &mut dyn FnMut(&Report),
    ) -> Result<(), Interrupted> {
        self.iteration = depth;
        self.root_moves.begin_iteration();
        let lines = self.limits.multi_pv.min(self.root_moves.len());
        for index in 0..lines {
            self.root_moves.begin_line(index);
            let searched = self.aspire(position, index, report);
            self.root_moves.sort();
            self.keys.truncate(self.root_index + 1);
            searched?;
        }
        // A later line may turn out better than an earlier one.
        self.root_moves.begin_line(0);
        self.root_moves.sort();
        Ok(())
    }

    /// Searches with a narrow window around the last value, and with a wider one when the value is outside.
    fn aspire(
        &mut self,
        position: &Position,
        index: usize,
        report: &mut dyn FnMut(&Report),
    ) -> Result<(), Interrupted> {
        let expected = self.root_moves.current().previous;
        let (mut radius, mut depth) = (params::aspiration_radius(), self.iteration);
        let is_narrow = self.iteration >= ASPIRATION_DEPTH && self.techniques.has(Technique::Aspiration);
        let mut window = if is_narrow { Window::around(expected, radius) } else { Window::OPEN };
        loop {
            self.root_moves.begin_window();
            let value = self.search::<true>(position, Ply::ROOT, depth, window, false)?;
            self.root_moves.sort();
            let bound = if value <= window.alpha {
                window.alpha = Window::around(value, radius).alpha;
                depth = self.iteration;
                Bound::Upper
            } else if value >= window.beta {
                self.root_moves.keep_best(value);
                window.beta = Window::around(value, radius).beta;
                // By how much it is better need not be known so exactly.
                depth = (depth - 1).max(self.iteration - ASPIRATION_PLIES);
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

    /// Whether another iteration is pointless, or not worth its time.
    fn is_enough(&self, steady_iterations: u32) -> bool {
        let value = self.root_moves.best().map_or(Value::DRAW, |best| best.value);
        let has_found_mate = self.limits.mate.is_some_and(|moves| {
            value.plies_to_mate().is_some_and(|plies| plies > 0 && plies as u32 <= 2 * moves)
        });
        let out_of_time = self.control.clock_elapsed().is_some_and(|used| {
            let is_forced = self.root_moves.len() == 1 && self.limits.time.is_by_clock();
            is_forced || self.limits.time.should_not_continue(used, self.steadiness(steady_iterations))
        });
        has_found_mate || out_of_time || self.control.is_stopped()
    }

    /// What the iterations say about how sure the best move is.
    fn steadiness(&self, iterations: u32) -> Steadiness {
        let best = self.root_moves.line(0);
        let is_known = best.previous > -Value::INFINITE;
        Steadiness {
            iterations,
            drop: if is_known { (best.previous - best.value).clamp(-200, 200) } else { 0 },
            share: best.nodes.get() as f64 / self.nodes.get().max(1) as f64,
        }
    }

    fn report(&self, index: usize, value: Value, bound: Bound) -> Report {
        Report {
            depth: self.iteration,
            deepest: self.deepest,
            line_index: index,
            value: self.root_moves.line(index).told(value),
            bound,
            nodes: self.team_nodes(),
            hashfull: self.table.hashfull(),
            tb_hits: self.limits.tables.is_possible().then(|| self.team_table_hits()),
            time: self.control.elapsed(),
            line: self.root_moves.line(index).line.clone(),
        }
    }

    /// The best line, or what the rules say when there is no move.
    fn outcome(&self, position: &Position) -> Outcome {
        let (line, value) = match self.root_moves.best() {
            Some(best) if best.value > -Value::INFINITE => (best.line.clone(), best.value),
            Some(best) => (best.line.clone(), best.previous),
            None if position.is_check() => (super::Line::new(), Value::mated_in(Ply::ROOT)),
            None => (super::Line::new(), Value::DRAW),
        };
        let (depth, deepest, nodes) = (self.completed, self.deepest, self.team_nodes());
        Outcome { line, value, depth, deepest, nodes }
    }
}
