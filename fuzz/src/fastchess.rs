//! A command line of fastchess, one word a line.

use arbiter::compat::Tournament;

/// It is a tournament or an error, and a tournament is a run or an error.
pub fn run(bytes: &[u8]) {
    if let Ok(tournament) = Tournament::of_fastchess(&words(bytes)) {
        let _ = tournament.recorded_run_config();
    }
}

/// The words; none names a file of another program's state, which has a target of its own.
pub fn words(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter(|word| !word.starts_with("file=/dev")).map(str::to_owned).collect()
}
