//! The suites of this folder, as they are built into programs; README.md says what is in them and where they come from.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::ZlibDecoder;

struct Suite {
    kind: &'static str,
    file: &'static str,
    packed: &'static [u8],
    text: OnceLock<String>,
}

impl Suite {
    const fn new(kind: &'static str, file: &'static str, packed: &'static [u8]) -> Suite {
        Suite { kind, file, packed, text: OnceLock::new() }
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let mut text = String::new();
            ZlibDecoder::new(self.packed).read_to_string(&mut text).expect("text that the build packed");
            text
        })
    }
}

include!(concat!(env!("OUT_DIR"), "/suites.rs"));

/// The text of a suite, by its folder (`ablation`, `openings`, `perft`, `speed` or `tactics`) and its file name.
pub fn suite(kind: &str, file: &str) -> Option<&'static str> {
    SUITES.iter().find(|suite| suite.kind == kind && suite.file == file).map(Suite::text)
}

/// The file names of the suites of one kind, sorted.
pub fn names(kind: &str) -> Vec<String> {
    SUITES.iter().filter(|suite| suite.kind == kind).map(|suite| suite.file.to_owned()).collect()
}
