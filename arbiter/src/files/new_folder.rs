//! Where the folders of runs go, and the newest of them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use jiff::Zoned;

use crate::cli::console;

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

/// What stands for the newest run where a command wants its folder.
pub const NEWEST: &str = "newest";

/// The folder that was named, or the newest below results/ that `is_run` accepts.
pub fn or_newest(folder: PathBuf, is_run: impl Fn(&Path) -> bool) -> Result<PathBuf> {
    if folder != Path::new(NEWEST) || folder.exists() {
        return Ok(folder);
    }
    let entries = fs::read_dir(RESULTS).into_iter().flatten().flatten();
    let runs = entries.map(|entry| entry.path()).filter(|path| is_run(path));
    let newest =
        runs.max_by_key(|path| (path.metadata().and_then(|facts| facts.modified()).ok(), path.clone()));
    let Some(newest) = newest else { bail!("found no run below {RESULTS}/; name its folder") };
    console::note(&format!("the newest run: {}", newest.display()));
    Ok(newest)
}

/// Whether a folder is that of a run of games.
pub fn is_run(folder: &Path) -> bool {
    folder.join("run.toml").is_file()
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
