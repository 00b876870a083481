//! The `TimeControl` tag of PGN.

use std::fmt::Write as _;

use runner::{SearchLimits, Stage};

/// What bounds the engines' thinking, as section 9.6.1 of the PGN standard (Edwards 1994) writes it: `40/60`, `8+0.08`,
/// stages joined by colons, `-` without any clock. Unlike the standard it has fractions of seconds. A fixed time per
/// move is written as `1/SECONDS`.
pub fn pgn_time_control(limits: &SearchLimits) -> String {
    if let Some(time) = limits.movetime {
        return format!("1/{}", time.as_secs_f64());
    }
    match &limits.clock {
        Some(clock) => clock.stages().iter().map(stage).collect::<Vec<_>>().join(":"),
        None => "-".to_owned(),
    }
}

fn stage(stage: &Stage) -> String {
    let mut text = stage.moves.map_or_else(String::new, |moves| format!("{moves}/"));
    text += &stage.time.as_secs_f64().to_string();
    if !stage.increment.is_zero() {
        write!(text, "+{}", stage.increment.as_secs_f64()).expect("a String takes every text");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn clocks_are_written_as_the_standard_has_them() {
        let cases = [("10+0.1", "10+0.1"), ("40/1:00", "40/60"), ("40/60,20/30,5+1", "40/60:20/30:5+1")];
        for (ours, pgn) in cases {
            let limits = SearchLimits { clock: Some(ours.parse().unwrap()), ..SearchLimits::default() };
            assert_eq!(pgn_time_control(&limits), pgn);
        }
    }

    #[test]
    fn without_a_clock_there_is_a_dash_or_the_time_per_move() {
        let mut limits = SearchLimits { nodes: Some(1000), ..SearchLimits::default() };
        assert_eq!(pgn_time_control(&limits), "-");
        limits.movetime = Some(Duration::from_millis(100));
        assert_eq!(pgn_time_control(&limits), "1/0.1");
    }
}
