//! `arbiter history NAME REV…`: matches between versions of an engine, and their ratings.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::page::HistoryReport;
use super::plan::{Encounter, HistoryPlan, PlanShape, SkippedVersion, programs};
use super::versions_text::{RatedVersion, versions_csv, versions_table};
use crate::cli::{Blame, CliResult, ExitCode, console, stdout};
use crate::engines;
use crate::engines::{Commit, Manifest, Repository};
use crate::files::{new_folder, state_file, write_whole};
use crate::options::books;
use crate::options::books::AskedBy;
use crate::options::{ConclusionArgs, PlayedTestArgs, PlayingArgs};
use crate::rating::EncounterTable;
use crate::rating::rate::RatingReport;
use crate::results::EngineSummary;
use crate::run::Played;
use crate::run::Series;
use runner::{EngineConfig, FinishReason, RunJournal};
use stats::Elo;

/// The HTML report of a history.
const PAGE: &str = "history.html";

/// The ratings of a history as CSV.
const TABLE: &str = "history.csv";

/// The arguments of `arbiter history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// Engine with a manifest whose `repo` has the revisions
    #[arg(value_name = "NAME")]
    engine: String,

    /// Revision, or range OLD..NEW: the commits from OLD to NEW, both included, first parents only
    #[arg(required = true, value_name = "REV")]
    revisions: Vec<String>,

    /// Gauntlet: this version plays all others; `newest`, `oldest` or a revision [default: each version plays the one
    /// before it]
    #[arg(long, value_name = "REV")]
    against: Option<String>,

    /// Take only every Nth commit of a range, and its two ends
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,

    #[command(flatten)]
    playing: PlayingArgs,

    #[command(flatten)]
    test: PlayedTestArgs,
}

impl HistoryArgs {
    /// Builds the versions, plans the matches, and plays them.
    pub fn run(self) -> CliResult {
        state_file::check_out(self.playing.pacing.out(), HistoryPlan::FILE).usage()?;
        let book = books::configure(self.playing.openings.request()).usage()?;
        books::load(&book, self.playing.openings.variant(), AskedBy::Option).usage()?;
        let (manifest, repository) = engines::versioned(&self.engine).usage()?;
        let commits = self.commits(&repository).usage()?;
        let fixed = self.fixed(&repository, &commits).usage()?;
        let sprt = self.test.sprt().usage()?;
        let games = PlayedTestArgs::default_games(sprt.as_ref());
        let (run, _) = self.playing.run_config(book, games).usage()?;
        let mut run = self.test.ending(run, sprt);
        let (versions, engines, skipped) = self.build(&manifest, &repository, commits);
        let shape = match &fixed {
            None => PlanShape::Chain,
            Some(fixed) => {
                let place = versions.iter().position(|version| version == fixed);
                let place = place.with_context(|| {
                    format!("--against {}: this version does not build", fixed.short_hash())
                });
                PlanShape::Gauntlet(place.usage()?)
            }
        };
        run.concurrency = self.playing.pacing.concurrency(&engines, self.playing.limits.ponder()).usage()?;
        let encounters = shape.encounters(&programs(&engines));
        run.engines = engines;
        let conclusion = self.playing.pacing.conclusion();
        let strict = conclusion.strict();
        let plan = HistoryPlan {
            schema: HistoryPlan::SCHEMA,
            engine: self.engine.clone(),
            strict,
            versions,
            skipped,
            encounters,
            run,
        };
        if plan.encounters.is_empty() {
            let found = plan.versions.len();
            let same = if found > 1 { ", all the same program to the byte" } else { "" };
            return Err(anyhow::anyhow!(
                "REV: expected at least two versions that build, found {found}{same}"
            ))
            .usage();
        }
        let folder = match self.playing.pacing.out() {
            Some(folder) => folder.to_owned(),
            None => new_folder::below_results(&format!("history-{}", self.engine)),
        };
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string()).fault()?;
        plan.write(&folder).fault()?;
        play(&folder, conclusion)
    }

    /// The commits of all REV arguments, by date, without duplicates.
    fn commits(&self, repository: &Repository) -> Result<Vec<Commit>> {
        let mut commits: Vec<Commit> = Vec::new();
        for text in &self.revisions {
            let Some((old, new)) = text.split_once("..") else {
                commits.push(repository.commit(text).context("REV")?);
                continue;
            };
            let new = if new.is_empty() { "HEAD" } else { new };
            let (old, new) = (repository.commit(old).context("REV")?, repository.commit(new).context("REV")?);
            if !repository.is_ancestor(&old, &new)? {
                bail!("REV {text}: expected OLD..NEW, but the first revision is no ancestor of the second");
            }
            let between = repository.first_parents(&old, &new)?;
            let last = between.len().saturating_sub(1);
            let every = usize::from(self.every);
            let kept = between.into_iter().enumerate();
            let kept = kept.filter(|(index, _)| (index + 1) % every == 0 || *index == last);
            commits.push(old);
            commits.extend(kept.map(|(_, commit)| commit));
        }
        // The sort is stable: commits of the same second keep the order of the range.
        commits.sort_by_key(|commit| commit.date);
        let mut seen = std::collections::HashSet::new();
        commits.retain(|commit| seen.insert(commit.hash.clone()));
        Ok(commits)
    }

    /// The version that plays all others.
    fn fixed(&self, repository: &Repository, commits: &[Commit]) -> Result<Option<Commit>> {
        let Some(text) = &self.against else { return Ok(None) };
        let fixed = match text.as_str() {
            "newest" => commits.last().cloned(),
            "oldest" => commits.first().cloned(),
            revision => Some(repository.commit(revision).context("--against")?),
        };
        if let Some(other) = fixed.as_ref().filter(|fixed| !commits.contains(fixed)) {
            bail!(
                "--against {text}: expected one of the versions, found {}, which is not among them",
                other.short_hash()
            );
        }
        Ok(fixed)
    }

    /// Builds the versions; those that do not build are skipped.
    fn build(
        &self,
        manifest: &Manifest,
        repository: &Repository,
        commits: Vec<Commit>,
    ) -> (Vec<Commit>, Vec<EngineConfig>, Vec<SkippedVersion>) {
        let (mut versions, mut configs, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        for commit in commits {
            let announce = &mut console::announce_build;
            match engines::of_commit(&self.engine, manifest, repository, &commit, announce) {
                Ok(engine) => {
                    versions.push(commit);
                    configs.push(engine);
                }
                Err(error) => {
                    let reason = format!("{error:#}");
                    let (hash, subject) = (commit.short_hash(), &commit.subject);
                    console::note(&format!("warning: skipped {hash} ({subject}): {reason}"));
                    skipped.push(SkippedVersion { commit, reason });
                }
            }
        }
        engines::make_distinct(&mut configs);
        (versions, configs, skipped)
    }
}

