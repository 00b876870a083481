//! `arbiter openbench`: creates a test on an OpenBench site, shows the state of tests, and fetches their games.
//!
//! Requests and answers follow OpenBench 9906bad (`OpenBench/views.py`, `workloads/verify_workload.py`,
//! `workloads/create_workload.py`).

mod curl;
mod game_archive;
mod site;
mod test_form;
mod test_state;
mod workload;

use std::env;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Subcommand};
use stats::Wdl;

use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console, run_any, stdout};
use crate::files::new_file;
use game_archive::{TestPlayers, write_games};
use site::{Login, Site, SitePage, TAKEN, refusal};
use test_form::{Contender, Fields, TestArgs};
use test_state::{TestState, test_summary};
use workload::{MachineResult, SiteEngine, SiteNames, Workload};

const USERNAME: &str = "OPENBENCH_USERNAME";
const PASSWORD: &str = "OPENBENCH_PASSWORD";

#[derive(Debug, Args)]
pub struct OpenbenchArgs {
    #[command(subcommand)]
    command: OpenbenchCommand,
}

#[derive(Debug, Subcommand)]
enum OpenbenchCommand {
    /// Create a test, or an SPSA tune.
    Submit(Box<SubmitArgs>),
    /// Show the state of tests: games, Ptnml(0-2), Elo, LLR.
    Status(SiteStatusArgs),
    /// Fetch the games and the result of a test into a folder.
    Report(SiteReportArgs),
}

impl OpenbenchArgs {
    pub fn run(self) -> CliResult {
        run_any!(self.command, OpenbenchCommand: Submit Status Report)
    }
}

#[derive(Debug, Args)]
struct SiteArgs {
    /// Address of the OpenBench site, such as `https://openbench.example.org`
    #[arg(value_name = "URL")]
    url: String,

    /// User of the site [default: the variable `OPENBENCH_USERNAME`]
    #[arg(long, value_name = "NAME")]
    username: Option<String>,

    /// Password of the user [default: the variable `OPENBENCH_PASSWORD`, which other users of this machine cannot see]
    #[arg(long, value_name = "PASSWORD")]
    password: Option<String>,
}

impl SiteArgs {
    /// The site. The login is used only if the site asks for one.
    fn site(&self) -> Result<Site> {
        let given = |option: &Option<String>, variable| {
            option.clone().or_else(|| env::var(variable).ok()).filter(|text| !text.is_empty())
        };
        let login = match (given(&self.username, USERNAME), given(&self.password, PASSWORD)) {
            (Some(name), Some(password)) => Some(Login { name, password }),
            (Some(name), None) => bail!("user {name}: expected a password in {PASSWORD} or --password"),
            (None, Some(_)) => bail!("expected the user of the password in {USERNAME} or --username"),
            (None, None) => None,
        };
        Site::new(&self.url, login)
    }
}

const GAMES: &str = "games.pgn";
const SUMMARY: &str = "summary.md";
const RESULT: &str = "result.json";

const HELP: &str = "\
Read it with: arbiter rate DIR, or arbiter sprt DIR/games.pgn

The folder has games.pgn, summary.md and result.json. It is not a run folder: workers upload neither
clocks nor the order of the games. Players have the names of their commits, such as Tiny@1a2b3c4d.
The site gives the games only of a finished test that was created with --upload-pgns.";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
struct SiteReportArgs {
    #[command(flatten)]
    site: SiteArgs,

    /// Number of the test
    #[arg(value_name = "TEST", value_parser = clap::value_parser!(u64).range(1..))]
    test: u64,

