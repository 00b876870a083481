//! Perft and tactics suites: files the user names, or those that ship.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::sha256;
use super::suite_text::{self, SuiteText};
use crate::cli::console;
use crate::text::number_text::counted;

/// The tactics suites that are read when none is named; they take about a minute.
const DEFAULT_TACTICS: [&str; 2] = ["tarrasch.epd", "classics.epd"];

/// A suite and the SHA-256 of its text in hexadecimal.
#[derive(Clone, Debug)]
pub struct HashedSuite<S> {
    pub suite: S,
    pub sha256: String,
}

/// Reads suites of a kind (`perft`, `speed` or `tactics`): the named ones, or when none is named all that ship, but of the
/// tactics suites only those of the literature. Each is a file, or the file name of one that ships. Returns names and texts.
fn read(kind: &str, named: &[PathBuf]) -> Result<Vec<(String, String)>> {
    if named.is_empty() {
        let default = match kind {
            "tactics" => DEFAULT_TACTICS.map(str::to_owned).to_vec(),
            _ => suites::names(kind),
        };
        return default.iter().map(|name| read_one(kind, Path::new(name))).collect();
    }
    named.iter().map(|path| read_one(kind, path)).collect()
}

/// Reads suites as [`read`] does, each by a parser that gets its name and its text.
pub fn parse<S, E: Into<anyhow::Error>>(
    kind: &str,
    named: &[PathBuf],
    parser: impl Fn(&str, &str) -> Result<S, E>,
) -> Result<Vec<HashedSuite<S>>> {
    let hashed = |(name, text): (String, String)| {
        let suite = parser(&name, &text).map_err(Into::into)?;
        Ok(HashedSuite { suite, sha256: sha256::of_bytes(text.as_bytes()) })
    };
    read(kind, named)?.into_iter().map(hashed).collect()
}

fn read_one(kind: &str, path: &Path) -> Result<(String, String)> {
    let name = path.display().to_string();
    if path.is_file() {
        let bytes = fs::read(path).with_context(|| name.clone())?;
        let SuiteText { text, lines_with_zeros, lines_of_other_encodings } =
            suite_text::decode(&name, &bytes)?;
        console::warn_of_zeros(&name, lines_with_zeros);
        if lines_of_other_encodings > 0 {
            let lines = counted(lines_of_other_encodings as u64, "line");
            console::note(&format!("warning: {name}: {lines} not in UTF-8; some letters of names are lost"));
        }
        return Ok((name, text));
    }
    match path.to_str().and_then(|file| suites::suite(kind, file)) {
        Some(text) => Ok((name, text.to_owned())),
        None => bail!(
            "--suite {name}: expected a file, or a suite that ships: {}",
            suites::names(kind).join(", ")
        ),
    }
}
