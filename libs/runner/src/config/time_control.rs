//! Time controls, and the other limits of a search.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{InvalidInput, duration_text};
use uci::Go;

/// What the clocks of a game measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockKind {
    /// Wall-clock time.
    #[default]
    Wall,
    /// CPU time: how long the engine worked. A busy machine does not add to it.
    Cpu,
}

/// One or more stages. If the last stage has a number of moves, it repeats; otherwise it lasts for the rest of the game.
///
/// Written `10+0.1`, `40/60`, `40/60+0.5`, or `1:30+1`: moves and a slash, seconds (or minutes and seconds), a plus and
/// the seconds added before every move. Stages are joined by commas: `40/60,20/30,10+0.1`. A stage counts the moves that
/// the engine makes itself, not the opening's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    stages: Vec<TimeStage>,
}

/// A stage of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeStage {
    /// The number of moves of the stage; `None` for all that follow.
    pub moves: Option<u32>,
    /// The time put on the clock when the stage begins.
    pub time: Duration,
    /// The time added before every move.
    pub increment: Duration,
}

impl TimeControl {
    /// The stages, in order; at least one.
    pub fn stages(&self) -> &[TimeStage] {
        &self.stages
    }

    /// The control with another duration in place of each of its own.
    #[must_use]
    pub fn map(&self, other: impl Fn(Duration) -> Duration) -> TimeControl {
        let stage = |stage: &TimeStage| TimeStage {
            time: other(stage.time),
            increment: other(stage.increment),
            ..*stage
        };
        TimeControl { stages: self.stages.iter().map(stage).collect() }
    }

    /// A time control with a single stage.
    pub fn of(stage: TimeStage) -> TimeControl {
        TimeControl { stages: vec![stage] }
    }
}

impl FromStr for TimeControl {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<TimeControl, InvalidInput> {
        let error = |reason: &str| {
            let expected = "seconds as in `10+0.1`, `40/60` or `40/60+0.5`";
            InvalidInput(format!("time control `{text}`: {reason}; expected {expected}"))
        };
        let stages: Vec<TimeStage> =
            text.split(',').map(read_stage).collect::<Result<_, _>>().map_err(error)?;
        let early = &stages[..stages.len() - 1];
        if early.iter().any(|stage| stage.moves.is_none()) {
            return Err(error(
                "only the last stage may leave out its number of moves (decimals have a point)",
            ));
        }
        Ok(TimeControl { stages })
    }
}

fn read_stage(text: &str) -> Result<TimeStage, &'static str> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => match moves.parse() {
            Ok(0) | Err(_) => return Err("the moves before `/` are no positive whole number"),
            Ok(moves) => (Some(moves), rest),
        },
        None => (None, text),
    };
    let (time, increment) = match rest.split_once('+') {
        Some((time, increment)) => {
            (read_time(time)?, read_seconds(increment).ok_or("the increment after `+` is no time")?)
        }
        None => (read_time(rest)?, Duration::ZERO),
    };
    if time.is_zero() && increment.is_zero() {
        return Err("there is no time at all");
    }
    Ok(TimeStage { moves, time, increment })
}

/// The maximum time of a stage.
const A_YEAR: Duration = Duration::from_hours(366 * 24);

/// Reads seconds, or minutes and seconds with a colon.
fn read_time(text: &str) -> Result<Duration, &'static str> {
    let Some((minutes, seconds)) = text.split_once(':') else {
        return read_seconds(text).ok_or("the time is no number of seconds");
    };
    let minutes: u32 = minutes.parse().map_err(|_| "the minutes before `:` are no whole number")?;
    let seconds = read_seconds(seconds)
        .filter(|seconds| seconds.as_secs() < 60)
        .ok_or("the seconds after `:` are not between 0 and 60")?;
    let time = Duration::from_secs(u64::from(minutes) * 60) + seconds;
    // It is written in seconds, and reading seconds has this limit.
    if time > A_YEAR { Err("the time is more than a year") } else { Ok(time) }
}

/// Reads plain decimal seconds, at most a year, without sign or exponent and with at most nine decimals.
fn read_seconds(text: &str) -> Option<Duration> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + decimals.len() == 0 || decimals.len() > 9 || !all_digits(whole) || !all_digits(decimals)
    {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let nanos: u32 = format!("{decimals:0<9}").parse().ok()?;
    Some(Duration::new(whole, nanos)).filter(|time| *time <= A_YEAR)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stage) in self.stages.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            stage.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for TimeStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write_seconds(f, self.time)?;
        if !self.increment.is_zero() {
            f.write_str("+")?;
            write_seconds(f, self.increment)?;
        }
        Ok(())
    }
}

