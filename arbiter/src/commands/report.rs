//! `arbiter report DIR|PGN…`: the results of runs or of PGN files, as an HTML page or in another format.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console, distinct_paths, stdout};
use crate::compare::history::HistoryReport;
use crate::compat::result_blocks;
use crate::files::{StateFile, is_device, new_file, write_named, write_whole};
use crate::games::finished_games::name_of;
use crate::options::SequentialTestArgs;
use crate::rating::{RepeatedGames, pgn_results};
use crate::report::exports::{ResultsJson, results_csv};
use crate::report::junit::run_junit;
use crate::report::markdown::markdown;
use crate::report::page::RunReport;
use crate::report::result::summary;
use crate::results::RunResults;
use crate::run::ladder::LadderRun;
use crate::run::named_folder;
use crate::tune::{TunedForm, source_patch};

#[derive(Debug, Args)]
#[command(mut_arg("sprt", |arg| arg.long_help(None).help("For PGN files of two players: evaluate this SPRT; 0,5 is [0, 5] normalized Elo")))]
pub struct ReportArgs {
    /// Run folders, or PGN files of any program
    ///
    /// A ladder gets a page that links to the pages of its rungs; several runs without a format make one page that rates all
    /// games together (a history). PGN files (also .gz, .zst, .bz2, .zip, .tar) are reported as one match if they have two
    /// players, otherwise with ratings; what they lack is left out.
    #[arg(value_name = "DIR|PGN", default_value = new_file::NEWEST)]
    folders: Vec<PathBuf>,

    #[command(flatten)]
    format: FormatArgs,

    /// The file to write, replaced if it exists [default: standard output; for a page, report.html in the run
    /// folder, or NAME-report.html beside NAME.pgn]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// How to count PGN games that repeat an earlier one move for move: once, or each time, as Ordo does
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    repeats: RepeatedGames,

    #[command(flatten)]
    test: SequentialTestArgs,
}

/// The output format; at most one.
#[derive(Debug, Args)]
#[group(multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "one flag for each format, as they are typed")]
struct FormatArgs {
    /// An HTML page (the default)
    #[arg(long)]
    html: bool,

    /// The result block of fastchess: Elo, nElo, LOS, Ptnml(0-2), LLR
    #[arg(long)]
    fastchess: bool,

    /// CSV: a row for each pairing
    #[arg(long)]
    csv: bool,

    /// JSON: everything but the games (docs/report.schema.json)
    #[arg(long)]
    json: bool,

    /// Text, as at the end of a run
    #[arg(long)]
    text: bool,

    /// JUnit XML for CI: a test suite for each run
    #[arg(long)]
    junit: bool,

    /// Markdown: a summary for a pull request
    #[arg(long)]
    markdown: bool,

    /// The tuned values of a run of `arbiter tune`, in one of these forms
    #[arg(long, value_enum, value_name = "FORM")]
    tuned: Option<TunedForm>,
}

type ReportFormat = fn(&[RunResults]) -> Result<String, CliError>;

impl ReportArgs {
    /// Reads the journals and writes the report; changes nothing else in the folders. The runs may be in progress.
    pub fn run(mut self) -> CliResult {
        if self.folders.iter().any(|path| path.is_file()) {
            return self.of_files();
        }
        let test = self.test.sprt().usage()?;
        if test.is_some() {
            return Err(CliError::Usage(anyhow!(
                "--sprt: expected PGN files; a run has the test that it was played with"
            )));
        }
        if self.repeats == RepeatedGames::Count {
            return Err(CliError::Usage(anyhow!(
                "--repeats count: expected PGN files, since the test of a run counts games once; for other figures of a \
                 run use arbiter sprt or arbiter rate"
            )));
        }
        let named = self.folders.into_iter().map(|folder| new_file::or_newest(folder, named_folder::is_run));
        let named: Vec<PathBuf> = named.collect::<anyhow::Result<_>>().usage()?;
        if let Some(missing) = named.iter().find(|path| !path.exists()) {
            let missing = missing.display();
            return Err(CliError::Usage(anyhow!(
                "{missing}: expected a run folder or a PGN file, found nothing"
            )));
        }
        let ladder = match &named[..] {
            [only] if LadderRun::path(only).is_file() => {
                Some((LadderRun::of_folder(only).usage()?, only.clone()))
            }
            _ => None,
        };
        let runs =
            named.into_iter().map(named_folder::runs_in).collect::<anyhow::Result<Vec<_>>>().usage()?;
        self.folders = distinct_paths(runs.into_iter().flatten().collect());
        if let Some(form) = self.format.tuned {
            self.write_text(&self.tuned(form).usage()?)?;
            return Ok(ExitCode::Done);
        }
        match self.format.chosen() {
            None => {
                let page = match ladder {
                    Some((ladder, folder)) => self.write_ladder(&ladder, &folder)?,
                    None => self.write_page()?,
                };
                written(&page)?;
            }
            Some(format) => {
                let runs =
                    self.folders.iter().map(|folder| outcome(folder)).collect::<Result<Vec<_>, _>>()?;
                let rungs = ladder.map(|(ladder, _)| ladder.document());
                let rungs = rungs.map_or_else(String::new, |rungs| match &self.format {
                    FormatArgs { text: true, .. } => rungs.terminal(false) + "\n",
                    FormatArgs { markdown: true, .. } => rungs.markdown() + "\n",
                    _ => String::new(),
                });
                self.write_text(&(rungs + &format(&runs)?))?;
            }
        }
        Ok(ExitCode::Done)
    }

