//! The fields of `games.pgn`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{InvalidInput, variants};

/// What `games.pgn` contains besides moves and scores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PgnConfig {
    /// The fields. By default the depth and, in timed games, the time per move and the start of the game, so that
    /// games without a clock give the same file every time, byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<PgnFields>,
    /// Regular expressions. After each move, the last line of its search that matches is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub match_lines: Vec<String>,
    /// The `Event` tag; by default the names of the engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The `Site` tag; by default the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
}

/// A selection of fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PgnFields(Vec<PgnField>);

/// A field of `games.pgn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PgnField {
    /// Depth in plies.
    Depth,
    /// Selective depth in plies.
    Seldepth,
    /// Nodes searched.
    Nodes,
    /// Nodes per second.
    Nps,
    /// Hash table usage in permille.
    Hashfull,
    /// Tablebase hits.
    Tbhits,
    /// Time on Arbiter's clock.
    Time,
    /// Time left on the clock after the move.
    Timeleft,
    /// Time on Arbiter's clock minus the time that the engine reported.
    Latency,
    /// The last PV, in UCI notation.
    Pv,
    /// The start of the game, in its tags.
    Start,
}

impl fmt::Display for PgnField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

const NONE: &str = "none";

impl FromIterator<PgnField> for PgnFields {
    fn from_iter<I: IntoIterator<Item = PgnField>>(fields: I) -> PgnFields {
        PgnFields(fields.into_iter().collect())
    }
}

impl PgnConfig {
    /// Whether a field is written. `is_timed` is whether time limits the searches of the game.
    pub fn has(&self, field: PgnField, is_timed: bool) -> bool {
        match &self.fields {
            Some(PgnFields(fields)) => fields.contains(&field),
            None => match field {
                PgnField::Depth => true,
                PgnField::Time | PgnField::Start => is_timed,
                _ => false,
            },
        }
    }
}

impl FromStr for PgnFields {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<PgnFields, InvalidInput> {
        if text.trim() == NONE {
            return Ok(PgnFields::default());
        }
        let field = |name: &str| {
            variants().find(|known: &PgnField| known.to_string() == name.trim()).ok_or_else(|| {
                let names =
                    variants().map(|known: PgnField| known.to_string()).collect::<Vec<_>>().join(", ");
                let expected = format!("fields joined by commas, of {names}, or `{NONE}`");
                InvalidInput(format!("`{}`: expected {expected}", name.trim()))
            })
        };
        text.split(',').map(field).collect::<Result<_, _>>().map(PgnFields)
    }
}

impl fmt::Display for PgnFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = variants().filter(|field| self.0.contains(field)).map(|field| field.to_string());
        match names.collect::<Vec<_>>()[..] {
            [] => f.write_str(NONE),
            ref names => f.write_str(&names.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_print_as_they_are_read_and_a_configuration_has_the_names_in_a_list() {
        for text in [
            "none",
            "depth",
            "depth,nodes,timeleft",
            "depth,seldepth,nodes,nps,hashfull,tbhits,latency,pv,start",
        ] {
            assert_eq!(text.parse::<PgnFields>().unwrap().to_string(), text);
        }
        let message = "depth,time left".parse::<PgnFields>().unwrap_err().to_string();
        assert!(
            message.starts_with("`time left`: expected fields") && message.contains("timeleft"),
            "{message}"
        );
        let config: PgnConfig = toml::from_str("fields = [\"depth\", \"timeleft\"]").unwrap();
        assert!(config.has(PgnField::Timeleft, false) && !config.has(PgnField::Time, true));
        assert_eq!(toml::to_string(&config).unwrap(), "fields = [\"depth\", \"timeleft\"]\n");
    }

    #[test]
    fn without_a_clock_no_time_is_told_unless_asked_for() {
        let usual = PgnConfig::default();
        for field in variants() {
            assert_eq!(usual.has(field, false), field == PgnField::Depth);
        }
        assert!(usual.has(PgnField::Time, true) && usual.has(PgnField::Start, true));
    }
}
