//! The subcommands of `arbiter openbench`, and their common options: site and login.

use std::env;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use super::site::{Login, Site};
use super::{report, status, submit};
use crate::cli::CliResult;

/// The environment variables, the same as for OpenBench's scripts.
const USERNAME: &str = "OPENBENCH_USERNAME";
const PASSWORD: &str = "OPENBENCH_PASSWORD";

/// The arguments of `arbiter openbench`.
#[derive(Debug, Args)]
pub struct OpenbenchArgs {
    #[command(subcommand)]
    command: OpenbenchCommand,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum OpenbenchCommand {
    /// Create a test of one revision against another.
    Submit(Box<submit::SubmitArgs>),
    /// Show the state of tests: games, Ptnml(0-2), Elo, LLR.
    Status(status::StatusArgs),
    /// Fetch the games and the result of a test into a folder.
    Report(report::ReportArgs),
}

impl OpenbenchArgs {
    /// Runs the command.
    pub fn run(self) -> CliResult {
        match self.command {
            OpenbenchCommand::Submit(args) => args.run(),
            OpenbenchCommand::Status(args) => args.run(),
            OpenbenchCommand::Report(args) => args.run(),
        }
    }
}

/// The site and the login.
#[derive(Debug, Args)]
pub(super) struct SiteArgs {
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
    /// The site. It uses the login only if the site asks for one.
    ///
    /// # Errors
    /// The address is invalid, or the password is missing.
    pub(super) fn site(&self) -> Result<Site> {
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
