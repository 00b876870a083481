//! The cause of a late or missing answer.

use std::fmt;
use std::time::Duration;

use crate::process::SearchEvidence;

/// The granularity of scheduler statistics; shorter times prove nothing.
const GRAIN: Duration = Duration::from_millis(5);

/// An engine that used less than 1 part in this many of the time was idle.
const IDLE_SHARE: u32 = 10;

/// The cause by the measurements of a search, with the deciding figure.
///
/// The causes are tried in the order given here. The runner and the machine come first, so that an engine is only
/// blamed for what they do not explain. Waiting explains a late answer if the answer would have been in time without
/// it, and a missing one if it took half of the time that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeLossVerdict {
    /// The machine was suspended during the search, for this long.
    MachineWasSuspended(Duration),
    /// The hypervisor took a core for this long.
    HypervisorTookCore(Duration),
    /// The runner's thread waited this long for a core, or did not read the engine for this long. An answer that comes
    /// is not lost by that: the wait is taken off its time.
    RunnerWasLate(Duration),
    /// The engine waited this long for a core.
    EngineWasStarved(Duration),
    /// The two waits together explain what neither does alone.
    BothWaited { engine: Duration, runner: Duration },
    /// The engine was stopped by a signal.
    EngineWasStopped,
    /// The engine used next to no CPU in that time.
    EngineWasIdle { used: Duration, of: Duration },
    /// The engine used its time for thinking.
    EngineThoughtTooLong { used: Duration, of: Duration },
    /// There are no measurements.
    Unknown,
}

impl TimeLossVerdict {
    /// The verdict on an answer that came too late by `overrun`, or, without one, on an answer that never came.
    pub(super) fn new(evidence: &SearchEvidence, overrun: Option<Duration>) -> TimeLossVerdict {
        if evidence.suspended > GRAIN {
            return TimeLossVerdict::MachineWasSuspended(evidence.suspended);
        }
        let runner = evidence.runner_wait();
        let Some(watched) = evidence.watched else {
            // The first look was due before the time was up. Without one our thread did not run at all since then.
            return if runner >= overrun.unwrap_or(GRAIN) {
                TimeLossVerdict::RunnerWasLate(runner)
            } else {
                TimeLossVerdict::Unknown
            };
        };
        let decisive = overrun.unwrap_or(watched / 2);
        // What was stolen counts as time on a core for all threads, so it comes before their own figures.
        if evidence.stolen > GRAIN && evidence.stolen >= decisive {
            return TimeLossVerdict::HypervisorTookCore(evidence.stolen);
        }
        if runner >= decisive {
            return TimeLossVerdict::RunnerWasLate(runner);
        }
        let Some(engine) = evidence.engine else { return TimeLossVerdict::Unknown };
        if matches!(engine.state, 'T' | 't') {
            TimeLossVerdict::EngineWasStopped
        } else if engine.waited >= decisive {
            TimeLossVerdict::EngineWasStarved(engine.waited)
        } else if engine.waited + runner >= decisive {
            TimeLossVerdict::BothWaited { engine: engine.waited, runner }
        } else if engine.used < watched / IDLE_SHARE {
            TimeLossVerdict::EngineWasIdle { used: engine.used, of: watched }
        } else {
            TimeLossVerdict::EngineThoughtTooLong { used: engine.used, of: watched }
        }
    }
}

impl SearchEvidence {
    /// Why an answer came too late by `overrun`, or, without one, never: in words, and whether the machine or our thread is to
    /// blame and not the engine.
    pub fn cause(&self, overrun: Option<Duration>) -> (String, bool) {
        let verdict = TimeLossVerdict::new(self, overrun);
        (verdict.to_string(), verdict.excuses_engine())
    }
}

