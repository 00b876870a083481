//! Whether two folders are of the same run.

use std::path::{Path, PathBuf};

use runner::{PgnConfig, RunConfig};
use serde_json::Value;

/// The first field of `run.toml` that makes two configurations play different games, with both values. Ignores fields that
/// may differ between machines: paths of programs and book, concurrency, cores, PGN fields, and the start time. Compares
/// programs and books by SHA-256.
pub(super) fn difference(first: &RunConfig, second: &RunConfig) -> Option<String> {
    let [first, second] =
        [first, second].map(|config| serde_json::to_value(essence(config)).unwrap_or_default());
    different_field("", &first, &second)
}

fn essence(config: &RunConfig) -> RunConfig {
    let mut essence = RunConfig {
        shard: None,
        made: None,
        concurrency: 1,
        affinity: false,
        idle_engines: 0,
        pgn: PgnConfig::default(),
        ..config.clone()
    };
    if essence.book.sha256.is_some() {
        essence.book.path = PathBuf::new();
    }
    for engine in &mut essence.engines {
        if engine.sha256.is_some() {
            engine.program = PathBuf::new();
            engine.dir = None;
        }
    }
    essence
}

fn different_field(place: &str, first: &Value, second: &Value) -> Option<String> {
    let below = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (first, second) {
        _ if first == second => None,
        (Value::Object(one), Value::Object(other)) => {
            let keys = one.keys().chain(other.keys().filter(|key| !one.contains_key(*key)));
            keys.into_iter().find_map(|key| {
                let value = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or_default();
                different_field(&below(key), &value(one), &value(other))
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(index, (one, other))| {
                different_field(&format!("{place}[{}]", index + 1), one, other)
            })
        }
        _ => Some(format!("{place}: {} and {}", text(first), text(second))),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    }
}

/// The folder as typed, for messages.
pub(super) fn shown(folder: &Path) -> String {
    folder.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(change: impl Fn(&mut RunConfig)) -> RunConfig {
        let text = "games = 8\n[limits]\nnodes = 5\n[book]\npath = 'x'\nsha256 = '1'\n[[engine]]\nname = 'a'\nprogram = 'a'\n\
                    sha256 = '2'\noptions = ['Hash=1']\n[[engine]]\nname = 'b'\nprogram = 'b'\nsha256 = '3'\n";
        let mut config = toml::from_str(text).unwrap();
        change(&mut config);
        config
    }

    fn refused(change: impl Fn(&mut RunConfig)) -> Option<String> {
        difference(&config(|_| ()), &config(change))
    }

    #[test]
    fn what_a_machine_has_for_itself_makes_no_other_run() {
        let same = refused(|config| {
            config.shard = Some("2/3".parse().unwrap());
            config.concurrency = 64;
            config.engines[0].program = "/elsewhere/a".into();
            config.book.path = "/elsewhere/x".into();
        });
        assert_eq!(same, None);
    }

    #[test]
    fn the_first_field_that_differs_is_named() {
        assert_eq!(refused(|config| config.games = 10).unwrap(), "games: 8 and 10");
        assert_eq!(refused(|config| config.book.seed = 1).unwrap(), "book.seed: 0 and 1");
        assert_eq!(refused(|config| config.limits.nodes = None).unwrap(), "limits.nodes: 5 and nothing");
        let other = refused(|config| config.engines[1].sha256 = Some("4".to_owned()));
        assert_eq!(other.unwrap(), "engine[2].sha256: `3` and `4`");
        let other = refused(|config| config.engines[0].options = vec!["Hash=2".to_owned().into()]);
        assert_eq!(other.unwrap(), "engine[1].options[1]: `Hash=1` and `Hash=2`");
    }
}
