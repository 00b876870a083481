//! The endings of games in words, and the games that engines lost by faults.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use referee::{GameResult, Side};
use runner::{GameRecord, RunConfig, Termination};

/// A phrase that says how the game ended: `White mates`, `Black's engine crashed: exit code 1`.
pub fn ending(game: &GameRecord) -> String {
    let phrase = match (game.offender, game.result.and_then(GameResult::winner)) {
        (Some(offender), _) if game.termination.is_fault() => fault(game.termination, offender),
        (_, Some(winner)) => win(game.termination, winner),
        _ => no_winner(game.termination).to_owned(),
    };
    match &game.detail {
        Some(whole) if game.termination == Termination::VariantRules => whole.clone(),
        Some(detail) => format!("{phrase}: {detail}"),
        None => phrase,
    }
}

fn fault(termination: Termination, offender: Side) -> String {
    let deed = match termination {
        Termination::TimeLoss => return format!("{offender} loses on time"),
        Termination::Stall => "stalled",
        Termination::Crash => "crashed",
        Termination::Disconnect => "disconnected",
        Termination::IllegalMove => "played an illegal move",
        Termination::NoMove => "returned no move",
        Termination::NoHandshake => "did not answer uciok",
        Termination::FailedToStart => "could not be started",
        _ => "failed",
    };
    format!("{offender}'s engine {deed}")
}

fn win(termination: Termination, winner: Side) -> String {
    match termination {
        Termination::Checkmate => format!("{winner} mates"),
        Termination::Resignation => format!("{} resigns", winner.other()),
        Termination::ResignAdjudication => format!("{winner} wins by adjudication"),
        Termination::TablebaseAdjudication => format!("{winner} wins by Syzygy tablebases"),
        Termination::VariantRules => format!("{winner} wins by the variant's rules"),
        Termination::Unknown => format!("{winner} wins"),
        other => format!("{winner} wins ({})", label(other)),
    }
}

const fn no_winner(termination: Termination) -> &'static str {
    match termination {
        Termination::Stalemate => "Draw by stalemate",
        Termination::ThreefoldRepetition => "Draw by threefold repetition",
        Termination::FiftyMoves => "Draw by the fifty-move rule",
        Termination::InsufficientMaterial => "Draw by insufficient material",
        Termination::VariantRules => "Draw by the variant's rules",
        Termination::DrawAdjudication => "Draw by adjudication",
        Termination::TablebaseAdjudication => "Draw by Syzygy tablebases",
        Termination::MaxMoves => "Draw by max moves",
        Termination::Unknown => "Draw",
        Termination::Abandoned => "Abandoned before the end",
        _ => "No result",
    }
}

pub fn label(termination: Termination) -> String {
    termination.to_string().replace('_', " ")
}

/// The PGN standard's word for an ending. It has only a few; the comment in the PGN says more.
pub const fn pgn_termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate
        | Termination::Stalemate
        | Termination::ThreefoldRepetition
        | Termination::FiftyMoves
        | Termination::InsufficientMaterial
        | Termination::Resignation
        | Termination::VariantRules => "normal",
        Termination::DrawAdjudication
        | Termination::ResignAdjudication
        | Termination::TablebaseAdjudication
        | Termination::MaxMoves => "adjudication",
        Termination::TimeLoss => "time forfeit",
        Termination::IllegalMove | Termination::NoMove => "rules infraction",
        Termination::Stall
        | Termination::Crash
        | Termination::Disconnect
        | Termination::NoHandshake
        | Termination::FailedToStart => "abandoned",
        // The standard has no word for this.
        Termination::Unknown => "unknown",
        Termination::Abandoned => "unterminated",
    }
}

/// A game that an engine lost by a fault.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct FaultyGame {
    /// The number of the game from 1, as in the name of its log in `bad/`.
    pub number: u32,
    /// The engine with the white pieces.
    pub white: String,
    /// The engine with the black pieces.
    pub black: String,
    /// The engine at fault.
    pub offender: String,
    /// How the game ended.
    pub termination: Termination,
    /// The ending in words, with details.
    pub ending: String,
    /// Whether the machine or the runner caused the fault, and not the engine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub excused: bool,
}

impl FaultyGame {
    /// `None` if the game has no fault.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{game, lost_by};

    #[test]
    fn the_phrase_names_who_did_what_and_every_fault_has_its_own() {
        let mut mate = game(0, (0, 1), Some(GameResult::BlackWins));
        assert_eq!(ending(&mate), "Black mates");
        mate.termination = Termination::ResignAdjudication;
        assert_eq!(ending(&mate), "Black wins by adjudication");
        mate.termination = Termination::TablebaseAdjudication;
        assert_eq!(ending(&mate), "Black wins by Syzygy tablebases");
        mate.result = Some(GameResult::Draw);
        assert_eq!(ending(&mate), "Draw by Syzygy tablebases");

        let mut crash = lost_by(0, (0, 1), Side::Black, Termination::Crash);
        crash.detail = Some("exit code 1".to_owned());
        assert_eq!(ending(&crash), "Black's engine crashed: exit code 1");
        assert_eq!(ending(&lost_by(0, (0, 1), Side::White, Termination::TimeLoss)), "White loses on time");
        let faults = Termination::all().filter(|kind| kind.is_fault());
        let phrases: std::collections::BTreeSet<String> =
            faults.clone().map(|kind| ending(&lost_by(0, (0, 1), Side::White, kind))).collect();
        assert_eq!(phrases.len(), faults.count());
        assert!(!phrases.iter().any(|phrase| phrase.ends_with("failed")), "{phrases:?}");
    }
}
