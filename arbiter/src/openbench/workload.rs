//! A test as the site describes it.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use indexmap::IndexMap;
use runner::process::nearest_name;
use runner::{SearchLimits, TimeControl};
use serde::Deserialize;
use serde_json::Value;

use super::site::Site;
use crate::text::listed;

/// The fields of `/api/workload/N/info/` that Arbiter uses.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "OpenBench keeps the state of a test in flags")]
pub(super) struct Workload {
    pub(super) id: u64,
    pub(super) author: String,
    /// `SPRT`, `GAMES`, `SPSA` or `DATAGEN`.
    pub(super) test_mode: String,
    pub(super) upload_pgns: String,
    pub(super) book_name: String,
    pub(super) dev_engine: String,
    pub(super) dev_options: String,
    pub(super) dev_netname: String,
    pub(super) dev_time_control: String,
    pub(super) dev: SiteCommit,
    pub(super) base_engine: String,
    pub(super) base_options: String,
    pub(super) base_netname: String,
    pub(super) base_time_control: String,
    pub(super) base: SiteCommit,
    /// The hypotheses of the SPRT in normalized Elo.
    pub(super) elolower: f64,
    pub(super) eloupper: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    /// The number of games of a test without an SPRT.
    pub(super) max_games: u64,
    pub(super) games: u64,
    /// Losses, draws and wins of the new engine.
    pub(super) tri: [u64; 3],
    /// Pairs in which the new engine scored 0, ½, 1, 1½ and 2 points.
    pub(super) penta: [u64; 5],
    /// Whether the test counts single games instead of pairs, as old tests do.
    pub(super) use_tri: bool,
    pub(super) passed: bool,
    pub(super) failed: bool,
    pub(super) finished: bool,
    pub(super) deleted: bool,
    pub(super) approved: bool,
    pub(super) error: bool,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct SiteCommit {
    /// The revision as typed: a branch, a tag or a hash.
    pub(super) name: String,
    pub(super) sha: String,
}

/// The results of one machine, a row of `/api/workload/N/results/`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct MachineResult {
    #[serde(rename = "timeloss")]
    pub(super) time_losses: u64,
    pub(super) crashes: u64,
    pub(super) active: bool,
}

impl Workload {
    pub(super) fn path(test: u64) -> String {
        format!("api/workload/{test}/info/")
    }

    pub(super) fn results_path(test: u64) -> String {
        format!("api/workload/{test}/results/")
    }

    /// The names of the two players, the new engine first: `Tiny@dev`.
    pub(super) fn players(&self) -> [String; 2] {
        [(&self.dev_engine, &self.dev), (&self.base_engine, &self.base)].map(|(engine, commit)| {
            let is_hash = commit.name.len() == 40 && commit.name.bytes().all(|byte| byte.is_ascii_hexdigit());
            let revision = if is_hash { commit.short_hash() } else { &commit.name };
            format!("{engine}@{revision}")
        })
    }
}

impl SiteCommit {
    /// The first eight digits of the hash, as the site shows it.
    pub(super) fn short_hash(&self) -> &str {
        self.sha.get(..8).unwrap_or(&self.sha)
    }
}

/// The site rounds times and increments to multiples of these.
const CLOCK_STEP: Duration = Duration::from_millis(100);
const INCREMENT_STEP: Duration = Duration::from_millis(10);

pub(super) fn time_control_field(limits: &SearchLimits) -> Result<String> {
    let per_move = [
        limits.movetime.map(|time| format!("MT={}", time.as_millis())),
        limits.nodes.map(|nodes| format!("N={nodes}")),
        limits.depth.map(|depth| format!("D={depth}")),
    ];
    let mut fields: Vec<String> = per_move.into_iter().flatten().collect();
    if let Some(clock) = &limits.clock {
        fields.push(clock_field(clock)?);
    }
    match <[String; 1]>::try_from(fields) {
        Ok([field]) => Ok(field),
        Err(fields) => bail!(
            "limits: expected one of a time control, movetime, nodes and depth, found {}",
            fields.join(", ")
        ),
    }
}

fn clock_field(clock: &TimeControl) -> Result<String> {
    let [stage] = clock.stages() else {
        bail!("time control {clock}: expected a single stage, as OpenBench has them");
    };
    let is_multiple = |time: Duration, step: Duration| time.as_nanos().is_multiple_of(step.as_nanos());
    if !is_multiple(stage.time, CLOCK_STEP) || !is_multiple(stage.increment, INCREMENT_STEP) {
        bail!(
            "time control {clock}: expected tenths of a second and an increment in hundredths, to which OpenBench rounds"
        );
    }
    let moves = stage.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
    Ok(format!("{moves}{:.1}+{:.2}", stage.time.as_secs_f64(), stage.increment.as_secs_f64()))
}

