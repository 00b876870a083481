//! What is done with foreign bytes: one function for each parser that meets them, called by the fuzz target of its name
//! and, over the corpus of its name, by an ordinary test (`arbiter/tests/fuzz_corpora`).
//!
//! A function panics when the parser does, and when what it says of the bytes cannot be true.

pub mod baseline;
pub mod ci_file;
pub mod control;
pub mod cutechess;
pub mod engine_session;
pub mod engine_spec;
pub mod epd;
pub mod fastchess;
pub mod fastchess_state;
pub mod fen;
pub mod http;
pub mod journal;
pub mod manifest;
pub mod network;
pub mod packed_book;
pub mod pgn;
pub mod play_line;
pub mod polyglot;
pub mod run_file;
pub mod san;
pub mod saved_game;
mod scratch;
pub mod spsa_file;
pub mod suites;
pub mod uci_command;
pub mod uci_message;
pub mod uci_session;

/// A function that is shown bytes.
pub type Target = fn(&[u8]);

/// All functions, by the names of their targets and corpora.
pub const TARGETS: &[(&str, Target)] = &[
    ("baseline", baseline::run),
    ("ci_file", ci_file::run),
    ("control", control::run),
    ("cutechess", cutechess::run),
    ("engine_session", engine_session::run),
    ("engine_spec", engine_spec::run),
    ("epd", epd::run),
    ("fastchess", fastchess::run),
    ("fastchess_state", fastchess_state::run),
    ("fen", fen::run),
    ("http", http::run),
    ("journal", journal::run),
    ("manifest", manifest::run),
    ("network", network::run),
    ("packed_book", packed_book::run),
    ("pgn", pgn::run),
    ("play_line", play_line::run),
    ("polyglot", polyglot::run),
    ("run_file", run_file::run),
    ("san", san::run),
    ("saved_game", saved_game::run),
    ("spsa_file", spsa_file::run),
    ("suites", suites::run),
    ("uci_command", uci_command::run),
    ("uci_message", uci_message::run),
    ("uci_session", uci_session::run),
];
