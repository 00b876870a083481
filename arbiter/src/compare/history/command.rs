//! `arbiter history NAME REV…`: matches between versions of an engine, and their ratings.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::page::{HistoryReport, RatedVersion, largest_step, verdict, versions_csv, versions_table};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::{self, Commit, Manifest, Repository, shortest_clock};
use crate::files::{StateFile, write_whole};
use crate::measure::Judgement;
use crate::options::{ConclusionArgs, PlayedTestArgs, PlayingArgs};
use crate::results::EngineSummary;
use crate::run::{Series, playing};
use crate::text::number_text::plain_minus;
use runner::{EngineConfig, FinishReason, RunConfig};

const PAGE: &str = "history.html";

const TABLE: &str = "history.csv";

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
    pub fn run(self) -> CliResult {
        HistoryPlan::check_out(self.playing.pacing.out()).usage()?;
        let sprt = self.test.sprt().usage()?;
        let games = PlayedTestArgs::default_games(sprt.as_ref());
        let run = self.playing.run_config(games).usage()?;
        let mut run = self.test.ending(run, sprt);
        let (manifest, repository) = engines::versioned(&self.engine).usage()?;
        let commits = self.commits(&repository).usage()?;
        let fixed = self.fixed(&repository, &commits).usage()?;
        let (versions, engines, skipped) = self.build(&manifest, &repository, commits, &run);
        let place_of = |fixed: Commit| {
            let place = versions.iter().position(|version| *version == fixed);
            place.with_context(|| format!("--against {}: this version cannot be played", fixed.short_hash()))
        };
        let fixed = fixed.map(place_of).transpose().usage()?;
        if let Some(clock) = &run.limits.clock {
            shortest_clock::check(&engines, clock).usage()?;
        }
        run.concurrency = self.playing.pacing.concurrency(&engines, &self.playing.limits).usage()?;
        let encounters = encounters(&programs(&engines), fixed);
        run.engines = engines;
        let conclusion = self.playing.pacing.conclusion;
        let strict = conclusion.strict;
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
            let same = if found > 1 { "; the programs are the same byte for byte" } else { "" };
            return Err(anyhow::anyhow!(
                "REV: expected at least two versions that can be played, found {found}{same}"
            ))
            .usage();
        }
        let name = format!("history-{}", self.engine);
        let folder = plan.create(self.playing.pacing.out(), &name).of_path()?;
        play(&folder, conclusion)
    }

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
            // The newest commit keeps the name that was typed.
            commits.extend(kept.map(|(_, commit)| if commit == new { new.clone() } else { commit }));
        }
        // The sort is stable: commits of the same second keep the order of the range.
        commits.sort_by_key(|commit| commit.date);
        let mut seen = std::collections::HashSet::new();
        commits.retain(|commit| seen.insert(commit.hash.clone()));
        Ok(commits)
    }

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

    fn build(
        &self,
        manifest: &Manifest,
        repository: &Repository,
        commits: Vec<Commit>,
        run: &RunConfig,
    ) -> (Vec<Commit>, Vec<EngineConfig>, Vec<SkippedVersion>) {
        let (mut versions, mut configs, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        for commit in commits {
            let announce = &mut console::announce_build;
            let built = engines::of_commit(&self.engine, manifest, repository, &commit, announce);
            match built.and_then(|engine| Ok(playing::check_alone(run, &engine).map(|()| engine)?)) {
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

pub fn play(folder: &Path, conclusion: ConclusionArgs) -> CliResult {
    let plan = HistoryPlan::read(folder).usage()?;
    let series = Series::begin(folder, conclusion).fault()?;
    let mut has_fault = false;
    for (number, VersionPair { new, old }) in plan.encounters.iter().enumerate() {
        let engines = [new, old].map(|version| plan.run.engines[*version].clone());
        let [new, old] = engines.each_ref().map(|engine| &engine.name);
        console::note(&format!("match {} of {}: {new} vs {old}", number + 1, plan.encounters.len()));
        let config = RunConfig { engines: engines.into(), ..plan.run.clone() };
        let played = series.play(&config, &plan.run_folder(folder, number))?;
        if played.is_stopped() {
            return Ok(series.interrupted());
        }
        has_fault |= played.summary.engines.iter().any(|engine| EngineSummary::other_faults(engine) > 0);
        if let FinishReason::EngineDoesNotStart { detail, .. } = &played.reason {
            has_fault = true;
            console::note(&format!("warning: the match was stopped: {detail}"));
        } else {
            console::note(&Judgement::of_match(&played).usage()?.text());
        }
    }
    conclude(&plan, folder, conclusion)?;
    Ok(if has_fault && (conclusion.strict || plan.strict) { ExitCode::EngineBroke } else { ExitCode::Done })
}

fn conclude(plan: &HistoryPlan, folder: &Path, conclusion: ConclusionArgs) -> Result<(), CliError> {
    let folders: Vec<PathBuf> =
        (0..plan.encounters.len()).map(|number| plan.run_folder(folder, number)).collect();
    let mut page = HistoryReport::of_folders(&folders).usage()?;
    let engines = &plan.run.engines;
    let played = programs(engines).into_iter().enumerate();
    let versions = plan.versions.iter().zip(played).map(|(commit, (version, program))| RatedVersion {
        hash: commit.hash.clone(),
        date: commit.date,
        subject: commit.subject.clone(),
        name: engines[version].name.clone(),
        player: page.players.rating_of(&engines[program]),
        same_as: (program != version).then(|| engines[program].name.clone()),
    });
    let versions: Vec<RatedVersion> = versions.collect();
    let csv = folder.join(TABLE);
    write_whole(&csv, versions_csv(&versions).fault()?).with_context(|| csv.display().to_string()).fault()?;
    let mut out = stdout();
    // A closed pipe is not an error: all results are in the folder.
    let colour = console::wants_colour(&io::stdout());
    let _ = write!(out, "\n{}", versions_table(&versions).text(colour));
    let said = [Some(verdict(&page.players)), largest_step(&page.players)];
    for sentence in said.into_iter().flatten() {
        let _ = writeln!(out, "  {}", plain_minus(&sentence));
    }
    for SkippedVersion { commit, reason } in &plan.skipped {
        let reason = reason.lines().next().unwrap_or_default();
        let _ = writeln!(out, "  skipped {} {}: {reason}", commit.short_hash(), commit.subject);
    }
    if conclusion.report() {
        page.versions = versions;
        page.write(&folder.join(PAGE)).of_path()?;
        let _ = writeln!(out, "\n  saved in {0}; report in {0}/{PAGE}", folder.display());
    } else {
        let _ = writeln!(out, "\n  saved in {}", folder.display());
    }
    Ok(())
}

/// `history.toml`: written once, after the builds and before the first game. Each encounter is a run with its own
/// folder, so an interrupted history can be resumed with the missing games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryPlan {
    pub schema: u32,
    pub engine: String,
    pub strict: bool,
    /// The versions, in the order of the engines of `run`, the oldest first.
    #[serde(rename = "version")]
    pub versions: Vec<Commit>,
    #[serde(rename = "skipped", default)]
    pub skipped: Vec<SkippedVersion>,
    #[serde(rename = "encounter")]
    pub encounters: Vec<VersionPair>,
    /// The configuration of each run; its engines are all versions.
    pub run: RunConfig,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedVersion {
    pub commit: Commit,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionPair {
    /// The newer version, the first engine of the run.
    pub new: usize,
    pub old: usize,
}

/// The pairings: each version with the one before it, or all others with the fixed one. `programs` maps each version to
/// the first one with the same program; only that one plays.
fn encounters(programs: &[usize], fixed: Option<usize>) -> Vec<VersionPair> {
    let pairs: Vec<[usize; 2]> = match fixed {
        None => programs.windows(2).map(|pair| [pair[0], pair[1]]).collect(),
        Some(fixed) => programs.iter().map(|other| [programs[fixed], *other]).collect(),
    };
    let mut encounters = Vec::new();
    for [one, other] in pairs.into_iter().filter(|[one, other]| one != other) {
        let encounter = VersionPair { new: one.max(other), old: one.min(other) };
        // The previous version may be the same program as an even earlier one.
        if !encounters.contains(&encounter) {
            encounters.push(encounter);
        }
    }
    encounters
}

/// For each engine, the index of the first one with the same program, options and start.
pub fn programs(engines: &[EngineConfig]) -> Vec<usize> {
    let is_same = |engine: &EngineConfig| engines.iter().position(|other| other.is_same_player(engine));
    engines.iter().enumerate().map(|(index, engine)| is_same(engine).unwrap_or(index)).collect()
}

impl StateFile for HistoryPlan {
    const SCHEMA: u32 = 1;
    const FILE: &str = "history.toml";
}

impl HistoryPlan {
    /// The run folder of an encounter, such as `01-3f9c1ab-e3fb91d`.
    pub fn run_folder(&self, folder: &Path, number: usize) -> PathBuf {
        let VersionPair { new, old } = self.encounters[number];
        let [new, old] = [new, old].map(|version| self.versions[version].short_hash());
        folder.join(format!("{:02}-{new}-{old}", number + 1))
    }
}
