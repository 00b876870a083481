//! A suite for perft or tactics.

use arbiter::measure::perft::PerftSuite;
use arbiter::measure::tactics::TacticsSuite;

/// It is a suite or an error.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(suite) = PerftSuite::parse("x.epd", &text) {
        for position in suite.positions {
            let _ = position.within(3, 1000);
        }
    }
    if let Ok(suite) = TacticsSuite::parse("x.epd", &text) {
        for position in suite.positions {
            let _ = (position.max_points(), position.points_for("e2e4"));
        }
    }
}
