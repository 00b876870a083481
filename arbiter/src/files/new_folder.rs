//! A folder that does not exist yet, or is empty.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
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

/// Checks that a run can be kept in the folder that the user chose: it does not exist, or has nothing in it.
pub fn check_out(path: &Path) -> Result<()> {
    let problem = match fs::read_dir(path).map(|mut entries| entries.next().is_some()) {
        Ok(false) => return Ok(()),
        Ok(true) => {
            "the folder is not empty; choose another, or continue the run in it with `arbiter resume`"
                .to_owned()
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(_) if path.is_file() => "expected a folder, found a file".to_owned(),
        Err(error) => error.to_string(),
    };
    bail!("--out {}: {problem}", path.display())
}
