//! Time limits that depend on the speed of the machine.

use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{InvalidInput, RunConfig, SearchLimits};

/// The speed of the machine for which the time limits of a run are meant. On a slower machine engines have more time, so
/// that they search as many nodes there; on a faster one they have less.
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

    fn validate(&self, config: &RunConfig) -> Option<String> {
        let is_speed = |speed: f64| speed.is_finite() && speed > 0.0;
        if !is_speed(self.to) || !self.here.is_none_or(is_speed) {
            return Some("scale: expected speeds in nodes per second, above 0".to_owned());
        }
        let names = || config.engines.iter().map(|engine| &engine.name[..]);
        let is_unknown = |name: &&str| !config.engines.is_empty() && names().all(|known| known != *name);
        if let Some(engine) = self.engine.as_deref().filter(is_unknown) {
            let known = names().collect::<Vec<_>>().join(", ");
            return Some(format!(
                "scale: expected the name of an engine of the run ({known}), found `{engine}`"
            ));
        }
        let is_timed = config.limits.is_timed() || config.is_timed();
        (!is_timed).then(|| "scale: expected a time limit that can be scaled".to_owned())
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

impl RunConfig {
    /// The index of the engine whose speed the time limits depend on; `None` if they do not depend on any.
    pub fn scaled_by(&self) -> Option<usize> {
        let scale = self.scale.as_ref()?;
        match &scale.engine {
            Some(name) => self.engines.iter().position(|engine| engine.name == *name),
            None => self.engines.len().checked_sub(1),
        }
    }

    /// The limits of an engine on the machine that plays: those of [`limits_of`](RunConfig::limits_of) or, if they are
    /// scaled, their multiple in microseconds. No time per move is below a millisecond, the least that UCI can say.
    pub fn limits_here(&self, engine: usize) -> SearchLimits {
        let mut limits = self.limits_of(engine).clone();
        if let Some(scale) = &self.scale {
            let scaled = |time: Duration| {
                let micros = (time.as_secs_f64() * scale.factor() * 1e6).round();
                Duration::from_micros(micros as u64)
            };
            limits.clock = limits.clock.map(|clock| clock.map(scaled));
            limits.movetime = limits.movetime.map(|time| scaled(time).max(Duration::from_millis(1)));
        }
        limits
    }

    /// Whether a faster machine plays stronger games: they are timed, and the time is not scaled to the machine.
    pub fn depends_on_speed(&self) -> bool {
        self.is_timed() && self.scale.is_none()
    }

    pub(crate) fn problem_of_scale(&self) -> Option<String> {
        self.scale.as_ref()?.validate(self)
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

    #[test]
    fn a_machine_at_half_the_speed_gets_twice_the_time() {
        let run = |scale: &str, limits: &str| -> RunConfig {
            let lines = "games = 2\nbook.path = 'x'";
            let mut config = RunConfig::made_up(&["new", "old"], &format!("{lines}\n{scale}"));
            config.limits = toml::from_str(limits).unwrap();
            config
        };
        let here = |config: &RunConfig| config.limits_here(0);
        let clock = "clock = '40/60,10+0.1'";
        let slow = run("scale = { to = 1000000.0, here = 500000.0 }", clock);
        assert_eq!(slow.validate(), Ok(()));
        assert_eq!(here(&slow).clock.unwrap().to_string(), "40/120,20+0.2");
        assert_eq!(slow.limits_of(0).clock.as_ref().unwrap().to_string(), "40/60,10+0.1");
        let unknown = run("scale = { to = 1000000.0 }", clock);
        assert_eq!(here(&unknown), unknown.limits);
        let fast = run("scale = { to = 1e6, here = 3e6, engine = 'new' }", "movetime = '100ms'");
        assert_eq!(here(&fast).movetime, Some(Duration::from_micros(33_333)));
        assert_eq!((fast.scaled_by(), slow.scaled_by()), (Some(0), Some(1)));
        // Each machine has its own factor, and it is one run nevertheless.
        assert_eq!(slow.essence(), unknown.essence());
        for (scale, limits, problem) in [
            ("scale = { to = -1.0 }", clock, "above 0"),
            ("scale = { to = 1.0, engine = 'mine' }", clock, "(new, old), found `mine`"),
            ("scale = { to = 1.0 }", "nodes = 5", "a time limit"),
        ] {
            let message = run(scale, limits).validate().unwrap_err().to_string();
            assert!(message.contains(problem), "{message}");
        }
    }
}
