//! Compares the settings of a file with the present ones.

use toml::{Table, Value};

/// An entry with different values.
#[derive(Debug)]
pub struct Difference {
    /// Its name, with its tables in front.
    pub field: String,
    /// The present value.
    pub ours: Value,
    /// The value in the file.
    pub found: Option<Value>,
}

/// The first entry that is missing or different in the other table.
pub fn difference(ours: &Table, found: &Table) -> Option<Difference> {
    ours.iter().find_map(|(key, value)| match (value, found.get(key)) {
        (Value::Table(ours), Some(Value::Table(found))) => difference(ours, found)
            .map(|inner| Difference { field: format!("{key}.{}", inner.field), ..inner }),
        (value, other) if other == Some(value) => None,
        (value, other) => Some(Difference { field: key.clone(), ours: value.clone(), found: other.cloned() }),
    })
}
