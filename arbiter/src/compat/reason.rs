//! How a game ended, in fastchess's words (`match.hpp`).

use referee::{GameResult, Side};
use runner::{GameRecord, Termination};

/// The reason, such as `White mates` or `Black loses on time (409ms overrun)`. OpenBench and fishtest look for
/// `disconnect`, `stall`, `on time` and `illegal`.
pub(super) fn reason(game: &GameRecord) -> String {
    let offender = game.offender.unwrap_or(Side::White);
    let winner = game.result.and_then(GameResult::winner);
    match (game.termination, winner) {
        (Termination::Checkmate, Some(winner)) => format!("{winner} mates"),
        (Termination::Stalemate, _) => "Draw by stalemate".to_owned(),
        (Termination::ThreefoldRepetition, _) => "Draw by 3-fold repetition".to_owned(),
        (Termination::FiftyMoves, _) => "Draw by fifty moves rule".to_owned(),
        (Termination::VariantRules, _) => game.detail.clone().unwrap_or_default(),
        (Termination::InsufficientMaterial, _) => "Draw by insufficient mating material".to_owned(),
        (Termination::TablebaseAdjudication, Some(winner)) => {
            format!("{winner} wins by adjudication: SyzygyTB")
        }
        (Termination::TablebaseAdjudication, None) => "Draw by adjudication: SyzygyTB".to_owned(),
        (Termination::DrawAdjudication | Termination::MaxMoves, _) => "Draw by adjudication".to_owned(),
        (Termination::Resignation, Some(winner)) => format!("{} resigns", winner.other()),
        (Termination::ResignAdjudication, Some(winner)) => format!("{winner} wins by adjudication"),
        (Termination::TimeLoss, _) => {
            let overrun = game.overrun.unwrap_or_default().as_millis();
            format!("{offender} loses on time ({overrun}ms overrun)")
        }
        (Termination::IllegalMove | Termination::NoMove, _) => format!("{offender} makes an illegal move"),
        (Termination::Stall, _) => format!("{offender}'s connection stalls"),
        (lost, _) if is_lost_engine(lost) => format!("{offender} disconnects"),
        _ => "Game interrupted".to_owned(),
    }
}

/// How a game ended, in cutechess-cli's words (`result.cpp`).
pub(super) fn cutechess_reason(game: &GameRecord) -> String {
    // The opponent has a bare king and cannot win, so cutechess-cli names no loser.
    let is_spared = game.result == Some(GameResult::Draw);
    let offender = game.offender.filter(|_| !is_spared).map_or_else(String::new, |side| side.to_string());
    match game.termination {
        Termination::TimeLoss if is_spared => "Draw by timeout".to_owned(),
        Termination::Stall if is_spared => "Draw by stalled connection".to_owned(),
        Termination::MaxMoves => "Draw by adjudication: maximal game length".to_owned(),
        Termination::TimeLoss => format!("{offender} loses on time"),
        Termination::IllegalMove | Termination::NoMove => {
            let illegal =
                game.illegal_move.as_ref().map_or_else(String::new, |illegal| format!(": {illegal}"));
            format!("{offender} makes an illegal move{illegal}")
        }
        _ => reason(game),
    }
}

pub(super) const fn termination_tag(termination: Termination) -> &'static str {
    match termination {
        Termination::IllegalMove | Termination::NoMove => "illegal move",
        other => crate::results::ending::pgn_termination(other),
    }
}

/// Whether the engine has to be started again, which fastchess does only with `-recover`.
pub(super) const fn is_lost_engine(termination: Termination) -> bool {
    matches!(
        termination,
        Termination::Stall
            | Termination::Crash
            | Termination::Disconnect
            | Termination::NoHandshake
            | Termination::FailedToStart
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::results::test_games::lost_by;

    #[test]
    fn each_fault_has_the_word_that_is_counted_once() {
        for kind in Termination::all().filter(|kind| kind.is_fault()) {
            let mut game = lost_by(0, (0, 1), Side::Black, kind);
            game.overrun = Some(Duration::from_micros(409_700));
            let text = reason(&game);
            let words = ["disconnect", "stall", "on time", "illegal"];
            assert_eq!(words.iter().filter(|word| text.contains(**word)).count(), 1, "{text}");
            assert!(text.starts_with("Black"), "{text}");
        }
        let mut late = lost_by(0, (0, 1), Side::White, Termination::TimeLoss);
        late.overrun = Some(Duration::from_micros(409_700));
        assert_eq!(reason(&late), "White loses on time (409ms overrun)");
    }
}
