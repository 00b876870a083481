//! The value of an option, read.

/// A value that fits the type of its option and lies in its range, as [`EngineOption::read_value`] makes it.
///
/// [`EngineOption::read_value`]: super::EngineOption::read_value
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// On or off.
    Check(bool),
    /// An integer of the range that was announced.
    Spin(i64),
    /// One of the words that were announced, spelled as there.
    Combo(String),
    /// Nothing but the wish that it happen.
    Button,
    /// Any text; empty where it travelled as `<empty>`.
    Text(String),
}
