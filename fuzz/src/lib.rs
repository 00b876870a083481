//! The fuzz targets: one function for each parser that meets foreign bytes, called by the fuzz program under the
//! name of its target and, over the corpus of its name, by an ordinary test (`arbiter/tests/fuzz_corpora`).
//!
//! A function panics when the parser does, and when what it says of the bytes cannot be true.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

pub mod chess_texts;
pub mod protocol;
pub mod requests;
pub mod run_files;

/// A function that is shown bytes.
pub type Target = fn(&[u8]);

/// All functions, by the names of their targets and corpora.
pub const TARGETS: &[(&str, Target)] = &[
    ("baseline", run_files::baseline),
    ("ci_file", run_files::ci_file),
    ("control", requests::control),
    ("cutechess", requests::cutechess),
    ("engine_session", protocol::engine_session),
    ("engine_spec", requests::engine_spec),
    ("epd", chess_texts::epd),
    ("fastchess", requests::fastchess),
    ("fastchess_state", run_files::fastchess_state),
    ("fen", chess_texts::fen),
    ("http", requests::http),
    ("journal", run_files::journal),
    ("ladder", run_files::ladder),
    ("machines", run_files::machines),
    ("manifest", run_files::manifest),
    ("network", run_files::network),
    ("packed_book", chess_texts::packed_book),
    ("pgn", chess_texts::pgn),
    ("play_line", requests::play_line),
    ("polyglot", chess_texts::polyglot),
    ("pool_line", run_files::pool_line),
    ("run_file", run_files::run_file),
    ("san", chess_texts::san),
    ("saved_game", chess_texts::saved_game),
    ("saved_state", run_files::saved_state),
    ("spsa_file", run_files::spsa_file),
    ("suites", chess_texts::suites),
    ("uci_command", protocol::uci_command),
    ("uci_message", protocol::uci_message),
    ("uci_session", protocol::uci_session),
];

/// A file of this name with these bytes, for parsers that read no memory, in a folder that goes with the first value.
fn scratch_file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(name);
    fs::write(&file, bytes).expect("a file in it");
    (folder, file)
}
