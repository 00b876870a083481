//! The options of an engine.

use std::fmt;
use std::ops::RangeInclusive;

use super::ParseError;
use super::tokens::Words;

/// An option as the engine announces it after `uci`.
///
/// ```
/// let hash = uci::EngineOption::spin("Hash", 16, 1..=1024);
/// assert_eq!(hash.to_string(), "option name Hash type spin default 16 min 1 max 1024");
/// assert!(hash.read_value(Some("2048")).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The name, which may contain blanks. Names are compared case-insensitively.
    pub name: String,
    /// The type, with its default and range.
    pub kind: OptionKind,
}

/// The five types of option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The initial value.
        default: bool,
    },
    /// An integer. `i128` because some engines have unsigned 64-bit options, such as seeds.
    Spin {
        /// The initial value.
        default: i128,
        /// The smallest value allowed.
        min: i128,
        /// The largest value allowed.
        max: i128,
    },
    /// One of several words.
    Combo {
        /// The initial value.
        default: String,
        /// The allowed values.
        choices: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// Any text.
    String {
        /// The initial value; UCI writes an empty one as `<empty>`.
        default: String,
    },
}

impl EngineOption {
    /// An option that is on or off.
    pub fn check(name: &str, default: bool) -> EngineOption {
        EngineOption { name: name.to_owned(), kind: OptionKind::Check { default } }
    }

    /// An option with an integer in a range.
    pub fn spin(name: &str, default: i64, range: RangeInclusive<i64>) -> EngineOption {
        let (min, max) = range.into_inner();
        let kind = OptionKind::Spin { default: default.into(), min: min.into(), max: max.into() };
        EngineOption { name: name.to_owned(), kind }
    }

    /// An option that triggers an action.
    pub fn button(name: &str) -> EngineOption {
        EngineOption { name: name.to_owned(), kind: OptionKind::Button }
    }

    /// An option with a text, initially empty.
    pub fn text(name: &str) -> EngineOption {
        EngineOption { name: name.to_owned(), kind: OptionKind::String { default: String::new() } }
    }

    /// Whether the option has this name, compared case-insensitively.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Checks a value against the option's type and range.
    ///
    /// # Errors
    /// As for [`EngineOption::read_value`].
    pub fn accepts(&self, value: Option<&str>) -> Result<(), ParseError> {
        self.read_value(value).map(drop)
    }

    /// Reads a value of the option's type and range.
    ///
    /// # Errors
    /// [`ParseError::Invalid`], which says what the option expects.
    pub fn read_value(&self, value: Option<&str>) -> Result<OptionValue, ParseError> {
        let found = value.unwrap_or("no value");
        let refuse = |expected| Err(ParseError::invalid("value", expected, found));
        match (&self.kind, value) {
            (OptionKind::Check { .. }, Some("true")) => Ok(OptionValue::Check(true)),
            (OptionKind::Check { .. }, Some("false")) => Ok(OptionValue::Check(false)),
            (OptionKind::Check { .. }, _) => refuse("true or false"),
            (OptionKind::Button, None) => Ok(OptionValue::Button),
            (OptionKind::Button, Some(_)) => refuse("no value: the option is a button"),
            (OptionKind::String { .. }, Some("<empty>")) => Ok(OptionValue::Text(String::new())),
            (OptionKind::String { .. }, Some(text)) => Ok(OptionValue::Text(text.to_owned())),
            (OptionKind::String { .. }, None) => refuse("a text"),
            (OptionKind::Spin { min, max, .. }, _) => match found.parse::<i128>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(OptionValue::Spin(number)),
                Ok(_) => refuse("a number within the range that the engine announced"),
                Err(_) => refuse("a whole number"),
            },
            (OptionKind::Combo { choices, .. }, _) => {
                match choices.iter().find(|choice| choice.eq_ignore_ascii_case(found)) {
                    Some(choice) => Ok(OptionValue::Combo(choice.clone())),
                    None => refuse("one of the values that the engine announced"),
                }
            }
        }
    }

    /// The name in a line that announces an option, even if the rest of the line cannot be read.
    pub fn name_in(line: &str) -> Option<String> {
        let mut tokens = Words::new(line);
        let is_option = tokens.next() == Some("option") && tokens.next() == Some("name");
        let name = tokens.text_until(|word| matches!(word, "type" | "default" | "min" | "max" | "var"));
        (is_option && !name.is_empty()).then_some(name)
    }

    pub(super) fn read(tokens: &mut Words<'_>) -> Result<EngineOption, ParseError> {
        if tokens.next() != Some("name") {
            return Err(ParseError::Missing("name"));
        }
        let name = tokens.text_until(|word| word == "type");
        if name.is_empty() {
            return Err(ParseError::Missing("name"));
        }
        tokens.next();
        let kind: String = tokens.value("type", "a type")?;
        let fields = OptionFields::read(tokens);
        let kind = match kind.as_str() {
            "check" => OptionKind::Check { default: fields.default.as_deref() == Some("true") },
            "spin" => fields.spin()?,
            "combo" => {
                OptionKind::Combo { default: fields.default.unwrap_or_default(), choices: fields.choices }
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::String {
                default: fields.default.filter(|text| text != "<empty>").unwrap_or_default(),
            },
            other => return Err(ParseError::invalid("type", "check, spin, combo, button or string", other)),
        };
        Ok(EngineOption { name, kind })
    }
}

