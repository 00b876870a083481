//! The configuration of an engine: its program, options and limits.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{ProtocolName, SearchLimits, duration_text};
use stats::SpsaParameter;

/// An engine: its program, options and limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// The name in reports, which must be unique.
    pub name: String,
    /// The program file.
    pub program: PathBuf,
    /// The protocol that it speaks; `None` is UCI unless a manifest says otherwise.
    #[serde(rename = "proto", default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<ProtocolName>,
    /// The arguments of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Environment variables and their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Environment variables that are passed on to the engine, besides those that every program needs; `*` stands for all that
    /// do not look like secrets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass_env: Vec<String>,
    /// The working folder; by default the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Lines sent before `uci`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub init: Vec<String>,
    /// A file to which the engine's standard error is appended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PathBuf>,
    /// Whether the engine's scores are from White's point of view, not the side to move's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub white_pov: bool,
    /// A Polyglot book that plays for the engine as long as it has a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<EngineBook>,
    /// Whether the engine is restarted for every game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
    /// A resource that only one game at a time may use, such as a graphics card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclusive: Option<String>,
    /// The timeout for starting the engine, if it is not the run's `ready`.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "duration_text")]
    pub start_timeout: Option<Duration>,
    /// UCI options in the order in which they are sent, each `Name=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<UciSetting>,
    /// The SHA-256 hash of the program file, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The other files that the engine is known to read, as they were at the start of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<EngineFile>,
    /// The `id name` of the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The git commit that the engine was built from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The date of that commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committed: Option<Timestamp>,
    /// The first batch that it plays in, if it joined a running search for the best of several candidates.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub from_batch: u32,
    /// Search limits of this engine, which replace the run's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<SearchLimits>,
    /// The time margin of this engine, which replaces the run's.
    #[serde(rename = "timemargin", default, skip_serializing_if = "Option::is_none", with = "duration_text")]
    pub time_margin: Option<Duration>,
}

/// A Polyglot book that plays for one engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineBook {
    /// The book file.
    pub path: PathBuf,
    /// The number of full moves of a game, including the opening's, after which the book is not used any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<usize>,
}

/// A file that an engine reads, or a folder of tablebases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineFile {
    /// What the file is to the engine: `option EvalFile`, `argument`.
    pub role: String,
    /// The path of the file.
    pub path: PathBuf,
    /// The SHA-256 in hexadecimal: of the file, or of the names and lengths of the tablebases.
    pub sha256: String,
}

/// An option and its value, written `Hash=16`; only the name for a button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct UciSetting {
    /// The name as announced by the engine; case-insensitive.
    pub name: String,
    /// The value; `None` for a button.
    pub value: Option<String>,
}

impl UciSetting {
    /// Reads `Name=value`. Any text is a setting; whether the engine has such an option is checked when it starts.
    pub fn read(text: &str) -> UciSetting {
        match text.split_once('=') {
            Some((name, value)) => {
                UciSetting { name: name.trim().to_owned(), value: Some(value.trim().to_owned()) }
            }
            None => UciSetting { name: text.trim().to_owned(), value: None },
        }
    }

    /// A tuned option with one of its values.
    pub fn of_parameter(parameter: &SpsaParameter, value: f64) -> UciSetting {
        UciSetting { name: parameter.name.clone(), value: Some(parameter.text(value)) }
    }
}

impl fmt::Display for UciSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={value}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl From<String> for UciSetting {
    fn from(text: String) -> UciSetting {
        UciSetting::read(&text)
    }
}

impl From<UciSetting> for String {
    fn from(setting: UciSetting) -> String {
        setting.to_string()
    }
}
