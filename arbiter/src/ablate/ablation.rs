//! What each technique of an engine saves: the same positions searched with more and more of them switched on, or with
//! one at a time switched off.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::engines::EngineSession;
use crate::speed::sample::measure;
use crate::speed::{SpeedError, SpeedSample};
use runner::process::EngineError;
use stats::{EloEstimate, Pentanomial, Wdl};
use uci::{Go, OptionKind};

/// How long a search may take.
const PATIENCE: Duration = Duration::from_mins(30);

/// An option of the engine with its value when the technique is off and when it is on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toggle {
    /// The name of the option.
    pub option: String,
    /// The value that switches it off.
    pub off: String,
    /// The value that switches it on.
    pub on: String,
}

/// In which order techniques are switched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AblationOrder {
    /// All off at first, then one more on in each step.
    #[default]
    Cumulative,
    /// All on at first, then each off alone.
    OneOff,
}

/// Which techniques are switched, and what is searched with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ablation {
    /// In which order they are switched.
    pub order: AblationOrder,
    /// The positions that are searched in each step, as FEN.
    pub positions: Vec<String>,
    /// The techniques. There is one step more than there are of them.
    #[serde(rename = "toggle")]
    pub toggles: Vec<Toggle>,
}

/// Why nothing was measured.
#[derive(Debug, Error)]
pub enum AblationError {
    /// An option cannot be set.
    #[error(transparent)]
    Option(#[from] EngineError),
    /// The engine does not have the option.
    #[error("toggle {0}: the engine has no such option")]
    Unknown(String),
    /// The values are not told and do not follow from the type.
    #[error("toggle {0}: expected an option of type check, or NAME=OFF,ON with the two values")]
    NoCheck(String),
    /// A search failed.
    #[error(transparent)]
    Search(#[from] SpeedError),
}

/// One setting of the techniques, and what the searches took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationStep {
    /// What was switched to get here from the step before, or from the first: `+ PVS`, `- PVS`; empty for the first.
    pub change: String,
    /// Nodes of all positions.
    pub nodes: u64,
    /// CPU time of all positions in seconds, or time on our clock where the system does not tell.
    pub seconds: f64,
    /// The mean of the depths reached, in plies.
    pub mean_depth: f64,
    /// What came of games against the step before, or against the first where one technique at a time is off; `None`
    /// where none were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<StepGameResults>,
}

/// Games of one step against another, seen by the first of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepGameResults {
    /// Single games.
    pub wdl: Wdl,
    /// Pairs of games from the same opening by what they are worth.
    pub pairs: Pentanomial,
    /// The Elo difference and its 95% interval.
    pub elo: EloEstimate,
}

impl Ablation {
    /// The value of each option in a step, of which there is one more than toggles.
    pub fn values(&self, step: usize) -> impl Iterator<Item = (&str, &str)> {
        self.toggles.iter().enumerate().map(move |(index, toggle)| {
            let is_on = match self.order {
                AblationOrder::Cumulative => index < step,
                AblationOrder::OneOff => index + 1 != step,
            };
            (toggle.option.as_str(), if is_on { toggle.on.as_str() } else { toggle.off.as_str() })
        })
    }

    /// The step that a step is held against when games are played; the first is held against none.
    pub fn opponent_of(&self, step: usize) -> Option<usize> {
        let before = step.checked_sub(1)?;
        Some(match self.order {
            AblationOrder::Cumulative => before,
            AblationOrder::OneOff => 0,
        })
    }

    /// What is switched to get to a step: `+ PVS`, `- PVS`; empty for the first.
    pub fn change(&self, step: usize) -> String {
        let toggle = step.checked_sub(1).and_then(|index| self.toggles.get(index));
        toggle.map_or_else(String::new, |toggle| match self.order {
            AblationOrder::Cumulative => format!("+ {}", toggle.option),
            AblationOrder::OneOff => format!("- {}", toggle.option),
        })
    }

    /// Sets the options as they are in a step.
    ///
    /// # Errors
    /// An option is refused.
    pub fn switch(&self, session: &mut EngineSession, step: usize) -> Result<(), AblationError> {
        for (option, value) in self.values(step) {
            session.set_option(option, Some(value))?;
        }
        Ok(())
    }

    /// Searches every position once with the options as they are in a step; `name` is the engine's in messages.
    ///
    /// # Errors
    /// An option is refused, or a search fails.
    pub fn measure(
        &self,
        session: &mut EngineSession,
        name: &str,
        step: usize,
        go: &Go,
    ) -> Result<AblationStep, AblationError> {
        self.switch(session, step)?;
        let samples: Result<Vec<SpeedSample>, SpeedError> =
            self.positions.iter().map(|fen| measure(session, name, fen, go, PATIENCE)).collect();
        Ok(AblationStep::of(self.change(step), &samples?))
    }
}

impl Toggle {
    /// A technique by the name of an option of type check, or by `NAME=OFF,ON`.
    ///
    /// # Errors
    /// The engine does not have the option, or it is no check and no values are given.
    pub fn read(text: &str, session: &EngineSession) -> Result<Toggle, AblationError> {
        let (name, values) = match text.split_once('=') {
            Some((name, values)) => (name, Some(values)),
            None => (text, None),
        };
        let unknown = || AblationError::Unknown(name.to_owned());
        let option = session.introduction().option(name).ok_or_else(unknown)?;
        let (off, on) = match (values, &option.kind) {
            (Some(values), _) => {
                values.split_once(',').ok_or_else(|| AblationError::NoCheck(text.to_owned()))?
            }
            (None, OptionKind::Check { .. }) => ("false", "true"),
            (None, _) => return Err(AblationError::NoCheck(text.to_owned())),
        };
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
