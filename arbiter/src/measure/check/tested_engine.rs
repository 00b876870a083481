//! The engine that is checked, and the positions of the checks, for it and for the referee.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::finding::{EngineObservations, SearchRecord};
use referee::{FenError, Referee, Variant};
use runner::process::{EngineCommand, EngineError, EngineInfo, EngineProcess};
use runner::{EngineConfig, UciSetting};

pub(super) const START_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest wait for `readyok`, or for an answer at the end of a search.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

/// The longest wait for an answer to `stop` before the engine is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// Time for an engine to read a command, and to answer it where it should not.
const READ_TIME: Duration = Duration::from_millis(50);

/// Failed starts in a row after which the engine is not started again.
const START_ATTEMPTS: u32 = 3;

#[derive(Debug)]
pub(super) struct TestedEngine {
    command: EngineCommand,
    options: Vec<UciSetting>,
    process: Option<EngineProcess>,
    failed_starts: u32,
    pub(super) observations: EngineObservations,
    /// The last to be dropped: on Windows it waits for what is being read, which ends with the process.
    runtime: Runtime,
}

impl TestedEngine {
    pub(super) fn new(engine: &EngineConfig) -> io::Result<TestedEngine> {
        Ok(TestedEngine {
            runtime: Builder::new_current_thread().enable_all().build()?,
            command: engine.command(),
            options: engine.options.clone(),
            process: None,
            failed_starts: 0,
            observations: EngineObservations::default(),
        })
    }

    /// Starts a new process in place of the old one, and sends nothing.
    pub(super) fn start(&mut self) -> Result<(), EngineError> {
        self.process = None;
        let _inside = self.runtime.enter();
        self.process = Some(EngineProcess::start(&self.command)?);
        Ok(())
    }

    /// Makes sure that the engine runs, has its options, and answers `isready`.
    pub(super) fn ensure_ready(&mut self) -> Result<(), EngineError> {
        if self.process.is_some() && self.is_ready().is_ok() {
            return Ok(());
        }
        let started = self.start().and_then(|()| {
            let Some(process) = &mut self.process else { return Ok(()) };
            self.runtime.block_on(async {
                process.handshake(START_TIMEOUT).await?;
                for UciSetting { name, value } in &self.options {
                    process.set_option(name, value.as_deref(), TIMEOUT).await?;
                }
                process.is_ready(TIMEOUT).await
            })
        });
        self.failed_starts = if started.is_ok() { 0 } else { self.failed_starts + 1 };
        started
    }

    pub(super) fn never_starts(&self) -> bool {
        self.failed_starts >= START_ATTEMPTS
    }

    /// Kills the process; the next check starts a new one.
    pub(super) fn kill(&mut self) {
        self.process = None;
    }

    pub(super) fn introduction(&self) -> EngineInfo {
        self.process.as_ref().map(|process| process.introduction().clone()).unwrap_or_default()
    }

    /// Sets a check option to true. Returns `false` where the engine has no such option.
    pub(super) fn switch_on(&mut self, name: &str) -> Result<bool, EngineError> {
        let introduction = self.introduction();
        let Some(option) = introduction.option(name) else { return Ok(false) };
        self.lines_within(&format!("setoption name {} value true\n", option.name), Duration::ZERO)?;
        self.is_ready()?;
        Ok(true)
    }

    pub(super) fn process(&self) -> Option<&EngineProcess> {
        self.process.as_ref()
    }

    /// Sends `isready` and returns the time until `readyok`. Notes every `bestmove` in between.
    pub(super) fn is_ready(&mut self) -> Result<Duration, EngineError> {
        let mut stray = Vec::new();
        let answered = self.ask("isready\n", TIMEOUT, |line| match line.trim() {
            "readyok" => ControlFlow::Break(()),
            line => {
                stray.extend(line.starts_with("bestmove").then(|| line.to_owned()));
                ControlFlow::Continue(())
            }
        });
        self.observations.unrequested_answers.append(&mut stray);
        answered
    }

