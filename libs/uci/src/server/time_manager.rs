//! The thinking time of a move.

use std::time::Duration;

use crate::Go;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    /// Time left for the side to move.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl ClockState {
    /// The clock of White or of Black, if `go` has it.
    fn of(go: &Go, is_white: bool) -> Option<ClockState> {
        let (remaining, increment) = if is_white { (go.wtime, go.winc) } else { (go.btime, go.binc) };
        let increment = increment.unwrap_or_default();
        remaining.map(|remaining| ClockState { remaining, increment, moves_to_go: go.movestogo })
    }
}

/// The time that a search may use, counted from the start of the engine's clock.
///
/// The soft limit is checked between iterations, and scaled by how unsteady the best move is. The hard limit is checked
/// every few hundred nodes and is never exceeded on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeManager {
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl TimeManager {
    /// No time limit.
    pub const UNLIMITED: TimeManager = TimeManager { soft: None, hard: None };

    /// The expected number of remaining moves if there is no `movestogo`.
    const EXPECTED_MOVES: u32 = 22;
    /// The hard limit as a multiple of the soft limit.
    const MAX_FACTOR: f64 = 4.0;
    /// The largest share of the remaining time that one move may use.
    const MAX_SHARE: f64 = 0.6;
    /// The shortest thinking time, for clocks that have almost run out.
    const MINIMUM: Duration = Duration::from_micros(300);
    /// The share of future increments that is spent in advance. With half of them, the clock settles some eight increments
    /// above the overhead. With three quarters it settled at three: at 2+0.02, a stall of 60 ms then lost on time, and a
    /// busy virtual machine has one in every few hundred games.
    const INCREMENT_SHARE: f64 = 0.5;

    /// The time of a search for White or Black under `go`; `infinite` overrides clocks. `overhead` is the time per move
    /// that is lost between the engine's and the runner's clock.
    pub fn for_move(go: &Go, is_white: bool, overhead: Duration) -> TimeManager {
        if go.infinite {
            return TimeManager::UNLIMITED;
        }
        let by_move_time = go.movetime.map(|time| TimeManager::from_move_time(time, overhead));
        let by_clock = ClockState::of(go, is_white).map(|clock| TimeManager::from_clock(clock, overhead));
        by_move_time.into_iter().chain(by_clock).fold(TimeManager::UNLIMITED, TimeManager::and)
    }

    /// The time for one move, given the clock and the overhead per move.
    pub fn from_clock(clock: ClockState, overhead: Duration) -> TimeManager {
        let usable = clock.remaining.saturating_sub(overhead).max(TimeManager::MINIMUM);
        let moves = clock.moves_to_go.unwrap_or(TimeManager::EXPECTED_MOVES).clamp(1, 50);
        // Later moves add increments. The overhead is reserved once, not once per move: its real cost shows in the clock,
        // and charging 10 ms a move would leave no thinking time at 0.2+0.002.
        let budget = usable + (clock.increment * (moves - 1)).mul_f64(TimeManager::INCREMENT_SHARE);
        let share = if moves == 1 { 0.9 } else { TimeManager::MAX_SHARE };
        let ceiling = usable.mul_f64(share).max(TimeManager::MINIMUM);
        let soft = (budget / moves).clamp(TimeManager::MINIMUM, ceiling);
        let hard = soft.mul_f64(TimeManager::MAX_FACTOR).min(ceiling);
        TimeManager { soft: Some(soft), hard: Some(hard) }
    }

    /// All of a fixed time per move, minus the overhead.
    pub fn from_move_time(time: Duration, overhead: Duration) -> TimeManager {
        TimeManager { soft: None, hard: Some(time.saturating_sub(overhead).max(TimeManager::MINIMUM)) }
    }

    /// The stricter of both limits.
    #[must_use]
    pub fn and(self, other: TimeManager) -> TimeManager {
        let stricter = |a: Option<Duration>, b: Option<Duration>| a.into_iter().chain(b).min();
        TimeManager { soft: stricter(self.soft, other.soft), hard: stricter(self.hard, other.hard) }
    }

    /// Whether the search must end at once, even in the middle of an iteration.
    pub fn is_past_hard_limit(&self, used: Duration) -> bool {
        self.hard.is_some_and(|hard| used >= hard)
    }

    /// Whether another iteration is no longer worth starting. `factor` scales the soft limit: it is smaller the surer the
    /// search is of its move.
    pub fn is_past_soft_limit(&self, used: Duration, factor: f64) -> bool {
        self.soft.is_some_and(|soft| used >= soft.mul_f64(factor))
    }

    /// Whether there is a game clock, so that a single legal move is played without thought.
    pub fn has_soft_limit(&self) -> bool {
        self.soft.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Command;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeManager {
        let clock = ClockState {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        TimeManager::from_clock(clock, OVERHEAD)
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let Ok(Command::Go(go)) = "go wtime 1000 btime 60000 binc 5".parse() else { panic!("a go command") };
        let clock = ClockState::of(&go, false).unwrap();
        assert_eq!((clock.remaining, clock.increment), (Duration::from_mins(1), Duration::from_millis(5)));
    }

    #[test]
    fn the_soft_limit_is_never_beyond_the_hard_one_which_leaves_the_overhead_on_the_clock() {
        for remaining in [0, 1, 5, 12, 20, 50, 100, 200, 1_000, 10_000, 60_000] {
            for increment in [0, 2, 20, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(3), Some(40), Some(500)] {
                    let TimeManager { soft, hard } = clock(remaining, increment, moves_to_go);
                    let context = format!("{remaining}+{increment} {moves_to_go:?}");
                    assert!(soft <= hard, "{context}");
                    // A clock that has almost run out still gets a moment.
                    let left = Duration::from_millis(remaining.max(12));
                    assert!(hard.unwrap() + OVERHEAD <= left, "{context}");
                }
            }
        }
    }

    #[test]
    fn a_run_down_clock_still_gets_a_moment() {
        let time = clock(3, 0, None);
        assert!(!time.is_past_hard_limit(TimeManager::MINIMUM / 2));
        assert!(time.is_past_hard_limit(TimeManager::MINIMUM));
    }

    #[test]
    fn the_clock_comes_to_rest_above_the_overhead() {
        let (mut remaining, increment) = (Duration::from_millis(200), Duration::from_millis(2));
        for _ in 0..400 {
            let state = ClockState { remaining, increment, moves_to_go: None };
            let used = TimeManager::from_clock(state, OVERHEAD).soft.unwrap();
            remaining = remaining.saturating_sub(used) + increment;
        }
        assert!(remaining > 2 * OVERHEAD, "{remaining:?}");
    }

    #[test]
    fn the_soft_limits_of_a_whole_game_fit_into_its_clock() {
        let (mut remaining, increment) = (Duration::from_secs(2), Duration::from_millis(20));
        for played in 0..200 {
            let state = ClockState { remaining, increment, moves_to_go: None };
            let used = TimeManager::from_clock(state, OVERHEAD).soft.unwrap() + OVERHEAD;
            assert!(used < remaining, "move {played}");
            remaining = remaining.saturating_sub(used) + increment;
        }
    }

    #[test]
    fn a_fixed_time_has_only_a_hard_limit() {
        let time = TimeManager::from_move_time(Duration::from_millis(100), OVERHEAD);
        assert!(!time.is_past_soft_limit(Duration::from_millis(89), 0.5));
        assert!(time.is_past_hard_limit(Duration::from_millis(90)));
        assert!(!time.has_soft_limit());
    }
}
