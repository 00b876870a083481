//! The values of `-engine` and `-each`, and the engines in cutechess's `engines.json`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use etcetera::BaseStrategy as _;
use runner::{SearchLimits, TimeControl, TimeStage};
use serde::Deserialize;
use serde_json::Value;

use super::dialect_config::{CutechessPlayer, DialectClock, DialectEngine, DialectLimits};
use super::option_table::{Flag, Word};
use super::scores::general;
pub(super) use crate::engines::split_arguments;

impl DialectEngine {
    /// Takes a setting that both dialects have. Returns whether there is such a setting.
    pub(super) fn set(&mut self, flag: &Flag, key: &str, value: &str) -> Result<bool> {
        let tc = &mut self.limit.tc;
        let word: &mut dyn Word = match key {
            "cmd" => &mut self.cmd,
            "name" => &mut self.name,
            "dir" => &mut self.dir,
            "timemargin" => &mut tc.timemargin,
            "nodes" => &mut self.limit.nodes,
            "depth" => &mut self.limit.plies,
            "tc" if value.contains("hg") => bail!("Hourglass time control not supported."),
            "tc" => {
                let expected = || {
                    anyhow!("Invalid time control: \"{value}\": expected seconds, as in 8+0.08 or 40/1:30+1")
                };
                tc.set(value, false).with_context(expected)?;
                return Ok(true);
            }
            "st" => {
                let number = value.strip_suffix('s').unwrap_or(value).parse::<f64>().ok();
                // `st` is in seconds, `go movetime` in milliseconds.
                let millis =
                    number.map(|seconds| seconds * 1000.0).filter(|millis| (1.0..1e15).contains(millis));
                let expected = || anyhow!("{} st={value}: expected seconds, at least 0.001", flag.name);
                tc.fixed_time = millis.with_context(expected)? as u64;
                return Ok(true);
            }
            "proto" => &mut self.unsaved.proto,
            _ => {
                let option = key.strip_prefix("option.");
                if let Some(name) = option {
                    self.set_option(name, value);
                }
                return Ok(option.is_some());
            }
        };
        word.take(value).map_err(|expected| flag.unknown(key, value, &expected))?;
        Ok(true)
    }

    /// Sets a UCI option, replacing an earlier value.
    pub(super) fn set_option(&mut self, name: &str, value: &str) {
        let setting = (name.to_owned(), Some(value.to_owned()));
        match self.options.iter_mut().find(|known| known.0 == name) {
            Some(known) => *known = setting,
            None => self.options.push(setting),
        }
    }

    /// Names an engine after its program, without folder and extension, if it has no name.
    pub(super) fn settle_name(&mut self) {
        if self.name.is_empty() {
            let stem = Path::new(&self.cmd).file_stem();
            self.name = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        }
    }

    /// Checks that every search has a limit.
    pub(super) fn check(&self) -> Result<()> {
        if self.cmd.is_empty() {
            bail!("-engine name={}: expected cmd=COMMAND", self.name);
        }
        let limits = self.limit.search_limits();
        limits.validate().map_err(|problem| {
            let hint = "; with tc=inf and without nodes or depth such a search never ends";
            anyhow!("-engine name={}: {problem}{hint}", self.name)
        })
    }
}

/// Appends a number to the names of engines with the same name, from `_2` for the second one.
pub(super) fn number_namesakes(engines: &mut [DialectEngine]) {
    let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
    for (index, engine) in engines.iter_mut().enumerate() {
        let earlier = names[..index].iter().filter(|name| **name == engine.name).count();
        if earlier > 0 {
            engine.name = format!("{}_{}", engine.name, earlier + 1);
        }
    }
}