impl TimeLossVerdict {
    /// The verdict on an answer that never came, by an engine whose time is its processor time: nobody can have kept it
    /// from its work.
    pub(super) fn by_processor_time(evidence: &SearchEvidence) -> TimeLossVerdict {
        let Some((of, engine)) = evidence.watched.zip(evidence.engine) else {
            return TimeLossVerdict::Unknown;
        };
        let used = engine.used;
        if matches!(engine.state, 'T' | 't') {
            TimeLossVerdict::EngineWasStopped
        } else if used + engine.waited < of / IDLE_SHARE {
            TimeLossVerdict::EngineWasIdle { used, of }
        } else {
            TimeLossVerdict::EngineThoughtTooLong { used, of }
        }
    }

    /// Whether the machine or the runner is to blame, and not the engine.
    pub(super) const fn excuses_engine(&self) -> bool {
        match self {
            TimeLossVerdict::MachineWasSuspended(_)
            | TimeLossVerdict::HypervisorTookCore(_)
            | TimeLossVerdict::RunnerWasLate(_)
            | TimeLossVerdict::EngineWasStarved(_)
            | TimeLossVerdict::BothWaited { .. } => true,
            TimeLossVerdict::EngineWasStopped
            | TimeLossVerdict::EngineWasIdle { .. }
            | TimeLossVerdict::EngineThoughtTooLong { .. }
            | TimeLossVerdict::Unknown => false,
        }
    }
}

