//! A baseline of `arbiter ci`.

use arbiter::foreign_files::rewrite_baseline;

/// A baseline is written so that it reads as the same one.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(written) = rewrite_baseline(&text) {
        assert_eq!(rewrite_baseline(&written).ok().as_ref(), Some(&written));
    }
}
