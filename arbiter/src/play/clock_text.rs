//! The time on a chess clock, as text.

use std::time::Duration;

/// Below this, tenths of a second are shown.
const TENTHS_BELOW: Duration = Duration::from_secs(20);

/// Minutes and seconds, with hours if needed: `1:05:00`, `4:58`, `0:09.4`. Rounded down.
pub fn clock_text(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else if left < TENTHS_BELOW {
        format!("{minutes}:{seconds:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_time_is_shown_in_tenths() {
        for (millis, text) in
            [(3_900_000, "1:05:00"), (298_700, "4:58"), (20_000, "0:20"), (9_490, "0:09.4"), (0, "0:00.0")]
        {
            assert_eq!(clock_text(Duration::from_millis(millis)), text);
        }
    }
}