    /// Sends lines, and calls `visit` with each line of the answer until it breaks off.
    pub(super) fn ask(
        &mut self,
        lines: &str,
        timeout: Duration,
        visit: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Duration, EngineError> {
        let Some(process) = &mut self.process else { return Ok(Duration::ZERO) };
        let answered = self.runtime.block_on(process.ask(lines, timeout, visit));
        if matches!(answered, Err(EngineError::Ended { .. })) {
            self.process = None;
        }
        answered
    }

    /// Sends lines and returns the lines that come back within `time`.
    pub(super) fn lines_within(&mut self, lines: &str, time: Duration) -> Result<Vec<String>, EngineError> {
        const LINES: usize = 10_000;
        let mut heard = Vec::new();
        let listened = self.ask(lines, time, |line| {
            heard.push(line.trim().to_owned());
            if heard.len() < LINES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match listened {
            Ok(_) | Err(EngineError::Silent { .. }) => Ok(heard),
            Err(error) => Err(error),
        }
    }

    /// Lets the engine search until it ends the search itself, for at most `timeout`.
    pub(super) fn search(
        &mut self,
        setup: &TestPosition,
        go: &str,
        timeout: Duration,
    ) -> Result<SearchRecord, EngineError> {
        let mut record = SearchRecord::default();
        let question = format!("{}\n{go}\n", setup.line);
        let answered = self.ask(&question, timeout, |line| record.observe(line));
        self.conclude(setup, record, answered)
    }

    /// Lets the engine search for `time`, and then sends a line that ends the search, such as `stop`. Returns the search,
    /// and whether it ended before that line.
    pub(super) fn search_until(
        &mut self,
        setup: &TestPosition,
        go: &str,
        time: Duration,
        (ending, timeout): (&str, Duration),
    ) -> Result<(SearchRecord, bool), EngineError> {
        let mut record = SearchRecord::default();
        let question = format!("{}\n{go}\n", setup.line);
        match self.ask(&question, time, |line| record.observe(line)) {
            Err(EngineError::Silent { .. }) => {
                let ending = format!("{ending}\n");
                let answered = self.ask(&ending, timeout, |line| record.observe(line));
                self.conclude(setup, record, answered).map(|record| (record, false))
            }
            early => {
                let record = self.conclude(setup, record, early)?;
                // The line must do no harm after the end of the search.
                let _ = self.lines_within(&format!("{ending}\n"), READ_TIME);
                Ok((record, true))
            }
        }
    }

    /// Adds a search to the observations. Kills an engine that does not answer `stop`.
    fn conclude(
        &mut self,
        setup: &TestPosition,
        mut record: SearchRecord,
        answered: Result<Duration, EngineError>,
    ) -> Result<SearchRecord, EngineError> {
        match answered {
            Ok(elapsed) => {
                record.elapsed = elapsed;
                self.observations.add(setup, &record);
                Ok(record)
            }
            Err(error) => {
                if self.ask("stop\n", STOP_TIMEOUT, |line| record.observe(line)).is_err() {
                    self.process = None;
                }
                Err(error)
            }
        }
    }

    /// Waits for the end of the process; kills it after `timeout` and returns `None`.
    pub(super) fn wait_for_end(&mut self, timeout: Duration) -> Option<Duration> {
        let mut process = self.process.take()?;
        self.runtime.block_on(process.wait_for_end(timeout))
    }

    /// Closes the engine's standard input; `false` where that is not possible.
    pub(super) fn close_input(&mut self) -> bool {
        #[cfg(unix)]
        {
            let _inside = self.runtime.enter();
            self.process.as_mut().is_some_and(|process| process.close_input().is_ok())
        }
        #[cfg(not(unix))]
        false
    }

    pub(super) fn sleep(&self, time: Duration) {
        self.runtime.block_on(async { tokio::time::sleep(time).await });
    }
}

/// A `position` line with legal moves, and its position.
#[derive(Clone, Debug)]
pub(super) struct TestPosition {
    pub(super) line: String,
    pub(super) referee: Referee,
}

impl TestPosition {
    pub(super) fn startpos(moves: &str) -> TestPosition {
        TestPosition::with_moves("position startpos".to_owned(), Referee::new(Variant::Standard), moves)
    }

    pub(super) fn fen(fen: &str, moves: &str, variant: Variant) -> Result<TestPosition, FenError> {
        let referee = Referee::from_fen(fen, variant)?;
        Ok(TestPosition::with_moves(format!("position fen {fen}"), referee, moves))
    }

    fn with_moves(mut line: String, mut referee: Referee, moves: &str) -> TestPosition {
        for (index, mv) in moves.split_whitespace().enumerate() {
            if referee.play(mv).is_err() {
                break;
            }
            line += if index == 0 { " moves " } else { " " };
            line += mv;
        }
        TestPosition { line, referee }
    }

    /// An unfinished game of `plies` plies without a claimable draw: mostly quiet moves, and a pawn move or capture in
    /// time for the fifty-move rule. Always the same game.
    pub(super) fn long_game(plies: usize) -> TestPosition {
        // Halfway to the fifty-move rule.
        const QUIET_PLIES: u32 = 50;
        let mut setup = TestPosition::startpos("");
        let mut number = 1_u64;
        while setup.referee.ply() < plies {
            let mut moves = setup.referee.legal_moves();
            moves.sort_unstable();
            // Knuth's MMIX generator; any sequence would do.
            number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let first = (number >> 33) as usize % moves.len();
            moves.rotate_left(first);
            let clock = setup.referee.halfmove_clock();
            let continuations = moves.iter().filter_map(|mv| {
                let mut referee = setup.referee.clone();
                referee.play(mv).ok()?;
                referee.outcome().is_none().then_some((mv, referee))
            });
            let wants_quiet = clock < QUIET_PLIES;
            let continuations: Vec<_> = continuations.collect();
            let best = continuations
                .iter()
                .find(|(_, after)| (after.halfmove_clock() > 0) == wants_quiet)
                .or(continuations.first());
            let Some((mv, referee)) = best else { break };
            setup.line += if setup.referee.ply() == 0 { " moves " } else { " " };
            setup.line += mv;
            setup.referee = referee.clone();
        }
        setup
    }
}

pub(super) const WHITE_MATES: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
pub(super) const BLACK_MATES: &str = "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1";

/// White has one legal move, after which Black mates.
pub(super) const WHITE_IS_MATED: &str = "7K/5k2/8/8/8/8/8/6r1 w - - 0 1";
pub(super) const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
pub(super) const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// A middlegame with Black to move and an en passant square.
pub(super) const EN_PASSANT: &str = "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3";

/// Three moves of each side: a quiet position with many moves.
pub(super) const ITALIAN: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";

/// A position whose only moves are promotions.
pub(super) const PROMOTES: &str = "6rk/1P6/3b4/8/8/8/8/7K w - - 0 1";

/// Positions with a castling or promotion move that gives check, so that an engine that ignores the move plays an illegal
/// one next.
pub(super) const SPECIAL_MOVES: [(&str, &str); 4] = [
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
    ("4k2r/8/8/8/8/8/8/5K2 b k - 0 1", "e8g8"),
    ("8/P7/8/k7/8/8/8/7K w - - 0 1", "a7a8q"),
];

/// A Chess960 position, and castling by both sides, written as king takes rook.
pub(super) const CHESS960: (&str, &str) =
    ("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", "e1g1 e8b8");

/// The setup of one of these positions, which the tests show to be legal.
pub(super) fn set_up(fen: &str, moves: &str) -> TestPosition {
    TestPosition::fen(fen, moves, Variant::Standard).unwrap_or_else(|_| TestPosition::startpos(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::GameEnd;

    fn board(fen: &str) -> Referee {
        Referee::from_fen(fen, Variant::Standard).unwrap()
    }

    fn mates_at_once(referee: &Referee) -> bool {
        referee.legal_moves().iter().any(|mv| {
            let mut after = referee.clone();
            after.play(mv).unwrap();
            matches!(after.outcome(), Some(GameEnd::Checkmate { .. }))
        })
    }

    #[test]
    fn the_positions_are_what_they_are_said_to_be() {
        assert!(mates_at_once(&board(WHITE_MATES)) && mates_at_once(&board(BLACK_MATES)));
        let mut mated = board(WHITE_IS_MATED);
        assert_eq!(mated.legal_moves().len(), 1);
        mated.play(&mated.legal_moves()[0].clone()).unwrap();
        assert!(mates_at_once(&mated));
        assert!(matches!(board(MATED).outcome(), Some(GameEnd::Checkmate { .. })));
        assert_eq!(board(STALEMATED).outcome(), Some(GameEnd::Stalemate));
        assert!(board(EN_PASSANT).legal_moves().contains(&"d4e3".to_owned()));
        assert!(board(PROMOTES).legal_moves().iter().all(|mv| mv.len() == 5));
        assert_eq!(TestPosition::startpos(ITALIAN).referee.ply(), 6);
    }

    #[test]
    fn the_special_moves_are_legal_and_give_check() {
        for (fen, mv) in SPECIAL_MOVES {
            let setup = set_up(fen, mv);
            assert_eq!((setup.referee.ply(), setup.referee.is_check()), (1, true), "{fen} {mv}");
        }
    }

    #[test]
    fn the_moves_of_chess960_are_all_legal() {
        let setup = TestPosition::fen(CHESS960.0, CHESS960.1, Variant::Chess960).unwrap();
        assert_eq!(setup.referee.ply(), CHESS960.1.split_whitespace().count());
    }

    #[test]
    fn the_long_game_has_the_wanted_length_and_is_not_over() {
        let setup = TestPosition::long_game(900);
        assert_eq!(setup.referee.ply(), 900);
        assert_eq!(setup.referee.outcome(), None);
        let moves = setup.line.split_once(" moves ").unwrap().1;
        assert_eq!(TestPosition::startpos(moves).referee.fen(), setup.referee.fen());
    }
}
