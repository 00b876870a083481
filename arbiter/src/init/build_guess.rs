//! A guess at how to build and start an engine, and helpers for making guesses.

use std::fs;
use std::path::Path;

use regex_lite::Regex;

/// A guess at how to build and start an engine. Paths are relative to the root, where the commands run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildGuess {
    /// The evidence for the guess, shown to the user: `src/makefile sets EXE`.
    pub because: String,
    pub build: Option<String>,
    /// The program that the build command needs first; `None` if it needs none.
    pub tool: Option<&'static str>,
    /// The engine's program; `None` if only the build will show it.
    pub program: Option<String>,
    pub args: Vec<String>,
    /// The engine's name in the sources; `None` if it is called after its program.
    pub name: Option<String>,
}

impl BuildGuess {
    pub fn by(tool: &'static str, because: String, build: String) -> BuildGuess {
        BuildGuess { because, build: Some(build), tool: Some(tool), ..BuildGuess::default() }
    }
}

pub fn read(root: &Path, file: &Path) -> String {
    fs::read(root.join(file)).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
}

pub fn has(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
}

pub fn captured(pattern: &str, text: &str) -> Option<String> {
    let found = Regex::new(pattern).ok()?.captures(text)?.get(1)?.as_str().trim().to_owned();
    Some(found).filter(|found| !found.is_empty())
}

/// A path with slashes, as manifests write it.
pub fn shown(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

pub fn beside(file: &Path, name: &str) -> String {
    shown(&file.with_file_name(name))
}

pub fn word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+=".contains(letter);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("\"{text}\"") }
}

pub fn folder_of(file: &Path) -> Option<String> {
    file.parent().map(shown).filter(|folder| !folder.is_empty())
}

pub fn in_folder(file: &Path, command: &str) -> String {
    folder_of(file).map_or_else(|| command.to_owned(), |folder| format!("cd {} && {command}", word(&folder)))
}
