//! When a move is too late, whose fault it is, and what is said about it.

use std::time::Duration;

use super::ending::Ending;
use super::time_loss_verdict::TimeLossVerdict;
use crate::Termination;
use crate::process::{Answer, EngineProcess, SearchEvidence};
use referee::Side;

/// The time after which a move is too late; none where nothing but the watchdog limits it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(pub Option<Duration>);

impl Deadline {
    /// By how much a move after `elapsed` is too late, if it is.
    pub(super) fn overrun(self, elapsed: Duration) -> Option<Duration> {
        self.0.and_then(|limit| elapsed.checked_sub(limit)).filter(|late| !late.is_zero())
    }

    /// No engine loses on time because of us: what our own thread waited for a core is taken off the time of a late
    /// answer if that makes it timely. Returns what is to be told then.
    pub(super) fn excuse(self, answer: &mut Answer, waited: Duration) -> Option<String> {
        let late = self.overrun(answer.elapsed).filter(|late| waited >= *late)?;
        answer.elapsed = answer.elapsed.saturating_sub(waited);
        Some(format!(
            "{} would have been {:.1} ms too late, but the runner's thread waited {:.1} ms for a core; that is not counted",
            answer.best,
            millis(late),
            millis(waited)
        ))
    }

    /// The end of a game by a late answer.
    pub(super) fn loss(self, side: Side, answer: &Answer) -> Option<Ending> {
        let late = self.overrun(answer.elapsed)?;
        let elapsed = millis(answer.elapsed);
        let detail =
            format!("{} answered after {elapsed:.1} ms, {:.1} ms too late", answer.best, millis(late));
        let ending = Ending::fault(side, Termination::TimeLoss, detail);
        Some(Ending { overrun: Some(late), ..ending })
    }

    /// Adds to the end of a game by an engine's fault what the system knows about it: the figures to the protocol log,
    /// and for a late or missing answer the verdict to the record.
    pub(super) fn explain(self, ending: &mut Ending, engine: &mut EngineProcess, evidence: &SearchEvidence) {
        if !ending.termination.is_fault() {
            return;
        }
        if matches!(ending.termination, Termination::TimeLoss | Termination::Stall) {
            let is_late = ending.termination == Termination::TimeLoss;
            let overrun = self.overrun(evidence.elapsed).filter(|_| is_late);
            let verdict = TimeLossVerdict::new(evidence, ending.overrun.or(overrun));
            ending.excused = verdict.excuses_engine();
            engine.note(&format!("verdict: {verdict}"));
            ending.detail = Some(format!("{}; {verdict}", ending.detail.take().unwrap_or_default()));
        }
        evidence.remarks().iter().for_each(|remark| engine.note(remark));
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
