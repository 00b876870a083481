//! A UCI option that the user sets on an engine.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An option and its value, written `Hash=16`, or the name alone for a button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct UciSetting {
    /// The name as the engine announces it; case does not matter.
    pub name: String,
    /// The value; none for a button.
    pub value: Option<String>,
}

impl UciSetting {
    /// Reads `Name=value`. Any text is a setting: whether the engine has such an option shows when it is started.
    pub fn read(text: &str) -> UciSetting {
        match text.split_once('=') {
            Some((name, value)) => {
                UciSetting { name: name.trim().to_owned(), value: Some(value.trim().to_owned()) }
            }
            None => UciSetting { name: text.trim().to_owned(), value: None },
        }
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
