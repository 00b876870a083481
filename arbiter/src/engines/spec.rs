//! An engine as typed: `NAME`, `NAME@REV` or a path, each with `:Option=value,…`. In this list, `tc=`, `movetime=`, `nodes=`
//! and `depth=` limit the engine, `start_timeout=` is its time to start, `proto=` its protocol, `pass_env=` names a variable
//! to pass on, `name=` renames it, and `build=` selects another build of its manifest. Or in words, which can say more:
//! `cmd=./engine args='--uci -v' name=dev option.Hash=64`.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use runner::{EngineConfig, SearchLimits, UciSetting, duration_text};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    pub source: EngineSource,
    pub settings: EngineSettings,
}

/// An engine's settings besides its program; they take precedence over its manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSettings {
    /// Another build of its manifest.
    pub build: Option<String>,
    /// What was set; the name is empty if it was not.
    pub engine: EngineConfig,
}

impl EngineSpec {
    pub fn of_name(name: &str) -> EngineSpec {
        EngineSpec { source: EngineSource::Name(name.to_owned()), settings: EngineSettings::default() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineSource {
    Name(String),
    Revision { name: String, revision: String },
    Path(PathBuf),
}

impl EngineSource {
    /// The name of the engine without its revision, or of its program.
    pub fn name(&self) -> String {
        match self {
            EngineSource::Name(name) | EngineSource::Revision { name, .. } => name.clone(),
            EngineSource::Path(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }
}

const WORDS: &str = "cmd=, args=, name=, dir=, build=, restart=on, tc=, movetime=, nodes=, depth=, timemargin=, start_timeout=, proto=, pass_env= or option.NAME=";

const START_TIMEOUT: &str = "start_timeout";

impl FromStr for EngineSpec {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<EngineSpec> {
        let read = || {
            let mut settings = EngineSettings::default();
            if is_in_words(text) {
                let command = settings.take_words(text)?.unwrap_or_default();
                return Ok(EngineSpec { source: source(&command)?, settings });
            }
            let (engine, options) = split_options(text);
            let source = source(engine)?;
            options.map_or(Ok(()), |options| settings.take_list(options))?;
            Ok(EngineSpec { source, settings })
        };
        read().map_err(|problem: anyhow::Error| anyhow!("engine `{text}`: {problem}"))
    }
}

fn source(engine: &str) -> Result<EngineSource> {
    if engine.contains(['/', '\\']) {
        return Ok(EngineSource::Path(PathBuf::from(engine)));
    }
    let (name, revision) =
        engine.split_once('@').map_or((engine, None), |(name, revision)| (name, Some(revision)));
    let name = name.to_owned();
    Ok(match revision {
        _ if name.is_empty() => bail!("expected NAME, NAME@REV or a path before the options"),
        Some("") => bail!("expected a git revision after `@`"),
        Some(revision) => EngineSource::Revision { name, revision: revision.to_owned() },
        None => EngineSource::Name(name),
    })
}

/// Whether a text is `key=value` words, one of which is `cmd=`.
fn is_in_words(text: &str) -> bool {
    let key = text.split('=').next().unwrap_or_default();
    let is_key = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
    is_key(key) && text.split_whitespace().any(|word| word.starts_with("cmd="))
}

impl FromStr for EngineSettings {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<EngineSettings> {
        let read = || {
            let mut settings = EngineSettings::default();
            if text.starts_with("option.") || text.contains(" option.") {
                if let Some(command) = settings.take_words(text)? {
                    bail!("expected {WORDS}, found `cmd={command}`");
                }
            } else {
                settings.take_list(text)?;
            }
            ensure!(
                settings.engine.name.is_empty(),
                "expected settings of all engines, found the name of one"
            );
            Ok(settings)
        };
        let several = text.split_once(' ').is_some_and(|(one, other)| {
            one.contains('=') && other.contains('=') && !text.contains("option.")
        });
        let advice = if several { "; commas separate settings: tc=10+0.1,Hash=16" } else { "" };
        read().map_err(|problem: anyhow::Error| anyhow!("engine `{text}`: {problem}{advice}"))
    }
}

/// Splits at the first colon before `Option=` or the name of a button; other colons belong to a path or value. The name of
/// an existing file is a path, even if it contains colons.
fn split_options(text: &str) -> (&str, Option<&str>) {
    if text.contains(':') && Path::new(text).is_file() {
        return (text, None);
    }
    let starts_options = |rest: &str| {
        let first = rest.split(',').next().unwrap_or_default();
        let name = first.split('=').next().unwrap_or_default();
        !name.is_empty() && !name.contains(['/', '\\', ':'])
    };
    text.match_indices(':')
        .find(|(at, _)| starts_options(&text[at + 1..]))
        .map_or((text, None), |(at, _)| (&text[..at], Some(&text[at + 1..])))
}

impl EngineSettings {
    /// Takes a setting that both forms have. Returns whether there is such a setting.
    fn take(&mut self, key: &str, value: &str) -> Result<bool> {
        let millis = || number(key, "a whole number of milliseconds", value).map(Duration::from_millis);
        let engine = &mut self.engine;
        let mut limits = engine.limits.clone().unwrap_or_default();
        match key {
            "name" if !value.is_empty() => value.clone_into(&mut engine.name),
            "pass_env" if !value.is_empty() => engine.pass_env.push(value.to_owned()),
            "build" if !value.is_empty() => self.build = Some(value.to_owned()),
            START_TIMEOUT => {
                let expected =
                    || format!("{START_TIMEOUT}: expected a time such as 30s or 2m, found `{value}`");
                engine.start_timeout = Some(duration_text::parse(value).with_context(expected)?);
            }
            "proto" => engine.protocol = Some(value.parse()?),
            "tc" => limits.clock = Some(value.parse()?),
            "movetime" => limits.movetime = Some(millis()?),
            "nodes" => limits.nodes = Some(number(key, "a whole number", value)?),
            "depth" => limits.depth = Some(number(key, "a whole number of plies", value)?),
            _ => return Ok(false),
        }
        engine.limits = Some(limits).filter(|limits| *limits != SearchLimits::default());
        Ok(true)
    }

    fn take_list(&mut self, settings: &str) -> Result<()> {
        let mut pieces = settings.split(',').peekable();
        while let Some(piece) = pieces.next() {
            let UciSetting { name, mut value } = UciSetting::read(piece);
            // fastchess and `--each` have this prefix.
            let name = name.strip_prefix("option.").map_or_else(|| name.clone(), str::to_owned);
            if name.is_empty() {
                bail!("expected Option=value, found `{piece}`");
            }
            // Commas also separate the stages of a time control; no option starts with a digit.
            while name == "tc"
                && let Some(value) = &mut value
                && let Some(stage) = pieces.next_if(|piece| piece.starts_with(|c: char| c.is_ascii_digit()))
            {
                *value = format!("{value},{stage}");
            }
            if !value.as_deref().map_or(Ok(false), |value| self.take(&name, value))? {
                self.engine.options.push(UciSetting { name, value });
            }
        }
        Ok(())
    }

    fn take_words(&mut self, spec: &str) -> Result<Option<String>> {
        let mut command = None;
        for word in split_arguments(spec) {
            let unknown = || anyhow!("expected {WORDS}, found `{word}`");
            let (key, value) = word.split_once('=').ok_or_else(unknown)?;
            match (key, value) {
                ("cmd", command_line) => command = Some(command_line.to_owned()),
                ("args", args) => self.engine.args = split_arguments(args),
                ("dir", dir) if !dir.is_empty() => self.engine.dir = Some(dir.into()),
                ("restart", "on" | "off") => self.engine.restart = value == "on",
                ("timemargin", _) => {
                    let margin = number(key, "a whole number of milliseconds", value)?;
                    self.engine.time_margin = Some(Duration::from_millis(margin));
                }
                _ if self.take(key, value)? => {}
                _ => {
                    let name = key.strip_prefix("option.").filter(|name| !name.is_empty());
                    let (name, value) = (name.ok_or_else(unknown)?.to_owned(), Some(value.to_owned()));
                    self.engine.options.push(UciSetting { name, value });
                }
            }
        }
        Ok(command)
    }

    /// Adds the common settings of all engines that this engine does not set itself.
    pub fn add_common(&mut self, common: &EngineSettings) {
        self.build = self.build.take().or_else(|| common.build.clone());
        self.engine = completed(std::mem::take(&mut self.engine), common.engine.clone());
    }
}

/// An engine's own settings; where they leave something out, the setting of `base`. All sources of settings meet here: an
/// engine as typed, `--each`, its manifest, and a run file.
pub fn completed(own: EngineConfig, base: EngineConfig) -> EngineConfig {
    fn list<T>(own: Vec<T>, base: Vec<T>) -> Vec<T> {
        if own.is_empty() { base } else { own }
    }
    let mut options = base.options;
    own.options.into_iter().for_each(|option| set_option(&mut options, option));
    let (mut env, mut pass_env) = (base.env, base.pass_env);
    env.extend(own.env);
    pass_env.extend(own.pass_env);
    EngineConfig {
        name: if own.name.is_empty() { base.name } else { own.name },
        program: if own.program.as_os_str().is_empty() { base.program } else { own.program },
        args: list(own.args, base.args),
        env,
        pass_env,
        dir: own.dir.or(base.dir),
        init: list(own.init, base.init),
        stderr: own.stderr.or(base.stderr),
        white_pov: own.white_pov || base.white_pov,
        book: own.book.or(base.book),
        restart: own.restart || base.restart,
        protocol: own.protocol.or(base.protocol),
        exclusive: own.exclusive.or(base.exclusive),
        start_timeout: own.start_timeout.or(base.start_timeout),
        options,
        sha256: own.sha256.or(base.sha256),
        files: list(own.files, base.files),
        version: own.version.or(base.version),
        revision: own.revision.or(base.revision),
        committed: own.committed.or(base.committed),
        from_batch: own.from_batch.max(base.from_batch),
        limits: own.limits.or(base.limits),
        time_margin: own.time_margin.or(base.time_margin),
    }
}

/// Replaces the value of an option, or adds the option. Names are case-insensitive, as in UCI.
pub fn set_option(options: &mut Vec<UciSetting>, setting: UciSetting) {
    match options.iter_mut().find(|option| option.name.eq_ignore_ascii_case(&setting.name)) {
        Some(option) => *option = setting,
        None => options.push(setting),
    }
}

/// Splits arguments as fastchess does: at spaces outside quotes. A backslash stays, and a quote after it does not count. A
/// quote that is not closed extends to the end.
pub fn split_arguments(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut open, mut last) = (None, ' ');
    for letter in text.chars() {
        match (letter, open) {
            (' ', None) => words.push(String::new()),
            ('"' | '\'', None) if last != '\\' => open = Some(letter),
            (quote, Some(opened)) if quote == opened && last != '\\' => open = None,
            _ => words.last_mut().expect("there is a word").push(letter),
        }
        last = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn number<N: FromStr>(key: &str, expected: &str, value: &str) -> Result<N> {
    value.parse().map_err(|_| anyhow!("{key}: expected {expected}, found `{value}`"))
}

pub fn limit_settings(limits: &SearchLimits) -> Vec<String> {
    let clock = limits.clock.as_ref().map(|clock| format!("tc={clock}"));
    let movetime = limits.movetime.map(|time| format!("movetime={}", time.as_millis()));
    let nodes = limits.nodes.map(|nodes| format!("nodes={nodes}"));
    let depth = limits.depth.map(|depth| format!("depth={depth}"));
    [clock, movetime, nodes, depth].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use runner::UciSetting;

    use super::*;

    #[test]
    fn the_short_form_is_a_name_a_revision_or_a_path_with_options_in_the_order_typed() {
        let revision = EngineSource::Revision { name: "tarrasch".into(), revision: "v0.1.0".into() };
        let name = || EngineSource::Name("tarrasch".into());
        let path = |path: &str| EngineSource::Path(path.into());
        for (text, source, options) in [
            ("tarrasch", name(), &[][..]),
            ("tarrasch:Clear Hash", name(), &["Clear Hash"]),
            ("tarrasch@v0.1.0", revision, &[]),
            ("./a@b/engine", path("./a@b/engine"), &[]),
            (r"C:\engines\a.exe", path(r"C:\engines\a.exe"), &[]),
            (
                r"C:\a.exe:Syzygy=/a:/b,Clear Hash,Hash=64",
                path(r"C:\a.exe"),
                &["Syzygy=/a:/b", "Clear Hash", "Hash=64"],
            ),
            ("./a:b/eng", path("./a:b/eng"), &[]),
            ("./a:b/eng:Clear Hash", path("./a:b/eng"), &["Clear Hash"]),
            ("./eng:Hash=16,Clear Hash", path("./eng"), &["Hash=16", "Clear Hash"]),
            ("./eng:option.Hash=16,option.Clear Hash", path("./eng"), &["Hash=16", "Clear Hash"]),
            // An option with the name of a setting starts with a capital letter.
            ("./new/pico:name=dev,Name=x", path("./new/pico"), &["Name=x"]),
            ("./my cmd=x/eng", path("./my cmd=x/eng"), &[]),
        ] {
            let spec: EngineSpec = text.parse().unwrap();
            let options: Vec<UciSetting> = options.iter().map(|option| UciSetting::read(option)).collect();
            assert_eq!((spec.source, spec.settings.engine.options), (source, options), "{text}");
        }
    }

    #[test]
    fn small_letters_are_limits_and_capitals_are_options() {
        let spec: EngineSpec =
            "a:Hash=1,tc=40/60,20/30,5+0.05,Nodes=7,nodes=9000,Ponder=false".parse().unwrap();
        assert_eq!(spec.settings.engine.options, ["Hash=1", "Nodes=7", "Ponder=false"].map(UciSetting::read));
        let limits = spec.settings.engine.limits.unwrap();
        assert_eq!(limit_settings(&limits), ["tc=40/60,20/30,5+0.05", "nodes=9000"]);
        assert_eq!("a:Hash=1".parse::<EngineSpec>().unwrap().settings.engine.limits, None);
        let error = "a:depth=deep".parse::<EngineSpec>().unwrap_err().to_string();
        assert_eq!(error, "engine `a:depth=deep`: depth: expected a whole number of plies, found `deep`");
        assert!("a:proto=fritz".parse::<EngineSpec>().unwrap_err().to_string().contains("uci or xboard"));
        assert!("a:tc=soon".parse::<EngineSpec>().unwrap_err().to_string().contains("`soon`"));
    }

    #[test]
    fn words_say_what_the_short_form_cannot() {
        let text = "cmd=python3 args='-u engine.py' name=dev dir=/x restart=on timemargin=20 tc=40/60,5+1 \
                    'option.Skill Level=3' option.Path=C:\\a=b";
        let EngineSpec { source: found, settings } = text.parse().unwrap();
        assert_eq!(found, EngineSource::Name("python3".into()));
        assert_eq!(settings.engine.args, ["-u", "engine.py"]);
        assert_eq!((&settings.engine.name[..], settings.engine.restart), ("dev", true));
        assert_eq!(settings.engine.options, [r"Skill Level=3", r"Path=C:\a=b"].map(UciSetting::read));
        assert_eq!(limit_settings(&settings.engine.limits.unwrap()), ["tc=40/60,5+1"]);
        assert_eq!(settings.engine.time_margin, Some(Duration::from_millis(20)));
        let error = |text: &str| text.parse::<EngineSpec>().unwrap_err().to_string();
        assert!(error("cmd=./a st=1").ends_with("option.NAME=, found `st=1`"));
    }
}
