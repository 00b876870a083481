//! What an engine says that it can do.

use std::fmt::Write as _;

use referee::Variant;
use uci::{EngineOption, OptionKind};

use super::super::engine_info::excerpt;
use super::super::{EngineInfo, Heard};
use crate::SearchLimits;

/// The features that have no meaning for a match of two engines under a referee, whatever their value.
const WITHOUT_EFFECT: [&str; 6] = ["analyze", "colors", "debug", "draw", "sigint", "sigterm"];

/// The options of UCI that stand for commands of this protocol.
const HASH: &str = "Hash";
const THREADS: &str = "Threads";
const SYZYGY: &str = "SyzygyPath";
pub(super) const CHESS960: &str = "UCI_Chess960";
pub(super) const VARIANT: &str = "UCI_Variant";
pub(super) const PONDER: &str = "Ponder";

/// Antichess, as chess servers before lichess called it.
const GIVEAWAY: &str = "giveaway";

const NAME_CAP: usize = 200;

/// The most options that are known of an engine.
const OPTIONS_CAP: usize = 10_000;

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "an engine switches each on or off")]
pub(super) struct Features {
    pub(super) ping: bool,
    pub(super) setboard: bool,
    pub(super) san: bool,
    /// Whether it does not want to know its clock.
    pub(super) no_time: bool,
    pub(super) nps: bool,
    /// Whether it can play only one game.
    pub(super) no_reuse: bool,
    usermove: bool,
    /// Whether it calls antichess by the older name of these rules.
    says_giveaway: bool,
    /// Whether it said that it needs time to start.
    pub(super) needs_time: bool,
    /// The options that are on or off, which is written 1 or 0.
    checks: Vec<String>,
}

impl Features {
    pub(super) const fn before_move(&self) -> &'static str {
        if self.usermove { "usermove " } else { "" }
    }

    /// Reads a line of features, and answers each.
    pub(super) fn read(&mut self, line: &str, engine: &mut EngineInfo, answers: &mut String) -> Heard {
        let mut heard = Heard::More;
        for (name, value) in pairs(line) {
            let is_on = value == "1";
            let mut is_known = true;
            match name {
                "ping" => self.ping = is_on,
                "setboard" => self.setboard = is_on,
                "san" => self.san = is_on,
                "time" => self.no_time = !is_on,
                "nps" => self.nps = is_on,
                "reuse" => self.no_reuse = !is_on,
                "usermove" => self.usermove = is_on,
                "myname" => engine.name = Some(excerpt(value, NAME_CAP)),
                "memory" if is_on => add(engine, EngineOption::spin(HASH, 0, 0..=i32::MAX.into())),
                "smp" if is_on => add(engine, EngineOption::spin(THREADS, 1, 1..=i32::MAX.into())),
                "memory" | "smp" => {}
                "egt" => value.split(',').for_each(|kind| match kind.trim() {
                    "" => {}
                    "syzygy" => add(engine, EngineOption::text(SYZYGY)),
                    other => add(engine, EngineOption::text(&format!("egtpath {other}"))),
                }),
                "variants" => self.read_variants(value, engine),
                "option" => match option(value) {
                    Ok(option) => {
                        if matches!(option.kind, OptionKind::Check { .. }) {
                            self.checks.push(option.name.clone());
                        }
                        add(engine, option);
                    }
                    Err(expected) => {
                        let name = value.split(" -").next().unwrap_or_default().to_owned();
                        let announced = excerpt(value, NAME_CAP);
                        let problem = format!(
                            "the engine announced `option=\"{announced}\"`, which cannot be read: {expected}"
                        );
                        engine.unread.push((name, problem));
                    }
                },
                "done" if is_on => (heard, self.needs_time) = (Heard::Last, false),
                "done" => (heard, self.needs_time) = (Heard::NeedsTime, true),
                other => is_known = WITHOUT_EFFECT.contains(&other),
            }
            let _ = writeln!(answers, "{} {name}", if is_known { "accepted" } else { "rejected" });
        }
        heard
    }

    fn read_variants(&mut self, names: &str, engine: &mut EngineInfo) {
        let mut choices: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        if choices.iter().any(|name| name == "fischerandom") {
            add(engine, EngineOption::check(CHESS960, false));
        }
        let antichess = Variant::Antichess.in_cutechess();
        self.says_giveaway =
            choices.iter().any(|name| name == GIVEAWAY) && !choices.iter().any(|name| name == antichess);
        choices.extend(self.says_giveaway.then(|| antichess.to_owned()));
        let kind = OptionKind::Combo { default: choices[0].clone(), choices };
        add(engine, EngineOption { name: VARIANT.to_owned(), kind });
    }

    /// What the engine calls a variant.
    pub(super) const fn name_of(&self, variant: Variant) -> &'static str {
        if self.says_giveaway && matches!(variant, Variant::Antichess) {
            GIVEAWAY
        } else {
            variant.in_cutechess()
        }
    }

    /// Writes the command that sets an option.
    pub(super) fn write_option(&self, name: &str, value: Option<&str>, lines: &mut String) {
        let value = match value {
            Some("true") if self.checks.iter().any(|check| check == name) => Some("1"),
            Some("false") if self.checks.iter().any(|check| check == name) => Some("0"),
            other => other,
        };
        let _ = match (name, value) {
            (HASH, Some(megabytes)) => writeln!(lines, "memory {megabytes}"),
            (THREADS, Some(cores)) => writeln!(lines, "cores {cores}"),
            (SYZYGY, Some(path)) => writeln!(lines, "egtpath syzygy {path}"),
            (path, Some(folder)) if path.starts_with("egtpath ") => writeln!(lines, "{path} {folder}"),
            (_, Some(value)) => writeln!(lines, "option {name}={value}"),
            (_, None) => writeln!(lines, "option {name}"),
        };
    }

    pub(super) fn refuse(&self, limits: &SearchLimits) -> Option<String> {
        let SearchLimits { clock, movetime, nodes, .. } = limits;
        let whole_seconds = |time: std::time::Duration| time.subsec_nanos() == 0;
        let stages = clock.as_ref().map_or(&[][..], |clock| clock.stages());
        let problem = match () {
            () if stages.len() > 1 => {
                "xboard's protocol has no time control with several stages; give one, such as tc=40/60+0.5"
            }
            () if self.no_time && stages.iter().any(|stage| !whole_seconds(stage.time)) => {
                "the engine is not told its clock (`time=0`), and `level` has whole seconds; give a clock of whole seconds"
            }
            () if movetime.is_some_and(|time| !whole_seconds(time)) => {
                "xboard's protocol gives a move whole seconds (`st`); give movetime=1000 or a multiple, or a clock, as in tc=2+0.1"
            }
            () if nodes.is_some() && !self.nps => {
                "nodes cannot be limited: the engine does not offer `nps`; give it a depth or a clock"
            }
            () if nodes.is_some() && (clock.is_some() || movetime.is_some()) => {
                "xboard's protocol limits nodes in place of time (`st 1`, `nps`); give only one of them"
            }
            () => return None,
        };
        Some(problem.to_owned())
    }
}

