//! The games that engines lost by faults.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ending::ending;
use referee::Side;
use runner::{GameRecord, RunConfig, Termination};

/// A game that an engine lost by a fault.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct FaultyGame {
    /// Its number, from 1, which is also that of its log in `bad/`.
    pub number: u32,
    /// The engine with the white pieces.
    pub white: String,
    /// The engine with the black pieces.
    pub black: String,
    /// The engine that misbehaved.
    pub offender: String,
    /// How the game ended.
    pub termination: Termination,
    /// The same in words, with details.
    pub ending: String,
    /// Whether the machine or the runner is to blame, and not the engine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub excused: bool,
}

impl FaultyGame {
    /// `None` without a fault.
    pub fn of(game: &GameRecord, config: &RunConfig) -> Option<FaultyGame> {
        let offender = game.offender.filter(|_| game.termination.is_fault())?;
        let name = |side| config.engines[game.engine(side)].name.clone();
        Some(FaultyGame {
            number: game.game + 1,
            white: name(Side::White),
            black: name(Side::Black),
            offender: name(offender),
            termination: game.termination,
            ending: ending(game),
            excused: game.excused,
        })
    }
}