impl DialectClock {
    /// Parses `moves/minutes:seconds+increment`, or `inf`. fastchess also takes `inf/8+0.08` and an `s` after a
    /// number. cutechess-cli is lenient and reads 0 where there is no number.
    pub(super) fn set(&mut self, text: &str, is_lenient: bool) -> Option<()> {
        if text == "inf" || text == "infinite" && !is_lenient {
            let (fixed_time, timemargin) = (self.fixed_time, self.timemargin);
            *self = DialectClock { fixed_time, timemargin, infinite: is_lenient, ..DialectClock::default() };
            return Some(());
        }
        let halves = |text, mark: char| -> Option<(&str, Option<&str>)> {
            match str::split(text, mark).collect::<Vec<_>>()[..] {
                [one, other] => Some((one, Some(other))),
                [one] => Some((one, None)),
                [one, ..] if is_lenient => Some((one, None)),
                _ => None,
            }
        };
        let number = |text: &str| {
            let text = if is_lenient { text.trim() } else { text.strip_suffix('s').unwrap_or(text) };
            // Milliseconds have 64 bits in fastchess, and 32 in cutechess-cli, which reads larger numbers as 0.
            let most = if is_lenient { 2_147_483.6 } else { 9.2e15 };
            let number = text.parse::<f64>().ok().filter(|number| (0.0..most).contains(number));
            if is_lenient { Some(number.unwrap_or(0.0)) } else { number }
        };
        let (rest, increment) = halves(text, '+')?;
        let (moves, time) = match halves(rest, '/')? {
            (moves, Some(time)) => (moves, time),
            (time, None) => ("inf", time),
        };
        let seconds = match halves(time, ':')? {
            (minutes, Some(seconds)) => number(minutes)? * 60.0 + number(seconds)?,
            (seconds, None) => number(seconds)?,
        };
        // Corrects the rounding error of decimal fractions before rounding down to milliseconds.
        let millis = |seconds: f64| (seconds * 1000.0 + 1e-6) as u64;
        self.moves = match moves.trim().parse() {
            Ok(moves) if moves > 0 || is_lenient => moves,
            _ if is_lenient || matches!(moves, "inf" | "infinite") => 0,
            _ => return None,
        };
        (self.time, self.increment) = (millis(seconds), millis(number(increment.unwrap_or("0"))?));
        self.infinite = false;
        (self.time > 0 || !is_lenient && self.increment > 0).then_some(())
    }
}

impl DialectLimits {
    pub(super) fn search_limits(&self) -> SearchLimits {
        let DialectClock { increment, fixed_time, time, moves, .. } = self.tc;
        let (time, increment) = (Duration::from_millis(time), Duration::from_millis(increment));
        let stage = TimeStage { moves: Some(moves).filter(|moves| *moves > 0), time, increment };
        SearchLimits {
            clock: (!(time + increment).is_zero()).then(|| TimeControl::of(stage)),
            movetime: Some(Duration::from_millis(fixed_time)).filter(|time| !time.is_zero()),
            nodes: Some(self.nodes).filter(|nodes| *nodes > 0),
            depth: Some(self.plies).filter(|plies| *plies > 0),
            infinite: self.tc.infinite,
        }
    }
}

