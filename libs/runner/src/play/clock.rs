//! The clock of one side, and deadlines.

use std::time::Duration;

use super::ending::Ending;
use crate::process::{ClockKind, EngineProcess, Millis, SearchEvidence};
use crate::{SearchLimits, Termination, TimeControl, TimeStage};
use referee::Side;
use uci::Go;

/// The clock of one side in a game.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    stage: usize,
    /// The time left for the next move and all later ones; never negative, even if the margin was used.
    pub remaining: Duration,
    /// The moves until more time is added, including the next one: with 40 moves it counts down from 40 to 1, and the time of
    /// the next stage is added after the 40th move.
    ///
    /// Only moves that the engine made itself count, not the opening's: both engines get the whole time for the moves that
    /// they think about, whatever the opening and the side that moves first.
    pub moves_to_go: Option<u32>,
    time_margin: Duration,
}

impl Clock {
    /// A clock at the start of the game. It may be overstepped by `time_margin` without a loss.
    pub fn new(control: TimeControl, time_margin: Duration) -> Clock {
        let (remaining, moves_to_go) = (Duration::ZERO, None);
        let mut clock = Clock { control, stage: 0, remaining, moves_to_go, time_margin };
        clock.begin_stage(0);
        clock.remaining += clock.increment();
        clock
    }

    fn begin_stage(&mut self, stage: usize) {
        self.stage = stage;
        let TimeStage { moves, time, .. } = self.present_stage();
        self.moves_to_go = moves;
        self.remaining += time;
    }

    fn present_stage(&self) -> TimeStage {
        self.control.stages()[self.stage]
    }

    /// The time added before every move of the stage, including the first, as in fastchess and cutechess.
    pub fn increment(&self) -> Duration {
        self.present_stage().increment
    }

    /// The most time that the next move may take without losing.
    pub fn limit(&self) -> Duration {
        self.remaining + self.time_margin
    }

    /// Stops the clock after a move that took `elapsed`, and adds the time of the next stage, if it begins, and the increment
    /// of the next move.
    ///
    /// # Errors
    /// By how much the time including the margin was overstepped.
    pub fn stop(&mut self, elapsed: Duration) -> Result<(), Duration> {
        if elapsed > self.limit() {
            return Err(elapsed.saturating_sub(self.limit()));
        }
        self.remaining = self.remaining.saturating_sub(elapsed);
        if let Some(left) = &mut self.moves_to_go {
            *left -= 1;
            if *left == 0 {
                // The last stage repeats.
                self.begin_stage((self.stage + 1).min(self.control.stages().len() - 1));
            }
        }
        self.remaining += self.increment();
        Ok(())
    }
}

/// The smallest clock value that is sent. UCI times are whole milliseconds, and many engines take 0 to mean no clock.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// The `go` command for the side to move, from its own limits and both clocks (White's first).
///
/// An engine without a clock gets no clock, even if its opponent has one; an engine with a clock gets its own and its
/// opponent's, if there is one. All this is as in fastchess, whose lines the test has.
pub fn search_order(limits: &SearchLimits, clocks: &[Option<Clock>; 2], side: Side) -> Go {
    let mut go = limits.go();
    if let Some(own) = &clocks[side as usize] {
        let [white, black] = clocks;
        let time = |clock: &Option<Clock>| clock.as_ref().map(|clock| clock.remaining.max(LEAST_TIME));
        let increment =
            |clock: &Option<Clock>| clock.as_ref().map(Clock::increment).filter(|time| !time.is_zero());
        (go.wtime, go.btime) = (time(white), time(black));
        (go.winc, go.binc) = (increment(white), increment(black));
        go.movestogo = own.moves_to_go;
    }
    go
}

/// The deadline of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    /// The time that the move may take; `None` if only the stall timeout limits it.
    pub(super) limit: Option<Duration>,
    /// The clock that measures this time.
    pub(super) clock: ClockKind,
}

impl Deadline {
    pub(super) fn overrun(self, elapsed: Duration) -> Option<Duration> {
        self.limit.and_then(|limit| elapsed.checked_sub(limit)).filter(|late| !late.is_zero())
    }

    /// No engine should lose on time because of Arbiter or the machine. If it makes a late answer timely, this subtracts the
    /// time that the runner's thread waited for a core or, with CPU time, the delay of its timers. Returns the warning in that
    /// case.
    pub(super) fn excuse(self, answer: &str, elapsed: &mut Duration, waited: Duration) -> Option<String> {
        let late = self.overrun(*elapsed).filter(|late| waited >= *late)?;
        *elapsed = elapsed.saturating_sub(waited);
        let (late, waited) = (Millis(late), Millis(waited));
        let why = match self.clock {
            ClockKind::Wall => format!("the runner's thread waited {waited} for a core"),
            ClockKind::Cpu => format!("our timers were {waited} late, as if the machine had stood still"),
        };
        Some(format!("{answer} would have been {late} too late, but {why}; that is not counted"))
    }

    pub(super) fn loss(self, side: Side, answer: &str, elapsed: Duration) -> Option<Ending> {
        let late = self.overrun(elapsed)?;
        let of_what = if self.clock == ClockKind::Cpu { " of CPU time" } else { "" };
        let detail =
            format!("{answer} answered after {}{of_what}, {} too late", Millis(elapsed), Millis(late));
        let ending = Ending::fault(side, Termination::TimeLoss, detail);
        Some(Ending { overrun: Some(late), ..ending })
    }

    /// Adds what the system knows about a fault to the end of a game: the figures to the protocol log and, for a late or
    /// missing answer, the verdict to the record.
    pub(super) fn explain(self, ending: &mut Ending, engine: &mut EngineProcess, evidence: &SearchEvidence) {
        if !ending.termination.is_fault() {
            return;
        }
        let is_late = ending.termination == Termination::TimeLoss;
        let overrun = ending.overrun.or_else(|| self.overrun(evidence.elapsed).filter(|_| is_late));
        let verdict = match (ending.termination, self.clock) {
            (Termination::TimeLoss | Termination::Stall, ClockKind::Wall) => Some(evidence.cause(overrun)),
            (Termination::Stall, ClockKind::Cpu) => Some(evidence.cause_by_processor_time()),
            // With CPU time, a late answer is always due to the engine's own work.
            _ => None,
        };
        if let Some((verdict, is_excused)) = verdict {
            ending.excused = is_excused;
            engine.note(&format!("verdict: {verdict}"));
            ending.detail = Some(format!("{}; {verdict}", ending.detail.take().unwrap_or_default()));
        }
        evidence.remarks().iter().for_each(|remark| engine.note(remark));
    }
}

#[cfg(test)]
mod tests;
