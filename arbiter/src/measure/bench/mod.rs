//! The bench: the nodes that a build searches in a fixed set of positions.
//!
//! The bench of a deterministic engine is the signature of its search: it is the same on every machine, and every
//! functional change changes it.

mod step;

pub use step::{BenchStep, BenchTable};

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use regex_lite::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use crate::engines::session;
use crate::measure::{Judgement, MeasureError};
use crate::report::verdict::Verdict;
use crate::text::number_text::thousands;
use runner::EngineConfig;
use runner::process::{EngineError, run_guarded, shell};

const PROGRAM: &str = "{engine}";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchRecord {
    pub nodes: u64,
}

/// Where an expected bench comes from: the words for the same one, for another one, and what to do about that.
type BenchSource = [&'static str; 3];

const COMMIT_MESSAGE: BenchSource = [
    "as the commit message states",
    "the commit message states",
    "state the new bench in the commit message",
];
const BASELINE: BenchSource =
    ["as in the baseline", "the baseline has", "run `arbiter ci --update-baseline`"];
const GOOD_COMMIT: BenchSource = ["as for the good commit", "the good commit has", ""];

impl BenchRecord {
    fn judge(self, expected: Option<(u64, BenchSource)>) -> Judgement {
        let found = self.text();
        let Some((expected, [as_it, it_has, then])) = expected else {
            return Judgement::new(Verdict::Same, found);
        };
        if self.nodes == expected {
            return Judgement::new(Verdict::Same, format!("{found}, {as_it}"));
        }
        let other = Judgement::new(Verdict::Worse, format!("{found}; {it_has} {}", thousands(expected)));
        match then {
            "" => other,
            then => other.detail(format!("the search has changed; if you intended this, {then}")),
        }
    }

    fn text(self) -> String {
        format!("{} nodes", thousands(self.nodes))
    }
}

/// `PROGRAM bench`, the convention of `OpenBench`. The number is in one of the usual forms: `Nodes searched: N` or
/// `N nodes M nps`.
fn by_argument(engine: &EngineConfig, log: &Path, timeout: Duration) -> Result<u64, MeasureError> {
    let open = || File::options().read(true).write(true).create(true).truncate(true).open(log);
    let file = open().with_context(|| log.display().to_string())?;
    let text = output_of_argument(engine, file, timeout)?;
    let found = text.lines().rev().find_map(nodes_in);
    Ok(found.with_context(|| {
        let name = &engine.name;
        format!("{name}: expected `Nodes searched: N` or `N nodes` in the output of `bench`, found neither")
    })?)
}

pub fn output_of_argument(
    engine: &EngineConfig,
    file: File,
    timeout: Duration,
) -> Result<String, MeasureError> {
    let EngineConfig { name, program, args, dir, .. } = engine;
    let mut command = Command::new(program);
    command.args(args).arg("bench").env_clear().envs(engine.environment());
    if let Some(dir) = dir {
        command.current_dir(dir);
    }
    printed(&mut command, &format!("{name}: `bench`"), file, timeout)
}

/// The last match of the pattern counts, because totals come at the end.
fn by_shell(command: &str, nodes: &NumberPattern, timeout: Duration) -> Result<u64, MeasureError> {
    let file = tempfile::tempfile().map_err(Error::from)?;
    let text = printed(&mut shell(command), &format!("`{command}`"), file, timeout)?;
    Ok(nodes.last_in(&text).with_context(|| {
        let (expected, end) = (nodes.text(), last_line(&text));
        format!("bench, nodes: expected a match of `{expected}` in the output, found none{end}")
    })?)
}

/// The first match of the pattern counts.
fn by_uci(
    engine: &EngineConfig,
    line: &str,
    nodes: &NumberPattern,
    timeout: Duration,
) -> Result<u64, MeasureError> {
    let mut session = session::start(engine)?;
    let mut found = None;
    let asked = session.ask(&format!("{line}\n"), timeout, |answer| {
        found = nodes.first_in(answer);
        found.is_some()
    });
    session.quit();
    found.ok_or_else(|| {
        MeasureError::EngineFault(match asked {
            Err(EngineError::Silent { .. }) => {
                anyhow!("no line matched `{}` within {} s of `{line}`", nodes.text(), timeout.as_secs())
            }
            Err(error) => error.into(),
            Ok(_) => anyhow!("no line matched `{}`", nodes.text()),
        })
    })
}

/// Runs a program and returns its output, standard error included, because some engines print their bench there. The
/// output goes through `file`; `name` is for error messages.
fn printed(
    command: &mut Command,
    name: &str,
    mut file: File,
    timeout: Duration,
) -> Result<String, MeasureError> {
    let mut run = || {
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file.try_clone()?);
        run_guarded(command, Some(timeout))
    };
    let ended = run().with_context(|| format!("cannot start {name}"))?;
    let Some(status) = ended else {
        return Err(MeasureError::EngineFault(anyhow!("{name} did not end within {} s", timeout.as_secs())));
    };
    let mut text = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut text)).map_err(Error::from)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    if status.success() {
        return Ok(text);
    }
    Err(MeasureError::EngineFault(anyhow!("{name} ended with {status}{}", last_line(&text))))
}

