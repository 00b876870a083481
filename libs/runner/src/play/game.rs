//! A game between two engines that are ready.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::clock::{Deadline, search_order};
use super::ending::Ending;
use super::move_warnings::move_warnings;
use super::ponder::{self, Ponder};
use super::{Adjudicator, Clock};
use crate::process::{Answer, ClockKind, EngineProcess, SearchEvidence, SearchFailure};
use crate::protocol::{PositionLine, SearchTask};
use crate::record::GameWarnings;
use crate::{
    EngineBook, Event, GameRecord, JudgedAs, LiveFeed, LivePosition, LiveSide, MoveRecord, OpeningRecord,
    Pairing, PgnField, RunConfig, SearchLimits, TablebaseAdjudicator, Termination, WarningKind,
};
use referee::openings::{SeededDraw, book_move};
use referee::{GameResult, Referee, Side};
use uci::{Go, ScoreValue, UciMove};

/// Shorter silences are not recorded: engines report their time in whole milliseconds.
const LEAST_SILENCE: Duration = Duration::from_millis(1);

/// The number of moves by which the list of moves grows.
const MOVES_AT_ONCE: usize = 64;

#[derive(Debug)]
pub(crate) struct Game<'a> {
    config: &'a RunConfig,
    pairing: Pairing,
    opening: OpeningRecord,
    referee: Referee,
    /// The stall timeouts of White and Black, used without a clock.
    pub(crate) stall: [Duration; 2],
    /// The limits of White and Black.
    limits: [SearchLimits; 2],
    /// The clocks of White and Black, if they have one.
    clocks: [Option<Clock>; 2],
    adjudicator: Adjudicator,
    position: PositionLine,
    ponder: Ponder,
    moves: Vec<MoveRecord>,
    pub(crate) warnings: GameWarnings,
    /// Where the game sends its positions.
    live: LiveFeed,
    started: Timestamp,
    begin: Instant,
}

