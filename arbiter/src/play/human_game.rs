//! A human's game against an engine: the board, the clocks, the moves and the outcome.

use std::time::Duration;

use thiserror::Error;

use referee::{FenError, GameEnd, GameResult, IllegalMove, PlayedMove, Referee, Side, Variant};
use runner::{Clock, PositionLine, TimeControl};

/// A game with undo, from any start position. It reads no clock: elapsed times are passed in.
#[derive(Clone, Debug)]
pub struct HumanGame {
    pub human: Side,
    pub start: Referee,
    referee: Referee,
    pub clocks: [Option<Clock>; 2],
    turns: Vec<Turn>,
    outcome: Option<HumanGameOutcome>,
}

#[derive(Clone, Debug)]
struct Turn {
    side: Side,
    played: PlayedMove,
    clocks_before: [Option<Clock>; 2],
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    #[error("the flag fell before the move")]
    LostOnTime,
    #[error("the game is over")]
    GameOver,
}

impl HumanGame {
    pub fn new(fen: Option<&str>, human: Side, control: Option<&TimeControl>) -> Result<HumanGame, FenError> {
        let start = Referee::from_start(fen, fen.map_or(Variant::Standard, Variant::of_fen))?;
        let clock = || control.map(|control| Clock::new(control.clone(), Duration::ZERO));
        let mut game = HumanGame {
            human,
            referee: start.clone(),
            start,
            clocks: [clock(), clock()],
            turns: Vec::new(),
            outcome: None,
        };
        game.update_outcome();
        Ok(game)
    }

    pub fn replay(&mut self, moves: &[impl AsRef<str>]) -> Result<(), IllegalMove> {
        moves.iter().try_for_each(|uci| {
            let played = self.referee.play(uci.as_ref())?;
            // The side to move has just changed.
            let side = self.referee.turn().other();
            self.turns.push(Turn { side, played, clocks_before: self.clocks.clone() });
            self.update_outcome();
            Ok(())
        })
    }

    pub fn play(&mut self, uci: &str, elapsed: Duration) -> Result<PlayedMove, Refused> {
        if self.outcome.is_some() {
            return Err(Refused::GameOver);
        }
        if self.check_flag(elapsed) {
            return Err(Refused::LostOnTime);
        }
        let mut ahead = self.referee.clone();
        let played = ahead.play(uci)?;
        let side = self.turn();
        let clocks_before = self.clocks.clone();
        if let Some(clock) = &mut self.clocks[side as usize] {
            // The flag was checked above.
            let _ = clock.stop(elapsed);
        }
        self.referee = ahead;
        self.turns.push(Turn { side, played, clocks_before });
        self.update_outcome();
        Ok(played)
    }

    /// Ends the game if the flag of the side to move has fallen. Returns whether it did.
    pub fn check_flag(&mut self, elapsed: Duration) -> bool {
        let side = self.turn();
        let has_fallen = self.clocks[side as usize].as_ref().is_some_and(|clock| elapsed > clock.limit());
        if has_fallen && self.outcome.is_none() {
            self.outcome = Some(HumanGameOutcome::LostOnTime(side));
            return true;
        }
        false
    }

    /// Takes back the human's last move and the reply, and restores the clocks. Returns the number of half-moves; 0 if
    /// the human has not moved.
    pub fn undo(&mut self) -> usize {
        let Some(last) = self.turns.iter().rposition(|turn| turn.side == self.human) else { return 0 };
        self.clocks.clone_from(&self.turns[last].clocks_before);
        let taken_back = self.turns.drain(last..).count();
        self.referee = self.start.clone();
        for turn in &self.turns {
            // The moves were legal before.
            let _ = self.referee.play(turn.played.uci());
        }
        self.outcome = None;
        self.update_outcome();
        taken_back
    }

    pub fn resign(&mut self) {
        self.outcome.get_or_insert(HumanGameOutcome::Resigned(self.human));
    }

    pub fn engine_failed(&mut self) {
        self.outcome.get_or_insert(HumanGameOutcome::EngineFailed(self.human.other()));
    }

    fn update_outcome(&mut self) {
        self.outcome = self.referee.outcome().map(HumanGameOutcome::OnTheBoard);
    }

    pub fn turn(&self) -> Side {
        self.referee.turn()
    }

    pub fn awaits_engine(&self) -> bool {
        self.outcome.is_none() && self.turn() != self.human
    }

    pub const fn referee(&self) -> &Referee {
        &self.referee
    }

    pub const fn outcome(&self) -> Option<&HumanGameOutcome> {
        self.outcome.as_ref()
    }

    pub fn result(&self) -> Option<GameResult> {
        self.outcome.as_ref().map(HumanGameOutcome::result)
    }

    pub fn moves(&self) -> impl ExactSizeIterator<Item = &PlayedMove> {
        self.turns.iter().map(|turn| &turn.played)
    }

    /// The time left for White and Black, `elapsed` after the last move; `None` without clocks.
    pub fn time_left(&self, elapsed: Duration) -> [Option<Duration>; 2] {
        [Side::White, Side::Black].map(|side| {
            let left = self.clocks[side as usize].as_ref()?.remaining;
            let runs = self.outcome.is_none() && side == self.turn();
            Some(if runs { left.saturating_sub(elapsed) } else { left })
        })
    }

    pub const fn variant(&self) -> Variant {
        self.start.variant()
    }