    fn of_files(mut self) -> CliResult {
        self.folders = distinct_paths(self.folders);
        let page = self.page_of_files().usage()?;
        let results = pgn_results::read(&self.folders, self.test.sprt().usage()?, self.repeats).usage()?;
        if let Some(format) = self.format.chosen() {
            self.write_text(&format(&[results])?)?;
        } else {
            write_page(self.out.as_deref(), &page, &RunReport::of(results).html())?;
            written(&page)?;
        }
        Ok(ExitCode::Done)
    }

    /// The file of the page (unused if another format is chosen), or an error if the files and options do not fit.
    fn page_of_files(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = self.folders.iter().find(|path| !path.is_file()) {
            let problem = if folder.is_dir() { "a folder among them" } else { "a path where no file is" };
            let folder = folder.display();
            bail!("{folder}: expected PGN files alone or run folders alone, found {problem}");
        }
        if self.format.fastchess || self.format.tuned.is_some() {
            bail!("--fastchess, --tuned: expected a run folder, found a PGN file");
        }
        Ok(match (&self.out, &self.folders[..]) {
            (Some(file), _) => file.clone(),
            (None, [file]) => file.with_file_name(format!("{}-report.html", name_of(file))),
            (None, _) if self.format.chosen().is_some() => PathBuf::new(),
            (None, _) => bail!("several PGN files make one page: expected --out FILE"),
        })
    }

    fn write_page(&self) -> Result<PathBuf, CliError> {
        match (&self.folders[..], &self.out) {
            ([folder], out) => write_run(folder, out.as_deref()),
            (folders, Some(file)) => {
                write_out(file, &HistoryReport::of_folders(folders).usage()?.html())?;
                Ok(file.clone())
            }
            (_, None) => {
                let problem =
                    "several runs make a history, which belongs to no run folder: expected --out FILE";
                Err(anyhow!(problem)).usage()
            }
        }
    }

    /// Writes a page for each rung, and the page that links to them.
    fn write_ladder(&self, ladder: &LadderRun, folder: &Path) -> Result<PathBuf, CliError> {
        for rung in &self.folders {
            written(&write_run(rung, None)?)?;
        }
        let usual = folder.join(RunReport::FILE);
        write_page(self.out.as_deref(), &usual, &ladder.page(folder).usage()?)?;
        Ok(self.out.clone().unwrap_or(usual))
    }

    fn tuned(&self, form: TunedForm) -> anyhow::Result<String> {
        let [folder] = &self.folders[..] else { bail!("--tuned: expected one run folder") };
        let run = RunResults::read(folder)?;
        console::note_torn_line(folder, run.torn_line);
        let tuning =
            run.tuning.with_context(|| format!("{}: expected a run of `arbiter tune`", folder.display()))?;
        let start = tuning.spsa().plan();
        let found = tuning.spsa().continued(start.pairs);
        match form {
            TunedForm::Diff => {
                source_patch::of_engine(&run.config.engines[0], &start.parameters, &found.parameters)
            }
            form => Ok(form.text(&found.parameters)),
        }
    }

    fn write_text(&self, text: &str) -> Result<(), CliError> {
        if let Some(file) = &self.out {
            return write_out(file, text);
        }
        let mut out = stdout();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).fault()
    }
}

fn write_run(folder: &Path, out: Option<&Path>) -> Result<PathBuf, CliError> {
    let report = RunReport::of_folder(folder).usage()?;
    console::note_torn_line(folder, report.torn_line);
    match out {
        Some(file) => write_out(file, &report.html())?,
        None => report.write(&folder.join(RunReport::FILE)).of_path()?,
    }
    Ok(out.map_or_else(|| folder.join(RunReport::FILE), Path::to_owned))
}

/// Says which file was written, unless the page went to a device such as standard output.
fn written(file: &Path) -> Result<(), CliError> {
    if is_device(file) { Ok(()) } else { writeln!(stdout(), "  wrote {}", file.display()).fault() }
}

/// Writes to the file of `--out`, or to the usual one, which is replaced even if it is a symbolic link.
fn write_page(out: Option<&Path>, usual: &Path, text: &str) -> Result<(), CliError> {
    match out {
        Some(file) => write_out(file, text),
        None => write_whole(usual, text).with_context(|| usual.display().to_string()).of_path(),
    }
}

fn write_out(file: &Path, text: &str) -> Result<(), CliError> {
    write_named(file, text).with_context(|| format!("--out {}", file.display())).of_path()
}

fn outcome(folder: &Path) -> Result<RunResults, CliError> {
    let run = RunResults::read(folder).usage()?;
    console::note_torn_line(folder, run.torn_line);
    Ok(run)
}

impl FormatArgs {
    fn chosen(&self) -> Option<ReportFormat> {
        let formats: [(bool, ReportFormat); 6] = [
            (self.fastchess, |runs| {
                runs.iter().map(|run| result_blocks(&run.folder)).collect::<Result<_, _>>().fault()
            }),
            (self.text, |runs| {
                let texts = runs.iter().map(|run| summary(&run.summary, Some(&run.config)).terminal(false));
                Ok(texts.collect::<Vec<_>>().join("\n"))
            }),
            (self.csv, |runs| results_csv(runs).fault()),
            (self.json, |runs| ResultsJson::new(runs).text().fault()),
            (self.junit, |runs| Ok(run_junit(runs))),
            (self.markdown, |runs| Ok(markdown(runs))),
        ];
        formats.into_iter().find_map(|(is_chosen, format)| is_chosen.then_some(format))
    }
}
