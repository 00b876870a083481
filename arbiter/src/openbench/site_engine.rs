//! The engines and books of a site: repositories, speeds, networks, and presets.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow, bail};
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::site::Site;
use crate::text::listed;
use runner::process::nearest_name;

/// The names of engines and books, `/api/config/`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SiteNames {
    engines: Vec<String>,
    books: BTreeMap<String, Value>,
}

/// The fields of a preset and their values.
pub(super) type Preset = IndexMap<String, Value>;

/// An engine of a site, `/api/config/ENGINE/`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SiteEngine {
    #[serde(skip)]
    pub(super) name: String,
    /// The NPS at which time controls are not scaled.
    pub(super) nps: u64,
    /// The address of its repository.
    pub(super) source: String,
    /// The presets by name; `default` has the common fields.
    #[serde(default)]
    test_presets: IndexMap<String, Preset>,
    /// The networks of the site.
    #[serde(skip)]
    networks: SiteNetworks,
}

/// The networks of an engine, `/api/networks/ENGINE/`.
#[derive(Clone, Debug, Default, Deserialize)]
struct SiteNetworks {
    default: Option<SiteNetwork>,
    networks: Vec<SiteNetwork>,
}

#[derive(Clone, Debug, Deserialize)]
struct SiteNetwork {
    name: String,
    /// The first digits of its hash, which identify it.
    sha256: String,
}

/// The most names that an error lists.
const MOST_NAMES: usize = 20;

/// The preset with the common fields.
const COMMON: &str = "default";

/// The preset that the site's form starts with.
const USUAL: &str = "STC";

impl SiteNames {
    pub(super) fn fetch(site: &Site) -> Result<SiteNames> {
        site.fetch_value("api/config/", "")
    }

    /// The engine of this name, whatever its case.
    pub(super) fn engine(&self, name: &str) -> Result<&str> {
        let known = self.engines.iter().find(|known| known.eq_ignore_ascii_case(name));
        known.map(String::as_str).ok_or_else(|| unknown("engine", name, &self.engines))
    }

    /// The opening book of this name, or the only one.
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

    /// The common fields of presets, then those of this preset (by default `STC`, if there is one).
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

    /// The value of the network field for a name or hash or `none`; by default the site's network.
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

/// The text of a preset's value.
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
