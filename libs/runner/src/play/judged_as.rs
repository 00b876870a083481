//! How a game follows the rules of another program.

use crate::process::Answer;
use crate::{JudgedAs, MoveScore, Termination};
use referee::{IllegalMove, IllegalReason, PlayedMove, Referee};
use uci::{Bound, Info, ScoreValue};

impl JudgedAs {
    /// Whether this fault is only a draw if the opponent has a bare king. cutechess-cli checks that, except after the end
    /// of a process.
    pub(crate) const fn spares(self, termination: Termination) -> bool {
        matches!(self, JudgedAs::Cutechess)
            && matches!(
                termination,
                Termination::TimeLoss | Termination::Stall | Termination::IllegalMove | Termination::NoMove
            )
    }

    /// Plays an engine's answer, in any notation that the program accepts.
    pub(crate) fn play(self, referee: &mut Referee, answer: &Answer) -> Result<PlayedMove, IllegalMove> {
        let best = answer.best.as_str();
        match (self, &answer.written) {
            (JudgedAs::Fastchess, Some(written)) => {
                let reason = IllegalReason::Unparsable;
                Err(IllegalMove { text: written.clone(), fen: referee.fen(), reason })
            }
            (JudgedAs::Cutechess, _) => {
                let played = referee.play(best);
                let other = played.is_err().then(|| referee.read_as_cutechess(best)).flatten();
                other.map_or(played, |other| referee.play(&other))
            }
            _ => referee.play(best),
        }
    }

    /// The score reported with a move, if the program uses it.
    pub(crate) fn score(self, info: &Info) -> Option<MoveScore> {
        let score = info.score?;
        let is_known = info.depth.is_some_and(|depth| depth > 0) && score.bound == Bound::Exact;
        match self {
            JudgedAs::Cutechess if !is_known => None,
            JudgedAs::Cutechess if score.value == ScoreValue::Mate(0) => Some(MoveScore::Cp(0)),
            _ => Some(score.value.into()),
        }
    }
}
