//! The command line of `arbiter`: parses the arguments into a validated configuration and runs the command. Each command
//! lives in the folder of its feature; invalid combinations are errors, and nothing is changed silently.

mod advice;
mod completion;
mod help;
mod report;
mod run_and_resume;
mod their_words;
mod with_parts;

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::{panic, process};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_mangen::Man;

use anyhow::anyhow;

use crate::cli::{self, CliResult, ExitCode, OrExitCode, run_any};
use crate::compare::{ablate, bisect, ci, history};
use crate::compat;
use crate::engines;
use crate::games::{extract, mine, wdl};
use crate::init;
use crate::list;
use crate::live::{control, status_command, watch};
use crate::measure::{check, perft, speed, tactics};
use crate::openbench;
use crate::openings;
use crate::play;
use crate::rating::{adjudication_check, plan, rate, sprt};
use crate::reproduce;
use crate::run::{merge, named_folder, verify};
use crate::tune;
use crate::why;
use with_parts::WithParts;

/// Plays UCI chess engines against each other and tests builds: match, SPRT, ratings, perft, tactics, speed, CI.
#[derive(Debug, Parser)]
#[command(name = "arbiter", version, after_help = ExitCode::HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

pub fn main() -> ExitCode {
    // A panic ends the program with the exit code of an internal error, whichever thread panics.
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |bug| {
        usual(bug);
        process::exit(ExitCode::InternalError as i32);
    }));
    completion::answer_shell();
    #[cfg(unix)]
    runner::process::raise_file_limit();
    let args = as_dialect(env::args_os().collect());
    if args.len() == 1 {
        let _ = write!(cli::stderr(), "{}", help::FIRST);
        return ExitCode::Usage;
    }
    let words: Vec<String> = args.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut program = help::grouped(program());
    let parsed = program.try_get_matches_from_mut(args);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(mut error) => {
            if error.use_stderr() {
                let _ = write!(cli::stderr(), "{}", advice::explained(&program, &words, &mut error));
            } else {
                // Help and version are not errors, and a closed pipe must not turn them into one.
                let _ = error.print();
            }
            return if error.use_stderr() { ExitCode::Usage } else { ExitCode::Done };
        }
    };
    cli.command.run().unwrap_or_else(|error| {
        if !error.is_closed_output() {
            let _ = writeln!(cli::stderr(), "error: {}", error.message());
        }
        error.exit_code()
    })
}

/// The commands and their arguments.
fn program() -> clap::Command {
    help::explained(Cli::command())
}

/// Inserts the dialect as the first argument if the program runs under another name, such as `fastchess`.
fn as_dialect(mut args: Vec<OsString>) -> Vec<OsString> {
    if let Some(dialect) = args.first().and_then(|name| compat::dialect_of_program(name)) {
        args.insert(1, dialect.into());
    }
    args
}

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a process has one of it")]
pub enum Command {
    /// Set up your engine's repository: manifest, arbiter.toml, baseline, and a workflow for CI.
    Init(init::InitArgs),
    /// Play engines against each other and report the Elo difference.
    Match(Box<crate::run::MatchArgs>),
    /// Play against an engine yourself, in the terminal or in the browser.
    Play(Box<play::PlayArgs>),
    /// Play the match or tournament of a run file, or repeat the run of a run folder.
    Run(run_and_resume::RunArgs),
    /// Continue an interrupted run, history, ablation or bisect with the missing games.
    Resume(run_and_resume::ResumeArgs),
    /// Merge the run folders of shards (--shard) into one run folder.
    Merge(merge::MergeArgs),
    /// Play games with the options and the output of fastchess.
    #[command(hide = true, mut_arg("args", |arg| arg.help("Options of fastchess; -help lists them")))]
    Fastchess(compat::DialectArgs),
    /// Play games with the options and the output of cutechess-cli.
    #[command(hide = true, alias = "cutechess-cli", mut_arg("args", |arg| arg.help("Options of cutechess-cli; -help lists them")))]
    Cutechess(compat::DialectArgs),
    /// Create tests on an OpenBench site, show their state, and fetch their games.
    Openbench(openbench::OpenbenchArgs),
    /// Report on runs or PGN files: a page, Markdown, JSON, CSV.
    Report(report::ReportArgs),
    /// Explain why a match was lost: lost points, differences between the builds, and positions.
    Why(why::WhyArgs),
    /// Show the state of a run, running or not.
    Status(status_command::StatusArgs),
    /// Check that a run folder is intact: the journal, and the files made from it.
    Verify(verify::VerifyArgs),
    /// Replay a game to the engine that lost it by a fault, and find a minimal reproducer.
    Reproduce(Box<reproduce::ReproduceArgs>),
    /// Watch the games of a run in the browser, live or afterwards.
    Watch(watch::WatchArgs),
    /// Pause, resume or stop a running match, or change its concurrency.
    Control(control::ControlArgs),
    /// Compute Elo, LOS and SPRT from results, or forecast how many games an SPRT needs.
    Sprt(WithParts<sprt::SprtArgs, SprtPart>),
    /// Make a rating list from PGN files and runs, as Ordo does.
    Rate(rate::RateArgs),
    /// Keep a rating list that grows: add engines, play what tells most, publish.
    #[command(subcommand)]
    List(list::ListPart),
    /// Test a move generator by counting legal moves (perft).
    Perft(perft::PerftArgs),
    /// Test engines on positions with known best moves.
    Tactics(tactics::TacticsArgs),
    /// Extract from games: a tactics suite, or quiet positions for tuning.
    #[command(subcommand)]
    Games(GamesPart),
    /// Fit win, draw and loss probabilities to an engine's scores, like Stockfish's WDL model.
    Wdl(wdl::WdlArgs),
    /// Compare the speed (NPS) of engines on the same positions.
    Speed(WithParts<speed::SpeedArgs, SpeedPart>),
    /// Measure what each technique of an engine gains in time, nodes and Elo.
    Ablate(ablate::AblateArgs),
    /// Tune the UCI options of an engine.
    Tune(Box<tune::TuneArgs>),
    /// Check that an engine follows the UCI protocol.
    Check(check::CheckArgs),
    /// Check a build for regressions: protocol, perft, bench, tactics, sanitizers, speed and a match.
    Ci(ci::CiArgs),
    /// Make, check, select from, convert and rate opening books.
    Openings(openings::OpeningsArgs),
    /// Play matches between versions of an engine and rate them.
    History(Box<history::HistoryArgs>),
    /// Find the first bad commit by a measurement or a match.
    Bisect(Box<bisect::BisectArgs>),
    /// List, build and check engines with a manifest, and clean the build cache.
    Engines(engines::EnginesArgs),
    /// Print a completion script for a shell.
    #[command(hide = true)]
    Completions(completion::CompletionsArgs),
    /// Print the manual page of the program or of a command.
    #[command(hide = true)]
    Man(ManArgs),
}

