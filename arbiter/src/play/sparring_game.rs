//! The game of a person against an engine: the board, the clocks, the moves, and the end.

use std::time::Duration;

use thiserror::Error;

use super::outcome::Outcome;
use referee::{FenError, GameResult, IllegalMove, PlayedMove, Referee, Side, Variant};
use runner::{Clock, PositionLine, TimeControl};
use uci::Go;

/// A game that can be played, taken back, ended, and begun from any position. Time is handed in, so that it has no
/// clock of its own to read.
#[derive(Clone, Debug)]
pub struct SparringGame {
    person: Side,
    /// Before the first move.
    start: Referee,
    referee: Referee,
    /// White's and Black's clock, where there are clocks.
    clocks: [Option<Clock>; 2],
    turns: Vec<Turn>,
    outcome: Option<Outcome>,
}

/// A move that was played.
#[derive(Clone, Debug)]
struct Turn {
    side: Side,
    played: PlayedMove,
    clocks_before: [Option<Clock>; 2],
}

/// Why a move was not played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// It is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The flag had fallen before; the game is over by it.
    #[error("the time was up before the move")]
    OutOfTime,
    /// Nobody moves any more.
    #[error("the game is over")]
    GameOver,
}

impl SparringGame {
    /// A game from a position, or from the usual one.
    ///
    /// # Errors
    /// The text is not the FEN of a legal position.
    pub fn new(
        fen: Option<&str>,
        person: Side,
        control: Option<&TimeControl>,
    ) -> Result<SparringGame, FenError> {
        let start = match fen {
            Some(fen) => Referee::from_fen(fen, Variant::Standard)?,
            None => Referee::new(Variant::Standard),
        };
        let clock = || control.map(|control| Clock::new(control.clone(), Duration::ZERO));
        let mut game = SparringGame {
            person,
            referee: start.clone(),
            start,
            clocks: [clock(), clock()],
            turns: Vec::new(),
            outcome: None,
        };
        game.judge();
        Ok(game)
    }

    /// Replays moves for which no clock runs, such as those of a file.
    ///
    /// # Errors
    /// The first move that is not legal.
    pub fn replay(&mut self, moves: &[impl AsRef<str>]) -> Result<(), IllegalMove> {
        moves.iter().try_for_each(|uci| {
            let played = self.referee.play(uci.as_ref())?;
            self.note(played);
            Ok(())
        })
    }

    /// Plays a move for the side on turn, which took so long over it.
    ///
    /// # Errors
    /// [`Refused`]; an illegal move leaves everything as it was, and the clock runs on.
    pub fn play(&mut self, uci: &str, elapsed: Duration) -> Result<PlayedMove, Refused> {
        if self.outcome.is_some() {
            return Err(Refused::GameOver);
        }
        let mut ahead = self.referee.clone();
        let played = ahead.play(uci)?;
        let side = self.turn();
        let clocks_before = self.clocks.clone();
        if let Some(clock) = &mut self.clocks[side as usize]
            && clock.stop(elapsed).is_err()
        {
            self.outcome = Some(Outcome::OutOfTime(side));
            return Err(Refused::OutOfTime);
        }
        self.referee = ahead;
        self.turns.push(Turn { side, played, clocks_before });
        self.judge();
        Ok(played)
    }

    /// Ends the game if the side on turn has used up its time; says whether it is over by that.
    pub fn check_flag(&mut self, elapsed: Duration) -> bool {
        let side = self.turn();
        let has_fallen = self.clocks[side as usize].as_ref().is_some_and(|clock| elapsed > clock.limit());
        if has_fallen && self.outcome.is_none() {
            self.outcome = Some(Outcome::OutOfTime(side));
            return true;
        }
        false
    }

    /// Takes back the person's last move and what followed, with the time it took, so that the person is on turn again.
    /// Returns how many half-moves that were; none where the person has not moved yet.
    pub fn undo(&mut self) -> usize {
        let Some(last) = self.turns.iter().rposition(|turn| turn.side == self.person) else { return 0 };
        self.clocks.clone_from(&self.turns[last].clocks_before);
        let taken_back = self.turns.drain(last..).count();
        self.referee = self.start.clone();
        for turn in &self.turns {
            // They were legal before.
            let _ = self.referee.play(turn.played.uci());
        }
        self.outcome = None;
        self.judge();
        taken_back
    }

    /// The person gives up. A game that is over stays as it is.
    pub fn resign(&mut self) {
        self.outcome.get_or_insert(Outcome::Resigned(self.person));
    }

    /// The engine broke.
    pub fn engine_failed(&mut self) {
        self.outcome.get_or_insert(Outcome::EngineFailed(self.person.other()));
    }

    fn note(&mut self, played: PlayedMove) {
        // Whoever is on turn now did not make the move.
        let side = self.referee.turn().other();
        self.turns.push(Turn { side, played, clocks_before: self.clocks.clone() });
        self.judge();
    }

    fn judge(&mut self) {
        self.outcome = self.referee.outcome().map(Outcome::OnTheBoard);
    }

    /// Which side the person has.
    pub const fn person(&self) -> Side {
        self.person
    }

    /// Who is to move.
    pub fn turn(&self) -> Side {
        self.referee.turn()
    }

    /// Whether the game goes on and it is the engine's move.
    pub fn awaits_engine(&self) -> bool {
        self.outcome.is_none() && self.turn() != self.person
    }

    /// The board.
    pub const fn referee(&self) -> &Referee {
        &self.referee
    }

