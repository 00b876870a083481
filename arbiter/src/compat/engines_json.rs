//! `engines.json` of cutechess: engines by their names.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use etcetera::BaseStrategy as _;
use serde::Deserialize;
use serde_json::Value;

use super::tournament::Player;
use super::words::Flag;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Configured {
    name: String,
    command: String,
    working_directory: String,
    stderr_file: PathBuf,
    protocol: String,
    init_strings: Vec<String>,
    whitepov: bool,
    ponder: bool,
    restart: String,
    timeout_scale_factor: Option<f64>,
    options: Vec<ConfiguredOption>,
}

#[derive(Deserialize)]
struct ConfiguredOption {
    name: String,
    #[serde(default)]
    value: Value,
}

/// The file in the working folder, or else the one in cutechess's settings.
fn file() -> PathBuf {
    let here = PathBuf::from("engines.json");
    match etcetera::choose_base_strategy() {
        Ok(strategy) if !here.exists() => strategy.config_dir().join("cutechess").join("engines.json"),
        _ => here,
    }
}

fn read() -> Result<Vec<Configured>> {
    let file = file();
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    serde_json::from_str(&text).with_context(|| format!("bad engine configuration file {}", file.display()))
}

/// The names of all engines.
pub(super) fn names() -> Vec<String> {
    read().unwrap_or_default().into_iter().map(|engine| engine.name).collect()
}

/// The engine of that name.
pub(super) fn engine(flag: &Flag, name: &str) -> Result<Player> {
    let found = read()?.into_iter().find(|engine| engine.name == name);
    let Some(found) = found else {
        bail!("Unknown engine configuration: \"{name}\"; expected an engine of {}", file().display())
    };
    let mut player = Player {
        name: found.name,
        cmd: found.command,
        dir: found.working_directory,
        init: found.init_strings,
        stderr: Some(found.stderr_file).filter(|file| !file.as_os_str().is_empty()),
        white_pov: found.whitepov,
        ponder: found.ponder,
        restart: found.restart == "on",
        patience: found.timeout_scale_factor,
        ..Player::default()
    };
    if !found.protocol.is_empty() {
        player.set(flag, "proto", &found.protocol)?;
    }
    for ConfiguredOption { name, value } in found.options {
        match value {
            Value::String(text) => player.set_option(&name, &text),
            Value::Bool(_) | Value::Number(_) => player.set_option(&name, &value.to_string()),
            // A button is pressed by its name.
            Value::Null => player.options.push(runner::UciSetting { name, value: None }),
            _ => {
                return Err(anyhow!(
                    "option {name}: expected a text, a number, true or false, found {value}"
                ));
            }
        }
    }
    Ok(player)
}
