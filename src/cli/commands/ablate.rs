//! `arbiter ablate ENGINE --toggle OPTION…`: what does each technique of an engine save?

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::engines::{self, EngineSpec};
use crate::cli::error::{Blame, CliError, CliResult};
use crate::cli::match_args::{MoveLimitArgs, StepGames, StepGamesArgs};
use crate::cli::{ExitCode, console, engine_sessions, suite_files};
use crate::report::{AblationText, PairingSummary, ablation_csv};
use crate::runner::{EngineConfig, SearchLimits, UciSetting};
use crate::suites::{AblationOrder, AblationStep, SpeedSuite, StepGameResults, Toggle, ablate};
use crate::uci::Go;

/// The depth when the user gives no limit, in plies.
const DEFAULT_DEPTH: u32 = 8;

/// The arguments of `arbiter ablate`.
#[derive(Debug, Args)]
pub struct AblateArgs {
    /// The engine: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// An option of type check that switches a technique, or another one with its values as NAME=OFF,ON
    #[arg(long, required = true, value_name = "OPTION")]
    toggle: Vec<String>,

    /// Begin with all switched on and switch one at a time off, in place of one more on in each step
    #[arg(long)]
    one_off: bool,

    /// A file of positions (EPD), or one that ships; all that ship when none is given
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Print the steps as JSON
    #[arg(long)]
    json: bool,

    /// Print the steps as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// The limits of a search; depth 8 when none is given
    #[command(flatten)]
    limits: MoveLimitArgs,

    #[command(flatten)]
    games: StepGamesArgs,
}

impl AblateArgs {
    /// Measures and tells.
    pub fn run(self) -> CliResult {
        let mut positions = Vec::new();
        for (name, text) in suite_files::read("speed", &self.suite).usage()? {
            positions.extend(SpeedSuite::parse(&name, &text).usage()?.positions);
        }
        let config = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let games = self.games.step_games(&config).usage()?;
        let mut session = engine_sessions::start(&config).usage()?;
        let toggles: Result<Vec<Toggle>, _> =
            self.toggle.iter().map(|text| Toggle::read(text, &session)).collect();
        let toggles = toggles.usage()?;
        let (order, first) = if self.one_off {
            (AblationOrder::OneOff, "everything")
        } else {
            (AblationOrder::Cumulative, "nothing")
        };
        let mut steps = Vec::new();
        let limits = self.go();
        ablate(&mut session, &config.name, &toggles, order, &positions, &limits, |step| {
            steps.push(step.clone());
        })
        .usage()?;
        session.quit();
        if let Some(games) = &games {
            play_steps(games, &config, &toggles, order, &mut steps)?;
        }
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&steps).fault()?).fault()?;
        } else if self.csv {
            write!(out, "{}", ablation_csv(&steps).fault()?).fault()?;
        } else {
            let colour = console::wants_colour(&io::stdout());
            write!(out, "{}", AblationText::new(&steps, first, colour)).fault()?;
            writeln!(out, "\n  {} positions, `{limits}`", positions.len()).fault()?;
            if let Some(games) = &games {
                let opponent = if self.one_off { "everything" } else { "the line above" };
                let folder = games.folder().display();
                writeln!(out, "  Elo is against {opponent}, {}; the games are in {folder}", games.limits())
                    .fault()?;
            }
        }
        Ok(ExitCode::Done)
    }

    fn go(&self) -> Go {
        let limits = self.limits.limits();
        let SearchLimits { movetime, nodes, depth, .. } = limits;
        let depth = if limits == SearchLimits::default() { Some(DEFAULT_DEPTH) } else { depth };
        Go { depth, nodes, movetime, ..Go::default() }
    }
}

/// Plays the games of each step against the one that it is held against, and enters what came of them.
fn play_steps(
    games: &StepGames,
    engine: &EngineConfig,
    toggles: &[Toggle],
    order: AblationOrder,
    steps: &mut [AblationStep],
) -> Result<(), CliError> {
    let name = |step: usize| match steps[step].change.as_str() {
        "" if order == AblationOrder::OneOff => format!("{} with everything", engine.name),
        "" => format!("{} with nothing", engine.name),
        change => format!("{} {change}", engine.name),
    };
    let contestant = |step: usize| {
        let mut contestant = EngineConfig { name: name(step), ..engine.clone() };
        for (option, value) in order.values(toggles, step) {
            let setting = UciSetting { name: option.to_owned(), value: Some(value.to_owned()) };
            engines::set_option(&mut contestant.options, setting);
        }
        contestant
    };
    let mut results = Vec::new();
    for step in 1..steps.len() {
        let Some(opponent) = order.opponent_of(step) else { continue };
        console::note(&format!("{} against {} …", name(step), name(opponent)));
        let folder = format!("{step}-{}", toggles[step - 1].option.replace(['/', '\\', ' '], "_"));
        let pairing = games.play(&folder, [contestant(step), contestant(opponent)])?;
        results.push((step, pairing));
    }
    for (step, PairingSummary { wdl, pentanomial: pairs, elo, .. }) in results {
        steps[step].games = Some(StepGameResults { wdl, pairs, elo });
    }
    Ok(())
}