impl<'a> Game<'a> {
    pub(crate) fn new(
        config: &'a RunConfig,
        pairing: Pairing,
        opening: OpeningRecord,
        tables: Option<TablebaseAdjudicator>,
        live: LiveFeed,
    ) -> Game<'a> {
        let limits = [pairing.white, pairing.black].map(|engine| config.limits_here(engine));
        let clock = |side: Side| {
            let margin = config.time_margin_of(pairing.engine(side));
            limits[side as usize].clock.clone().map(|control| Clock::new(control, margin))
        };
        // Openings come from a book that has been checked.
        let mut referee =
            Referee::from_fen(&opening.fen, config.variant).unwrap_or_else(|_| Referee::new(config.variant));
        let mut position = PositionLine::new(&opening.fen, config.variant);
        for played in &opening.moves {
            if referee.play(&played.uci).is_ok() {
                position.extend(&played.uci, &referee, config.position);
            }
        }
        Game {
            config,
            pairing,
            opening,
            referee,
            stall: [config.timeouts.stall; 2],
            clocks: [clock(Side::White), clock(Side::Black)],
            limits,
            adjudicator: Adjudicator::new(config.adjudication_of(pairing.game)).with_tables(tables),
            position,
            ponder: Ponder::default(),
            moves: Vec::new(),
            warnings: GameWarnings::default(),
            live,
            started: crate::now(),
            begin: Instant::now(),
        }
    }

    /// The Syzygy tablebases that could not be read, as events.
    pub(crate) fn unreadable_tables(&self) -> impl Iterator<Item = Event> {
        let game = self.pairing.game;
        let errors = self.adjudicator.unreadable.iter();
        errors.map(move |error| Event::TableUnreadable { game, text: error.to_string() })
    }

    pub(crate) async fn play(&mut self, white: &mut EngineProcess, black: &mut EngineProcess) -> Ending {
        let timeout = self.config.timeouts.ready;
        let (white_ready, black_ready) = tokio::join!(white.new_game(timeout), black.new_game(timeout));
        for (side, ready, engine) in
            [(Side::White, white_ready, &mut *white), (Side::Black, black_ready, &mut *black)]
        {
            if let Err(error) = ready {
                let mut ending = Ending::engine_failure(side, &error);
                self.explain(&mut ending, engine);
                return ending;
            }
        }
        for (side, engine) in [(Side::White, &*white), (Side::Black, &*black)] {
            let is_asked = self.config.asks_to_ponder(self.pairing.engine(side));
            self.ponder.enable(side, is_asked && ponder::can_ponder(engine));
        }
        let ending = self.play_moves(white, black).await;
        for (side, engine) in [(Side::White, white), (Side::Black, black)] {
            // An engine that misbehaved is not used again anyway. The others cannot change the result now, so one that
            // does not stop is only warned about; it is not used again either.
            if ending.offender != Some(side)
                && let Err(failure) = engine.stop_pondering(timeout).await
            {
                let text = format!("it was pondering when the game ended: {failure}");
                self.warnings.add(side, WarningKind::StopIgnored, text, None);
            } else if let Some(result) = ending.result.filter(|_| ending.offender != Some(side)) {
                engine.end_game(result, ending.termination, timeout).await;
            }
        }
        ending
    }

    async fn play_moves(&mut self, white: &mut EngineProcess, black: &mut EngineProcess) -> Ending {
        loop {
            self.live.show(|| self.live_position());
            if let Some(end) = self.referee.outcome() {
                return Ending::on_the_board(end, self.config.variant);
            }
            if self.moves.is_empty()
                && self.config.judged_as == JudgedAs::Fastchess
                && let Some((termination, result)) = self.adjudicator.judge_position(&self.referee)
            {
                return Ending::regular(termination, result);
            }
            let side = self.referee.turn();
            let (engine, opponent) = match side {
                Side::White => (&mut *white, &mut *black),
                Side::Black => (&mut *black, &mut *white),
            };
            let mut evidence = None;
            if let Some(uci) = self.book_move(side) {
                match self.follow_book(side, &uci, engine).await {
                    None => continue,
                    Some(ending) => return ending,
                }
            }
            let outcome = match self.think(side, engine, opponent).await {
                Ok((mut answer, is_hit)) => {
                    let best = answer.best.as_str();
                    evidence = self.excuse_our_delay(side, best, &mut answer.elapsed, engine);
                    let wish = self.ponder.wish(side, answer.ponder);
                    match self.make_move(side, answer, is_hit) {
                        None => self.start_pondering(side, wish, engine).await,
                        ending => ending,
                    }
                }
                Err(mut failure) => {
                    if let SearchFailure::NoMove { line, elapsed }
                    | SearchFailure::Unreadable { line, elapsed } = &mut failure
                    {
                        evidence = self.excuse_our_delay(side, line, elapsed, engine);
                    }
                    Some(self.failed_search(side, &failure))
                }
            };
            if let Some(mut ending) = outcome {
                if self.config.judged_as.spares(ending.termination)
                    && ending.offender.is_some_and(|side| self.referee.is_bare(side.other()))
                {
                    ending.result = Some(GameResult::Draw);
                }
                let evidence = evidence.unwrap_or_else(|| engine.evidence());
                self.deadline(self.referee.turn()).explain(&mut ending, engine, &evidence);
                return ending;
            }
        }
    }

    /// The position for watchers. No clock runs while it is made.
    fn live_position(&self) -> LivePosition {
        let opening = self.opening.moves.iter().map(|played| (&played.san[..], &played.uci[..]));
        let played = self.moves.iter().map(|played| (&played.san[..], &played.uci[..]));
        let moves = opening.chain(played);
        LivePosition {
            game: self.pairing.game,
            start: self.opening.fen.clone(),
            fen: self.referee.fen(),
            last: moves.clone().last().map(|(_, uci)| uci.into()),
            moves: moves.map(|(san, _)| san.into()).collect(),
            white: self.live_side(Side::White),
            black: self.live_side(Side::Black),
        }
    }

    fn live_side(&self, side: Side) -> LiveSide {
        // The side to move made the last move but one.
        let latest = self.moves.iter().rev().nth(usize::from(side == self.referee.turn()));
        LiveSide {
            engine: self.pairing.engine(side),
            clock_left: self.clocks[side as usize].as_ref().map(|clock| clock.remaining),
            score: latest.and_then(|played| played.score),
            depth: latest.and_then(|played| played.depth),
        }
    }

    /// Asks an engine for its move, and returns whether it was pondering on the reply that was played. The opponent may
    /// be pondering meanwhile.
    async fn think(
        &mut self,
        side: Side,
        engine: &mut EngineProcess,
        opponent: &mut EngineProcess,
    ) -> Result<(Answer, bool), SearchFailure> {
        let go = search_order(&self.limits[side as usize], &self.clocks, side);
        let stall = self.stall[side as usize];
        let Deadline { limit, .. } = self.deadline(side);
        let timeout = limit.map_or(stall, |limit| limit + self.config.timeouts.late);
        let watch = limit.unwrap_or(stall) / 2;
        let is_hit = self.ponder.is_hit(side, self.moves.last().map(|reply| reply.uci.as_str()));
        let ready = self.config.timeouts.ready;
        let search = async {
            if is_hit {
                engine.watch_after(watch);
                return engine.ponder_hit(timeout).await;
            }
            engine.stop_pondering(ready).await?;
            engine.watch_after(watch);
            engine.search(SearchTask::Of(&self.position, &go), timeout).await
        };
        let answer =
            if opponent.is_pondering() { ponder::beside(search, opponent).await } else { search.await };
        let answer = match &answer {
            Err(SearchFailure::Unreadable { line, elapsed })
                if self.config.judged_as == JudgedAs::Cutechess
                    && let Some(written) = line.split_whitespace().nth(1)
                    && let Some(Ok(best)) =
                        self.referee.read_as_cutechess(written).map(|uci| uci.parse()) =>
            {
                Ok(Answer { written: Some(written.to_owned()), ..engine.answer_with(best, *elapsed) })
            }
            _ => answer,
        };
        answer.map(|answer| (answer, is_hit))
    }

    /// Lets the engine that has just moved ponder on its expected reply.
    async fn start_pondering(
        &mut self,
        side: Side,
        wish: Option<UciMove>,
        engine: &mut EngineProcess,
    ) -> Option<Ending> {
        let reply = wish?;
        let mut ahead = self.referee.clone();
        if self.referee.outcome().is_some()
            || ahead.play(reply.as_str()).is_err()
            || ahead.outcome().is_some()
        {
            return None;
        }
        let go = Go { ponder: true, ..search_order(&self.limits[side as usize], &self.clocks, side) };
        let question = SearchTask::After(&self.position, reply.as_str(), &go);
        match engine.start_pondering(question, self.config.timeouts.ready).await {
            Ok(()) => {
                self.ponder.expect(side, reply);
                None
            }
            Err(failure) => Some(self.failed_search(side, &failure)),
        }
    }

    /// Adds what the system knows about an engine's fault to the end of the game.
    pub(crate) fn explain(&self, ending: &mut Ending, engine: &mut EngineProcess) {
        let evidence = engine.evidence();
        self.deadline(self.referee.turn()).explain(ending, engine, &evidence);
    }

    fn deadline(&self, side: Side) -> Deadline {
        let clock = self.clocks[side as usize].as_ref().map(Clock::limit);
        let margin = self.config.time_margin_of(self.pairing.engine(side));
        let limit = clock.or_else(|| self.limits[side as usize].movetime.map(|time| time + margin));
        Deadline { limit, clock: self.config.clock }
    }

    /// Subtracts the runner's own delay from the time of a late answer, and returns the measurements if it was late.
    fn excuse_our_delay(
        &mut self,
        side: Side,
        answer: &str,
        elapsed: &mut Duration,
        engine: &EngineProcess,
    ) -> Option<SearchEvidence> {
        let deadline = self.deadline(side);
        deadline.overrun(*elapsed)?;
        let evidence = engine.evidence();
        let not_its_own = match self.config.clock {
            ClockKind::Wall => evidence.runner_wait(),
            ClockKind::Cpu => evidence.standstill,
        };
        if let Some(told) = deadline.excuse(answer, elapsed, not_its_own) {
            let text = format!("move {}: {told}", self.referee.move_number());
            self.warnings.add(side, WarningKind::RunnerLate, text, None);
        }
        Some(evidence)
    }

    /// Checks an answer by the rules, in order: first whether it is in time, then whether it is legal.
    fn make_move(&mut self, side: Side, mut answer: Answer, pondered: bool) -> Option<Ending> {
        if side == Side::Black
            && self.config.engines[self.pairing.black].white_pov
            && let Some(score) = answer.info.as_mut().and_then(|info| info.score.as_mut())
        {
            score.value = match score.value {
                ScoreValue::Centipawns(value) => ScoreValue::Centipawns(value.saturating_neg()),
                ScoreValue::Mate(moves) => ScoreValue::Mate(moves.saturating_neg()),
            };
        }
        let judged_as = self.config.judged_as;
        if let Some(loss) = self.deadline(side).loss(side, answer.best.as_str(), answer.elapsed) {
            return Some(loss);
        }
        for warning in move_warnings(&self.referee, &answer, self.config.check_mate_pvs) {
            let text = format!("move {}: {}", self.referee.move_number(), warning.text);
            self.warnings.add(side, warning.kind, text, warning.culprit);
        }
        let clock_left = self.clocks[side as usize].as_mut().map(|clock| {
            // The limit has been checked above.
            let _ = clock.stop(answer.elapsed);
            clock.remaining
        });
        let played = match judged_as.play(&mut self.referee, &answer) {
            Ok(played) => played,
            Err(illegal) => {
                let ending = Ending::fault(side, Termination::IllegalMove, illegal.to_string());
                return Some(Ending { illegal_move: Some(illegal.text), ..ending });
            }
        };
        if answer.written.is_some() || played.uci() != answer.best.as_str() {
            let written = answer.written.as_deref().unwrap_or(answer.best.as_str());
            let text = format!("answered {written}, which the protocol writes as {}; taken", played.uci());
            self.warnings.add(side, WarningKind::OddNotation, text, None);
        }
        self.position.extend(played.uci(), &self.referee, self.config.position);
        let info = answer.info.unwrap_or_default();
        let score = judged_as.score(&info);
        let pv = (self.config.pgn.has(PgnField::Pv, false) && !info.pv.is_empty()).then(|| {
            let moves: Vec<&str> = info.pv.iter().map(UciMove::as_str).collect();
            moves.join(" ").into_boxed_str()
        });
        let record = MoveRecord {
            uci: played.uci().into(),
            san: played.san().into(),
            time: answer.elapsed,
            clock_left,
            score,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            nps: info.nps,
            hashfull: info.hashfull,
            tbhits: info.tbhits,
            // The engine counts from `go ponder`, the runner from `ponderhit`: the two are not comparable.
            engine_time: info.time.filter(|_| !pondered),
            silence: Some(answer.silence).filter(|silence| !pondered && *silence >= LEAST_SILENCE),
            pondered,
            from_book: false,
            pv,
            lines: answer.lines,
        };
        self.note(side, record)
    }

    /// A move from the engine's book, if it has one that does not end the game.
    fn book_move(&self, side: Side) -> Option<String> {
        let EngineBook { path, moves } = self.config.engines[self.pairing.engine(side)].book.as_ref()?;
        let ply = self.opening.moves.len() + self.moves.len();
        if moves.is_some_and(|moves| ply >= 2 * moves) {
            return None;
        }
        let stream = (u64::from(self.pairing.pair) + 1) << 32 | ply as u64;
        let uci =
            book_move(path, &self.referee, &mut SeededDraw::new(self.config.book.seed, stream)).ok()??;
        let mut ahead = self.referee.clone();
        let goes_on = ahead.play(&uci).is_ok() && ahead.outcome().is_none();
        goes_on.then_some(uci)
    }

    /// Plays a move from the engine's book. It takes no time; if the engine is pondering, it is stopped.
    async fn follow_book(&mut self, side: Side, uci: &str, engine: &mut EngineProcess) -> Option<Ending> {
        self.ponder.is_hit(side, None);
        if let Err(failure) = engine.stop_pondering(self.config.timeouts.ready).await {
            return Some(self.failed_search(side, &failure));
        }
        let played = self.referee.play(uci).ok()?;
        self.position.extend(played.uci(), &self.referee, self.config.position);
        let record = MoveRecord {
            uci: played.uci().into(),
            san: played.san().into(),
            clock_left: self.clocks[side as usize].as_ref().map(|clock| clock.remaining),
            from_book: true,
            ..MoveRecord::default()
        };
        self.note(side, record)
    }

    /// Records the move that was played, and checks whether a rule ends the game.
    fn note(&mut self, side: Side, record: MoveRecord) -> Option<Ending> {
        let score = record.score;
        if self.moves.len() == self.moves.capacity() {
            // Doubling would leave a third of the memory unused, which counts where hundreds of games are played at
            // once.
            self.moves.reserve_exact(MOVES_AT_ONCE);
        }
        self.moves.push(record);
        if self.referee.outcome().is_some() {
            return None;
        }
        let verdict = match self.adjudicator.judge_position(&self.referee) {
            None => self.adjudicator.judge(side, &self.referee, score),
            known => known,
        };
        verdict.map(|(termination, result)| Ending::regular(termination, result))
    }

    fn failed_search(&self, side: Side, failure: &SearchFailure) -> Ending {
        let late = match failure {
            SearchFailure::NoMove { line, elapsed } | SearchFailure::Unreadable { line, elapsed } => {
                self.deadline(side).loss(side, line, *elapsed)
            }
            _ => None,
        };
        late.unwrap_or_else(|| Ending::failed_search(side, failure, &self.referee.fen()))
    }

    pub(crate) fn into_record(self, ending: Ending) -> GameRecord {
        let Pairing { game, pair, white, black, .. } = self.pairing;
        GameRecord {
            game,
            pair,
            white,
            black,
            opening: self.opening,
            moves: self.moves,
            result: ending.result,
            termination: ending.termination,
            offender: ending.offender,
            detail: ending.detail,
            overrun: ending.overrun,
            illegal_move: ending.illegal_move,
            excused: ending.excused,
            warnings: self.warnings.texts(),
            final_fen: self.referee.fen(),
            started: self.started,
            duration: self.begin.elapsed(),
            ..GameRecord::default()
        }
    }
}
