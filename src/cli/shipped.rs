//! What is built into the program, so that an installed `arbiter` works from any folder: the suites and the engine
//! manifests of this repository.

use include_dir::{Dir, include_dir};

static SUITES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/suites");
/// Gathered by the build script.
static MANIFESTS: Dir<'_> = include_dir!("$OUT_DIR/manifests");

/// The text of a manifest that ships.
pub fn manifest(name: &str) -> Option<&'static str> {
    MANIFESTS.get_file(format!("{name}.toml"))?.contents_utf8()
}

/// The names of the manifests that ship.
pub fn manifest_names() -> Vec<String> {
    let names = MANIFESTS.files().filter_map(|file| file.path().file_stem());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

/// The text of a suite that ships, by its folder (`openings`, `perft`, `speed` or `tactics`) and its file name.
pub fn suite(kind: &str, file: &str) -> Option<&'static str> {
    SUITES.get_file(format!("{kind}/{file}"))?.contents_utf8()
}

/// The file names of the suites of one kind that ship, sorted.
pub fn suite_names(kind: &str) -> Vec<String> {
    let files = SUITES.get_dir(kind).into_iter().flat_map(Dir::files);
    let mut names: Vec<String> =
        files.filter_map(|file| Some(file.path().file_name()?.to_string_lossy().into_owned())).collect();
    names.sort();
    names
}
