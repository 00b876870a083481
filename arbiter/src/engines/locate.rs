//! Finds manifests and programs.
//!
//! The manifest of NAME is `engines/NAME/engine.toml` in the current folder, else in the user's configuration folder,
//! else a built-in one. A bare program name is looked up on the search path, beside our own program (where
//! `cargo install` puts Tarrasch), and in Debian's folder of games.

use std::env;
use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use etcetera::BaseStrategy;
use include_dir::{Dir, include_dir};

use super::manifest::{LocatedManifest, Manifest};

/// Debian's folder for games, which is often missing from the search path of root and of services.
const GAMES: &str = "/usr/games";

pub fn manifest(name: &str) -> Result<Option<LocatedManifest>> {
    for root in roots() {
        let path = root.join("engines").join(name).join("engine.toml");
        if path.is_file() {
            let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let manifest = Manifest::parse(&text).with_context(|| path.display().to_string())?;
            return Ok(Some(LocatedManifest { manifest, root: Some(root) }));
        }
    }
    let Some(text) = shipped_manifest(name) else { return Ok(None) };
    let manifest = Manifest::parse(text).with_context(|| format!("the built-in manifest of {name}"))?;
    Ok(Some(LocatedManifest { manifest, root: None }))
}

pub fn manifest_names() -> Vec<String> {
    let mut names = shipped_names();
    for root in roots() {
        let folders = root.join("engines").read_dir().into_iter().flatten().flatten();
        let with_manifest = folders.filter(|folder| folder.path().join("engine.toml").is_file());
        names.extend(with_manifest.map(|folder| folder.file_name().to_string_lossy().into_owned()));
    }
    names.sort();
    names.dedup();
    names
}

/// Finds a program by its bare name: on the search path, beside ours, or in the folder of games.
pub fn program(name: &str) -> Option<PathBuf> {
    let beside_us = env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_path_buf));
    let folders = beside_us.into_iter().chain([PathBuf::from(GAMES)]);
    on_search_path(name).or_else(|| program_in(folders, name))
}

pub fn on_search_path(name: &str) -> Option<PathBuf> {
    let search_path = env::var_os("PATH").unwrap_or_default();
    program_in(env::split_paths(&search_path), name)
}

/// The name of a program without this system's suffix for programs, if it has that.
pub fn without_suffix(name: &str) -> &str {
    let stem = name.len().checked_sub(EXE_SUFFIX.len()).and_then(|at| name.split_at_checked(at));
    stem.filter(|(_, ending)| ending.eq_ignore_ascii_case(EXE_SUFFIX)).map_or(name, |(stem, _)| stem)
}

/// The file of a program; on Windows, its name may lack `.exe`.
pub fn file(path: &Path) -> PathBuf {
    let mut whole = path.as_os_str().to_owned();
    whole.push(EXE_SUFFIX);
    if Path::new(&whole).is_file() { whole.into() } else { path.to_owned() }
}

fn program_in(mut folders: impl Iterator<Item = PathBuf>, name: &str) -> Option<PathBuf> {
    let file = format!("{}{EXE_SUFFIX}", without_suffix(name));
    folders.find_map(|folder| Some(folder.join(&file)).filter(|path| is_program(path)))
}

pub fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    let may_run =
        |facts: &std::fs::Metadata| std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & 0o111 > 0;
    #[cfg(not(unix))]
    let may_run = |_: &std::fs::Metadata| true;
    path.metadata().is_ok_and(|facts| facts.is_file() && may_run(&facts))
}

pub fn no_program(path: &Path) -> Option<String> {
    if path.is_dir() {
        Some("expected a program, found a folder; name the program in it".to_owned())
    } else if !path.is_file() {
        Some("no such program file".to_owned())
    } else if path.extension().is_some_and(|ending| ending == "toml") {
        Some(
            "expected a program, found a manifest; call it engines/NAME/engine.toml and give NAME".to_owned(),
        )
    } else {
        None
    }
}

