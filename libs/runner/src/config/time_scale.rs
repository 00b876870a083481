//! Time limits that depend on the speed of the machine.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::InvalidInput;

/// The speed at which the time limits of a run hold as they are. A slower machine gives engines more time and a faster one
/// less, so that they search about as many nodes everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeScale {
    /// The speed at which the limits hold as they are, in nodes per second.
    pub to: f64,
    /// The name of the engine whose speed is meant; by default, the last one of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The engine's speed on the machine that plays, in nodes per second; `None` if it has not been measured yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub here: Option<f64>,
}

impl TimeScale {
    /// The factor of all time limits; 1 if the speed has not been measured.
    pub fn factor(&self) -> f64 {
        self.here.map_or(1.0, |here| self.to / here)
    }
}

/// Reads `1.2Mnps`, `900knps` or `1200000`, and after a comma the name of an engine.
impl FromStr for TimeScale {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<TimeScale, InvalidInput> {
        let (speed, engine) = text.split_once(',').map_or((text, None), |(speed, name)| (speed, Some(name)));
        let number = speed.strip_suffix("nps").unwrap_or(speed);
        let (number, unit) = match number.strip_suffix(['k', 'K']) {
            Some(number) => (number, 1e3),
            None => number.strip_suffix('M').map_or((number, 1.0), |number| (number, 1e6)),
        };
        let to = number.parse::<f64>().ok().map(|number| number * unit);
        let to = to.filter(|to| to.is_finite() && *to > 0.0).ok_or_else(|| {
            InvalidInput(format!("expected nodes per second, such as 1.2Mnps or 900knps, found `{speed}`"))
        })?;
        Ok(TimeScale { to, engine: engine.map(|name| name.trim().to_owned()), here: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_read_with_their_units() {
        for (text, to, engine) in [
            ("1.2Mnps", 1.2e6, None),
            ("900knps,base", 9e5, Some("base")),
            ("1200000", 1.2e6, None),
            ("2M, old one", 2e6, Some("old one")),
        ] {
            let scale: TimeScale = text.parse().unwrap();
            assert_eq!((scale.to, scale.engine.as_deref(), scale.here), (to, engine, None), "{text}");
        }
        for text in ["", "nps", "-1M", "0", "1.2Gnps", "inf"] {
            let message = text.parse::<TimeScale>().expect_err(text).to_string();
            assert!(message.starts_with("expected nodes per second, such as 1.2Mnps"), "{message}");
        }
    }
}
