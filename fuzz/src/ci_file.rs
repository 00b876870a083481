//! An `arbiter.toml`.

use arbiter::foreign_files::read_ci_file;

/// It is a configuration or an error.
pub fn run(bytes: &[u8]) {
    let _ = read_ci_file(&String::from_utf8_lossy(bytes));
}
