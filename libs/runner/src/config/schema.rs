//! The version of run files and journals: what older versions of Arbiter wrote is read, what newer ones write is refused.

use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::InvalidInput;

/// The version in which run files and journals are written. Files without a number are of version 1, or written by hand.
const VERSION: u64 = 2;

/// For each version but the last, what its next version changed in a configuration.
const CONFIG_UPGRADES: [fn(&mut Map<String, Value>); VERSION as usize - 1] = [durations_get_units];

/// Version 1 had durations in microseconds or milliseconds, under other keys.
fn durations_get_units(config: &mut Map<String, Value>) {
    fn with_unit(table: &mut Map<String, Value>, old: &str, new: &str, unit: &str) {
        if let Some(number) = table.remove(old) {
            table.insert(new.to_owned(), json!(format!("{number}{unit}")));
        }
    }
    fn with_movetime(holder: &mut Map<String, Value>) {
        if let Some(Value::Object(limits)) = holder.get_mut("limits") {
            with_unit(limits, "movetime_ms", "movetime", "ms");
        }
    }
    with_unit(config, "margin_us", "timemargin", "us");
    if let Some(Value::Object(mut timeouts)) = config.remove("patience") {
        for name in ["ready", "stall", "late"] {
            with_unit(&mut timeouts, &format!("{name}_us"), name, "us");
        }
        config.insert("timeouts".to_owned(), Value::Object(timeouts));
    }
    with_movetime(config);
    let engines = config.get_mut("engine").and_then(Value::as_array_mut).into_iter().flatten();
    engines.filter_map(Value::as_object_mut).for_each(with_movetime);
}

/// The version number of a file. A file is always written in the current version, whatever version was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schema;

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(VERSION)
    }
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Schema, D::Error> {
        match u64::deserialize(deserializer)? {
            1..=VERSION => Ok(Schema),
            other => Err(D::Error::custom(newer(other, None).0)),
        }
    }
}

fn newer(version: u64, writer: Option<&str>) -> InvalidInput {
    let (ours, writer) = (env!("CARGO_PKG_VERSION"), writer.unwrap_or("a newer one"));
    InvalidInput(format!(
        "schema: expected at most {VERSION}, which Arbiter {ours} reads, found {version}; use the version of Arbiter that \
         wrote it, {writer}, or a newer one"
    ))
}

/// Brings the configuration of another version up to date.
///
/// # Errors
/// The version is too new.
pub(crate) fn upgrade(config: &mut Value) -> Result<(), InvalidInput> {
    let Some(config) = config.as_object_mut() else { return Ok(()) };
    let version = config.remove("schema").and_then(|version| version.as_u64()).unwrap_or(1).max(1);
    let Some(missing) = CONFIG_UPGRADES.get(version as usize - 1..) else {
        let writer = config.get("made").and_then(|made| made.get("arbiter")).and_then(Value::as_str);
        return Err(newer(version, writer));
    };
    for upgrade in missing {
        upgrade(config);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::RunConfig;

    #[test]
    fn a_newer_version_is_refused_with_the_version_that_can_read_it() {
        let newer = "schema = 3\ngames = 2\nstars = 7\n[made]\narbiter = '2.5.0'\n";
        let message =
            RunConfig::of_other_version(toml::from_str(newer).unwrap()).unwrap_err().unwrap().to_string();
        assert!(
            message.contains("found 3; use the version of Arbiter that wrote it, 2.5.0, or a newer"),
            "{message}"
        );
        let wrong = "schema = 2\ngames = 2\nstars = 7\n";
        assert_eq!(RunConfig::of_other_version(toml::from_str(wrong).unwrap()), Err(None));
        assert!(toml::from_str::<RunConfig>(newer).unwrap_err().to_string().contains("expected at most 2"));
    }
}