fn last_line(text: &str) -> String {
    text.trim_end()
        .lines()
        .next_back()
        .map(|line| format!("; the last line of its output is `{line}`"))
        .unwrap_or_default()
}

/// Words that may stand between `nodes` and the number.
const FILLERS: [&str; 6] = ["searched", "visited", "counted", "total", "count", "is"];

const UNITS: [&str; 8] = ["nps", "n/s", "knps", "mnps", "ms", "s", "sec", "seconds"];

/// The number of nodes in a line such as `Nodes searched: N`, `N nodes M nps` or `info depth D nodes N nps M`.
pub fn nodes_in(line: &str) -> Option<u64> {
    let is_blank = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '(' | ')' | '|');
    let words = line.split(is_blank).map(|word| word.trim_end_matches([',', '.', ';']).to_lowercase());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let at = words.iter().position(|word| word == "nodes")?;
    if matches!((word(at + 1), word(at + 2)), ("per", _) | ("/", "s" | "sec" | "second")) {
        return None;
    }
    let before = at.checked_sub(1).and_then(|before| number(word(before)));
    let next = (at + 1..words.len()).find(|at| !FILLERS.contains(&word(*at))).unwrap_or(words.len());
    let after = number(word(next));
    // In `5 nodes 7 nps` values precede their names, and in `depth 5 nodes 7 nps 9` they follow them.
    let is_unit = UNITS.contains(&word(next + 1)) && number(word(next + 2)).is_none();
    if is_unit { before.or(after) } else { after.or(before) }
}

fn quoted(path: &str) -> String {
    if cfg!(windows) { format!("\"{path}\"") } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// A regular expression with one group, which matches a number. `^` and `$` match at the ends of a line.
#[derive(Clone, Debug)]
pub struct NumberPattern(Regex);

impl NumberPattern {
    pub fn first_in(&self, text: &str) -> Option<u64> {
        self.0.captures_iter(text).find_map(|found| number(found.get(1)?.as_str()))
    }

    pub fn last_in(&self, text: &str) -> Option<u64> {
        self.0.captures_iter(text).filter_map(|found| number(found.get(1)?.as_str())).last()
    }

    pub fn text(&self) -> &str {
        self.0.as_str()
    }
}

/// Digits, optionally with thousands separators.
pub fn number(text: &str) -> Option<u64> {
    text.chars().filter(|letter| !matches!(letter, ',' | '\'' | '_')).collect::<String>().parse().ok()
}

impl FromStr for NumberPattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<NumberPattern> {
        let regex = RegexBuilder::new(text).multi_line(true).build();
        let regex =
            regex.map_err(|error| anyhow!("expected a regular expression, found `{text}` ({error})"))?;
        // The whole match counts as a group, too.
        let found = regex.captures_len() - 1;
        if found != 1 {
            bail!(
                r"expected one group for the number, as in `^Nodes searched *: (\d+)$`, found {found} in `{text}`"
            );
        }
        Ok(NumberPattern(regex))
    }
}

/// The output of public engines for `bench`, each with 4,711 nodes.
#[cfg(test)]
pub fn public_forms() -> impl Iterator<Item = &'static str> {
    include_str!("bench_forms.txt")
        .split("\n#")
        .skip(1)
        .map(|form| form.split_once('\n').map_or("", |(_, text)| text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_forms_of_a_bench_are_parsed() {
        for text in public_forms() {
            assert_eq!(text.lines().rev().find_map(nodes_in), Some(4711), "{text}");
        }
        for line in
            ["Nodes/second    : 99", "99 nodes per second", "99 nodes / s", "no nodes here", "", "nodes"]
        {
            assert_eq!(nodes_in(line), None, "{line}");
        }
    }
}
