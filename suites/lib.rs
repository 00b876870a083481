//! The suites of this folder, as they are built into programs; README.md says what is in them and where they come from.

use include_dir::{Dir, include_dir};

static SUITES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR");

/// The text of a suite, by its folder (`ablation`, `openings`, `perft`, `speed` or `tactics`) and its file name.
pub fn suite(kind: &str, file: &str) -> Option<&'static str> {
    SUITES.get_file(format!("{kind}/{file}"))?.contents_utf8()
}

/// The file names of the suites of one kind, sorted.
pub fn names(kind: &str) -> Vec<String> {
    let files = SUITES.get_dir(kind).into_iter().flat_map(Dir::files);
    let mut names: Vec<String> =
        files.filter_map(|file| Some(file.path().file_name()?.to_string_lossy().into_owned())).collect();
    names.sort();
    names
}
