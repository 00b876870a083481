//! An `engine.toml`.

use std::path::Path;

use arbiter::engines::Manifest;

/// It is a manifest or an error.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(manifest) = Manifest::parse(&text) {
        let _ = (manifest.options().count(), manifest.args(Path::new("/x")), manifest.env(Path::new("/x")));
        let _ = manifest.command_is_bare();
        for older in &manifest.older {
            let _ = manifest.clone().with(older);
        }
    }
}
