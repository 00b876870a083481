//! The engine manifests of this repository, built into the program, so that an installed `arbiter` finds them from any
//! folder.

use include_dir::{Dir, include_dir};

/// `NAME.toml` is a link to `engines/NAME/engine.toml` of the repository, which a package of this crate has as a file.
static MANIFESTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/engines");

/// The text of a built-in manifest.
pub fn manifest(name: &str) -> Option<&'static str> {
    MANIFESTS.get_file(format!("{name}.toml"))?.contents_utf8()
}

/// The names of the built-in manifests.
pub fn manifest_names() -> Vec<String> {
    let names = MANIFESTS.files().filter_map(|file| file.path().file_stem());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_manifest_of_the_repository_ships_as_it_is() {
        let engines = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engines");
        let mut names = Vec::new();
        for engine in fs::read_dir(engines).unwrap().map(Result::unwrap) {
            if let Ok(text) = fs::read_to_string(engine.path().join("engine.toml")) {
                let name = engine.file_name().into_string().unwrap();
                assert_eq!(manifest(&name), Some(text.as_str()), "arbiter/engines/{name}.toml links to it");
                names.push(name);
            }
        }
        names.sort();
        let mut shipped = manifest_names();
        shipped.sort();
        assert_eq!(shipped, names);
    }
}
