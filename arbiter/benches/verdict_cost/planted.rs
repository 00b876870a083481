//! Differences that are known because they were made, and the matches that show them.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use arbiter::options::books::DEFAULT_OF_SPRT;

/// Nodes for each move of the better engine.
const NODES: u32 = 2000;

/// A difference between two configurations of Tarrasch.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    /// What it is called in the table and in the names of the runs.
    pub name: &'static str,
    /// What the weaker one is told, after the name of the program.
    pub handicap: &'static str,
}

/// The differences.
pub const DIFFERENCES: [Difference; 2] = [
    Difference { name: "nodes-10", handicap: "nodes=1800" },
    Difference { name: "eval", handicap: "CorrectionHistory=false" },
];

/// A match with a planted difference.
#[derive(Clone, Copy, Debug)]
pub struct Planted<'a> {
    /// The difference.
    pub difference: Difference,
    /// The program.
    pub engine: &'a Path,
    /// The book; `None` for the one that a match with an SPRT has by default.
    pub book: Option<&'a Path>,
    /// How many games are played.
    pub games: u32,
}

impl Planted<'_> {
    /// Plays the match, or what is missing of it in its folder. Returns the folder.
    pub fn play(&self, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
        let book = if self.book.is_some() { "usual" } else { "ours" };
        let out = folder.join(format!("{}-{book}", self.difference.name));
        let mut arbiter = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        if out.exists() {
            arbiter.args(["resume", "--no-report"]).arg(&out);
        } else {
            eprintln!("playing {}", out.display());
            let engine = self.engine.display().to_string();
            let weakened = format!("{engine}:{}", self.difference.handicap);
            arbiter.args(["match", &engine, &weakened, "--no-report", "--seed", "1", "--out"]).arg(&out);
            arbiter.args(["--nodes", &NODES.to_string(), "--games", &self.games.to_string()]);
            arbiter.arg("--openings").arg(self.book.unwrap_or(Path::new(DEFAULT_OF_SPRT)));
        }
        let output = arbiter.output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(out)
    }
}
