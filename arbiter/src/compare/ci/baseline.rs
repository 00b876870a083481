//! The baseline: the measurements of a build, to compare the next build with.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::step::Step;
use crate::files::write_whole;
use crate::measure::bench::BenchRecord;
use crate::measure::perft::PerftRecord;
use crate::measure::speed::SpeedRecord;
use crate::measure::tactics::TacticsRecord;
use crate::text::number_text::thousands;

/// The measurements of a build. The TOML file is small, so that a change of the engine shows as a few lines of a diff.
/// A field that was not measured is missing. `schema` changes whenever a field changes its meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    pub schema: u32,
    pub engine: String,
    /// The engine's `id name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The commit that it was built from; `None` for an unknown commit or a working tree with changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<BenchRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<SpeedRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perft: Vec<PerftRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tactics: Vec<TacticsRecord>,
}

impl Baseline {
    pub const SCHEMA: u32 = 1;

    pub fn of_engine(engine: impl Into<String>) -> Baseline {
        Baseline { schema: Baseline::SCHEMA, engine: engine.into(), ..Baseline::default() }
    }

    pub fn check_engine(&self, engine: &str) -> Result<()> {
        let (schema, found) = (Baseline::SCHEMA, &self.engine);
        if self.schema != schema {
            bail!(
                "schema: expected {schema}, found {}; write a new baseline with `arbiter ci --update-baseline`",
                self.schema
            );
        }
        if found != engine {
            bail!(
                "engine: expected the baseline of `{engine}`, found the baseline of `{found}`; name another file with \
                 `baseline` in arbiter.toml"
            );
        }
        Ok(())
    }

    /// Checks that a perft suite has not changed. A suite that the baseline lacks is accepted as new.
    pub fn check_perft(&self, suite: &str, sha256: &str) -> Result<()> {
        let known = self.perft.iter().find(|record| record.suite == suite);
        known.map_or(Ok(()), |known| same_suite(Step::Perft, suite, &known.sha256, sha256))
    }

    pub fn check_tactics(&self, suite: &str, sha256: &str, limit: &str) -> Result<()> {
        let Some(known) = self.tactics_of(suite) else { return Ok(()) };
        same_suite(Step::Tactics, suite, &known.sha256, sha256)?;
        if known.limit != limit {
            bail!(
                "tactics, suite {suite}: expected the limit `{}`, found `{limit}`; the limit has changed since the \
                 baseline: write a new baseline with `arbiter ci --update-baseline`, or use the old limit",
                known.limit
            );
        }
        Ok(())
    }

    fn tactics_of(&self, suite: &str) -> Option<&TacticsRecord> {
        self.tactics.iter().find(|record| record.suite == suite)
    }

    /// This baseline with new measurements; what was not measured keeps its old values.
    #[must_use]
    fn updated(&self, measured: &Baseline) -> Baseline {
        let Baseline { bench, speed, perft, tactics, .. } = measured.clone();
        Baseline {
            bench: bench.or(self.bench),
            speed: speed.or_else(|| self.speed.clone()),
            perft: if perft.is_empty() { self.perft.clone() } else { perft },
            tactics: if tactics.is_empty() { self.tactics.clone() } else { tactics },
            ..measured.clone()
        }
    }
}

fn same_suite(section: Step, suite: &str, expected: &str, found: &str) -> Result<()> {
    if expected != found {
        bail!(
            "{section}, suite {suite}: expected SHA-256 {expected}, found {found}; the suite has changed since the \
             baseline: write a new baseline with `arbiter ci --update-baseline`, or use the old suite"
        );
    }
    Ok(())
}

const HEADER: &str = "\
# Baseline of this engine, written by `arbiter ci --update-baseline`; `arbiter ci` compares the next build with it.
";

#[derive(Clone, Debug)]
pub struct BaselineFile {
    pub path: PathBuf,
    pub known: Option<Baseline>,
}

