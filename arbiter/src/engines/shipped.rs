//! The engine manifests of this repository, which are built into the program, so that an installed `arbiter` knows the
//! engines that come with it from any folder.

use include_dir::{Dir, include_dir};

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
