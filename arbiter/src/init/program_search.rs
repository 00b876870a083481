//! Runs the suggested builds and tries their programs until one answers `uci`.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;

use super::build_guess::{BuildGuess, shown};
use crate::engines::{BuildCache, locate, output_of_git, run_build, session};
use runner::EngineConfig;
use runner::process::EngineInfo;

#[derive(Debug)]
pub struct FoundEngine {
    pub name: String,
    pub guess: BuildGuess,
    pub command: String,
    /// The folder that the program must be started in, if it does not start in the root.
    pub dir: Option<String>,
    pub introduction: EngineInfo,
    pub refused: Vec<String>,
}

const MOST_TRIED: usize = 6;

/// Tries the guesses in order. `report` gets each build before it runs, and the reason if it fails. The error holds the
/// reasons for all guesses.
pub fn find(
    root: &Path,
    guesses: Vec<BuildGuess>,
    report: &mut dyn FnMut(&str),
) -> Result<FoundEngine, Vec<String>> {
    let mut refused = Vec::new();
    for guess in guesses {
        match try_guess(root, &guess, report) {
            Ok((program, dir, introduction)) => {
                return Ok(FoundEngine {
                    name: short_name(root, &guess, &program, introduction.name.as_deref()),
                    command: program,
                    dir,
                    introduction,
                    guess,
                    refused,
                });
            }
            Err(why) => {
                let what = guess.build.as_ref().unwrap_or(&guess.because);
                report(&format!("rejected: {why}"));
                let first = why.lines().next().unwrap_or_default();
                // The line names the build and its log.
                let first = first.split("; its log").next().unwrap_or_default();
                let is_said = first.contains(&format!("`{what}`"));
                refused.push(if is_said { first.to_owned() } else { format!("`{what}`: {first}") });
            }
        }
    }
    Err(refused)
}

fn try_guess(
    root: &Path,
    guess: &BuildGuess,
    report: &mut dyn FnMut(&str),
) -> Result<(String, Option<String>, EngineInfo), String> {
    if let Some(tool) = guess.tool.filter(|tool| locate::on_search_path(tool).is_none()) {
        return Err(format!("it needs `{tool}`, which is not installed"));
    }
    let started = SystemTime::now();
    if let Some(build) = &guess.build {
        report(&format!("{}: {build}", guess.because));
        let log = BuildCache::of_user().map_err(|error| error.to_string())?.in_place("init", root).log();
        let shorter =
            |error: anyhow::Error| format!("{error:#}").replace(&format!("{}: ", root.display()), "");
        run_build(build, None, root, &log).map_err(shorter)?;
    } else {
        report(&guess.because);
    }
    let named = guess.program.clone().filter(|program| {
        !program.contains('/') && !guess.args.is_empty() || locate::file(&root.join(program)).is_file()
    });
    let programs = named.map_or_else(|| programs_below(root, started), |program| vec![program]);
    if programs.is_empty() {
        return Err("it makes no new program".to_owned());
    }
    let mut failures = Vec::new();
    for program in programs.into_iter().take(MOST_TRIED) {
        let own_folder = Path::new(&program).parent().map(|folder| folder.to_string_lossy().into_owned());
        let own_folder = own_folder.filter(|folder| !folder.is_empty() && guess.args.is_empty());
        for dir in [None, own_folder] {
            match start(root, &program, guess, dir.as_deref()) {
                Ok(introduction) => return Ok((program, dir, introduction)),
                Err(error) if dir.is_none() => failures.push(format!("{program}: {error}")),
                Err(_) => {}
            }
        }
    }
    Err(failures.join("; "))
}

fn start(root: &Path, program: &str, guess: &BuildGuess, dir: Option<&str>) -> Result<EngineInfo> {
    let file = if program.contains('/') || guess.args.is_empty() {
        locate::file(&root.join(program))
    } else {
        PathBuf::from(program)
    };
    let args = guess.args.iter().map(|arg| arg.replace("{root}", &root.to_string_lossy())).collect();
    let engine = EngineConfig {
        name: program.to_owned(),
        program: file,
        args,
        dir: Some(dir.map_or_else(|| root.to_owned(), |dir| root.join(dir))),
        ..EngineConfig::default()
    };
    let session = session::start(&engine)?;
    let introduction = session.introduction().clone();
    session.quit();
    Ok(introduction)
}

