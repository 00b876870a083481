//! The search for the first bad commit, from its first test to its report.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, anyhow};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::bisect_state::{BisectState, TestedCommit};
use super::bisection::{Step, Verdict};
use crate::bisect::criterion::{Judgement, Subject, Yardstick};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console};
use crate::engines;
use crate::engines::{Commit, Manifest, Repository};
use crate::matches::Series;
use crate::matches::args::ConclusionArgs;
use runner::EngineConfig;

/// The file with the report, in the folder of the search.
const REPORT_FILE: &str = "report.txt";

/// A search that is going on.
struct Search<'a> {
    folder: &'a Path,
    state: BisectState,
    manifest: Manifest,
    repository: Repository,
    good: EngineConfig,
    series: Series,
}

/// Searches from where the state stands, and keeps the state in `folder` after every test.
///
/// # Errors
/// What is said to be good is not, or what is said to be bad; or something of our own fails.
pub fn search(folder: &Path, state: BisectState) -> CliResult {
    let (manifest, repository) = engines::versioned(&state.engine).usage()?;
    let announce = &mut console::announce_build;
    let good = engines::of_commit(&state.engine, &manifest, &repository, &state.good, announce).usage()?;
    let series = Series::begin(folder, ConclusionArgs::default()).fault()?;
    let mut search = Search { folder, state, manifest, repository, good, series };
    if !search.check_the_ends()? {
        return Ok(search.series.interrupted());
    }
    loop {
        match search.state.bisection().step() {
            Step::Test(index) => {
                let commit = search.state.commits[index].clone();
                if search.test(&commit)?.is_none() {
                    return Ok(search.series.interrupted());
                }
            }
            Step::FirstBad(index) => return search.conclude(&[index]),
            Step::OneOf(suspects) => return search.conclude(&suspects),
        }
    }
}

impl Search<'_> {
    /// Tests the good commit and the bad one, unless that was done before. Returns whether that came to its end.
    fn check_the_ends(&mut self) -> Result<bool, CliError> {
        let (good, bad) = (self.state.good.clone(), self.state.commits[self.state.commits.len() - 1].clone());
        for (commit, expected, option) in [(good, Verdict::Good, "--good"), (bad, Verdict::Bad, "--bad")] {
            let Some(TestedCommit { verdict, evidence, .. }) = self.test(&commit)? else { return Ok(false) };
            if verdict != expected {
                let word = match verdict {
                    Verdict::Good => "is good",
                    Verdict::Bad => "is bad",
                    Verdict::Skipped => "cannot be tested",
                };
                return Err(CliError::Usage(anyhow!(
                    "{option} {}: {} by {}, so there is nothing to search: {evidence}",
                    commit.short_hash(),
                    word,
                    self.state.criterion.name()
                )));
            }
        }
        Ok(true)
    }

    /// What came of a commit, by a test now or before. `None` when the user has interrupted it.
    fn test(&mut self, commit: &Commit) -> Result<Option<TestedCommit>, CliError> {
        if let Some(test) = self.state.test_of(commit) {
            return Ok(Some(test.clone()));
        }
        let announce = &mut console::announce_build;
        let built =
            engines::of_commit(&self.state.engine, &self.manifest, &self.repository, commit, announce);
        let judgement = match built {
            Ok(engine) => {
                let subject = Subject {
                    engine: &engine,
                    good: &self.good,
                    yardstick: &self.state.yardstick,
                    folder: self.folder,
                };
                let Some(judgement) = self.state.criterion.judge(&subject, &self.series)? else {
                    return Ok(None);
                };
                judgement
            }
            Err(error) => Judgement {
                verdict: Verdict::Skipped,
                evidence: format!("not built: {error:#}"),
                achieved: Yardstick::default(),
            },
        };
        self.record(commit, judgement).map(Some)
    }

    fn record(&mut self, commit: &Commit, judgement: Judgement) -> Result<TestedCommit, CliError> {
        let Judgement { verdict, evidence, achieved } = judgement;
        if *commit == self.state.good {
            self.state.yardstick = achieved;
        }
        let test = TestedCommit { commit: commit.hash.clone(), verdict, evidence, at: Timestamp::now() };
        self.state.tests.push(test.clone());
        self.state.write(self.folder).fault()?;
        // A closed pipe is no reason to stop; everything is in the folder.
        let _ = writeln!(
            io::stdout(),
            "  {}  {:<7} {}\n           {}\n           suspects left: {}",
            commit.short_hash(),
            word(verdict),
            commit.subject,
            first_line(&test.evidence),
            self.state.bisection().suspects()
        );
        Ok(test)
    }

    /// Writes the report: the first bad commit, or those of which it is one.
    fn conclude(&self, suspects: &[usize]) -> CliResult {
        let text = self.report(suspects).usage()?;
        let file = self.folder.join(REPORT_FILE);
        fs::write(&file, &text).fault()?;
        let _ = write!(io::stdout(), "\n{text}\n  saved in {}\n", self.folder.display());
        Ok(if suspects.len() == 1 { ExitCode::Done } else { ExitCode::Inconclusive })
    }

    fn report(&self, suspects: &[usize]) -> Result<String> {
        let criterion = self.state.criterion.name();
        let (last, untold) = suspects.split_last().unwrap_or((&0, &[]));
        let bad = &self.state.commits[*last];
        let mut paragraphs = vec![if untold.is_empty() {
            format!("  {} is the first bad commit by {criterion}\n", bad.hash)
        } else {
            format!(
                "  the first bad commit by {criterion} is one of these {}; what stands before the last cannot be \
                 tested\n",
                suspects.len()
            )
        }];
        paragraphs.extend(suspects.iter().map(|index| self.described(&self.state.commits[*index])));
        if self.repository.is_merge(bad)? {
            paragraphs.push(format!(
                "    It is a merge, which counts as one change: search in what it brought in with --bad {}^2\n",
                bad.short_hash()
            ));
        }
        let before = suspects.first().and_then(|first| first.checked_sub(1));
        let good = before.map_or(&self.state.good, |index| &self.state.commits[index]);
        paragraphs.push(format!("\n  the last good one before it\n{}", self.described(good)));
        let skipped = self.state.tests.iter().filter(|test| test.verdict == Verdict::Skipped).count();
        let (told, among) = (self.state.tests.len() - skipped, self.state.commits.len() + 1);
        let skipped = if skipped > 0 { format!("; {skipped} could not be") } else { String::new() };
        paragraphs.push(format!("\n  {told} of {among} commits tested, along first parents{skipped}\n"));
        Ok(paragraphs.concat())
    }

    /// A commit with its author, its date and what is known about it.
    fn described(&self, commit: &Commit) -> String {
        let date = commit.date.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M");
        let test = self.state.test_of(commit);
        let (word, evidence) =
            test.map_or(("not tested", ""), |test| (word(test.verdict), first_line(&test.evidence)));
        format!(
            "    {}  {}\n             {}, {date}\n             {word}: {evidence}\n",
            commit.short_hash(),
            commit.subject,
            commit.author
        )
    }
}

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "good",
        Verdict::Bad => "bad",
        Verdict::Skipped => "skipped",
    }
}

/// The end of a build log is in the state, and its place is named.
fn first_line(evidence: &str) -> &str {
    evidence.lines().next().unwrap_or_default()
}
