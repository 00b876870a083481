//! Files that the user names.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::write_whole;

/// Writes what a path of the user's leads to. A file is replaced as a whole, also at the end of a link, which stays; a
/// pipe or a device gets the bytes.
///
/// # Errors
/// Those of the file system.
pub fn write_named(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    match path.canonicalize() {
        Ok(target) if target.is_file() && !is_device(path) => write_whole(&target, contents),
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {
            write_whole(path, contents)
        }
        _ => fs::write(path, contents),
    }
}

/// Whether the path is that of a device, such as `/dev/stdout`, whatever that is connected to.
pub fn is_device(path: &Path) -> bool {
    path.starts_with("/dev")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_stays_and_its_target_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let [target, link] = ["target", "link"].map(|name| folder.path().join(name));
        symlink("target", &link).unwrap();
        for text in ["made", "replaced"] {
            write_named(&link, text).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
            assert!(link.is_symlink());
        }
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }
}