impl fmt::Display for TimeLossVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = |time: &Duration| time.as_secs_f64() * 1e3;
        match self {
            TimeLossVerdict::MachineWasSuspended(time) => {
                write!(f, "the machine was suspended for {:.1} ms", millis(time))
            }
            TimeLossVerdict::HypervisorTookCore(time) => {
                write!(f, "the hypervisor took a core for {:.1} ms", millis(time))
            }
            TimeLossVerdict::RunnerWasLate(time) => {
                write!(f, "the runner was late: its thread waited {:.1} ms for a core", millis(time))
            }
            TimeLossVerdict::EngineWasStarved(time) => {
                write!(f, "the engine was starved: it waited {:.1} ms for a core", millis(time))
            }
            TimeLossVerdict::BothWaited { engine, runner } => write!(
                f,
                "the engine was starved and the runner late: they waited {:.1} and {:.1} ms for a core",
                millis(engine),
                millis(runner)
            ),
            TimeLossVerdict::EngineWasStopped => f.write_str("the engine was stopped by a signal"),
            TimeLossVerdict::EngineWasIdle { used, of } => write!(
                f,
                "the engine was idle: it slept or waited, and used {:.1} ms of CPU in the last {:.1} ms",
                millis(used),
                millis(of)
            ),
            TimeLossVerdict::EngineThoughtTooLong { used, of } => write!(
                f,
                "the engine thought too long: it used {:.1} ms of CPU in the last {:.1} ms",
                millis(used),
                millis(of)
            ),
            TimeLossVerdict::Unknown => f.write_str("cause unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{CpuUse, EngineUse};

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// A search of 600 ms that was watched for its last half, by an engine that was thinking all the time.
    fn thinking() -> SearchEvidence {
        SearchEvidence {
            elapsed: ms(600),
            watched: Some(ms(300)),
            overdue: ms(1),
            engine: Some(EngineUse { state: 'R', threads: 2, used: ms(295), waited: ms(2) }),
            runner: Some(CpuUse { used: ms(1), waited: ms(1) }),
            stolen: Duration::ZERO,
            suspended: Duration::ZERO,
            standstill: Duration::ZERO,
        }
    }

    fn with_engine(change: impl Fn(&mut EngineUse)) -> SearchEvidence {
        let mut evidence = thinking();
        evidence.engine.iter_mut().for_each(change);
        evidence
    }

    #[test]
    fn every_cause_shows_in_its_figures() {
        let late = Some(ms(100));
        let runner_waited =
            SearchEvidence { runner: Some(CpuUse { used: ms(1), waited: ms(150) }), ..thinking() };
        let runner_did_not_look = SearchEvidence { watched: None, overdue: ms(250), ..thinking() };
        let runner_looked_late = SearchEvidence { overdue: ms(110), ..thinking() };
        let cases = [
            (thinking(), late, "the engine thought too long: it used 295.0 ms of CPU in the last 300.0 ms"),
            (
                with_engine(|engine| engine.waited = ms(150)),
                late,
                "the engine was starved: it waited 150.0 ms for a core",
            ),
            (
                with_engine(|engine| engine.used = ms(3)),
                late,
                "the engine was idle: it slept or waited, and used 3.0 ms of CPU in the last 300.0 ms",
            ),
            (with_engine(|engine| engine.state = 'T'), None, "the engine was stopped by a signal"),
            (runner_waited, late, "the runner was late: its thread waited 150.0 ms for a core"),
            (runner_did_not_look, late, "the runner was late: its thread waited 248.0 ms for a core"),
            (runner_looked_late, late, "the runner was late: its thread waited 109.0 ms for a core"),
            (
                SearchEvidence { suspended: ms(9000), ..thinking() },
                late,
                "the machine was suspended for 9000.0 ms",
            ),
            (
                SearchEvidence { stolen: ms(110), ..thinking() },
                late,
                "the hypervisor took a core for 110.0 ms",
            ),
            (
                SearchEvidence { stolen: ms(90), ..thinking() },
                late,
                "the engine thought too long: it used 295.0 ms of CPU in the last 300.0 ms",
            ),
            (SearchEvidence { engine: None, ..thinking() }, late, "cause unknown"),
        ];
        for (evidence, overrun, expected) in cases {
            let verdict = TimeLossVerdict::new(&evidence, overrun);
            assert_eq!(verdict.to_string(), expected);
            let others =
                ["engine was starved", "runner was late", "machine was suspended", "hypervisor took"];
            let is_others = others.iter().any(|other| expected.contains(other));
            assert_eq!(verdict.excuses_engine(), is_others, "{expected}");
        }
    }

    #[test]
    fn two_waits_may_explain_together_what_neither_does_alone() {
        let evidence = SearchEvidence {
            runner: Some(CpuUse { used: ms(1), waited: ms(60) }),
            ..with_engine(|engine| engine.waited = ms(70))
        };
        let verdict = TimeLossVerdict::new(&evidence, Some(ms(100)));
        assert_eq!(verdict, TimeLossVerdict::BothWaited { engine: ms(70), runner: ms(60) });
        assert!(verdict.excuses_engine());
        assert_eq!(
            verdict.to_string(),
            "the engine was starved and the runner late: they waited 70.0 and 60.0 ms for a core"
        );
    }

    #[test]
    fn waiting_that_does_not_explain_the_delay_is_no_excuse() {
        let evidence = with_engine(|engine| engine.waited = ms(98));
        assert!(matches!(
            TimeLossVerdict::new(&evidence, Some(ms(100))),
            TimeLossVerdict::EngineThoughtTooLong { .. }
        ));
    }

    #[test]
    fn a_missing_answer_is_explained_by_half_of_the_time() {
        let starved = with_engine(|engine| engine.waited = ms(160));
        assert_eq!(TimeLossVerdict::new(&starved, None), TimeLossVerdict::EngineWasStarved(ms(160)));
        let busy = with_engine(|engine| engine.waited = ms(140));
        assert!(matches!(TimeLossVerdict::new(&busy, None), TimeLossVerdict::EngineThoughtTooLong { .. }));
    }

    #[test]
    fn a_search_too_short_to_be_watched_proves_nothing() {
        let evidence = SearchEvidence { watched: None, overdue: ms(1), ..thinking() };
        assert_eq!(TimeLossVerdict::new(&evidence, Some(ms(1))), TimeLossVerdict::Unknown);
        // A millisecond beyond the slack of timers does not explain two.
        let evidence = SearchEvidence { overdue: ms(3), ..evidence };
        assert_eq!(TimeLossVerdict::new(&evidence, Some(ms(2))), TimeLossVerdict::Unknown);
    }
}
