//! Compares what a file was made with and what is asked for now.

use toml::{Table, Value};

/// An entry that is not the same.
#[derive(Debug)]
pub struct Difference {
    /// Its name, with those of the tables that it is in before it.
    pub field: String,
    /// What is asked for now.
    pub ours: Value,
    /// What the file has.
    pub found: Option<Value>,
}

/// The first entry that the other table does not have, or not so.
pub fn difference(ours: &Table, found: &Table) -> Option<Difference> {
    ours.iter().find_map(|(key, value)| match (value, found.get(key)) {
        (Value::Table(ours), Some(Value::Table(found))) => difference(ours, found)
            .map(|inner| Difference { field: format!("{key}.{}", inner.field), ..inner }),
        (value, other) if other == Some(value) => None,
        (value, other) => Some(Difference { field: key.clone(), ours: value.clone(), found: other.cloned() }),
    })
}
