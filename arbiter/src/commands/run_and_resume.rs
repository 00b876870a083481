//! `arbiter run FILE` plays the run that a file describes; `arbiter resume DIR` continues an interrupted run, history,
//! ablation or bisect.

use std::env;
use std::path::{self, Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use crate::cli::{CliResult, OrExitCode, console};
use crate::compare::ablate::{self, AblationPlan, TableFormat};
use crate::compare::bisect::{self, BisectState};
use crate::compare::history::{self, HistoryPlan};
use crate::compat;
use crate::engines::EngineSpec;
use crate::files::{StateFile, new_file};
use crate::live::control::CurrentRun;
use crate::options::books::{self, AskedBy, Changed};
use crate::options::{ConclusionArgs, ShardArgs};
use crate::run::join;
use crate::run::ladder::{self, LadderRun};
use crate::run::playing;
use crate::run::remote::{self, RemotePlan};
use crate::run::run_file::{self, RunFile};
use crate::tune::rounds;
use referee::openings::Book;
use runner::{Made, RunPlan};

#[derive(Debug, Args)]
pub struct RunArgs {
    /// Run file, or a run folder with run.toml; relative paths in it start at the current folder
    #[arg(value_name = "FILE", required_unless_present = "line", conflicts_with = "line")]
    file: Option<PathBuf>,

    /// Instead of FILE: a command line of fastchess or cutechess-cli, after --
    #[arg(last = true, value_name = "LINE")]
    line: Vec<String>,

    /// New run folder [default: results/<date>-<engines>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Games played at the same time; overrides the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,

    #[command(flatten)]
    conclusion: ConclusionArgs,

    /// Use the programs and the book even if their SHA-256 differs from the file's
    #[arg(long)]
    accept_changed: bool,

    #[command(flatten)]
    shards: ShardArgs,
}

impl RunArgs {
    pub fn run(self) -> CliResult {
        self.out.as_deref().map_or(Ok(()), new_file::check_out).usage()?;
        let Some(path) = &self.file else { return self.run_line() };
        let file = RunFile::read(path).usage()?;
        let (plan, book) = self.prepare(file).with_context(|| path.display().to_string()).usage()?;
        playing::start(plan, book, self.out.as_deref(), self.conclusion)
    }

    fn prepare(&self, file: RunFile) -> Result<(RunPlan, Book)> {
        let changed = if self.accept_changed { Changed::Accepted } else { Changed::Refused };
        let mut config = file.resolve(changed, &mut console::announce_build)?;
        config.concurrency = self.concurrency.map_or(config.concurrency, usize::from);
        let mut plan = RunPlan::new(self.shards.part_of(config)?)?;
        let book = books::load(&plan.config().book, plan.config().variant, AskedBy::File)?;
        playing::introduce(&mut plan)?;
        Ok((plan, book))
    }

    /// Plays another program's command line as a run of ours; options for files and printing are ignored.
    fn run_line(self) -> CliResult {
        let tournament = compat::read_line(&self.line).context("--").usage()?;
        let mut config = tournament.recorded_run_config().context("--").usage()?;
        config.concurrency = self.concurrency.map_or(config.concurrency, usize::from);
        config = self.shards.part_of(config).usage()?;
        let book = books::load_from_anywhere(&mut config.book, config.variant).usage()?;
        let mut plan = RunPlan::new(config).usage()?;
        playing::introduce(&mut plan).usage()?;
        playing::start(plan, book, self.out.as_deref(), self.conclusion)
    }
}

#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// Folder of a run, a ladder, a history, an ablation or a bisect
    #[arg(value_name = "DIR", default_value = new_file::NEWEST)]
    folder: PathBuf,

    /// Add candidates to a run with --best from the next batch of pairs on; games already played are kept
    #[arg(long, value_name = "ENGINE", num_args = 1..)]
    join: Vec<EngineSpec>,

    /// The command of a shard's pool, which no file keeps
    #[arg(long, value_name = "COMMAND")]
    pool_by: Option<String>,

    #[command(flatten)]
    conclusion: ConclusionArgs,
}

impl ResumeArgs {
    pub fn run(mut self) -> CliResult {
        let kind = |folder: &Path| KINDS.iter().find(|(path, ..)| path(folder).is_file());
        self.folder = new_file::or_newest(self.folder, |folder| kind(folder).is_some()).usage()?;
        let made = kind(&self.folder).map_or(Ok(None), |(_, made, _)| made(&self.folder)).usage()?;
        self.folder = enter_first_folder(self.folder, made).usage()?;
        if !self.join.is_empty() {
            join(&self.folder, &self.join).usage()?;
        }
        match kind(&self.folder) {
            Some((.., resume)) => resume(&self),
            None => playing::resume(&self.folder, self.conclusion, self.pool_by.as_deref()),
        }
    }
}

/// The file that identifies a kind of run or series, where the run was made, and how to resume it.
type Kind = (fn(&Path) -> PathBuf, fn(&Path) -> Result<Option<Made>>, fn(&ResumeArgs) -> CliResult);

const KINDS: [Kind; 6] = [
    (LadderRun::path, |at| Ok(LadderRun::read(at)?.run.made), |it| ladder::play(&it.folder, it.conclusion)),
    (
        HistoryPlan::path,
        |at| Ok(HistoryPlan::read(at)?.run.made),
        |it| history::play(&it.folder, it.conclusion),
    ),
    (
        AblationPlan::path,
        |at| Ok(AblationPlan::read(at)?.run.made),
        |it| ablate::continue_in(&it.folder, TableFormat::default(), it.conclusion),
    ),
    (
        RemotePlan::path,
        |at| Ok(RemotePlan::read(at)?.run.made),
        |it| match RemotePlan::read(&it.folder).usage()?.run.spsa {
            Some(_) => rounds::resume(&it.folder, it.conclusion),
            None => remote::resume(&it.folder, &CurrentRun::listening(None).fault()?),
        },
    ),
    (BisectState::path, |_| Ok(None), |it| bisect::run(&it.folder, BisectState::read(&it.folder).usage()?)),
    (
        |at| at.join(run_file::NAME),
        |at| Ok(playing::read_config(at)?.made),
        |it| playing::resume(&it.folder, it.conclusion, it.pool_by.as_deref()),
    ),
];

/// Changes to the folder in which a run or a series was started, if it still exists, since its relative paths refer to
/// that folder. Returns a path to `folder` that is valid there.
fn enter_first_folder(folder: PathBuf, made: Option<Made>) -> Result<PathBuf> {
    let first = made.and_then(|made| made.folder).filter(|first| first.is_dir());
    let Some(first) = first.filter(|first| env::current_dir().is_ok_and(|here| here != *first)) else {
        return Ok(folder);
    };
    let folder = path::absolute(folder)?;
    env::set_current_dir(&first).with_context(|| first.display().to_string())?;
    console::note(&format!("continues in {}, where it began", first.display()));
    Ok(folder)
}
