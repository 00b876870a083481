//! The `go` command of a game, with the clocks.

use std::time::Duration;

use super::Clock;
use crate::SearchLimits;
use referee::Side;
use uci::Go;

/// The smallest clock value that is sent. UCI times are whole milliseconds, and many engines read 0 as no clock.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// The `go` for the side to move, from its own limits and both clocks (White's first).
///
/// An engine without a clock gets no clock, even if its opponent has one; one with a clock gets its own and that of its
/// opponent, if there is one. All is as in fastchess, of which the test has the lines.
pub fn search_order(limits: &SearchLimits, clocks: &[Option<Clock>; 2], side: Side) -> Go {
    let mut go = limits.go();
    if let Some(own) = &clocks[side as usize] {
        let [white, black] = clocks;
        let time = |clock: &Option<Clock>| clock.as_ref().map(|clock| clock.remaining().max(LEAST_TIME));
        let increment =
            |clock: &Option<Clock>| clock.as_ref().map(Clock::increment).filter(|time| !time.is_zero());
        (go.wtime, go.btime) = (time(white), time(black));
        (go.winc, go.binc) = (increment(white), increment(black));
        go.movestogo = own.moves_to_go();
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White's and Black's clock, where they have one.
    fn clocks(controls: [Option<&str>; 2]) -> [Option<Clock>; 2] {
        controls.map(|control| Some(Clock::new(control?.parse().unwrap(), Duration::ZERO)))
    }

    fn limits(nodes: Option<u64>, depth: Option<u32>) -> SearchLimits {
        SearchLimits { nodes, depth, ..SearchLimits::default() }
    }

    fn order(limits: &SearchLimits, clocks: &[Option<Clock>; 2], side: Side) -> String {
        search_order(limits, clocks, side).to_string()
    }

    #[test]
    fn a_time_handicap_shows_both_clocks_to_both() {
        let clocks = clocks([Some("10+0.1"), Some("40/60")]);
        let none = limits(None, None);
        assert_eq!(order(&none, &clocks, Side::White), "go wtime 10100 btime 60000 winc 100");
        assert_eq!(order(&none, &clocks, Side::Black), "go wtime 10100 btime 60000 winc 100 movestogo 40");
    }

    #[test]
    fn a_clock_goes_with_nodes_and_depth() {
        let clocks = clocks([Some("1"), Some("1")]);
        let text = order(&limits(Some(5000), Some(9)), &clocks, Side::White);
        assert_eq!(text, "go nodes 5000 depth 9 wtime 1000 btime 1000");
    }

    #[test]
    fn an_opponent_without_a_clock_has_none_in_the_order() {
        let clocks = clocks([Some("10+0.1"), None]);
        let timed = order(&limits(None, None), &clocks, Side::White);
        assert_eq!(timed, "go wtime 10100 winc 100");
        assert_eq!(order(&limits(Some(700), None), &clocks, Side::Black), "go nodes 700");
    }

    #[test]
    fn a_clock_with_next_to_nothing_left_is_still_a_clock() {
        let clocks = clocks([Some("0.0004"), Some("1")]);
        assert_eq!(order(&limits(None, None), &clocks, Side::White), "go wtime 1 btime 1000");
    }

    #[test]
    fn a_pure_increment_is_there_for_the_first_move() {
        let clocks = clocks([Some("0+0.1"), Some("0+0.1")]);
        let text = order(&limits(None, None), &clocks, Side::White);
        assert_eq!(text, "go wtime 100 btime 100 winc 100 binc 100");
    }
}
