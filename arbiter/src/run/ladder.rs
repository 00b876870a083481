//! `arbiter match --ladder`: the same two engines at increasing time controls, each with a run folder of its own.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use maud::html;
use serde::{Deserialize, Serialize};

use super::playing::{self, NestedRun};
use super::series::Series;
use crate::cli::{CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::shortest_clock;
use crate::files::{StateFile, new_file};
use crate::html::{Page, Section};
use crate::options::{ConclusionArgs, PlayedTestArgs, Rungs, times};
use crate::report::page::RunReport;
use crate::report::verdict::{Verdict, verdict};
use crate::results::{RunResults, Summary};
use crate::text::number_text::{counted, elo_bounds, elo_or_bound, in_elo, thousands};
use crate::text::{Document, Table, Tone};
use runner::{FinishReason, RunConfig, SearchLimits, TimeControl};
use stats::{EloEstimate, Ladder, SprtStatus, elo_per_doubling};

/// `ladder.toml`: the rungs, and the results of those that have been played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LadderRun {
    schema: u32,
    strict: bool,
    /// Whether this ladder is one of the few that are played to the end even if an early rung stops them.
    plays_on: bool,
    #[serde(rename = "rung")]
    rungs: Vec<Rung>,
    pub run: RunConfig,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Rung {
    tc: TimeControl,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<PlayedRung>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct PlayedRung {
    games: u64,
    status: SprtStatus,
    /// The median-unbiased estimate, if there is one.
    elo: EloEstimate,
}

impl PlayedRung {
    fn of(summary: &Summary) -> Option<PlayedRung> {
        let pairing = summary.pairing(0, 1)?;
        let estimates = &pairing.estimates;
        let elo = estimates.after_sprt.map_or(estimates.elo, |after| after.elo);
        let test = estimates.sprt?;
        let is_unfounded = summary.obstacle(pairing, &test).is_some();
        let status = if is_unfounded { SprtStatus::Continue } else { test.status };
        Some(PlayedRung { games: pairing.wdl.games(), status, elo })
    }
}

impl StateFile for LadderRun {
    const SCHEMA: u32 = 1;
    const FILE: &str = "ladder.toml";
}

pub fn start(rungs: &Rungs, run: RunConfig, out: Option<&Path>, conclusion: ConclusionArgs) -> CliResult {
    shortest_clock::check(&run.engines, &rungs.all()[0]).context("--ladder").usage()?;
    let rungs = rungs.all().iter().map(|tc| Rung { tc: tc.clone(), played: None });
    let plays_on = Ladder::plays_on(run.book.seed);
    let (schema, strict, rungs) = (LadderRun::SCHEMA, conclusion.strict, rungs.collect());
    let name = format!("{}-ladder", playing::run_name(&run));
    let folder = LadderRun { schema, strict, plays_on, rungs, run }.create(out, &name).of_path()?;
    play(&folder, conclusion)
}

pub fn play(folder: &Path, conclusion: ConclusionArgs) -> CliResult {
    let mut ladder = LadderRun::read(folder).usage()?;
    let series = Series::begin(folder, conclusion).fault()?;
    let (count, mut has_fault) = (ladder.rungs.len(), false);
    for index in 0..count {
        let config = ladder.config(index).usage()?;
        console::note(&format!("rung {} of {count}: {}", index + 1, playing::conditions(&config)));
        let run = series.play(&config, &ladder.rung_folder(folder, index))?;
        if run.is_stopped() {
            return Ok(series.interrupted());
        }
        let judged = Verdict::of_run(&run.summary, &run.reason);
        if let FinishReason::EngineDoesNotStart { detail, .. } | FinishReason::FileChanged { detail } =
            &run.reason
        {
            console::note(&format!("stopped: {detail}"));
            series.interrupted();
            return Ok(judged.exit_code());
        }
        has_fault |= run.summary.engines.iter().any(|engine| engine.other_faults() > 0);
        ladder.rungs[index].played = PlayedRung::of(&run.summary);
        ladder.write(folder).of_path()?;
        if index + 1 == count || (ladder.stopped_at() == Some(index) && !ladder.plays_on) {
            ladder.conclude(&run, folder);
            let is_broken = has_fault && (conclusion.strict || ladder.strict);
            return Ok(if is_broken { ExitCode::EngineBroke } else { judged.exit_code() });
        }
    }
    Err(anyhow!("{}: expected a rung, found none", LadderRun::path(folder).display())).usage()
}

impl LadderRun {
    /// Reads a ladder to show it; the results of its rungs come from their own folders.
    pub fn of_folder(folder: &Path) -> anyhow::Result<LadderRun> {
        let mut ladder = LadderRun::read(folder)?;
        let place = LadderRun::path(folder);
        if ladder.begun(folder).is_empty() {
            bail!("{}: expected the run folder of a rung beside it, found none", place.display());
        }
        for index in 0..ladder.rungs.len() {
            if ladder.rungs[index].played.is_some() {
                let rung = ladder.rung_folder(folder, index);
                let run = RunResults::read(&rung)
                    .with_context(|| format!("{}: rung {}", place.display(), index + 1))?;
                ladder.rungs[index].played = PlayedRung::of(&run.summary);
            }
        }
        Ok(ladder)
    }

    /// The run of a rung. Only the last rung has the test and the number of games that the user asked for.
    fn config(&self, index: usize) -> anyhow::Result<RunConfig> {
        let test = self.run.sprt.context("ladder.toml: expected the test of the match in [run.sprt]")?;
        let limits = SearchLimits { clock: Some(self.rungs[index].tc.clone()), ..self.run.limits.clone() };
        let mut run = RunConfig { limits, ..self.run.clone() };
        // Each rung has its own order of the openings.
        run.book.seed = self.run.book.seed.wrapping_add(index as u64) & (u64::MAX >> 1);
        if index + 1 < self.rungs.len() {
            let early = Ladder::new(test, &times(self.rungs.iter().map(|rung| &rung.tc))).early();
            (run.sprt, run.give_up) = (Some(early), None);
            run.games = PlayedTestArgs::default_games(Some(&early));
        }
        Ok(run)
    }

    /// The run folder of a rung, such as `1-0.2+0.002`.
    fn rung_folder(&self, folder: &Path, index: usize) -> PathBuf {
        let tc = self.rungs[index].tc.to_string().replace(['/', ':', ','], "_");
        folder.join(format!("{}-{tc}", index + 1))
    }

    pub(super) fn begun(&self, folder: &Path) -> Vec<PathBuf> {
        let folders = (0..self.rungs.len()).map(|index| self.rung_folder(folder, index));
        folders.filter(|folder| new_file::is_run(folder)).collect()
    }

    /// The first early rung that shows that the patch has no chance.
    fn stopped_at(&self) -> Option<usize> {
        let (_, early) = self.rungs.split_last()?;
        let is_hopeless =
            |rung: &Rung| rung.played.is_some_and(|played| Verdict::from(played.status) == Verdict::Worse);
        early.iter().position(is_hopeless)
    }

    pub fn document(&self) -> Document {
        let mut document = Document::default();
        document.heading(title(&self.run));
        let mut table = Table::new(["Rung", "Test", "Games", "Elo", "Result"]).left(&[1, 4]);
        for (index, rung) in self.rungs.iter().enumerate() {
            let test = self.config(index).ok().and_then(|run| run.sprt);
            let mut cells =
                vec![rung.tc.to_string(), test.map_or_else(String::new, |test| elo_bounds(&test))];
            cells
                .extend(rung.played.iter().flat_map(|rung| [thousands(rung.games), elo_or_bound(&rung.elo)]));
            let cells = cells.into_iter().map(|cell| (cell, Tone::Plain));
            table.row(cells.chain(self.result(index)));
        }
        document.table(table);
        document.gap();
        document
            .lines(self.slope().map(|slope| format!("scales: {} per doubling of the time", in_elo(&slope))));
        if self.plays_on && self.stopped_at().is_some() {
            document
                .line("one ladder in ten plays on where an early rung would stop it, and so does this one");
        }
        document
    }

    fn slope(&self) -> Option<EloEstimate> {
        let times = times(self.rungs.iter().map(|rung| &rung.tc)).into_iter();
        let played = times.zip(&self.rungs).filter_map(|(time, rung)| Some((time, rung.played?.elo)));
        elo_per_doubling(&played.collect::<Vec<_>>())
    }

    fn result(&self, index: usize) -> Option<(String, Tone)> {
        let is_last = index + 1 == self.rungs.len();
        let (words, tone) = match Verdict::from(self.rungs[index].played?.status) {
            Verdict::Better if is_last => ("H1 accepted", Tone::Good),
            Verdict::Worse if is_last => ("H0 accepted", Tone::Bad),
            _ if is_last => ("undecided", Tone::Plain),
            Verdict::Worse => ("no chance", Tone::Bad),
            _ => ("goes on", Tone::Plain),
        };
        Some((words.to_owned(), tone))
    }

    /// The verdict of the ladder, given the summary of its newest rung.
    fn verdict(&self, last: &Summary) -> String {
        let Some(index) = self.stopped_at().filter(|_| !self.plays_on) else { return verdict(last) };
        let (Rung { tc, played }, last) = (&self.rungs[index], &self.rungs[self.rungs.len() - 1].tc);
        let games = counted(played.map_or(0, |played| played.games), "game");
        format!("{} has no chance at {last}: stopped after {games} at {tc}.", self.run.engines[0].name)
    }

    /// Prints the rungs and the verdict. A closed pipe is no error, because everything is in the folder.
    fn conclude(&self, last: &NestedRun, folder: &Path) {
        let mut document = self.document();
        document.line(self.verdict(&last.summary));
        playing::append_text(&document.markdown());
        let text = document.terminal(console::wants_colour(&io::stdout()));
        let _ = writeln!(stdout(), "\n{text}\n  saved in {}", folder.display());
    }

    /// The page about the ladder, with links to the pages of its rungs.
    pub fn page(&self, folder: &Path) -> anyhow::Result<String> {
        let begun = self.begun(folder);
        let newest = begun.last().map(|newest| RunResults::read(newest)).transpose()?;
        let title = title(&self.run);
        let said = newest.map_or_else(|| "No game is finished.".to_owned(), |run| self.verdict(&run.summary));
        let places = begun.iter().filter_map(|rung| rung.file_name()?.to_str());
        let body = html! {
            (self.document())
            ul { @for place in places { li { a href={ (place) "/" (RunReport::FILE) } { "Rung " (place) } } } }
        };
        let header = html! { p.over { (title) ", a ladder of " (self.rungs.len()) " rungs" } h1 { (said) } };
        let sections = vec![Section::new("rungs", "Rungs", "Rungs", &body)];
        Ok(Page { title: &title, header, sections }.html())
    }
}

fn title(run: &RunConfig) -> String {
    let names: Vec<&str> = run.engines.iter().map(|engine| &*engine.name).collect();
    names.join(" vs ")
}
