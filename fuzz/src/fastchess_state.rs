//! What fastchess keeps of a tournament to continue it.

use arbiter::compat::Tournament;

use super::scratch;

/// It is a tournament or an error, and a tournament is a run or an error.
pub fn run(bytes: &[u8]) {
    let (_folder, file) = scratch::file("config.json", bytes);
    let args = ["-config".to_owned(), format!("file={}", file.display())];
    if let Ok(tournament) = Tournament::of_fastchess(&args) {
        let _ = tournament.recorded_run_config();
    }
}
