//! Engine manifests: how to start an engine, and how to build it.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;

/// The content of an `engine.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name in tables and PGN.
    pub name: String,
    /// The program: a bare name is looked up on the search path, anything else is a path relative to the folder that
    /// holds `engines/`.
    pub command: String,
    /// Arguments of the program.
    #[serde(default)]
    pub args: Vec<String>,
    /// A shell command that builds the program, run in the folder that holds `engines/`.
    pub build: Option<String>,
    /// The git repository to build other revisions from, relative to the folder that holds `engines/`.
    pub repo: Option<PathBuf>,
    /// UCI options in the order to send them.
    #[serde(default)]
    options: IndexMap<String, OptionValue>,
}

/// A UCI option's value as TOML writes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a number, true, false or a text")]
enum OptionValue {
    Number(i64),
    Check(bool),
    Text(String),
}

/// A manifest and the folder its paths are relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedManifest {
    /// What it says.
    pub manifest: Manifest,
    /// The folder that holds `engines/`; `None` for a manifest that is built into the program.
    pub root: Option<PathBuf>,
}

impl Manifest {
    /// Reads the text of an `engine.toml`.
    ///
    /// # Errors
    /// The first mistake, with its line and column.
    pub fn parse(text: &str) -> Result<Manifest, toml::de::Error> {
        toml::from_str(text)
    }

    /// The UCI options as the protocol sends them.
    pub fn options(&self) -> impl Iterator<Item = (String, String)> {
        self.options.iter().map(|(name, value)| {
            let value = match value {
                OptionValue::Number(number) => number.to_string(),
                OptionValue::Check(on) => on.to_string(),
                OptionValue::Text(text) => text.clone(),
            };
            (name.clone(), value)
        })
    }

    /// Whether the command is a bare program name rather than a path.
    pub fn command_is_bare(&self) -> bool {
        Path::new(&self.command).components().count() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_keep_their_order_and_become_text() {
        let manifest = Manifest::parse(
            "name = 'a'\ncommand = 'a'\n[options]\nThreads = 1\nHash = 16\nOwnBook = false\nBook = 'x'",
        )
        .unwrap();
        let options: Vec<_> = manifest.options().collect();
        let expected = [("Threads", "1"), ("Hash", "16"), ("OwnBook", "false"), ("Book", "x")];
        assert_eq!(options, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn a_mistake_is_reported_with_its_line() {
        let error = Manifest::parse("name = 'a'\ncommand = 'a'\ncomand = 'b'").unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("comand"), "{error}");
    }

    #[test]
    fn a_command_with_a_folder_is_a_path() {
        let manifest =
            |command: &str| Manifest::parse(&format!("name = 'a'\ncommand = '{command}'")).unwrap();
        assert!(manifest("glaurung").command_is_bare());
        assert!(!manifest("target/release/tarrasch").command_is_bare());
    }
}
