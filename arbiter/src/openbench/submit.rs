//! `arbiter openbench submit`: creates a test.

use std::io::Write;

use anyhow::{Context, Result};
use clap::Args;

use super::command::SiteArgs;
use super::site::{Site, TAKEN};
use super::site_engine::{SiteEngine, SiteNames};
use super::site_page::SitePage;
use super::test_form::{Contender, Fields, TestArgs};
use super::workload::Workload;
use crate::cli::{Blame, CliResult, ExitCode, console, stdout};

const EXAMPLES: &str = "\
Examples:
  arbiter openbench submit URL Tiny@dev Tiny@master --sprt 0,3
  arbiter openbench submit URL Tiny@dev Tiny@v1.2 --preset LTC --upload-pgns compact
  arbiter openbench submit URL Tiny@dev:Hash=64 Tiny@dev:Hash=16 --games 2000 --tc 8+0.08 --dry-run";

/// The arguments of `arbiter openbench submit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SubmitArgs {
    #[command(flatten)]
    site: SiteArgs,

    /// New engine: its name on the site and a branch, tag or commit on GitHub; `:Option=value,…` adds UCI options and tc=,
    /// nodes=, depth= or movetime= of its own
    #[arg(value_name = "DEV@REV")]
    dev: Contender,

    /// Engine that it is compared with
    #[arg(value_name = "BASE@REV")]
    base: Contender,

    /// Print the fields that would be posted, and post nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    test: TestArgs,
}

/// How many of the newest tests may be the created one.
const NEWEST: usize = 8;

impl SubmitArgs {
    /// Creates the test and prints its number and its address.
    pub(super) fn run(self) -> CliResult {
        let site = self.site.site().usage()?;
        let fields = self.fields(&site).usage()?;
        let mut out = stdout();
        if self.dry_run {
            for (name, value) in fields {
                writeln!(out, "{name}={value}").fault()?;
            }
            return Ok(ExitCode::Done);
        }
        let page = site.create_test(&fields).usage()?;
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
        let base = SiteEngine::fetch(site, names.engine(&self.base.name)?)?;
        self.test.fields(&names, [(&self.dev, &dev), (&self.base, &base)])
    }
}

/// The created test: the newest one of this user with these fields. The site does not tell its number. A page that fails may
/// be that of another test.
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
        let is_field = |(name, value): &(&str, &String)| {
            fields.iter().any(|(field, posted)| field == name && posted == *value)
        };
        test.author == *author && shown.iter().all(is_field)
    };
    let problem = || format!("{TAKEN}, but its number is not found; see {}", site.address("index/"));
    tests.find(is_ours).with_context(problem)
}