/// The programs that a build has made, the newest first; if the build had nothing to do, all binaries that git does not
/// track.
fn programs_below(root: &Path, started: SystemTime) -> Vec<String> {
    let mut found = Vec::new();
    collect(root, Path::new(""), &mut found);
    found.sort_by_key(|(path, changed)| (std::cmp::Reverse(*changed), path.clone()));
    let is_new = |(_, changed): &&(PathBuf, SystemTime)| *changed >= started;
    if found.iter().any(|program| is_new(&program)) {
        return found.iter().filter(is_new).map(|(path, _)| shown(path)).collect();
    }
    let tracked = output_of_git(root, &["ls-files"]).unwrap_or_default();
    let tracked: HashSet<&str> = tracked.lines().collect();
    let old = found.iter().filter(|(path, _)| starts_with(&root.join(path), BINARIES));
    old.map(|(path, _)| shown(path)).filter(|path| !tracked.contains(path.as_str())).collect()
}

/// The first bytes of binaries: ELF, two kinds of Mach-O, and Windows.
const BINARIES: &[&[u8]] = &[b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"];

fn collect(root: &Path, folder: &Path, found: &mut Vec<(PathBuf, SystemTime)>) {
    for entry in root.join(folder).read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = folder.join(&name);
        let Ok(facts) = entry.metadata() else { continue };
        if facts.is_dir() && !name.starts_with('.') && !matches!(&*name, "CMakeFiles" | "node_modules") {
            collect(root, &path, found);
        } else if facts.is_file()
            && locate::is_program(&entry.path())
            && (cfg!(unix) || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("exe")))
            && ![".so", ".dll", ".dylib", ".o"].iter().any(|ending| name.ends_with(ending))
            && (starts_with(&entry.path(), BINARIES) || starts_with(&entry.path(), &[b"#!".as_slice()]))
        {
            found.extend(facts.modified().ok().map(|changed| (path, changed)));
        }
    }
}

fn starts_with(file: &Path, starts: &[&[u8]]) -> bool {
    let mut bytes = [0; 4];
    let read = File::open(file).and_then(|mut file| file.read(&mut bytes)).unwrap_or(0);
    starts.iter().any(|start| bytes[..read].starts_with(start))
}

/// Names of programs that do not identify the engine.
const NAMELESS: [&str; 11] =
    ["main", "engine", "uci", "app", "index", "cli", "run", "bot", "chess", "communication", "interface"];

/// The name from the sources, or of the program or script. If that identifies nothing, the first word of the engine's
/// own name, or the name of the folder.
fn short_name(root: &Path, guess: &BuildGuess, program: &str, says: Option<&str>) -> String {
    let source = guess.args.last().map_or(program, String::as_str);
    let of_program = Path::new(source).file_stem().unwrap_or_default().to_string_lossy();
    let says = says.and_then(|name| name.split_whitespace().next()).map(as_name);
    let folder = root.file_name().map(|folder| as_name(&folder.to_string_lossy()));
    let name = as_name(guess.name.as_deref().unwrap_or(&of_program));
    let is_known = |name: &String| !NAMELESS.contains(&name.as_str());
    [Some(name.clone()), says, folder].into_iter().flatten().find(is_known).unwrap_or(name)
}

/// The text in lower case; characters with a meaning on the command line become dashes.
pub fn as_name(text: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    text.to_lowercase().chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_the_sources_or_the_program_unless_it_says_nothing() {
        let guess = |args: &[&str]| BuildGuess {
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            ..BuildGuess::default()
        };
        let name = |guess: BuildGuess, program: &str, says: Option<&str>| {
            short_name(Path::new("/home/Ada"), &guess, program, says)
        };
        assert_eq!(name(guess(&[]), "src/Pico@2", Some("Other 1")), "pico-2");
        assert_eq!(name(guess(&["-u", "{root}/sunny.py"]), "python3", None), "sunny");
        let main = guess(&["-u", "{root}/main.py"]);
        assert_eq!(name(main.clone(), "python3", Some("Andoma 1.0")), "andoma");
        assert_eq!(name(main.clone(), "python3", Some("Main")), "ada");
        assert_eq!(name(BuildGuess { name: Some("Zeta".to_owned()), ..main }, "java", None), "zeta");
    }
}
