//! Does a build search as many nodes as the good one in its own bench?
//!
//! The number of nodes that a deterministic engine searches in a fixed piece of work is the signature of its search:
//! whatever changes the search changes the number. By the convention of `OpenBench`, which most engines follow, it is
//! printed by `PROGRAM bench`, as `Nodes searched: N` or as `N nodes M nps`.

use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::{Judgement, Subject, Verdict, Yardstick};
use crate::cli::{Blame, CliError};
use runner::EngineConfig;
use runner::process::run_guarded;

/// How long a bench may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// Runs the bench; that of the good build twice, since a number that differs by itself is no signature.
///
/// # Errors
/// The good build has no bench, or one that is not the same twice.
pub fn judge(subject: &Subject<'_>) -> Result<Judgement, CliError> {
    let measure = || signature(subject.engine, &subject.folder.join("bench.log"));
    if subject.is_the_good_one() {
        let (first, second) = (measure().usage()?, measure().usage()?);
        if first != second {
            let problem = anyhow!(
                "--by bench: expected the good build to search the same number of nodes every time, found {first} and \
                 {second}"
            );
            return Err(CliError::Usage(problem));
        }
        let achieved = Yardstick { signature: Some(first), ..Yardstick::default() };
        return Ok(Judgement { achieved, ..Judgement::new(Verdict::Good, format!("{first} nodes")) });
    }
    let found = match measure() {
        Ok(found) => found,
        Err(error) => return Ok(Judgement::skipped(format!("{error:#}"))),
    };
    let expected = subject.yardstick.signature.unwrap_or_default();
    let verdict = if found == expected { Verdict::Good } else { Verdict::Bad };
    Ok(Judgement::new(verdict, format!("{found} nodes, the good one {expected}")))
}

/// Runs `PROGRAM ARGS bench` and reads how many nodes it says it has searched.
fn signature(engine: &EngineConfig, log: &Path) -> Result<u64> {
    let file = File::create(log).with_context(|| log.display().to_string())?;
    let mut command = Command::new(&engine.program);
    command.args(&engine.args).arg("bench").envs(&engine.env).stdin(Stdio::null());
    command.stdout(file.try_clone()?).stderr(file);
    if let Some(dir) = &engine.dir {
        command.current_dir(dir);
    }
    let name = &engine.name;
    let ended = run_guarded(&mut command, Some(PATIENCE)).with_context(|| name.clone())?;
    let status: ExitStatus = ended.with_context(|| {
        format!("{name}: `bench` has not ended within {} minutes", PATIENCE.as_secs() / 60)
    })?;
    let text = std::fs::read(log).with_context(|| log.display().to_string())?;
    let text = String::from_utf8_lossy(&text);
    if !status.success() {
        return Err(anyhow!("{name}: `bench` ended with {status}"));
    }
    text.lines().rev().find_map(nodes_in).with_context(|| {
        format!("{name}: expected `bench` to print `Nodes searched: N` or `N nodes`, found neither")
    })
}

/// The number of nodes that a line tells.
fn nodes_in(line: &str) -> Option<u64> {
    let number = |word: &str| word.replace([',', '\''], "").parse::<u64>().ok();
    let is_word = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '(' | ')');
    let words: Vec<&str> = line.split(is_word).filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| word.eq_ignore_ascii_case("nodes"))?;
    let before = at.checked_sub(1).and_then(|before| number(words[before]));
    let after = || words[at + 1..].iter().find(|word| !word.eq_ignore_ascii_case("searched")).copied();
    before.or_else(|| number(after()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_in_which_engines_tell_their_nodes_are_read() {
        assert_eq!(nodes_in("Nodes searched  : 4711"), Some(4711));
        assert_eq!(nodes_in("4711 nodes 123456 nps"), Some(4711));
        assert_eq!(nodes_in("Bench: 4,711 nodes (3 s)"), Some(4711));
        assert_eq!(nodes_in("nodes 4711"), Some(4711));
        for line in ["Nodes/second    : 99", "no nodes here", "", "nodes"] {
            assert_eq!(nodes_in(line), None, "{line}");
        }
    }
}