/// The names of engines and books, from `/api/config/`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SiteNames {
    engines: Vec<String>,
    books: BTreeMap<String, Value>,
}

pub(super) type Preset = IndexMap<String, Value>;

/// An engine of the site, from `/api/config/ENGINE/`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SiteEngine {
    #[serde(skip)]
    pub(super) name: String,
    pub(super) nps: u64,
    pub(super) source: String,
    /// The presets by name; `default` holds the fields that all presets share.
    #[serde(default)]
    test_presets: IndexMap<String, Preset>,
    #[serde(skip)]
    networks: SiteNetworks,
}

/// The networks of an engine, from `/api/networks/ENGINE/`.
#[derive(Clone, Debug, Default, Deserialize)]
struct SiteNetworks {
    default: Option<SiteNetwork>,
    networks: Vec<SiteNetwork>,
}

#[derive(Clone, Debug, Deserialize)]
struct SiteNetwork {
    name: String,
    /// The first digits of the network's hash, which identify it.
    sha256: String,
}

const MOST_NAMES: usize = 20;

const COMMON: &str = "default";

const USUAL: &str = "STC";

impl SiteNames {
    pub(super) fn fetch(site: &Site) -> Result<SiteNames> {
        site.fetch_value("api/config/", "")
    }

    pub(super) fn engine(&self, name: &str) -> Result<&str> {
        let known = self.engines.iter().find(|known| known.eq_ignore_ascii_case(name));
        known.map(String::as_str).ok_or_else(|| unknown("engine", name, &self.engines))
    }

    pub(super) fn book(&self, name: Option<&str>) -> Result<String> {
        let books: Vec<String> = self.books.keys().cloned().collect();
        match (name, &books[..]) {
            (Some(name), _) if self.books.contains_key(name) => Ok(name.to_owned()),
            (Some(name), _) => Err(unknown("--book", name, &books)),
            (None, [only]) => Ok(only.clone()),
            (None, _) => bail!("--book: expected one of the site's books: {}", listed(&books, MOST_NAMES)),
        }
    }
}

impl SiteEngine {
    pub(super) fn fetch(site: &Site, name: &str) -> Result<SiteEngine> {
        let path = name.replace(' ', "%20");
        let engine: SiteEngine = site.fetch_value(&format!("api/config/{path}/"), "")?;
        let networks = site.fetch_value(&format!("api/networks/{path}/"), "")?;
        Ok(SiteEngine { name: name.to_owned(), networks, ..engine })
    }

    /// The fields that all presets share, overridden by those of the named preset (by default `STC`, if there is one).
    pub(super) fn preset(&self, name: Option<&str>) -> Result<Preset> {
        let mut preset = self.test_presets.get(COMMON).cloned().unwrap_or_default();
        let own =
            self.test_presets.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.unwrap_or(USUAL)));
        match (own, name) {
            (Some((_, own)), _) => preset.extend(own.clone()),
            (None, None) => {}
            (None, Some(name)) => {
                let known: Vec<String> =
                    self.test_presets.keys().filter(|known| *known != COMMON).cloned().collect();
                return Err(unknown("--preset", name, &known));
            }
        }
        Ok(preset)
    }

    /// The value of the network field for a name, a hash or `none`; by default the site's default network.
    pub(super) fn network(&self, name: Option<&str>) -> Result<String> {
        let SiteNetworks { default, networks } = &self.networks;
        match name {
            None => Ok(default.as_ref().map(|network| network.sha256.clone()).unwrap_or_default()),
            Some("none") => Ok(String::new()),
            Some(name) => {
                let known = networks
                    .iter()
                    .find(|network| network.name == name || network.sha256.eq_ignore_ascii_case(name));
                let names: Vec<String> = networks.iter().map(|network| network.name.clone()).collect();
                known
                    .map(|network| network.sha256.clone())
                    .ok_or_else(|| unknown(&format!("network of {}", self.name), name, &names))
            }
        }
    }
}

pub(super) fn value_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn unknown(what: &str, name: &str, known: &[String]) -> anyhow::Error {
    let hint = nearest_name(name, known.iter().map(String::as_str));
    let hint = hint.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
    if known.is_empty() {
        return anyhow!("{what} `{name}`: the site has none");
    }
    anyhow!("{what} `{name}`: expected one of the site's: {}{hint}", listed(known, MOST_NAMES))
}
