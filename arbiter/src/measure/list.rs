//! The list of measurements: the steps of `arbiter ci`, the tables of `arbiter.toml`, and the records of a baseline.
//!
//! Each table of `arbiter.toml` is a step; a step without a table is not run. Relative paths are relative to the current
//! folder, as on the command line.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::measurement::{BaselineChange, Measurement, Parsed, Table};
use super::{Judgement, TriedEngine};
use crate::engines::EngineSpec;
use crate::measure::bench::BenchTable;
use crate::measure::check::ProtocolTable;
use crate::measure::games::MatchTable;
use crate::measure::perft::PerftSettings;
use crate::measure::sanitize::SanitizeTable;
use crate::measure::speed::SpeedTable;
use crate::measure::tactics::TacticsSettings;

macro_rules! measurements {
    ($($(#[$question:meta])+ $step:ident $name:literal $field:ident: $table:ty,)+) => {
        /// One step. Cheap steps, and steps whose failure makes the others pointless, come first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
        #[serde(rename_all = "lowercase")]
        pub enum Step {
            $($(#[$question])+ $step,)+
        }

        impl Step {
            /// The name, which is also the name of its table in `arbiter.toml`.
            pub fn name(self) -> &'static str {
                match self { $(Step::$step => $name,)+ }
            }

            /// The name of its check as a whole.
            pub fn check(self) -> &'static str {
                match self { $(Step::$step => <$table>::CHECK,)+ }
            }

            pub fn plays_games(self) -> bool {
                match self { $(Step::$step => <$table>::PLAYS_GAMES,)+ }
            }

            /// The table of the file, read; `None` if it has none.
            pub fn plan(self, file: &CiFile, engine: &EngineSpec, is_other: bool) -> Result<Option<Box<dyn Measurement>>> {
                match self {
                    $(Step::$step => file.$field.clone().map(|table| table.plan(engine, is_other)).transpose(),)+
                }
            }

            pub fn suggest(self, tried: &TriedEngine<'_>) -> String {
                match self { $(Step::$step => <$table>::suggest(tried),)+ }
            }

            pub fn excused(self, table: &[String], failed: &Judgement) -> Option<Vec<String>> {
                match self { $(Step::$step => <$table>::excused(table, failed),)+ }
            }
        }

        /// `arbiter.toml`, parsed; its engines, suites and books are not looked up yet.
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct CiFile {
            pub engine: Parsed<EngineSpec>,
            /// The file of the baseline; `engines/<engine>/baseline.toml` by default.
            pub baseline: Option<PathBuf>,
            /// The build to compare speed and games with; by default the commit that the baseline names.
            pub against: Option<Parsed<EngineSpec>>,
            $(#[serde(rename = $name)] pub $field: Option<$table>,)+
        }

        impl CiFile {
            pub fn steps(&self) -> Vec<Step> {
                let has_table = [$((Step::$step, self.$field.is_some())),+];
                has_table.into_iter().filter_map(|(step, has_table)| has_table.then_some(step)).collect()
            }
        }

        /// The measurements of a build. The TOML file is small, so that a change of the engine shows as a few lines of a
        /// diff. A field that was not measured is missing. `schema` changes whenever a field changes its meaning.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Baseline {
            pub schema: u32,
            pub engine: String,
            /// The engine's `id name`.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub version: Option<String>,
            /// The commit that it was built from; `None` for an unknown commit or a working tree with changes.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub revision: Option<String>,
            $(
                #[serde(rename = $name, default, skip_serializing_if = "is_nothing")]
                pub $field: <$table as Table>::Record,
            )+
        }

        impl Baseline {
            /// This baseline with new measurements; what was not measured keeps its old values.
            pub fn updated(&self, measured: &Baseline) -> Baseline {
                let mut updated = measured.clone();
                $(if is_nothing(&updated.$field) { updated.$field.clone_from(&self.$field); })+
                updated
            }

            pub fn forget(&mut self, step: Step) {
                match step { $(Step::$step => self.$field = Default::default(),)+ }
            }

            /// The differences. Measurements that were not made are skipped.
            pub fn changes(&self, now: &Baseline) -> Vec<BaselineChange> {
                let version = BaselineChange::new("version", self.version.clone(), now.version.clone());
                let records = [$(<$table>::changes(&self.$field, &now.$field)),+].concat();
                version.into_iter().chain(records).collect()
            }
        }
    };
}

measurements! {
    /// Does the build follow the UCI protocol?
    Protocol "protocol" protocol: ProtocolTable,
    /// Does it generate exactly the legal moves?
    Perft "perft" perft: PerftSettings,
    /// Does its bench search the expected number of nodes?
    Bench "bench" bench: BenchTable,
    /// Does it solve the tactics positions?
    Tactics "tactics" tactics: TacticsSettings,
    /// Does a build with sanitizers report an error?
    Sanitize "sanitize" sanitize: SanitizeTable,
    /// Is it slower than the --against build?
    Speed "speed" speed: SpeedTable,
    /// Is it weaker than the --against build?
    Match "match" games: MatchTable,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl CiFile {
    pub const NAME: &str = "arbiter.toml";

    pub fn read(path: &Path) -> Result<CiFile> {
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| {
            format!(
                "{name}: expected the configuration of `arbiter ci`; `arbiter init` writes it, --config FILE names another"
            )
        })?;
        toml::from_str(&text).with_context(|| name.to_string())
    }
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
}

fn is_nothing<R: Default + PartialEq>(record: &R) -> bool {
    *record == R::default()
}
