//! A command line of cutechess-cli, one word a line.

use arbiter::compat::Tournament;

use super::fastchess::words;

/// It is a tournament or an error, and a tournament is a run or an error.
pub fn run(bytes: &[u8]) {
    if let Ok(tournament) = Tournament::of_cutechess(&words(bytes)) {
        let _ = tournament.recorded_run_config();
    }
}
