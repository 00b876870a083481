//! `arbiter init [PATH]`: the steps of the set-up, and the messages about them.

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;

use super::files;
use super::guesses::guesses;
use super::program_search::{self, FoundEngine};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console, stdout};
use crate::compare::ci::{BaselineFile, CiArgs};
use crate::engines::{self, EngineSpec, is_ignored, output_of_git};
use crate::files::{NewFile, write_whole};
use crate::measure::{CiFile, EngineFeatures};
use runner::untrusted_files::refuse_links_below;

const GITHUB: &str = include_str!("../../workflows/github-actions.yml");
const GITHUB_MATCH: &str = include_str!("../../workflows/github-match.yml");
const GITLAB: &str = include_str!("../../workflows/gitlab-ci.yml");
const HOOK: &str = include_str!("../../workflows/pre-push");

/// The placeholder for the fork in the shipped workflows.
const OUR_FORK: &str = "OWNER/arbiter";

/// The steps in the hook as shipped: those that take only seconds.
const OF_HOOK: &str = "perft bench";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own on the command line")]
pub struct InitArgs {
    /// The engine's repository, or a program, a build file or a folder in it
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,

    /// Also write two workflows to .github/workflows: arbiter.yml checks each push, arbiter-match.yml plays a match on many jobs
    #[arg(long)]
    github: bool,

    /// Also write a job for GitLab CI
    #[arg(long)]
    gitlab: bool,

    /// Also write a git hook that runs the quick checks before each push
    #[arg(long)]
    hook: bool,

    /// Your fork of Arbiter on GitHub, whose release the workflows download: OWNER/REPOSITORY
    #[arg(long, value_name = "FORK", value_parser = fork)]
    arbiter: Option<String>,

    /// Name of the engine [default: the name of its program; if that is generic, such as `main`, its `id name`]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Do not ask before writing files
    #[arg(long, short)]
    yes: bool,

    /// Only write the files; do not measure the baseline yet
    #[arg(long)]
    no_baseline: bool,
}

impl InitArgs {
    pub fn run(self) -> CliResult {
        let started_in = env::current_dir().fault()?;
        let fork = self.fork()?;
        let (root, place) = enter_root(&started_in, &self.path).usage()?;
        let configured = configured_engine().usage()?;
        let is_new = configured.is_none();
        let name = match configured {
            Some(name) => {
                say(&format!("{} exists already, for {name}; it is not changed", CiFile::NAME))?;
                name
            }
            None => match self.set_up(&root, &place)? {
                Some(name) => name,
                None => return Ok(ExitCode::Done),
            },
        };
        self.write_workflows(&name, &fork)?;
        let code = self.measure_baseline(&name, is_new)?;
        self.say_what_now(&started_in, &root, &name, &fork)?;
        Ok(code)
    }

    /// The fork that workflows need, asked for at a terminal; empty if there are no workflows.
    fn fork(&self) -> Result<String, CliError> {
        if !(self.github || self.gitlab) {
            return Ok(String::new());
        }
        if let Some(named) = &self.arbiter {
            return Ok(named.clone());
        }
        if self.yes || !io::stdin().is_terminal() {
            return Err(anyhow!(
                "--github and --gitlab: the workflows download Arbiter, which has no release yet: make one in a fork \
                 (docs/guide/ci.md), and add --arbiter OWNER/REPOSITORY"
            ))
            .usage();
        }
        let answer = asked(
            "Your fork of Arbiter on GitHub, whose release the workflows download (OWNER/REPOSITORY)? ",
        );
        fork(answer.fault()?.trim()).map_err(|problem| anyhow!(problem)).usage()
    }