    /// How it ended; `None` while it goes on.
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Who won, as far as that is known.
    pub fn result(&self) -> Option<GameResult> {
        self.outcome.as_ref().map(Outcome::result)
    }

    /// The position before the first move.
    pub const fn start(&self) -> &Referee {
        &self.start
    }

    /// The moves, in their order.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = &PlayedMove> {
        self.turns.iter().map(|turn| &turn.played)
    }

    /// White's and Black's clock, where there are clocks.
    pub const fn clocks(&self) -> &[Option<Clock>; 2] {
        &self.clocks
    }

    /// What both sides have left when the present move has taken so long; `None` where there are no clocks.
    pub fn time_left(&self, elapsed: Duration) -> [Option<Duration>; 2] {
        [Side::White, Side::Black].map(|side| {
            let left = self.clocks[side as usize].as_ref()?.remaining();
            let runs = self.outcome.is_none() && side == self.turn();
            Some(if runs { left.saturating_sub(elapsed) } else { left })
        })
    }

    /// The lines that ask an engine for a search of the present position.
    pub fn question(&self, go: &Go) -> String {
        let mut line = PositionLine::new(&self.start.fen(), Variant::Standard);
        self.moves().for_each(|played| line.play(played.uci()));
        line.with(go).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use referee::GameEnd;

    const NO_TIME: Duration = Duration::ZERO;

    fn game(person: Side, control: Option<&str>, moves: &str) -> SparringGame {
        let control = control.map(|text| text.parse().unwrap());
        let mut game = SparringGame::new(None, person, control.as_ref()).unwrap();
        for uci in moves.split_whitespace() {
            game.play(uci, NO_TIME).unwrap();
        }
        game
    }

    #[test]
    fn taking_back_leaves_the_person_on_turn() {
        let mut white = game(Side::White, None, "e2e4 e7e5 g1f3 b8c6");
        assert_eq!((white.undo(), white.turn(), white.moves().len()), (2, Side::White, 2));
        let mut waiting = game(Side::White, None, "e2e4 e7e5 g1f3");
        assert_eq!((waiting.undo(), waiting.moves().len()), (1, 2));
        let mut black = game(Side::Black, None, "e2e4");
        assert_eq!((black.undo(), black.moves().len()), (0, 1));
    }

    #[test]
    fn a_mate_can_be_taken_back() {
        let mut game = game(Side::Black, None, "f2f3 e7e5 g2g4 d8h4");
        let mate = Outcome::OnTheBoard(GameEnd::Checkmate { winner: Side::Black });
        assert_eq!(game.outcome(), Some(&mate));
        assert_eq!(game.play("e2e4", NO_TIME), Err(Refused::GameOver));
        assert_eq!((game.undo(), game.outcome()), (1, None));
    }

    #[test]
    fn the_third_repetition_ends_the_game_and_taking_back_resumes_it() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let mut game = game(Side::White, None, shuffle);
        assert_eq!(game.outcome(), Some(&Outcome::OnTheBoard(GameEnd::ThreefoldRepetition)));
        assert_eq!((game.undo(), game.outcome()), (2, None));
    }

    #[test]
    fn a_late_move_loses_and_is_not_played() {
        let mut game = game(Side::White, Some("5+1"), "e2e4 e7e5");
        assert_eq!(game.time_left(Duration::from_secs(2))[0], Some(Duration::from_secs(4)));
        assert_eq!(game.play("g1f3", Duration::from_secs(7)), Err(Refused::OutOfTime));
        assert_eq!((game.outcome(), game.moves().len()), (Some(&Outcome::OutOfTime(Side::White)), 2));
        assert_eq!(game.result(), Some(GameResult::BlackWins));
    }

    #[test]
    fn the_time_of_a_move_that_is_taken_back_is_given_back() {
        let mut game = game(Side::White, Some("10"), "");
        game.play("e2e4", Duration::from_secs(4)).unwrap();
        game.undo();
        assert_eq!(game.time_left(NO_TIME), [Some(Duration::from_secs(10)); 2]);
    }

    #[test]
    fn the_flag_falls_while_the_person_thinks() {
        let mut game = game(Side::White, Some("5"), "");
        assert!(!game.check_flag(Duration::from_secs(5)));
        assert!(game.check_flag(Duration::from_millis(5001)));
        assert!(!game.check_flag(Duration::from_secs(6)), "it is told once");
        assert_eq!(game.outcome(), Some(&Outcome::OutOfTime(Side::White)));
    }

    #[test]
    fn the_question_has_all_moves_since_the_start() {
        let go = Go { depth: Some(3), ..Go::default() };
        let question = game(Side::White, None, "e2e4 e7e5").question(&go);
        assert_eq!(question, "position startpos moves e2e4 e7e5\ngo depth 3\n");
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let question = SparringGame::new(Some(fen), Side::Black, None).unwrap().question(&go);
        assert_eq!(question, format!("position fen {fen}\ngo depth 3\n"));
    }

    #[test]
    fn a_game_that_was_resigned_stays_so() {
        let mut game = game(Side::Black, None, "e2e4");
        game.resign();
        game.engine_failed();
        assert_eq!(game.outcome(), Some(&Outcome::Resigned(Side::Black)));
        assert!(!game.awaits_engine());
    }

    proptest! {
        #[test]
        fn taking_back_and_playing_again_leads_to_the_same_position(
            choices in prop::collection::vec(0_usize..1000, 1..60)
        ) {
            let mut game = SparringGame::new(None, Side::White, None).unwrap();
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
