//! Files that a command writes for the user: never over one that exists.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::anyhow;

/// Makes a file that does not exist yet; `option` is where the user named it, for the message.
///
/// # Errors
/// It exists, or its folder does not or cannot be written to.
pub fn create(option: &str, path: &Path) -> anyhow::Result<File> {
    File::create_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            anyhow!("{option} {}: the file exists; choose another, or move it away", path.display())
        }
        _ => anyhow!("{option} {}: {error}", path.display()),
    })
}
