//! What is given twice counts once.

use std::path::PathBuf;

use super::console::note;

/// The paths without those that lead where one before them leads. Each of these is told.
pub fn distinct_paths(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut seen = Vec::new();
    let mut distinct = Vec::new();
    for path in paths {
        // What is not there is for the reader to refuse.
        let place = path.canonicalize().unwrap_or_else(|_| path.clone());
        if seen.contains(&place) {
            note(&format!("warning: {}: given twice, counted once", path.display()));
        } else {
            seen.push(place);
            distinct.push(path);
        }
    }
    distinct
}