    /// New folder [default: results/DATE-openbench-TEST]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl SiteReportArgs {
    fn run(self) -> CliResult {
        let site = self.site.site().usage()?;
        let name = format!("openbench-{}", self.test);
        let folder = self.out.unwrap_or_else(|| new_file::below_results(&name));
        if folder.exists() {
            return Err(CliError::Usage(anyhow!(
                "--out {}: expected a folder that does not exist",
                folder.display()
            )));
        }
        let workload: Workload = site.fetch_value(&Workload::path(self.test), "info").usage()?;
        let machines: Vec<MachineResult> =
            site.fetch_value(&Workload::results_path(self.test), "results").usage()?;
        let test = TestState::of(&site, &workload, &machines).usage()?;
        if !test.phase.is_over() {
            let problem =
                anyhow!("{}: expected a test that is over, found one that is {}", test.url, test.phase);
            return Err(CliError::Usage(problem));
        }

        let parent =
            folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let at = || format!("--out {}", folder.display());
        fs::create_dir_all(parent).with_context(at).usage()?;
        let draft =
            tempfile::Builder::new().prefix(".openbench-").tempdir_in(parent).with_context(at).usage()?;
        let names = TestPlayers::of(&workload);
        let games = match workload.upload_pgns.as_str() {
            "FALSE" => None,
            _ => Some(fetch_games(&site, &workload, &names, &draft.path().join(GAMES))?),
        };
        let summary = test_summary(&test, &workload, names.own(), games);
        let result = serde_json::to_string_pretty(&test).fault()? + "\n";
        for (file, text) in [(SUMMARY, &summary), (RESULT, &result)] {
            fs::write(draft.path().join(file), text).with_context(at).fault()?;
        }
        fs::rename(draft.path(), &folder).with_context(at).of_path()?;
        // The draft folder was renamed, so there is nothing to remove.
        let _ = draft.keep();
        let mut out = stdout();
        write!(out, "{summary}\n  saved in {}\n", folder.display()).fault()?;
        Ok(ExitCode::Done)
    }
}

fn fetch_games(site: &Site, workload: &Workload, names: &TestPlayers, file: &Path) -> Result<Wdl, CliError> {
    let archive = site.fetch(&[format!("api/pgns/{}/", workload.id)]).usage()?.remove(0);
    if let Some(reason) = refusal(&archive) {
        return Err(CliError::Usage(reason));
    }
    let mut out = BufWriter::new(File::create(file).context(GAMES).fault()?);
    let games =
        write_games(&archive.body[..], names, &mut out).with_context(|| archive.url.clone()).usage()?;
    out.flush().context(GAMES).fault()?;
    Ok(games)
}

#[derive(Debug, Args)]
struct SiteStatusArgs {
    #[command(flatten)]
    site: SiteArgs,

    /// Numbers of tests [default: all that wait or are running]
    #[arg(value_name = "TEST", value_parser = clap::value_parser!(u64).range(1..))]
    tests: Vec<u64>,

    /// Ask again every SECONDS until all tests are over, and print what has changed
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    watch: Option<u64>,

    /// Print JSON: an array with an object for each test, on one line
    #[arg(long)]
    json: bool,
}

impl SiteStatusArgs {
    fn run(self) -> CliResult {
        let site = self.site.site().usage()?;
        let mut tests = self.numbers(&site).usage()?;
        if tests.is_empty() && !self.json {
            writeln!(stdout(), "  no test waits or is running").fault()?;
            return Ok(ExitCode::Done);
        }
        let mut states = self.first_states(&site, &mut tests).usage()?;
        let mut before = String::new();
        loop {
            let text = self.text(&states).fault()?;
            if text != before {
                let mut out = stdout();
                write!(out, "{text}").and_then(|()| out.flush()).fault()?;
                before = text;
            }
            let is_open = states.iter().any(|test| !test.phase.is_over());
            let Some(seconds) = self.watch.filter(|_| is_open) else { return Ok(ExitCode::Done) };
            thread::sleep(Duration::from_secs(seconds));
            match TestState::fetch(&site, &tests).and_then(|all| all.into_iter().collect()) {
                Ok(now) => states = now,
                Err(error) => console::note(&format!("warning: {error:#}; asking again in {seconds} s")),
            }
        }
    }

    /// The initial states of the tests. An unnamed test that cannot be read is left out with a warning, and its number is
    /// removed from `tests`.
    fn first_states(&self, site: &Site, tests: &mut Vec<u64>) -> Result<Vec<TestState>> {
        if tests.is_empty() {
            return Ok(Vec::new());
        }
        let found = TestState::fetch(site, tests)?;
        if !self.tests.is_empty() || found.iter().all(Result::is_err) {
            return found.into_iter().collect();
        }
        let warn = |error: anyhow::Error| console::note(&format!("warning: {error:#}"));
        let states: Vec<TestState> = found.into_iter().filter_map(|state| state.map_err(warn).ok()).collect();
        *tests = states.iter().map(|state| state.test).collect();
        Ok(states)
    }

