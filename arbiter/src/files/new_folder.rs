//! A folder that does not exist yet, for what consists of several runs.

use std::path::PathBuf;

use jiff::Zoned;

/// Where folders go when the user does not say.
const RESULTS: &str = "results";

/// `results/<date>-<name>`, with a number behind it when that is taken.
pub fn below_results(name: &str) -> PathBuf {
    let base = format!("{}-{name}", Zoned::now().date());
    let mut path = PathBuf::from(RESULTS).join(&base);
    for number in 2.. {
        if !path.exists() {
            break;
        }
        path.set_file_name(format!("{base}-{number}"));
    }
    path
}