/// Advice for a bare name whose file or manifest is in the current folder.
pub fn here(name: &str) -> String {
    let has_positions = Path::new(name).extension().is_some_and(|ending| ending == "epd" || ending == "pgn");
    let file = if has_positions {
        format!("; a suite is given with --suite {name}, a book with --openings {name}")
    } else {
        format!("; for the file in this folder write ./{name}")
    };
    let manifest = format!("; the place of engine.toml is engines/{name}/engine.toml");
    let facts =
        [(self::file(Path::new(name)).is_file(), file), (Path::new("engine.toml").is_file(), manifest)];
    facts.into_iter().filter_map(|(is_here, advice)| is_here.then_some(advice)).collect()
}

/// A guess at what was meant by a text that is no program; `with_args` describes how to pass arguments to a program.
pub fn hint(text: &str, with_args: impl Fn(&str, &str) -> String) -> String {
    if text.starts_with('~') {
        return "; `~` is the shell's word for a folder: write the whole path".to_owned();
    }
    let number = |text: &str| text.parse::<u32>().ok();
    if number(text).is_some() {
        return format!("; a number follows its option, such as --depth {text} or --games {text}");
    }
    let is_option = |&(engine, option): &(&str, &str)| {
        option.contains('=') && !engine.contains('=') && !option.trim().starts_with('-')
    };
    if let Some((engine, option)) = text.split_once([',', ' ']).filter(is_option) {
        return format!("; options follow a colon: {engine}:{option}");
    }
    if ["args=", "name=", "dir="].iter().any(|word| text.starts_with(word)) {
        return format!("; the words about an engine need quotes: --engine \"cmd=ENGINE {text}\"");
    }
    match text.split_once('=') {
        Some((key @ ("tc" | "movetime" | "nodes" | "depth"), value)) => {
            return format!("; the limit of all engines is --{key} {value}, of one ENGINE:{text}");
        }
        Some((key @ ("games" | "sprt" | "concurrency"), value)) => return format!("; type --{key} {value}"),
        Some(("rounds", value)) => {
            return format!("; it counts games: --games {}", 2 * u64::from(number(value).unwrap_or(50)));
        }
        _ => {}
    }
    if text.contains('=') {
        let option = text.trim_start_matches("option.");
        return format!(
            "; an option follows its engine and a colon, ENGINE:{option}, or is set for all with --each {option}"
        );
    }
    match text.split_once(char::is_whitespace) {
        Some((first, args)) if Path::new(first).is_file() || on_search_path(first).is_some() => {
            format!("; if it is a program with arguments: {}", with_args(first, args.trim()))
        }
        _ => String::new(),
    }
}

/// The folders that may contain `engines/`, the preferred one first.
fn roots() -> Vec<PathBuf> {
    let current = env::current_dir().ok();
    let configuration =
        etcetera::choose_base_strategy().ok().map(|strategy| strategy.config_dir().join("arbiter"));
    current.into_iter().chain(configuration).collect()
}

/// `NAME.toml` is a link to `engines/NAME/engine.toml` of the repository; packages of this crate contain it as a file.
static MANIFESTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/engines");

fn shipped_manifest(name: &str) -> Option<&'static str> {
    MANIFESTS.get_file(format!("{name}.toml"))?.contents_utf8()
}

fn shipped_names() -> Vec<String> {
    let names = MANIFESTS.files().filter_map(|file| file.path().file_stem());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_manifest_of_the_repository_ships_as_it_is() {
        let engines = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engines");
        let mut names = Vec::new();
        for engine in fs::read_dir(engines).unwrap().map(Result::unwrap) {
            if let Ok(text) = fs::read_to_string(engine.path().join("engine.toml")) {
                let name = engine.file_name().into_string().unwrap();
                assert_eq!(
                    shipped_manifest(&name),
                    Some(text.as_str()),
                    "arbiter/engines/{name}.toml links to it"
                );
                names.push(name);
            }
        }
        names.sort();
        let mut shipped = shipped_names();
        shipped.sort();
        assert_eq!(shipped, names);
    }
}