    /// The position as the engine is told it.
    pub fn position_line(&self) -> PositionLine {
        let mut line = PositionLine::new(&self.start.fen(), self.variant());
        self.moves().for_each(|played| line.play(played.uci()));
        line
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HumanGameOutcome {
    OnTheBoard(GameEnd),
    Resigned(Side),
    LostOnTime(Side),
    EngineFailed(Side),
}

impl HumanGameOutcome {
    pub const fn result(&self) -> GameResult {
        match self {
            Self::OnTheBoard(end) => end.result(),
            Self::Resigned(loser) | Self::LostOnTime(loser) | Self::EngineFailed(loser) => {
                GameResult::won_by(loser.other())
            }
        }
    }

    /// The result and the reason: `0-1, White resigns`.
    pub fn words(&self) -> String {
        let how = match self {
            Self::OnTheBoard(GameEnd::Checkmate { winner }) => format!("{winner} mates"),
            Self::OnTheBoard(GameEnd::Stalemate) => "draw by stalemate".to_owned(),
            Self::OnTheBoard(GameEnd::ThreefoldRepetition) => "draw by 3-fold repetition".to_owned(),
            Self::OnTheBoard(GameEnd::FiftyMoves) => "draw by fifty moves rule".to_owned(),
            Self::OnTheBoard(GameEnd::InsufficientMaterial) => {
                "draw by insufficient mating material".to_owned()
            }
            Self::OnTheBoard(end @ GameEnd::ByVariant { .. }) => end.to_string(),
            Self::Resigned(loser) => format!("{loser} resigns"),
            Self::LostOnTime(loser) => format!("{loser} loses on time"),
            Self::EngineFailed(loser) => format!("{loser} loses by a fault of the engine"),
        };
        format!("{}, {how}", self.result().as_str())
    }

    pub const fn pgn_termination(&self) -> &'static str {
        match self {
            HumanGameOutcome::OnTheBoard(_) | HumanGameOutcome::Resigned(_) => "normal",
            HumanGameOutcome::LostOnTime(_) => "time forfeit",
            HumanGameOutcome::EngineFailed(_) => "rules infraction",
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NO_TIME: Duration = Duration::ZERO;

    fn game(human: Side, control: Option<&str>, moves: &str) -> HumanGame {
        let control = control.map(|text| text.parse().unwrap());
        let mut game = HumanGame::new(None, human, control.as_ref()).unwrap();
        for uci in moves.split_whitespace() {
            game.play(uci, NO_TIME).unwrap();
        }
        game
    }

    #[test]
    fn undo_takes_back_what_the_human_did_last_and_with_it_the_end_of_the_game() {
        let mate = GameEnd::Checkmate { winner: Side::Black };
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        for (human, moves, end, undone) in [
            (Side::White, "e2e4 e7e5 g1f3 b8c6", None, 2),
            (Side::White, "e2e4 e7e5 g1f3", None, 1),
            (Side::Black, "e2e4", None, 0),
            (Side::Black, "f2f3 e7e5 g2g4 d8h4", Some(mate), 1),
            (Side::White, shuffle, Some(GameEnd::ThreefoldRepetition), 2),
        ] {
            let mut game = game(human, None, moves);
            assert_eq!(game.outcome(), end.map(HumanGameOutcome::OnTheBoard).as_ref(), "{moves}");
            assert_eq!((game.undo(), game.outcome()), (undone, None), "{moves}");
        }
    }

    #[test]
    fn a_late_move_loses_and_is_not_played_legal_or_not() {
        for late in ["g1f3", "e1e5"] {
            let mut game = game(Side::White, Some("5+1"), "e2e4 e7e5");
            assert_eq!(game.time_left(Duration::from_secs(2))[0], Some(Duration::from_secs(5)));
            assert_eq!(game.play(late, Duration::from_secs(8)), Err(Refused::LostOnTime));
            let lost = HumanGameOutcome::LostOnTime(Side::White);
            assert_eq!((game.outcome(), game.moves().len()), (Some(&lost), 2));
            assert_eq!(game.result(), Some(GameResult::BlackWins));
        }
    }

    #[test]
    fn undo_restores_the_clock_and_the_flag_falls_while_the_human_thinks() {
        let mut undone = game(Side::White, Some("10"), "");
        undone.play("e2e4", Duration::from_secs(4)).unwrap();
        undone.undo();
        assert_eq!(undone.time_left(NO_TIME), [Some(Duration::from_secs(10)); 2]);
        let mut game = game(Side::White, Some("5"), "");
        assert!(!game.check_flag(Duration::from_secs(5)));
        assert!(game.check_flag(Duration::from_millis(5001)));
        assert!(!game.check_flag(Duration::from_secs(6)), "it is reported once");
        assert_eq!(game.outcome(), Some(&HumanGameOutcome::LostOnTime(Side::White)));
    }

    proptest! {
        #[test]
        fn undo_and_replay_lead_to_the_same_position(
            choices in prop::collection::vec(0_usize..1000, 1..60)
        ) {
            let mut game = HumanGame::new(None, Side::White, None).unwrap();
            for choice in choices {
                let moves = game.referee().legal_moves();
                if game.outcome().is_some() {
                    break;
                }
                game.play(&moves[choice % moves.len()], NO_TIME).unwrap();
            }
            let (fen, outcome) = (game.referee().fen(), game.outcome().cloned());
            let moves: Vec<String> = game.moves().map(|played| played.uci().to_owned()).collect();
            let taken_back = game.undo();
            prop_assert_eq!(game.turn(), Side::White);
            game.replay(&moves[moves.len() - taken_back..]).unwrap();
            prop_assert_eq!((game.referee().fen(), game.outcome().cloned()), (fen, outcome));
        }
    }
}
