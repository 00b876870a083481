//! The commands, one file each.

mod ablate;
mod bisect;
mod check;
mod ci;
mod completions;
mod control;
mod engines;
mod history;
mod man;
mod matches;
mod mine;
mod openings;
mod perft;
mod play;
mod positions;
mod rate;
mod report;
mod resume;
mod run_by_file;
mod speed;
mod sprt;
mod status;
mod tactics;
mod watch;

use clap::Subcommand;

use super::error::CliResult;

/// What `arbiter` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play engines against each other and report the Elo difference.
    Match(Box<matches::MatchArgs>),
    /// Sit down yourself and play an engine, in the terminal or in the browser.
    Play(Box<play::PlayArgs>),
    /// Play a run that a file describes, or repeat the run of a run folder.
    Run(run_by_file::RunArgs),
    /// Continue a run that was interrupted, with exactly the games that are missing.
    Resume(resume::ResumeArgs),
    /// Write what came of one or more runs: an HTML page each, or one file in a format for programs.
    Report(report::ReportArgs),
    /// Tell how a run stands, whether it is going on or not.
    Status(status::StatusArgs),
    /// Watch the games of a run in the browser while they are played, or afterwards.
    Watch(watch::WatchArgs),
    /// Pause a run that is going on, change how many games it plays at once, or stop it.
    Control(control::ControlArgs),
    /// Say what results mean: Elo, where a sequential test stands, and how long one takes.
    Sprt(sprt::SprtArgs),
    /// Rate the players of PGN collections and runs.
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
    /// Hold a build against its baseline, as a file says, and say in one verdict whether it may pass.
    Ci(ci::CiArgs),
    /// Make, check and thin books of openings, judged by an engine.
    Openings(openings::OpeningsArgs),
    /// Play the versions of an engine against each other and rate them.
    History(Box<history::HistoryArgs>),
    /// Find the first commit that broke something.
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