    fn find(&self, root: &Path, place: &Path) -> Result<FoundEngine, CliError> {
        let guesses = guesses(root, place);
        if guesses.is_empty() {
            let found = if root.join(place).is_dir() { "found none" } else { "found another file" };
            return Err(anyhow!(
                "{}: expected a program or a file of a build (Cargo.toml, makefile, CMakeLists.txt, meson.build, go.mod, \
                 .csproj, build.zig, build.sh, a Python script that speaks UCI), or a folder with one, {found}; else write \
                 engines/NAME/engine.toml by hand (docs/guide/engines.md)",
                self.path.display()
            ))
            .usage();
        }
        let found = program_search::find(root, guesses, &mut |text| console::note(text));
        let mut found = found.map_err(|refused| no_engine(root, &refused)).usage()?;
        if let Some(name) = &self.name {
            found.name = valid_name(name)
                .ok_or_else(|| anyhow!("--name {name}: expected letters, digits, `-`, `_` and `.`"))
                .usage()?;
        }
        let says = found.introduction.name.as_deref().unwrap_or("an engine without a name");
        let command = iter::once(&found.command).chain(&found.guess.args).map(String::as_str);
        say(&format!(
            "found {says}: {}; here it is called {}",
            command.collect::<Vec<_>>().join(" "),
            found.name
        ))?;
        Ok(found)
    }

    /// Finds the engine, tries it and writes the manifest and `arbiter.toml`. `None` if the user declines.
    fn set_up(&self, root: &Path, place: &Path) -> Result<Option<String>, CliError> {
        let mut found = self.find(root, place)?;
        loop {
            match self.ask(root, &found.name).fault()? {
                Answer::Yes => break,
                Answer::No => return Ok(None),
                Answer::Name(name) => found.name = name,
                Answer::Program(place) => found = self.find(root, &place)?,
            }
        }
        let FoundEngine { name, introduction, command, .. } = &found;
        // Revisions need a build command, or a program that is tracked by git.
        let is_known = || output_of_git(root, &["ls-files", "--error-unmatch", command]).is_some();
        let has_repository = output_of_git(root, &["rev-parse", "--verify", "HEAD"]).is_some()
            && (found.guess.build.is_some() || !found.guess.args.is_empty() || is_known());
        let place = PathBuf::from("engines").join(name).join("engine.toml");
        let manifest = files::manifest(&found, has_repository);
        write_new(&place, &manifest)?;
        unhide(name, &place)?;
        // The engine was built a moment ago; if the build tool runs again, there is no need to say so.
        let engine = engines::resolve(&EngineSpec::of_name(name), &mut |_| {}).usage()?;
        let can = EngineFeatures::of(&engine, introduction, &mut console::note).fault()?;
        let steps = files::ci_file(&found, &can, has_repository);
        write_new(Path::new(CiFile::NAME), &steps)?;
        for word in steps.lines().filter_map(|line| line.strip_prefix("# No [")) {
            say(&format!("left out: [{word}"))?;
        }
        Ok(Some(name.clone()))
    }

    /// At a terminal, asks whether the guess is right. A script that runs this command wants the files, so it is not asked.
    fn ask(&self, root: &Path, name: &str) -> io::Result<Answer> {
        if self.yes || !io::stdin().is_terminal() {
            return Ok(Answer::Yes);
        }
        let answer = asked(&format!(
            "Write engines/{name}/engine.toml and {}? [Y/n, another name for it, or the file of another program] ",
            CiFile::NAME
        ))?;
        let typed = answer.trim();
        Ok(match typed.to_lowercase().as_str() {
            "" | "y" | "yes" => Answer::Yes,
            "n" | "no" => Answer::No,
            _ if root.join(typed).exists() => Answer::Program(PathBuf::from(typed)),
            _ => valid_name(typed).map_or(Answer::No, Answer::Name),
        })
    }