fn add(engine: &mut EngineInfo, option: EngineOption) {
    if engine.option(&option.name).is_none() && engine.options.len() < OPTIONS_CAP {
        engine.options.push(option);
    }
}

/// The names and values of a line: `ping=1 myname="A B"`.
fn pairs(line: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some((name, value)) = rest.split_once('=') {
        let name = name.split_ascii_whitespace().next_back().unwrap_or_default();
        let value = value.trim_start();
        let (value, later) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        found.push((name, value));
        rest = later;
    }
    found
}

/// Reads `NAME -TYPE VALUE`. The error says what was expected.
fn option(text: &str) -> Result<EngineOption, &'static str> {
    let (name, rest) = text.split_once(" -").ok_or("expected ` -` and a type behind the name")?;
    let (kind, value) = rest.split_once(' ').unwrap_or((rest, ""));
    let kind = match kind {
        "button" | "save" | "reset" => OptionKind::Button,
        "check" => OptionKind::Check { default: value.trim() == "1" },
        "string" | "file" | "path" => OptionKind::String { default: value.to_owned() },
        "spin" | "slider" => {
            let numbers: Vec<i128> =
                value.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
            let [default, min, max] = numbers[..] else {
                return Err("expected a value, a minimum and a maximum");
            };
            OptionKind::Spin { default, min, max }
        }
        "combo" => {
            let choices: Vec<&str> =
                value.split("///").map(str::trim).filter(|word| !word.is_empty()).collect();
            let default = choices.iter().find_map(|choice| choice.strip_prefix('*'));
            let default = default.or(choices.first().copied()).ok_or("expected choices")?.to_owned();
            let plain = |choice: &&str| choice.strip_prefix('*').unwrap_or(choice).to_owned();
            OptionKind::Combo { default, choices: choices.iter().map(plain).collect() }
        }
        _ => return Err("expected button, save, reset, check, string, file, path, spin, slider or combo"),
    };
    Ok(EngineOption { name: name.trim().to_owned(), kind })
}
