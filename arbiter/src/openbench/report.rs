//! `arbiter openbench report`: fetches the games and the result of a test.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;

use super::command::SiteArgs;
use super::game_archive::{PlayerNames, write_games};
use super::site::{Site, refusal};
use super::test_state::TestState;
use super::test_summary::test_summary;
use super::workload::{MachineResult, Workload};
use crate::cli::{Blame, CliError, CliResult, ExitCode, stdout};
use crate::files::new_folder;
use stats::Wdl;

/// The files of the folder.
const GAMES: &str = "games.pgn";
const SUMMARY: &str = "summary.md";
const RESULT: &str = "result.json";

const HELP: &str = "\
Examples:
  arbiter rate DIR                  or sprt DIR/games.pgn, extract DIR/games.pgn

The folder has games.pgn, summary.md and result.json. It is not a run folder: workers upload neither
clocks nor the order of the games. Players have the names of their commits, such as Tiny@1a2b3c4d.
The site gives the games only of a finished test that was created with --upload-pgns.";

/// The arguments of `arbiter openbench report`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    site: SiteArgs,

    /// Number of the test
    #[arg(value_name = "TEST", value_parser = clap::value_parser!(u64).range(1..))]
    test: u64,

    /// The folder to write; it must not exist [default: results/DATE-openbench-TEST]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl ReportArgs {
    /// Writes the folder and prints the summary.
    pub(super) fn run(self) -> CliResult {
        let site = self.site.site().usage()?;
        let name = format!("openbench-{}", self.test);
        let folder = self.out.unwrap_or_else(|| new_folder::below_results(&name));
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
        let names = PlayerNames::of(&workload);
        let games = match workload.upload_pgns.as_str() {
            "FALSE" => None,
            _ => Some(fetch_games(&site, &workload, &names, &draft.path().join(GAMES))?),
        };
        let summary = test_summary(&test, &workload, names.own(), games);
        let result = serde_json::to_string_pretty(&test).fault()? + "\n";
        for (file, text) in [(SUMMARY, &summary), (RESULT, &result)] {
            fs::write(draft.path().join(file), text).with_context(at).fault()?;
        }
        fs::rename(draft.path(), &folder).with_context(at).fault()?;
        // There is nothing to remove any more.
        let _ = draft.keep();
        let mut out = stdout();
        write!(out, "{summary}\n  saved in {}\n", folder.display()).fault()?;
        Ok(ExitCode::Done)
    }
}

/// Downloads the games into a file, and counts them for the new engine.
fn fetch_games(site: &Site, workload: &Workload, names: &PlayerNames, file: &Path) -> Result<Wdl, CliError> {
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