/// Plays the missing games of the history in a folder, and prints the ratings.
pub fn play(folder: &Path, conclusion: ConclusionArgs) -> CliResult {
    let plan = HistoryPlan::read(folder).usage()?;
    let series = Series::begin(folder, conclusion).fault()?;
    let mut has_fault = false;
    for (number, encounter) in plan.encounters.iter().enumerate() {
        let Encounter { new, old } = *encounter;
        let [new, old] = [new, old].map(|version| &plan.run.engines[version].name);
        console::note(&format!("match {} of {}: {new} vs {old}", number + 1, plan.encounters.len()));
        let run = series.play(&plan.config(*encounter), &plan.run_folder(folder, number))?;
        let Played { summary, reason } = run;
        has_fault |= summary.engines.iter().any(|engine| EngineSummary::other_faults(engine) > 0);
        match reason {
            FinishReason::Requested => return Ok(series.interrupted()),
            FinishReason::EngineDoesNotStart { detail, .. } => {
                has_fault = true;
                console::note(&format!("warning: the match was stopped: {detail}"));
            }
            _ => {}
        }
    }
    conclude(&plan, folder, conclusion)?;
    Ok(if has_fault && (conclusion.strict() || plan.strict) { ExitCode::EngineBroke } else { ExitCode::Done })
}

/// Rates all versions together; writes the CSV and the HTML report, and prints the table.
fn conclude(
    plan: &HistoryPlan,
    folder: &Path,
    conclusion: ConclusionArgs,
) -> Result<(), crate::cli::CliError> {
    let folders: Vec<PathBuf> =
        (0..plan.encounters.len()).map(|number| plan.run_folder(folder, number)).collect();
    let table = encounters(plan, &folders).usage()?;
    // Ratings are relative to the oldest version.
    let anchors: BTreeMap<usize, Elo> = BTreeMap::from([(0, Elo::new(0.0))]);
    let report = RatingReport::new(&table, &anchors);
    let versions: Vec<RatedVersion> = plan
        .versions
        .iter()
        .zip(programs(&plan.run.engines).into_iter().enumerate())
        .filter_map(|(commit, (version, program))| {
            let [name, first] = [version, program].map(|version| &plan.run.engines[version].name);
            let mut player = report.players.iter().find(|player| player.name == *first)?.clone();
            player.name.clone_from(name);
            Some(RatedVersion {
                hash: commit.hash.clone(),
                date: commit.date,
                subject: commit.subject.clone(),
                player,
                same_as: (program != version).then(|| first.clone()),
            })
        })
        .collect();
    let csv = folder.join(TABLE);
    write_whole(&csv, versions_csv(&versions).fault()?).with_context(|| csv.display().to_string()).fault()?;
    let mut out = stdout();
    // A closed pipe is not an error: everything is in the folder.
    let colour = console::wants_colour(&io::stdout());
    let _ = write!(out, "\n{}", versions_table(&versions).text(colour));
    for SkippedVersion { commit, reason } in &plan.skipped {
        let reason = reason.lines().next().unwrap_or_default();
        let _ = writeln!(out, "  skipped {} {}: {reason}", commit.short_hash(), commit.subject);
    }
    if conclusion.report() {
        let page = HistoryReport::of_folders(&folders).usage()?.with_commits(versions);
        page.write(&folder.join(PAGE)).fault()?;
        let _ = writeln!(out, "\n  saved in {0}; report in {0}/{PAGE}", folder.display());
    } else {
        let _ = writeln!(out, "\n  saved in {}", folder.display());
    }
    Ok(())
}

/// The games of all matches. The versions are players in their order, also without games.
fn encounters(plan: &HistoryPlan, folders: &[PathBuf]) -> Result<EncounterTable> {
    let mut table = EncounterTable::default();
    table.add_run(&plan.run, []);
    for (encounter, folder) in plan.encounters.iter().zip(folders) {
        let games = RunJournal::open(folder)?.events.games_by_number(|game| game.moves = Vec::new())?;
        table.add_run(
            &plan.config(*encounter),
            games.values().filter(|game| game.is_counted()).map(|game| (game, None)),
        );
    }
    Ok(table)
}