    fn write_workflows(&self, name: &str, fork: &str) -> Result<(), CliError> {
        let [github, of_match, gitlab] =
            [GITHUB, GITHUB_MATCH, GITLAB].map(|text| text.replace(OUR_FORK, fork));
        if self.github {
            write_new(Path::new(".github/workflows/arbiter.yml"), &github)?;
            let of_match = of_match.replace("ENGINE", name);
            write_new(Path::new(".github/workflows/arbiter-match.yml"), &of_match)?;
        }
        if self.gitlab {
            let usual = Path::new(".gitlab-ci.yml");
            let own = Path::new(".gitlab/arbiter.yml");
            if usual.exists() && !own.exists() {
                say("add this line to .gitlab-ci.yml, which is not changed: include: .gitlab/arbiter.yml")?;
                write_new(own, &gitlab)?;
            } else {
                write_new(usual, &gitlab)?;
            }
        }
        if self.hook {
            let hooks = output_of_git(Path::new("."), &["rev-parse", "--git-path", "hooks"]);
            let hooks = hooks.ok_or_else(|| anyhow!("--hook: this is not a git repository")).usage()?;
            let hook = Path::new(hooks.trim()).join("pre-push");
            let file = CiFile::read(Path::new(CiFile::NAME)).usage()?;
            let steps: Vec<&str> = file.steps().iter().map(|step| step.name()).collect();
            let quick: Vec<&str> = OF_HOOK.split(' ').filter(|step| steps.contains(step)).collect();
            let quick =
                if quick.is_empty() { steps[..steps.len().min(1)].join(" ") } else { quick.join(" ") };
            if write_new(&hook, &HOOK.replace(OF_HOOK, &quick))? {
                make_executable(&hook).fault()?;
            }
        }
        Ok(())
    }

    /// Measures the baseline. If `arbiter.toml` is new, failures are noted in it as known.
    fn measure_baseline(&self, name: &str, is_new: bool) -> CliResult {
        let path = BaselineFile::default_path(name);
        if path.exists() {
            let shown = path.display();
            say(&format!("{shown} exists already; `arbiter ci --update-baseline` measures it again"))?;
            return Ok(ExitCode::Done);
        }
        if self.no_baseline {
            return Ok(ExitCode::Done);
        }
        console::note("measuring the baseline, as `arbiter ci --update-baseline` does");
        if !is_new {
            return CiArgs::of(Vec::new(), true).run();
        }
        let failed = CiArgs::first_baseline()?;
        let path = Path::new(CiFile::NAME);
        let mut text = fs::read_to_string(path).fault()?;
        for step in &failed {
            text = files::with_known_faults(&text, step);
            say(&format!("recorded as known: {}: {}", step.step, step.judgement.reason()))?;
        }
        write_whole(path, &text).of_path()?;
        say(&format!(
            "baseline written to {}; with these files `arbiter ci` passes on this commit",
            BaselineFile::default_path(name).display()
        ))?;
        Ok(ExitCode::Done)
    }

    fn say_what_now(&self, started_in: &Path, root: &Path, name: &str, fork: &str) -> Result<(), CliError> {
        let manifest = PathBuf::from("engines").join(name).join("engine.toml");
        if is_ignored(&manifest) {
            say(&format!("warning: git ignores {}: take it out of .gitignore", manifest.display()))?;
        }
        // A `results` folder that Arbiter created has a .gitignore of its own.
        if root.join("results").exists()
            && !is_ignored(Path::new("results/x"))
            && output_of_git(root, &["rev-parse", "--git-dir"]).is_some()
        {
            say(
                "runs are written to results/, which git does not ignore: add it to .gitignore, or commit what you keep",
            )?;
        }
        let has_older = output_of_git(root, &["rev-parse", "--verify", "HEAD~1"]).is_some();
        let opponent = if has_older { format!("{name}@HEAD~1") } else { "tarrasch".to_owned() };
        let mut out = stdout();
        writeln!(out, "\nNow:").fault()?;
        if started_in != root {
            writeln!(out, "  cd {}", root.strip_prefix(started_in).unwrap_or(root).display()).fault()?;
        }
        writeln!(out, "  arbiter match {name} {opponent} --games 20").fault()?;
        let is_measured = BaselineFile::default_path(name).exists();
        writeln!(out, "  arbiter ci{}", if is_measured { "" } else { " --update-baseline" }).fault()?;
        let last = match (self.github || self.gitlab, self.hook) {
            (true, _) => format!(
                "The workflows download the release v{} of {fork}; how to make it: docs/guide/ci.md",
                env!("CARGO_PKG_VERSION")
            ),
            (false, true) => return Ok(()),
            (false, false) => {
                "`arbiter init --github`, `--gitlab` or `--hook` add the workflow of your CI.".to_owned()
            }
        };
        writeln!(out, "{last}").fault()
    }
}

