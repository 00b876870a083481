//! `arbiter openbench status`: the state of tests.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use super::command::SiteArgs;
use super::site::Site;
use super::site_page::SitePage;
use super::test_state::TestState;
use crate::cli::{Blame, CliResult, ExitCode, console, stdout};

/// The arguments of `arbiter openbench status`.
#[derive(Debug, Args)]
pub(super) struct StatusArgs {
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

impl StatusArgs {
    /// Prints the tests.
    pub(super) fn run(self) -> CliResult {
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

    /// The tests as they are at first. One that was not named and cannot be shown is left out, with a warning; so is its
    /// number.
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

    /// The named tests, or all open ones, the newest first.
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
        let texts: Vec<String> = states.iter().map(|test| test.text(colour).to_string()).collect();
        Ok(texts.join("\n") + if self.watch.is_some() { "\n" } else { "" })
    }
}