impl BaselineFile {
    pub fn read(path: PathBuf) -> Result<BaselineFile> {
        let known = match fs::read_to_string(&path) {
            Ok(text) => Some(toml::from_str(&text).with_context(|| path.display().to_string())?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        Ok(BaselineFile { path, known })
    }

    pub fn default_path(engine: &str) -> PathBuf {
        Path::new("engines").join(engine).join("baseline.toml")
    }

    pub fn update(&self, measured: &Baseline) -> Result<Baseline> {
        let updated = self.known.as_ref().map_or_else(|| measured.clone(), |known| known.updated(measured));
        let write = || {
            self.path.parent().map_or(Ok(()), fs::create_dir_all)?;
            write_whole(&self.path, text(&updated)?)?;
            anyhow::Ok(())
        };
        write().with_context(|| self.path.display().to_string())?;
        Ok(updated)
    }
}

pub fn text(baseline: &Baseline) -> Result<String> {
    Ok(format!("{HEADER}{}", toml::to_string_pretty(baseline)?))
}

const NONE: &str = "–";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineChange {
    pub what: String,
    /// The value in the baseline; `–` for a new measurement.
    pub before: String,
    /// The new value; `–` for a suite that is no longer tested.
    pub now: String,
}

/// The differences between the baseline and the new measurements. Measurements that were not made are skipped; but if
/// only some suites of a kind were measured, the missing ones count.
pub fn baseline_changes(before: Option<&Baseline>, now: &Baseline) -> Vec<BaselineChange> {
    let nothing = Baseline::default();
    let before = before.unwrap_or(&nothing);
    let mut changes = Vec::new();
    let mut add = |what: String, before: Option<String>, now: Option<String>| {
        if let Some(now) = now.filter(|now| Some(now) != before.as_ref()) {
            changes.push(BaselineChange { what, before: before.unwrap_or_else(|| NONE.to_owned()), now });
        }
    };
    let nodes_of = |record: &PerftRecord| format!("{} nodes", thousands(record.nodes));
    let solved = |record: &TacticsRecord| format!("{}/{} solved", record.solved.len(), record.positions);
    add("version".to_owned(), before.version.clone(), now.version.clone());
    let nodes = |known: &Baseline| known.bench.map(|bench| thousands(bench.nodes));
    add("bench nodes".to_owned(), nodes(before), nodes(now));
    for record in &now.perft {
        let known = before.perft.iter().find(|known| known.suite == record.suite);
        add(format!("perft {}", record.suite), known.map(nodes_of), Some(nodes_of(record)));
    }
    for gone in before.perft.iter().filter(|known| is_gone(*known, &now.perft, |record| &record.suite)) {
        add(format!("perft {}", gone.suite), Some(nodes_of(gone)), Some(NONE.to_owned()));
    }
    for record in &now.tactics {
        let known = before.tactics_of(&record.suite);
        let is_like = |known: &TacticsRecord| known.limit == record.limit && known.sha256 == record.sha256;
        let changed = known.is_none_or(|known| known.solved != record.solved || !is_like(known));
        let differences = match known {
            None => String::new(),
            Some(known) if is_like(known) => differences(known, record),
            Some(known) if known.limit == record.limit => ": of another suite, not compared".to_owned(),
            Some(known) => format!(": with `{}` instead of `{}`, not compared", record.limit, known.limit),
        };
        let now = changed.then(|| solved(record) + &differences);
        add(format!("tactics {}", record.suite), known.map(solved), now);
    }
    for gone in before.tactics.iter().filter(|known| is_gone(*known, &now.tactics, |record| &record.suite)) {
        add(format!("tactics {}", gone.suite), Some(solved(gone)), Some(NONE.to_owned()));
    }
    add(
        "NPS".to_owned(),
        before.speed.as_ref().map(|known| speed(known, now)),
        now.speed.as_ref().map(|speed| thousands(speed.nodes_per_second)),
    );
    changes
}

fn is_gone<R>(known: &R, now: &[R], suite: impl Fn(&R) -> &String) -> bool {
    !now.is_empty() && now.iter().all(|record| suite(record) != suite(known))
}

fn speed(known: &SpeedRecord, now: &Baseline) -> String {
    let is_here = now.speed.as_ref().is_some_and(|speed| speed.machine == known.machine);
    if is_here { thousands(known.nodes_per_second) } else { "another machine".to_owned() }
}

/// The positions lost and gained, such as `: lost a; gained 2`.
fn differences(before: &TacticsRecord, now: &TacticsRecord) -> String {
    let only = |one: &TacticsRecord, other: &TacticsRecord| -> Vec<String> {
        one.solved.iter().filter(|id| !other.solved.contains(id)).cloned().collect()
    };
    // The table has no room for several names; the step lists them.
    let named = |word: &str, names: &[String]| match names {
        [] => None,
        [name] => Some(format!("{word} {name}")),
        names => Some(format!("{word} {}", names.len())),
    };
    let both = [named("lost", &only(before, now)), named("gained", &only(now, before))];
    let both: Vec<String> = both.into_iter().flatten().collect();
    if both.is_empty() { String::new() } else { format!(": {}", both.join("; ")) }
}

#[cfg(test)]
pub fn made_up(nodes: u64, solved: &[&str], machine: &str) -> Baseline {
    let record = TacticsRecord {
        suite: "classics.epd".to_owned(),
        sha256: "ab".to_owned(),
        limit: "go nodes 1000".to_owned(),
        positions: 3,
        solved: solved.iter().map(|id| (*id).to_owned()).collect(),
    };
    Baseline {
        version: Some("Mock 1".to_owned()),
        bench: Some(BenchRecord { nodes }),
        speed: Some(SpeedRecord { nodes_per_second: 1_234_567, machine: machine.to_owned() }),
        tactics: vec![record],
        ..Baseline::of_engine("mock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_both_values() {
        let changes = baseline_changes(
            Some(&made_up(1000, &["one", "two"], "there")),
            &made_up(1200, &["two", "three"], "here"),
        );
        let rows: Vec<String> = changes
            .iter()
            .map(|change| format!("{}: {} -> {}", change.what, change.before, change.now))
            .collect();
        assert_eq!(
            rows,
            [
                "bench nodes: 1,000 -> 1,200",
                "tactics classics.epd: 2/3 solved -> 2/3 solved: lost one; gained three",
                "NPS: another machine -> 1,234,567",
            ]
        );
    }

    #[test]
    fn positions_that_another_limit_solves_are_not_gained() {
        let (known, mut now) = (made_up(1000, &["one"], "here"), made_up(1000, &["one", "two"], "here"));
        now.tactics[0].limit = "go nodes 2000".to_owned();
        let changes = baseline_changes(Some(&known), &now);
        let expected = "2/3 solved: with `go nodes 2000` instead of `go nodes 1000`, not compared";
        assert_eq!(changes.iter().map(|change| &*change.now).collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn a_suite_that_is_no_longer_tested_is_shown_unless_none_of_its_kind_is() {
        let known = made_up(1000, &["one"], "here");
        let other = TacticsRecord { suite: "b.epd".to_owned(), ..known.tactics[0].clone() };
        let both = Baseline { tactics: vec![other, known.tactics[0].clone()], ..known.clone() };
        let change = |what: &str, before: &str, now: &str| BaselineChange {
            what: what.to_owned(),
            before: before.to_owned(),
            now: now.to_owned(),
        };
        assert_eq!(baseline_changes(Some(&both), &known), [change("tactics b.epd", "1/3 solved", "–")]);
        let none = Baseline { tactics: Vec::new(), ..known.clone() };
        assert_eq!(baseline_changes(Some(&both), &none), []);
    }

    #[test]
    fn everything_is_new_without_a_baseline() {
        let changes = baseline_changes(None, &made_up(1000, &["one"], "here"));
        assert!(changes.len() == 4 && changes.iter().all(|change| change.before == "–"), "{changes:?}");
    }
}
