//! The time limits of a run on the machine that plays it.

use std::time::Duration;

use super::{RunConfig, SearchLimits};

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
        let scale = self.scale.as_ref()?;
        let is_speed = |speed: f64| speed.is_finite() && speed > 0.0;
        if !is_speed(scale.to) || !scale.here.is_none_or(is_speed) {
            return Some("scale: expected speeds in nodes per second, above 0".to_owned());
        }
        let names = || self.engines.iter().map(|engine| &engine.name[..]);
        let is_unknown = |name: &&str| !self.engines.is_empty() && names().all(|known| known != *name);
        if let Some(engine) = scale.engine.as_deref().filter(is_unknown) {
            let known = names().collect::<Vec<_>>().join(", ");
            return Some(format!(
                "scale: expected the name of an engine of the run ({known}), found `{engine}`"
            ));
        }
        let is_timed = self.limits.is_timed() || self.is_timed();
        (!is_timed).then(|| "scale: expected a time limit that can be scaled".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
