//! An engine, a time control, a seed of numbers: what stands in one word of our own command line.

use arbiter::engines::EngineSpec;
use runner::{SearchLimits, TimeControl};

/// A time control is written so that it reads as the same one.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(spec) = text.parse::<EngineSpec>() {
        let _ = spec.limits.as_ref().map(SearchLimits::validate);
    }
    if let Ok(control) = text.parse::<TimeControl>() {
        let written = control.to_string();
        assert_eq!(written.parse::<TimeControl>().as_ref(), Ok(&control), "{written}");
    }
}