/// An engine's search limits, as in the heading of a result: `8+0.08`, `0.1/move`, `12 plies`, `5000 nodes`.
pub(super) fn limits_text(limits: &SearchLimits) -> String {
    if let Some(clock) = &limits.clock {
        let stage = clock.stages()[0];
        let moves = stage.moves.map_or_else(String::new, |moves| format!("{moves}/"));
        let increment = if stage.increment.is_zero() {
            String::new()
        } else {
            format!("+{}", general(stage.increment.as_secs_f64(), 2))
        };
        return format!("{moves}{}{increment}", stage.time.as_secs_f64());
    }
    match (limits.movetime, limits.depth, limits.nodes) {
        (Some(time), ..) => format!("{}/move", time.as_secs_f64()),
        (None, Some(depth), _) => format!("{depth} plies"),
        (None, None, Some(nodes)) => format!("{nodes} nodes"),
        (None, None, None) => String::new(),
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Configured {
    name: String,
    command: String,
    working_directory: String,
    stderr_file: PathBuf,
    protocol: String,
    init_strings: Vec<String>,
    whitepov: bool,
    ponder: bool,
    restart: String,
    timeout_scale_factor: Option<f64>,
    options: Vec<ConfiguredOption>,
}

#[derive(Deserialize)]
struct ConfiguredOption {
    name: String,
    #[serde(default)]
    value: Value,
}

/// `engines.json` in the current folder, or else in cutechess's settings.
fn engines_file() -> PathBuf {
    let here = PathBuf::from("engines.json");
    match etcetera::choose_base_strategy() {
        Ok(strategy) if !here.exists() => strategy.config_dir().join("cutechess").join("engines.json"),
        _ => here,
    }
}

fn read_configured() -> Result<Vec<Configured>> {
    let file = engines_file();
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    serde_json::from_str(&text).with_context(|| format!("bad engine configuration file {}", file.display()))
}

pub(super) fn configured_names() -> Vec<String> {
    read_configured().unwrap_or_default().into_iter().map(|engine| engine.name).collect()
}

pub(super) fn configured(flag: &Flag, name: &str) -> Result<DialectEngine> {
    let found = read_configured()?.into_iter().find(|engine| engine.name == name);
    let Some(found) = found else {
        bail!("Unknown engine configuration: \"{name}\"; expected an engine of {}", engines_file().display())
    };
    let mut player = DialectEngine {
        name: found.name,
        cmd: found.command,
        dir: found.working_directory,
        restart: found.restart == "on",
        unsaved: CutechessPlayer {
            init: found.init_strings,
            stderr: found.stderr_file,
            white_pov: found.whitepov,
            ponder: found.ponder,
            patience: found.timeout_scale_factor,
            ..CutechessPlayer::default()
        },
        ..DialectEngine::default()
    };
    if !found.protocol.is_empty() {
        player.set(flag, "proto", &found.protocol)?;
    }
    for ConfiguredOption { name, value } in found.options {
        match value {
            Value::String(text) => player.set_option(&name, &text),
            Value::Bool(_) | Value::Number(_) => player.set_option(&name, &value.to_string()),
            // A button has no value.
            Value::Null => player.options.push((name, None)),
            _ => bail!("option {name}: expected a text, a number, true or false, found {value}"),
        }
    }
    Ok(player)
}

#[cfg(test)]
mod tests {
    use super::super::dialect_config::Tournament;
    use super::*;

    fn limits(words: &str) -> Result<SearchLimits> {
        let words = shlex::split(&format!("-engine cmd=a -engine cmd=b -each {words}")).unwrap();
        Ok(Tournament::of_fastchess(&words)?.engines[0].limit.search_limits())
    }

    #[test]
    fn time_controls_are_those_of_cutechess() {
        for (text, expected) in [
            ("8+0.08", "8+0.08"),
            ("0.300+0.003", "0.3+0.003"),
            ("40/1:30+1", "40/90+1"),
            ("inf/10s+0.333s", "10+0.33"),
            ("1.33+12.5", "1.33+12"),
            ("1:90s+0.57", "150+0.57"),
            ("1e9+1e-1", "1000000000+0.1"),
        ] {
            assert_eq!(limits_text(&limits(&format!("tc={text}")).unwrap()), expected, "{text}");
        }
        assert_eq!(limits("tc=inf nodes=3000").unwrap().clock, None);
        assert_eq!(limits_text(&limits("tc=inf nodes=3000").unwrap()), "3000 nodes");
        assert_eq!(limits_text(&limits("st=0.1").unwrap()), "0.1/move");
        for wrong in ["hg", "8+", "40/60,20/30", "1:00:00", "0/8", "8+-1", "1+1+1", "", "8 + 1"] {
            assert!(limits(&format!("'tc={wrong}'")).is_err(), "{wrong}");
        }
        assert!(limits("st=0.00").is_err() && limits("st=0.0004").is_err() && limits("st=0.001").is_ok());
    }
}
