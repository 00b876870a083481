//! The time of day.

use std::time::SystemTime;

use jiff::Timestamp;

/// The time of day. If the machine's clock is thousands of years off, the last representable time.
pub fn now() -> Timestamp {
    of(SystemTime::now())
}

fn of(time: SystemTime) -> Timestamp {
    time.try_into().unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_that_is_far_off_has_a_time() {
        assert_eq!(of(SystemTime::UNIX_EPOCH), Timestamp::UNIX_EPOCH);
        // In the year 11026.
        assert_eq!(of(SystemTime::UNIX_EPOCH + Duration::from_secs(285_800_000_000)), Timestamp::MAX);
    }
}
