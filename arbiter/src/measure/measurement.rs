//! What all measurements have in common, for `ci`, `bisect` and `init`.

use std::fmt::{Debug, Display};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Result, bail};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};

use crate::engines::EngineSpec;
use crate::measure::{Baseline, Judgement, MeasureError, TriedEngine};
use crate::run::Series;
use runner::EngineConfig;

/// A table of `arbiter.toml`, as written.
pub trait Table: Clone + Debug {
    /// What a baseline keeps of the measurement; the default is nothing.
    type Record: Clone + Debug + Default + Eq + Serialize + DeserializeOwned;

    /// The name of its only check, or of the check that fails with the engine.
    const CHECK: &str;

    const PLAYS_GAMES: bool = false;

    /// Reads the files that the table names, and checks it. `is_other`: the engine may not be the one of `arbiter.toml`.
    fn plan(self, engine: &EngineSpec, is_other: bool) -> Result<Box<dyn Measurement>>;

    /// The table for an engine, or a comment that says why it has none.
    fn suggest(tried: &TriedEngine<'_>) -> String;

    /// The lines of its table, changed so that what failed may fail; `None` if only the whole step can be left out.
    fn excused(_: &[String], _: &Judgement) -> Option<Vec<String>> {
        None
    }

    /// The differences from a record to a new one.
    fn changes(_: &Self::Record, _: &Self::Record) -> Vec<BaselineChange> {
        Vec::new()
    }
}

/// A measurement that is ready to be made.
pub trait Measurement: Debug {
    /// The names and the SHA-256 of its suites.
    fn suites(&self) -> Vec<[&str; 2]> {
        Vec::new()
    }

    fn compares_builds(&self) -> bool {
        false
    }

    /// Checks that the records of a baseline can be compared with.
    fn check_known(&self, _: &Baseline) -> Result<()> {
        Ok(())
    }

    /// Checks before the first measurement that the engine supports it. `advice` ends the message if it does not.
    fn check_engine(&mut self, _: &EngineConfig, _advice: &str) -> Result<()> {
        Ok(())
    }

    fn judge(&mut self, tested: &Tested<'_>, measured: &mut Baseline) -> Result<Judgement, MeasureError>;
}

/// A build, and what it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Tested<'a> {
    pub engine: &'a EngineConfig,
    /// The build to compare with, unless it is the same program.
    pub other: Option<&'a EngineConfig>,
    pub known: Option<&'a Baseline>,
    /// The repository whose commit messages may state a bench.
    pub repository: Option<&'a Path>,
    pub folder: &'a Path,
    /// The bisection that tests the build; `other` and `known` are of its good commit, and missing for that itself.
    pub bisection: Option<&'a Series>,
}

impl Tested<'_> {
    /// The folder for games of the build; a bisection has one for each commit.
    pub fn games(&self, name: &str) -> PathBuf {
        let commit = self.engine.revision.as_deref().filter(|_| self.bisection.is_some());
        let commit = commit.map(|commit| format!("-{}", commit.get(..7).unwrap_or(commit)));
        self.folder.join(format!("{name}{}", commit.unwrap_or_default()))
    }

    /// What is known, in words.
    pub fn reference(&self) -> &'static str {
        if self.bisection.is_some() { "the good commit" } else { "the baseline" }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineChange {
    pub what: String,
    /// The value in the baseline; `–` for a new measurement.
    pub before: String,
    /// The new value; `–` for a suite that is no longer tested.
    pub now: String,
}

impl BaselineChange {
    const NONE: &str = "–";

    /// `None` if nothing was measured, or nothing has changed.
    pub fn new(
        what: impl Into<String>,
        before: Option<String>,
        now: Option<String>,
    ) -> Option<BaselineChange> {
        let now = now.filter(|now| Some(now) != before.as_ref())?;
        Some(BaselineChange { what: what.into(), before: before.unwrap_or(Self::NONE.to_owned()), now })
    }

    /// The changes of suites, by `name`. The last function gives the text of a new record beside the known one, if it has
    /// changed. Suites that are gone count only if others of their kind were measured.
    pub fn of_suites<R>(
        [before, now]: [&[R]; 2],
        name: impl Fn(&R) -> String,
        text: impl Fn(&R) -> String,
        beside: impl Fn(&R, &R) -> Option<String>,
    ) -> Vec<BaselineChange> {
        let find = |records: &[R], name_of: &str| records.iter().position(|record| name(record) == name_of);
        let in_both = now.iter().filter_map(|record| {
            let known = find(before, &name(record)).map(|at| &before[at]);
            let now = known.map_or_else(|| Some(text(record)), |known| beside(known, record));
            BaselineChange::new(name(record), known.map(&text), now)
        });
        let gone = before.iter().filter(|known| !now.is_empty() && find(now, &name(known)).is_none());
        let gone = gone.filter_map(|known| {
            BaselineChange::new(name(known), Some(text(known)), Some(Self::NONE.to_owned()))
        });
        in_both.chain(gone).collect()
    }
}

/// Checks that suites have not changed since a baseline. One that the baseline lacks is accepted as new.
pub fn check_suites<'a>(
    step: &str,
    suites: &[[&str; 2]],
    mut known: impl Iterator<Item = [&'a String; 2]>,
) -> Result<()> {
    let changed = |[name, known]: [&'a String; 2]| {
        let found = suites.iter().find(|[suite, found]| suite == name && found != known)?;
        Some((known, found))
    };
    if let Some((expected, [suite, found])) = known.find_map(changed) {
        bail!(
            "{step}, suite {suite}: expected SHA-256 {expected}, found {found}; the suite has changed since the baseline: \
             write a new baseline with `arbiter ci --update-baseline`, or use the old suite"
        );
    }
    Ok(())
}

pub fn check_above_zero<T: Copy + PartialEq + Default>(field: &str, number: Option<T>) -> Result<()> {
    if number == Some(T::default()) {
        bail!("{field}: expected a number from 1, found 0");
    }
    Ok(())
}

/// A value that is parsed from a string, such as an engine with its options. Errors name the line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T>(pub T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parsed<T>, D::Error> {
        String::deserialize(deserializer)?.parse().map(Parsed).map_err(D::Error::custom)
    }
}