fn write_seconds(f: &mut fmt::Formatter<'_>, time: Duration) -> fmt::Result {
    write!(f, "{}", time.as_secs())?;
    let decimals = format!("{:09}", time.subsec_nanos());
    match decimals.trim_end_matches('0') {
        "" => Ok(()),
        decimals => write!(f, ".{decimals}"),
    }
}

texts_in_files!(TimeControl);

/// A time control, limits per move, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchLimits {
    /// A time control for the game. An engine that oversteps it loses on time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// A fixed time per move. An engine that oversteps it loses on time.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "duration_text")]
    pub movetime: Option<Duration>,
    /// Maximum nodes per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth per move in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Whether an engine without any limit gets `go infinite` and ends its searches by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub infinite: bool,
}

impl SearchLimits {
    /// The `go` command with the limits per move, without the clock, which changes with each move.
    pub fn go(&self) -> Go {
        let infinite = self.infinite && *self == SearchLimits { infinite: true, ..SearchLimits::default() };
        Go { depth: self.depth, nodes: self.nodes, movetime: self.movetime, infinite, ..Go::default() }
    }

    /// The limits per move of a `go` command.
    pub fn of(go: &Go) -> SearchLimits {
        let Go { depth, nodes, movetime, infinite, .. } = *go;
        SearchLimits { clock: None, movetime, nodes, depth, infinite }
    }

    /// Checks that the limits end every search and do not contradict each other.
    ///
    /// # Errors
    /// The first problem.
    pub fn validate(&self) -> Result<(), InvalidInput> {
        let zero = |name| format!("the limit `{name}` is zero: expected a positive number");
        let has_none = *self == SearchLimits::default();
        let problem = match self {
            _ if has_none => {
                "no limit: expected a time control, a time per move, nodes or a depth".to_owned()
            }
            SearchLimits { clock: Some(_), movetime: Some(_), .. } => {
                "a time control and a time per move contradict each other: give one of them".to_owned()
            }
            SearchLimits { movetime: Some(Duration::ZERO), .. } => zero("movetime"),
            SearchLimits { nodes: Some(0), .. } => zero("nodes"),
            SearchLimits { depth: Some(0), .. } => zero("depth"),
            _ => return Ok(()),
        };
        Err(InvalidInput(problem))
    }

    /// Whether the engines' moves can depend on the speed of the machine.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_forms_are_understood_and_printed_and_others_refused_with_a_reason_and_an_example() {
        let seconds = Duration::from_secs_f64;
        let cases = [
            ("10+0.1", None, 10.0, 0.1, "10+0.1"),
            ("40/60", Some(40), 60.0, 0.0, "40/60"),
            ("40/60.00+100.05", Some(40), 60.0, 100.05, "40/60+100.05"),
            ("0.2+0.000000001", None, 0.2, 1e-9, "0.2+0.000000001"),
            ("1:30+1", None, 90.0, 1.0, "90+1"),
            ("1/.5", Some(1), 0.5, 0.0, "1/0.5"),
            ("0+0.1", None, 0.0, 0.1, "0+0.1"),
        ];
        for (text, moves, time, increment, printed) in cases {
            let control: TimeControl = text.parse().unwrap();
            let expected = TimeStage { moves, time: seconds(time), increment: seconds(increment) };
            assert_eq!(control.stages(), [expected], "{text}");
            assert_eq!(control.to_string(), printed);
        }
        let staged: TimeControl = "40/60,20/30,10+0.1".parse().unwrap();
        assert_eq!((staged.stages().len(), staged.to_string()), (3, "40/60,20/30,10+0.1".to_owned()));
        for text in ["", "0", "0+0", "10+", "x", "-1", "1e3", "40/", "0/60", "1:75", "10,40/60", "10+0.1+1"] {
            let message = text.parse::<TimeControl>().expect_err(text).to_string();
            assert!(message.contains("`10+0.1`"), "{message}");
        }
    }

    #[test]
    fn a_year_is_the_most_in_minutes_as_in_seconds() {
        for text in ["31622400", "527040:0"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), "31622400");
        }
        for text in ["31622401", "527040:1", "4294967295:0"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn limits_end_every_search_and_do_not_contradict_each_other() {
        for (limits, problem) in [
            ("", Some("no limit")),
            ("infinite = true", None),
            ("nodes = 1000", None),
            ("nodes = 0", Some("`nodes` is zero")),
            ("clock = '10+0.1'\nnodes = 1000", None),
            ("clock = '10+0.1'\nmovetime = '100ms'", Some("contradict each other")),
        ] {
            let found = toml::from_str::<SearchLimits>(limits).unwrap().validate();
            let found = found.err().map(|error| error.to_string());
            assert_eq!(found.is_some(), problem.is_some(), "{limits}");
            assert!(found.unwrap_or_default().contains(problem.unwrap_or_default()), "{limits}");
        }
    }
}
