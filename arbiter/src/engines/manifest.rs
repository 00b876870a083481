//! Engine manifests: how to start an engine, and how to build it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use indexmap::IndexMap;
use runner::ProtocolName;
use serde::Deserialize;

/// The placeholder for the folder of the build in arguments and environment.
const ROOT: &str = "{root}";

/// The content of an `engine.toml`.
///
/// "The root" is the folder that contains `engines/`, or the same folder in the checkout of a revision.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub name: String,
    /// The program: a bare name is looked up on the search path, anything else is a path relative to the root.
    pub command: String,
    /// Arguments of the program; `{root}` is replaced by the root.
    #[serde(default)]
    args: Vec<String>,
    /// Environment variables of the program, with `{root}` as in the arguments.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Environment variables to pass on from ours, in addition to those that every program needs.
    #[serde(default)]
    pub pass_env: Vec<String>,
    /// The working folder of the program, relative to the root; the current folder by default.
    pub dir: Option<PathBuf>,
    /// A shell command that builds the program, run in the root.
    pub build: Option<String>,
    /// The git repository to build other revisions from, relative to the root.
    pub repo: Option<PathBuf>,
    /// The source file with the values of options that `arbiter tune` tunes, relative to the root.
    pub tuned: Option<PathBuf>,
    #[serde(default)]
    pub older: Vec<OlderBuild>,
    /// Other builds of the same sources, such as one with sanitizers, by their names.
    #[serde(default)]
    builds: BTreeMap<String, OtherBuild>,
    #[serde(default)]
    pub restart: bool,
    /// A resource that only one game at a time may use, such as a graphics card.
    pub exclusive: Option<String>,
    #[serde(rename = "proto", default)]
    pub protocol: Option<ProtocolName>,
    #[serde(default, with = "runner::duration_text")]
    pub start_timeout: Option<Duration>,
    #[serde(default)]
    options: IndexMap<String, ManifestValue>,
}

/// The build of a commit and of those before it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OlderBuild {
    pub until: String,
    /// The build command, instead of the manifest's.
    build: Option<String>,
    /// The program, instead of the manifest's.
    command: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherBuild {
    build: String,
    command: String,
    /// Environment variables in addition to the manifest's.
    #[serde(default)]
    env: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a number, true, false or a text")]
enum ManifestValue {
    Number(i64),
    Check(bool),
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedManifest {
    pub manifest: Manifest,
    /// The folder that contains `engines/`; `None` for a built-in manifest.
    pub root: Option<PathBuf>,
}

impl Manifest {
    pub fn parse(text: &str) -> Result<Manifest> {
        let manifest: Manifest = toml::from_str(text)?;
        if let Some(field) = manifest.empty_field() {
            bail!("`{field}`: expected a text, found an empty string");
        }
        if manifest.name.contains(['@', ':', '/', '\\']) {
            bail!("`name`: expected a name without `@`, `:`, `/` and `\\`, found `{}`", manifest.name);
        }
        // Two builds with the same program in a working tree would overwrite each other.
        if let Some((name, _)) = manifest.builds.iter().find(|(_, other)| other.command == manifest.command) {
            bail!(
                "`builds.{name}.command`: expected another program than `command`, in whose place it would be built"
            );
        }
        let is_invalid = |name: &&String| name.is_empty() || name.contains(['=', '\0']);
        if let Some(name) = manifest.env.keys().find(is_invalid) {
            bail!("`env`: expected a variable name without `=`, found `{name}`");
        }
        Ok(manifest)
    }

    fn empty_field(&self) -> Option<&'static str> {
        let own =
            [("name", Some(&self.name)), ("command", Some(&self.command)), ("build", self.build.as_ref())];
        let older = self.older.iter().flat_map(|OlderBuild { until, build, command }| {
            [
                ("older.until", Some(until)),
                ("older.build", build.as_ref()),
                ("older.command", command.as_ref()),
            ]
        });
        let others = self.builds.values().flat_map(|other| [&other.build, &other.command]);
        let mut texts = own.into_iter().chain(older).chain(others.map(|text| ("builds", Some(text))));
        texts.find_map(|(field, text)| text.is_some_and(|text| text.trim().is_empty()).then_some(field))
    }

    pub fn with(mut self, older: &OlderBuild) -> Manifest {
        self.build = older.build.clone().or(self.build);
        self.command = older.command.clone().unwrap_or(self.command);
        self
    }

    /// The manifest for another build of the same sources, without the settings for older revisions.
    pub fn with_build(mut self, name: &str) -> Result<Manifest> {
        let Some(other) = self.builds.remove(name) else {
            let known: Vec<String> = self.builds.into_keys().collect();
            let known = if known.is_empty() { "[builds.NAME]".to_owned() } else { known.join(", ") };
            bail!("`builds`: expected {known}, found no `{name}`");
        };
        self.env.extend(other.env);
        Ok(Manifest { build: Some(other.build), command: other.command, older: Vec::new(), ..self })
    }

    pub fn has_build(&self, name: &str) -> bool {
        self.builds.contains_key(name)
    }

    pub fn options(&self) -> impl Iterator<Item = (String, String)> {
        self.options.iter().map(|(name, value)| {
            let value = match value {
                ManifestValue::Number(number) => number.to_string(),
                ManifestValue::Check(on) => on.to_string(),
                ManifestValue::Text(text) => text.clone(),
            };
            (name.clone(), value)
        })
    }

    pub fn args(&self, root: &Path) -> Vec<String> {
        self.args.iter().map(|text| with_root(text, root)).collect()
    }

    pub fn env(&self, root: &Path) -> BTreeMap<String, String> {
        self.env.iter().map(|(name, value)| (name.clone(), with_root(value, root))).collect()
    }

    /// Checks that the program exists; `place` is for messages.
    pub fn check_program(&self, place: &str, program: &Path) -> Result<()> {
        let after = if self.build.is_some() { " after the build" } else { "" };
        ensure!(program.is_file(), "{place}: `command`: no program {}{after}", program.display());
        Ok(())
    }

    pub fn command_is_bare(&self) -> bool {
        Path::new(&self.command).components().count() == 1
    }
}

fn with_root(text: &str, root: &Path) -> String {
    text.replace(ROOT, &root.to_string_lossy())
}
