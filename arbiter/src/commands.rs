//! What `arbiter` can do: what was typed becomes a validated configuration, then a command runs. Each command lives in the
//! folder of its feature, where invalid combinations are errors and nothing is silently changed.

mod completions;
mod man;

use std::io::{self, Write};

use clap::{Parser, Subcommand};

use crate::cli::{CliResult, ExitCode};
use crate::{
    ablate, bisect, check, ci, control, engines, history, matches, mine, openings, perft, play, positions,
    rate, report, speed, sprt, status, tactics, watch,
};

/// Plays UCI chess engines against each other, checks that they know the rules and the tactics, and says with honest
/// error bars which build is better.
#[derive(Debug, Parser)]
#[command(name = "arbiter", version, after_help = ExitCode::HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs the program: reads the arguments, runs the command, reports an error, and says how it ended.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors, and a closed pipe is no reason to fail while printing them.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::Usage } else { ExitCode::Done };
        }
    };
    cli.command.run().unwrap_or_else(|error| {
        if !error.is_closed_output() {
            let _ = writeln!(io::stderr(), "error: {}", error.message());
        }
        error.exit_code()
    })
}

/// What `arbiter` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play engines against each other and report the Elo difference.
    Match(Box<matches::MatchArgs>),
    /// Play against an engine yourself, in the terminal or in the browser.
    Play(Box<play::PlayArgs>),
    /// Play a run that a file describes, or repeat the run of a run folder.
    Run(matches::RunArgs),
    /// Continue a run that was interrupted, with exactly the games that are missing.
    Resume(matches::ResumeArgs),
    /// Write what came of one or more runs: an HTML page each, or one file in a format for programs.
    Report(report::ReportArgs),
    /// Show the state of a run, running or not.
    Status(status::StatusArgs),
    /// Watch the games of a run in the browser, live or afterwards.
    Watch(watch::WatchArgs),
    /// Pause, resume or stop a running match, or change its concurrency.
    Control(control::ControlArgs),
    /// Compute Elo, LOS and SPRT from results, or forecast how many games an SPRT needs.
    Sprt(sprt::SprtArgs),
    /// Make a rating list from PGN files and runs, as Ordo does.
    Rate(rate::RateArgs),
    /// Count legal moves and compare: our move generator, or engines, with the referee's.
    Perft(perft::PerftArgs),
    /// Let engines solve positions with known best moves.
    Tactics(tactics::TacticsArgs),
    /// Find positions with exactly one good move in games, and make a tactics suite of them.
    Mine(mine::MineArgs),
    /// Write quiet positions of games with their results, for fitting an evaluation.
    Positions(positions::PositionsArgs),
    /// Measure which engine searches more nodes a second.
    Speed(speed::SpeedArgs),
    /// Measure what each technique of an engine saves, by switching its options.
    Ablate(ablate::AblateArgs),
    /// Tell the author of an engine what it does wrong in the protocol.
    Check(check::CheckArgs),
    /// Check a build for regressions: protocol, perft, bench, tactics, speed and a match.
    Ci(ci::CiArgs),
    /// Make, check and thin books of openings, judged by an engine.
    Openings(openings::OpeningsArgs),
    /// Play matches between versions of an engine and rate them.
    History(Box<history::HistoryArgs>),
    /// Find the first bad commit by perft, tactics, speed, bench or a match.
    Bisect(Box<bisect::BisectArgs>),
    /// List the engines that have a manifest; build, check, and clear away builds of their revisions.
    Engines(engines::EnginesArgs),
    /// Print a completion script for a shell.
    Completions(completions::CompletionsArgs),
    /// Print the manual page.
    Man,
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Whatever stopped it, marked as the user's or ours to mend.
    pub fn run(self) -> CliResult {
        match self {
            Command::Match(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Run(args) => args.run(),
            Command::Resume(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Status(args) => args.run(),
            Command::Watch(args) => args.run(),
            Command::Control(args) => args.run(),
            Command::Sprt(args) => args.run(),
            Command::Rate(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Tactics(args) => args.run(),
            Command::Mine(args) => args.run(),
            Command::Positions(args) => args.run(),
            Command::Speed(args) => args.run(),
            Command::Ablate(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Ci(args) => args.run(),
            Command::Openings(args) => args.run(),
            Command::History(args) => args.run(),
            Command::Bisect(args) => args.run(),
            Command::Engines(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Man => man::run(),
        }
    }
}
