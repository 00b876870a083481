//! An ablation: the same positions searched with more and more techniques of an engine on, or with one at a time off.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::engines::EngineSession;
use crate::measure::speed::sample::measure;
use crate::measure::speed::{SpeedError, SpeedSample};
use runner::process::{EngineError, nearest_name};
use stats::{EloEstimate, Pentanomial, Wdl};
use uci::{Go, OptionKind};

const TIMEOUT: Duration = Duration::from_mins(30);

/// An option of the engine that switches a technique, with its values for off and on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toggle {
    /// The name of the option.
    pub option: String,
    /// The value that switches it off.
    pub off: String,
    /// The value that switches it on.
    pub on: String,
}

/// The order in which techniques are switched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AblationOrder {
    /// All off at first, then one more on in each step.
    #[default]
    Cumulative,
    /// All on at first, then each off alone.
    OneOff,
}

/// The techniques and the positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ablation {
    /// The order of the techniques.
    pub order: AblationOrder,
    /// The positions to search in each step, as FEN.
    pub positions: Vec<String>,
    /// The techniques. There is one more step than techniques.
    #[serde(rename = "toggle")]
    pub toggles: Vec<Toggle>,
}

#[derive(Debug, Error)]
pub enum AblationError {
    /// An option cannot be set.
    #[error(transparent)]
    Option(#[from] EngineError),
    /// The engine does not have the option.
    #[error("--toggle {option}: the engine has no option of this name{hint}")]
    Unknown {
        option: String,
        /// The most similar name, as a question; empty without one.
        hint: String,
    },
    /// The option is not of type check, and its values are missing.
    #[error("--toggle {0}: this option is not of type check; give its values as NAME=OFF,ON")]
    NoCheck(String),
    /// An option is named twice.
    #[error("--toggle {0}: expected each option once, found it twice")]
    Twice(String),
    #[error(transparent)]
    Search(#[from] SpeedError),
}

/// A setting of the techniques, and the results of its searches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationStep {
    /// The technique switched since the previous step, or since the first one: `+ PVS`, `- PVS`; empty for the first step.
    pub change: String,
    pub nodes: u64,
    /// CPU time of all positions in seconds, or wall time where the system does not measure CPU time.
    pub seconds: f64,
    /// Mean depth, in plies.
    pub mean_depth: f64,
    /// The games vs. the previous step, or vs. the first where one technique at a time is off; `None` without games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<StepGameResults>,
}

/// The games of a step vs. another, from the point of view of the step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepGameResults {
    /// Wins, draws and losses.
    pub wdl: Wdl,
    /// Ptnml(0-2): game pairs by their points.
    pub pairs: Pentanomial,
    /// The Elo difference and its 95% interval.
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

    /// The opponent of a step in games; the first step has none.
    pub fn opponent_of(&self, step: usize) -> Option<usize> {
        let before = step.checked_sub(1)?;
        Some(match self.order {
            AblationOrder::Cumulative => before,
            AblationOrder::OneOff => 0,
        })
    }

    /// The technique switched in a step: `+ PVS`, `- PVS`; empty for the first.
    pub fn change(&self, step: usize) -> String {
        let toggle = step.checked_sub(1).and_then(|index| self.toggles.get(index));
        toggle.map_or_else(String::new, |toggle| match self.order {
            AblationOrder::Cumulative => format!("+ {}", toggle.option),
            AblationOrder::OneOff => format!("- {}", toggle.option),
        })
    }

    /// Sets the options of a step.
    pub fn switch(&self, session: &mut EngineSession, step: usize) -> Result<(), AblationError> {
        for (option, value) in self.values(step) {
            session.set_option(option, Some(value))?;
        }
        Ok(())
    }

    /// Searches every position once with the options of a step. `name` is the engine's name in messages.
    pub fn measure(
        &self,
        session: &mut EngineSession,
        name: &str,
        step: usize,
        go: &Go,
    ) -> Result<AblationStep, AblationError> {
        self.switch(session, step)?;
        let samples: Result<Vec<SpeedSample>, SpeedError> =
            self.positions.iter().map(|fen| measure(session, name, fen, go, TIMEOUT)).collect();
        Ok(AblationStep::of(self.change(step), &samples?))
    }
}

impl Toggle {
    /// A technique by the name of an option of type check, or by `NAME=OFF,ON`.
    pub fn read(text: &str, session: &EngineSession) -> Result<Toggle, AblationError> {
        let (name, values) = match text.split_once('=') {
            Some((name, values)) => (name, Some(values)),
            None => (text, None),
        };
        let introduction = session.introduction();
        let option = introduction.option(name).ok_or_else(|| {
            let nearest = nearest_name(name, introduction.options.iter().map(|option| option.name.as_str()));
            let hint = nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
            AblationError::Unknown { option: name.to_owned(), hint }
        })?;
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