fn fork(text: &str) -> Result<String, String> {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    match text.split_once('/') {
        Some((owner, name)) if is_name(owner) && is_name(name) => Ok(text.to_owned()),
        _ => Err(format!("expected OWNER/REPOSITORY, as in me/arbiter, found `{text}`")),
    }
}

/// The line that the user types after a question.
fn asked(question: &str) -> io::Result<String> {
    let mut out = stdout();
    write!(out, "{question}")?;
    out.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(answer)
}

/// The user's answer to a guess.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// The guess is right, but the engine gets this name.
    Name(String),
    /// Another file or folder, relative to the root.
    Program(PathBuf),
}

fn valid_name(text: &str) -> Option<String> {
    Some(text.to_owned())
        .filter(|name| !name.is_empty() && program_search::as_name(name) == name.to_lowercase())
}

/// Enters the folder for the new files. Returns it, and the named file or folder relative to it. It is the root of the
/// git repository that contains the named place; or else the named folder, or the current folder for a file below it.
/// Any other file may belong to an installed engine, for example, so nothing is written beside it.
fn enter_root(started_in: &Path, path: &Path) -> Result<(PathBuf, PathBuf)> {
    let is_folder = fs::metadata(path).with_context(|| path.display().to_string())?.is_dir();
    let folder = if is_folder { path } else { path.parent().unwrap_or(path) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    env::set_current_dir(folder).with_context(|| folder.display().to_string())?;
    let folder = env::current_dir()?;
    let file = path.file_name().filter(|_| !is_folder);
    let is_in_repository = || output_of_git(&folder, &["ls-files"]).is_some_and(|files| !files.is_empty());
    let is_root = |folder: &&Path| folder.join(".git").exists() || folder.join(CiFile::NAME).exists();
    let root = match folder.ancestors().find(is_root) {
        Some(root) if root == folder || is_in_repository() => root,
        _ if is_folder => &folder,
        _ if folder.starts_with(started_in) => started_in,
        _ => bail!(
            "{}: expected a file in a git repository or below this folder; or run `arbiter init` in the engine's folder",
            path.display()
        ),
    };
    env::set_current_dir(root).with_context(|| root.display().to_string())?;
    let place = folder.strip_prefix(root).unwrap_or(&folder);
    Ok((root.to_owned(), file.map_or_else(|| place.to_owned(), |file| place.join(file))))
}

fn configured_engine() -> Result<Option<String>> {
    let path = Path::new(CiFile::NAME);
    if !path.exists() {
        return Ok(None);
    }
    Ok(Some(CiFile::read(path)?.engine.0.source.name()))
}

/// A pattern in .gitignore for the program also hides the folder `engines/NAME`; a .gitignore there excepts it.
fn unhide(name: &str, manifest: &Path) -> Result<(), CliError> {
    let own = Path::new("engines/.gitignore");
    if !is_ignored(manifest) || own.exists() {
        return Ok(());
    }
    write_new(
        own,
        &format!("# A pattern for the program must not hide these.\n!/{name}/\n!/{name}/*.toml\n"),
    )?;
    Ok(())
}

fn no_engine(root: &Path, refused: &[String]) -> anyhow::Error {
    anyhow!(
        "{}: no build made a program that answers `uci`:\n  {}\nif you know how it is built, write \
         engines/NAME/engine.toml (docs/guide/engines.md) and try `arbiter engines check NAME`",
        root.display(),
        refused.join("\n  ")
    )
}

fn say(text: &str) -> Result<(), CliError> {
    writeln!(stdout(), "{text}").fault()
}

/// Writes a new file and says so. An existing file is left alone, with a message.
fn write_new(path: &Path, text: &str) -> Result<bool, CliError> {
    if path.exists() {
        let is_same = fs::read_to_string(path).is_ok_and(|known| known == text);
        let how = if is_same { "with the same text" } else { "it is not changed" };
        say(&format!("{} exists already, {how}", path.display()))?;
        return Ok(false);
    }
    // A clone brings no files in git's own folder, so links there are the user's.
    if !path.starts_with(".git") {
        refuse_links_below(Path::new(""), path).usage()?;
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string()).usage()?;
    }
    NewFile::reserve(path).usage()?.finish(text).of_path()?;
    say(&format!("wrote {}", path.display()))?;
    Ok(true)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