    /// The named tests, or all open ones, newest first.
    fn numbers(&self, site: &Site) -> Result<Vec<u64>> {
        if !self.tests.is_empty() {
            return Ok(self.tests.clone());
        }
        let page = site.fetch(&["index/".to_owned()])?.remove(0);
        Ok(SitePage::of(&page.body).unfinished_tests().into_iter().rev().collect())
    }

    fn text(&self, states: &[TestState]) -> serde_json::Result<String> {
        if self.json {
            return Ok(serde_json::to_string(states)? + "\n");
        }
        let colour = console::wants_colour(&io::stdout());
        let texts: Vec<String> = states.iter().map(|test| test.document().terminal(colour)).collect();
        Ok(texts.join("\n") + if self.watch.is_some() { "\n" } else { "" })
    }
}

/// The site has Wald's test of normalized Elo and no other.
#[derive(Debug, Args)]
#[command(mut_arg("sprt_test", |arg| arg.hide(true)), mut_arg("model", |arg| arg.hide(true)),
    mut_arg("mixture", |arg| arg.hide(true)))]
struct SubmitArgs {
    #[command(flatten)]
    site: SiteArgs,

    /// New engine: its name on the site and a branch, tag or commit on GitHub; `:Option=value,…` adds UCI options and tc=,
    /// nodes=, depth= or movetime= of its own
    #[arg(value_name = "DEV@REV")]
    dev: Contender,

    /// Base engine, in the same form; a tune has none
    #[arg(value_name = "BASE@REV", required_unless_present = "spec", conflicts_with = "spec")]
    base: Option<Contender>,

    /// Print the fields that would be posted, and post nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    test: TestArgs,
}

/// How many of the newest tests are searched for the one just created.
const NEWEST: usize = 8;

impl SubmitArgs {
    fn run(self) -> CliResult {
        let site = self.site.site().usage()?;
        let fields = self.fields(&site).usage()?;
        let mut out = stdout();
        if self.dry_run {
            for (name, value) in fields {
                writeln!(out, "{name}={value}").fault()?;
            }
            return Ok(ExitCode::Done);
        }
        let kind = if self.base.is_some() { "test" } else { "tune" };
        let page = site.create(kind, &fields).usage()?;
        if let Some(warning) = page.warning() {
            console::note(&format!("warning: {warning}"));
        }
        let test = find(&site, &page, &fields).usage()?;
        let state = if test.approved { "" } else { ", waiting for approval" };
        writeln!(out, "  Test {}: {}{state}", test.id, site.test_address(test.id)).fault()?;
        Ok(ExitCode::Done)
    }

    fn fields(&self, site: &Site) -> Result<Fields> {
        if !self.dry_run {
            site.login()?;
        }
        let names = SiteNames::fetch(site)?;
        let dev = SiteEngine::fetch(site, names.engine(&self.dev.name)?)?;
        if let Some(spec) = &self.test.spec {
            return self.test.tune_fields(&names, (&self.dev, &dev), spec);
        }
        let base = self.base.as_ref().unwrap_or(&self.dev);
        let base_engine = SiteEngine::fetch(site, names.engine(&base.name)?)?;
        self.test.fields(&names, [(&self.dev, &dev), (base, &base_engine)])
    }
}

/// Finds the created test, whose number the site does not tell: this user's newest test with these fields. A page that
/// cannot be fetched is skipped, as it may belong to another test.
fn find(site: &Site, page: &SitePage, fields: &Fields) -> Result<Workload> {
    let newest = page.unfinished_tests().into_iter().rev().take(NEWEST);
    let mut tests =
        newest.filter_map(|test| site.fetch_value::<Workload>(&Workload::path(test), "info").ok());
    let author = &site.login()?.name;
    let is_ours = |test: &Workload| {
        let shown = [
            ("dev_engine", &test.dev_engine),
            ("dev_branch", &test.dev.name),
            ("dev_options", &test.dev_options),
            ("base_engine", &test.base_engine),
            ("base_branch", &test.base.name),
            ("base_options", &test.base_options),
            ("book_name", &test.book_name),
            ("test_mode", &test.test_mode),
        ];
        // A tune has no fields of a base engine.
        let is_field = |(name, value): &(&str, &String)| {
            fields.iter().all(|(field, posted)| field != name || posted == *value)
        };
        test.author == *author && shown.iter().all(is_field)
    };
    let problem = || format!("{TAKEN}, but its number is not found; see {}", site.address("index/"));
    tests.find(is_ours).with_context(problem)
}
