//! The limits of one `go`, for engines that only ask whether to continue.

use std::time::Duration;

use super::{Color, SearchControl, TimeManager};
use crate::Go;

/// The limits of one search. An engine with iterative deepening asks two questions: whether another iteration is
/// allowed, and, at every node, whether the search must end now.
///
/// `go` without a limit allows everything until `stop`; an engine with a default depth or node limit applies it itself
/// (see [`SearchBudget::is_unlimited`]).
#[derive(Debug)]
pub struct SearchBudget<'a> {
    control: &'a SearchControl,
    time: TimeManager,
    nodes: Option<u64>,
    depth: Option<u32>,
    infinite: bool,
}

impl<'a> SearchBudget<'a> {
    /// The clock is checked every this many nodes, a power of two.
    const CLOCK_INTERVAL: u64 = 256;
    /// An unsteady best move deserves more time, a steady one less: the factor for the soft limit after so many iterations
    /// with the same best move.
    const FACTORS: [f64; 6] = [1.5, 1.2, 1.0, 0.9, 0.85, 0.8];

    /// The budget of `us` under `go`. `overhead` is lost on the way between us and the runner's clock.
    pub fn new(go: &Go, us: Color, overhead: Duration, control: &'a SearchControl) -> SearchBudget<'a> {
        SearchBudget {
            control,
            time: TimeManager::for_move(go, us, overhead),
            nodes: go.nodes,
            depth: go.depth,
            infinite: go.infinite,
        }
    }

    /// Whether the search must end now, after `nodes` nodes. A node limit is never exceeded. The clock and `stop` are
    /// checked once in 256 nodes, so call this at every node.
    pub fn is_spent(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|limit| nodes >= limit)
            || (nodes.is_multiple_of(SearchBudget::CLOCK_INTERVAL) && self.is_over())
    }

    /// Whether an iteration to `depth` plies may begin, after `nodes` nodes. `iterations_with_move` is the number of
    /// iterations with the same best move.
    ///
    /// In a plain search an iteration takes several times as long as all before it. If it began in the second half of
    /// the time, it would usually not finish.
    pub fn allows_iteration(&self, depth: u32, nodes: u64, iterations_with_move: u32) -> bool {
        let factor =
            SearchBudget::FACTORS[(iterations_with_move as usize).min(SearchBudget::FACTORS.len() - 1)];
        let is_late = |used: Duration| self.time.is_past_soft_limit(2 * used, factor);
        self.depth.is_none_or(|limit| depth <= limit)
            && self.nodes.is_none_or(|limit| nodes < limit)
            && !self.control.clock_elapsed().is_some_and(is_late)
            && !self.is_over()
    }

    /// The depth limit of `go` in plies.
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// Whether `go` has no limit, not even `infinite`.
    pub fn is_unlimited(&self) -> bool {
        !self.infinite && self.depth.is_none() && self.nodes.is_none() && self.time == TimeManager::UNLIMITED
    }

    /// Whether `stop` came or the time is up.
    fn is_over(&self) -> bool {
        let is_up = |used| self.time.is_past_hard_limit(used);
        self.control.is_stopped() || self.control.clock_elapsed().is_some_and(is_up)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::Command;

    fn control() -> SearchControl {
        SearchControl::new(Instant::now(), false)
    }

    fn budget<'a>(text: &str, control: &'a SearchControl) -> SearchBudget<'a> {
        let Ok(Command::Go(go)) = text.parse() else { panic!("`{text}` is a go command") };
        SearchBudget::new(&go, Color::White, Duration::from_millis(10), control)
    }

    #[test]
    fn nodes_are_never_exceeded() {
        let control = control();
        let budget = budget("go nodes 100", &control);
        assert!(!budget.is_spent(99));
        assert!(budget.is_spent(100));
        assert!(!budget.allows_iteration(1, 100, 0));
    }

    #[test]
    fn a_depth_limits_the_iterations() {
        let control = control();
        let budget = budget("go depth 4", &control);
        assert!(budget.allows_iteration(4, 1_000, 0));
        assert!(!budget.allows_iteration(5, 1_000, 0));
    }

    #[test]
    fn stop_ends_everything() {
        let control = control();
        let budget = budget("go infinite", &control);
        assert!(!budget.is_spent(256));
        control.stop();
        assert!(budget.is_spent(512));
        assert!(!budget.allows_iteration(2, 0, 0));
    }

    #[test]
    fn the_clock_ends_a_search_by_itself() {
        let control = control();
        let budget = budget("go movetime 11", &control);
        assert!(!budget.is_unlimited());
        std::thread::sleep(Duration::from_millis(2));
        assert!(budget.is_spent(256));
    }

    #[test]
    fn no_iteration_begins_in_the_second_half_of_the_time() {
        let begins_after = |millis| {
            let started = Instant::now().checked_sub(Duration::from_millis(millis)).unwrap();
            let control = SearchControl::new(started, false);
            // 11 s / 22: half a second.
            budget("go wtime 11010 btime 11010", &control).allows_iteration(5, 1_000, 2)
        };
        assert!(begins_after(100));
        assert!(!begins_after(300));
    }

    #[test]
    fn only_a_bare_go_is_unlimited() {
        let control = control();
        assert!(budget("go", &control).is_unlimited());
        assert!(!budget("go infinite", &control).is_unlimited());
        assert!(!budget("go depth 3", &control).is_unlimited());
    }
}