/// The words after the option's type, unparsed.
#[derive(Default)]
struct OptionFields {
    default: Option<String>,
    min: Option<String>,
    max: Option<String>,
    choices: Vec<String>,
}

impl OptionFields {
    fn read(tokens: &mut Words<'_>) -> OptionFields {
        let is_keyword = |word: &str| matches!(word, "default" | "min" | "max" | "var");
        let mut fields = OptionFields::default();
        while let Some(word) = tokens.next() {
            let value = tokens.text_until(is_keyword);
            match word {
                "default" => fields.default = Some(value),
                "min" => fields.min = Some(value),
                "max" => fields.max = Some(value),
                "var" => fields.choices.push(value),
                _ => {}
            }
        }
        fields
    }

    fn spin(&self) -> Result<OptionKind, ParseError> {
        let number = |field, text: &Option<String>| {
            let text = text.as_deref().ok_or(ParseError::Missing(field))?;
            text.parse::<i128>().map_err(|_| ParseError::invalid(field, "a whole number", text))
        };
        Ok(OptionKind::Spin {
            default: number("default", &self.default)?,
            min: number("min", &self.min)?,
            max: number("max", &self.max)?,
        })
    }
}

impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } if default.is_empty() => f.write_str("string default <empty>"),
            OptionKind::String { default } => write!(f, "string default {default}"),
        }
    }
}

/// A value of its option's type and range, as read by [`EngineOption::read_value`].
///
/// [`EngineOption::read_value`]: super::EngineOption::read_value
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// On or off.
    Check(bool),
    /// An integer in the announced range.
    Spin(i128),
    /// One of the announced values, spelled as announced.
    Combo(String),
    /// A pressed button, which has no value.
    Button,
    /// Any text; empty for `<empty>`.
    Text(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash() -> EngineOption {
        EngineOption::spin("Hash", 16, 1..=1024)
    }

    #[test]
    fn values_are_read_by_the_type_of_their_option_whose_name_has_no_case() {
        let combo = OptionKind::Combo { default: "Calm".into(), choices: vec!["Calm".into(), "Wild".into()] };
        let combo = EngineOption { name: "Style".into(), kind: combo };
        for (option, value, expected) in [
            (hash(), Some("64"), Some(OptionValue::Spin(64))),
            (hash(), Some("0"), None),
            (hash(), Some("4096"), None),
            (hash(), Some("lots"), None),
            (hash(), None, None),
            (EngineOption::check("OwnBook", true), Some("false"), Some(OptionValue::Check(false))),
            (EngineOption::check("OwnBook", true), Some("no"), None),
            (EngineOption::text("BookFile"), Some("a b"), Some(OptionValue::Text("a b".into()))),
            (EngineOption::text("BookFile"), Some("<empty>"), Some(OptionValue::Text(String::new()))),
            (EngineOption::text("BookFile"), None, None),
            (EngineOption::button("Clear Hash"), None, Some(OptionValue::Button)),
            (EngineOption::button("Clear Hash"), Some("now"), None),
            (combo.clone(), Some("wild"), Some(OptionValue::Combo("Wild".into()))),
            (combo, Some("tame"), None),
        ] {
            assert_eq!(option.read_value(value).ok(), expected, "{option}, {value:?}");
        }
        assert!(hash().is_named("hash"));
        assert!(!hash().is_named("Clear Hash"));
    }
}