#[derive(Debug, Subcommand)]
pub enum SprtPart {
    /// Choose the SPRT that fits into a number of hours, and show which differences it detects.
    Plan(plan::PlanArgs),
    /// Measure adjudication rules: how many results they change and how much time they save.
    Adjudication(adjudication_check::AdjudicationCheckArgs),
}

#[derive(Debug, Subcommand)]
pub enum GamesPart {
    /// Make a tactics suite from games: positions with only one good move.
    Mine(mine::MineArgs),
    /// Extract quiet positions from games, with results and scores, for tuning an evaluation.
    Extract(extract::ExtractArgs),
}

#[derive(Debug, Subcommand)]
pub enum SpeedPart {
    /// Measure how many concurrent games keep their speed on this machine.
    Cores(speed::CoresArgs),
}

impl Command {
    fn run(self) -> CliResult {
        run_any!(self, Command:
            Init Match Play Run Resume Merge Openbench Report Why Verify Reproduce Watch Control Rate List Perft Tactics Ablate Tune Check
            Ci Openings History Bisect Engines Wdl Completions Man;
            Command::Fastchess(args) => args.run(false);
            Command::Cutechess(args) => args.run(true);
            Command::Status(args) => args.run(named_folder::newest_run);
            Command::Sprt(WithParts::Own(args)) => args.run();
            Command::Sprt(WithParts::Part(part)) => run_any!(part, SprtPart: Plan Adjudication);
            Command::Games(part) => run_any!(part, GamesPart: Mine Extract);
            Command::Speed(WithParts::Own(args)) => args.run();
            Command::Speed(WithParts::Part(SpeedPart::Cores(args))) => args.run()
        )
    }
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command, such as `match` or `openings make` [default: the whole program]
    command: Vec<String>,
}

impl ManArgs {
    fn run(self) -> CliResult {
        let mut command = program();
        command.build();
        for name in &self.command {
            let inner = command.find_subcommand(name).cloned();
            command = inner
                .ok_or_else(|| {
                    anyhow!("man: no command `{}`; `arbiter help` lists them", self.command.join(" "))
                })
                .usage()?;
        }
        if io::stdout().is_terminal() {
            let page = ["man"].into_iter().chain(self.command.iter().map(String::as_str));
            let page = page.collect::<Vec<_>>().join(" ");
            return Err(anyhow!("man: a page needs a reader; type: arbiter {page} | man -l -")).usage();
        }
        Man::new(command).render(&mut io::stdout()).fault()?;
        Ok(ExitCode::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids of the options that this one requires; clap shows them only in its `Debug` output.
    fn needs(option: &clap::Arg) -> Vec<String> {
        let text = format!("{option:?}");
        let needs = text.split_once(" requires: [").and_then(|(_, rest)| rest.split_once("],"));
        let ids = needs.map(|(ids, _)| ids.split('"').skip(1).step_by(2).map(str::to_owned).collect());
        ids.unwrap_or_default()
    }

    /// The options that clap would accept alone: a third option conflicts with what they require.
    fn ignored(command: &clap::Command) -> Vec<String> {
        let own = command.get_arguments().flat_map(|option| {
            needs(option).into_iter().flat_map(move |needed| {
                let needed = command.get_arguments().find(|other| other.get_id() == needed.as_str()).unwrap();
                let refused = command.get_arg_conflicts_with(option);
                let against = command.get_arg_conflicts_with(needed).into_iter();
                let missing = against
                    .filter(move |other| !refused.contains(other) && other.get_id() != option.get_id());
                missing.map(move |other| format!("{}: {option} with {other}", command.get_name()))
            })
        });
        own.chain(command.get_subcommands().flat_map(ignored)).collect()
    }

    #[test]
    fn no_option_is_ignored_because_what_it_needs_cannot_be_given() {
        let mut cli = Cli::command();
        cli.build();
        let tune = cli.find_subcommand("tune").unwrap();
        assert!(tune.get_arguments().any(|it| it.get_id() == "suite" && !needs(it).is_empty()));
        let found = ignored(&cli);
        assert!(found.is_empty(), "{found:#?}");
    }
}
