//! An ablation (the same positions searched with more and more techniques of an engine on, or with one at a time off), and
//! its table.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::cli::{CliError, OrExitCode, answer, stdout};
use crate::engines::EngineSession;
use crate::measure::speed::{SpeedError, SpeedSample};
use crate::text::number_text::{Estimate, counted, elo, thousands};
use crate::text::{Document, Table, csv_text};
use runner::process::EngineInfo;
use stats::{EloEstimate, Pentanomial, Wdl};
use uci::{EngineOption, Go, OptionKind};

const TIMEOUT: Duration = Duration::from_mins(30);

/// An option of the engine that switches a technique, with its values for off and on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toggle {
    pub option: String,
    pub off: String,
    pub on: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AblationOrder {
    /// All off at first; each step turns one more on.
    #[default]
    Cumulative,
    /// All on at first; each later step turns one off.
    OneOff,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ablation {
    pub order: AblationOrder,
    pub positions: Vec<String>,
    /// The techniques. There is one more step than techniques.
    #[serde(rename = "toggle")]
    pub toggles: Vec<Toggle>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationStep {
    /// The technique switched since the previous step, or since the first one: `+ PVS`, `- PVS`; empty for the first step.
    pub change: String,
    pub nodes: u64,
    /// CPU time of all positions in seconds, or wall-clock time if the system does not measure CPU time.
    pub seconds: f64,
    pub mean_depth: f64,
    /// The games vs. the previous step, or vs. the first one if techniques are off one at a time; `None` without games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<StepGameResults>,
}

/// The games of a step vs. another, from the point of view of the step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepGameResults {
    pub wdl: Wdl,
    pub pairs: Pentanomial,
    pub elo: EloEstimate,
}

impl Ablation {
    /// The value of each option in a step; steps count from 0 to the number of techniques.
    pub fn values(&self, step: usize) -> impl Iterator<Item = (&str, &str)> {
        self.toggles.iter().enumerate().map(move |(index, toggle)| {
            let is_on = match self.order {
                AblationOrder::Cumulative => index < step,
                AblationOrder::OneOff => index + 1 != step,
            };
            (toggle.option.as_str(), if is_on { toggle.on.as_str() } else { toggle.off.as_str() })
        })
    }

    pub fn change(&self, step: usize) -> String {
        let toggle = step.checked_sub(1).and_then(|index| self.toggles.get(index));
        toggle.map_or_else(String::new, |toggle| match self.order {
            AblationOrder::Cumulative => format!("+ {}", toggle.option),
            AblationOrder::OneOff => format!("- {}", toggle.option),
        })
    }

    pub fn switch(&self, session: &mut EngineSession, step: usize) -> Result<()> {
        for (option, value) in self.values(step) {
            session.set_option(option, Some(value))?;
        }
        Ok(())
    }

    pub fn measure(&self, engine: &mut EngineSession, step: usize, go: &Go) -> Result<AblationStep> {
        self.switch(engine, step)?;
        let samples: Result<Vec<SpeedSample>, SpeedError> =
            self.positions.iter().map(|fen| engine.measure(fen, go, TIMEOUT)).collect();
        Ok(AblationStep::of(self.change(step), &samples?))
    }
}

impl Toggle {
    pub fn all(introduction: &EngineInfo) -> Vec<Toggle> {
        let is_technique = |option: &&EngineOption| {
            matches!(option.kind, OptionKind::Check { .. })
                && !option.name.to_lowercase().starts_with("uci_")
                && !["Ponder", "OwnBook"].iter().any(|name| option.is_named(name))
        };
        let techniques = introduction.options.iter().filter(is_technique);
        let toggle = |option: &EngineOption| Toggle {
            option: option.name.clone(),
            off: "false".to_owned(),
            on: "true".to_owned(),
        };
        techniques.map(toggle).collect()
    }

    /// Parses `NAME`, the name of a check option, or `NAME=OFF,ON` for other options.
    pub fn read(text: &str, session: &EngineSession) -> Result<Toggle> {
        let (name, values) = match text.split_once('=') {
            Some((name, values)) => (name, Some(values)),
            None => (text, None),
        };
        let introduction = session.introduction();
        let Some(option) = introduction.option(name) else {
            bail!("--toggle {name}: {}", introduction.missing(name));
        };
        let values = match (values, &option.kind) {
            (Some(values), _) => values.split_once(','),
            (None, OptionKind::Check { .. }) => Some(("false", "true")),
            (None, _) => None,
        };
        let (off, on) = values.with_context(|| {
            format!("--toggle {text}: this option is not of type check; give its values as NAME=OFF,ON")
        })?;
        Ok(Toggle { option: option.name.clone(), off: off.to_owned(), on: on.to_owned() })
    }
}

impl AblationStep {
    fn of(change: String, samples: &[SpeedSample]) -> AblationStep {
        let seconds = |sample: &SpeedSample| sample.cpu.unwrap_or(sample.wall).as_secs_f64();
        let depths: f64 = samples.iter().map(|sample| f64::from(sample.depth)).sum();
        AblationStep {
            change,
            nodes: samples.iter().map(|sample| sample.nodes).sum(),
            seconds: samples.iter().map(seconds).sum(),
            mean_depth: depths / samples.len().max(1) as f64,
            games: None,
        }
    }
}

/// The table of an ablation; the first step is labelled `first`. Speedup (time) and reduction (nodes) are factors relative
/// to the first step.
fn ablation_table(steps: &[AblationStep], first: &str) -> Table {
    let has_games = steps.iter().any(|step| step.games.is_some());
    let headings = ["", "Time", "Speedup", "Nodes", "Reduction", "NPS", "Depth"];
    let mut table = Table::new(headings.into_iter().chain(has_games.then_some("Elo (95%)")));
    for step in steps {
        let cells = [
            if step.change.is_empty() { first.to_owned() } else { step.change.clone() },
            format!("{:.3} s", step.seconds),
            format!("{:.2}×", steps[0].seconds / step.seconds),
            thousands(step.nodes),
            format!("{:.2}×", steps[0].nodes as f64 / step.nodes as f64),
            thousands((step.nodes as f64 / step.seconds) as u64),
            format!("{:.1}", step.mean_depth),
        ];
        let gain = step.games.as_ref().map_or_else(String::new, |games| elo(&games.elo));
        table.plain(cells.into_iter().chain(has_games.then_some(gain)));
    }
    table
}

/// CSV rows of the steps. Columns of games are empty without games; infinite Elo is `inf` or `-inf`.
pub fn ablation_csv(steps: &[AblationStep]) -> csv::Result<String> {
    let columns = "change,seconds,nodes,mean_depth,games,wins,draws,losses,elo,elo_lower,elo_upper";
    let rows = steps.iter().map(|AblationStep { change, seconds, nodes, mean_depth, games }| {
        let counts = games.as_ref().map_or([None; 4], |StepGameResults { wdl, .. }| {
            [wdl.games(), wdl.wins, wdl.draws, wdl.losses].map(Some)
        });
        let elo = games.as_ref().map_or([None; 3], |games| games.elo.with_ends().map(Some));
        (change, seconds, nodes, mean_depth, counts, elo)
    });
    csv_text(columns, rows)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    #[default]
    Text,
    Json,
    Csv,
}

impl TableFormat {
    /// Prints the steps. `games` describes the games, if any were played: their limits and folder.
    pub fn print(
        self,
        ablation: &Ablation,
        go: &Go,
        steps: &[AblationStep],
        games: Option<&str>,
    ) -> Result<(), CliError> {
        if self == TableFormat::Csv {
            return write!(stdout(), "{}", ablation_csv(steps).fault()?).fault();
        }
        answer(&steps, self == TableFormat::Json, |_| {
            let (first, opponent) = match ablation.order {
                AblationOrder::OneOff => ("all on", "all on"),
                AblationOrder::Cumulative => ("all off", "the row above"),
            };
            let mut document = Document::default();
            document.table(ablation_table(steps, first));
            document.gap();
            document.line(format!("{}, `{go}`", counted(ablation.positions.len() as u64, "position")));
            document.lines(games.map(|games| format!("Elo vs. {opponent}: {games}")));
            document
        })
    }
}
