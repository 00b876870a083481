//! The cause of a late or missing answer.

use std::time::Duration;

use crate::process::{EngineUse, Millis, SearchEvidence};

/// The granularity of the scheduler's statistics; shorter times prove nothing.
const GRAIN: Duration = Duration::from_millis(5);

/// An engine that used less than this fraction (1 in 10) of the time was idle.
const IDLE_SHARE: u32 = 10;

impl SearchEvidence {
    /// The cause of an answer that came `overrun` too late or, if that is `None`, never came: in words, with the deciding
    /// figure, and whether the machine or the runner's thread is to blame and not the engine.
    ///
    /// The runner and the machine are checked first, so that an engine is only blamed for what they do not explain. Waiting
    /// explains a late answer if the answer would have been in time without it, and a missing answer if it took half of the
    /// measured time.
    pub fn cause(&self, overrun: Option<Duration>) -> (String, bool) {
        let (runner, suspended, stolen) = (self.runner_wait(), self.suspended, self.stolen);
        // This does not lose an answer that comes: the wait is deducted from its time.
        let late_runner =
            || (format!("the runner was late: its thread waited {} for a core", Millis(runner)), true);
        if suspended > GRAIN {
            return (format!("the machine was suspended for {}", Millis(suspended)), true);
        }
        let Some(watched) = self.watched else {
            // The first look was due before the time was up. If there was none, the runner's thread has not run since then.
            return if runner >= overrun.unwrap_or(GRAIN) { late_runner() } else { unknown() };
        };
        let decisive = overrun.unwrap_or(watched / 2);
        // Stolen time counts as time on a core for all threads, so it is checked before their own figures.
        if stolen > GRAIN && stolen >= decisive {
            return (format!("the hypervisor took a core for {}", Millis(stolen)), true);
        }
        if runner >= decisive {
            return late_runner();
        }
        let Some(engine) = self.engine else { return unknown() };
        let waited = engine.waited;
        if engine.is_stopped() {
            engine.cause(watched, false)
        } else if waited >= decisive {
            (format!("the engine was starved: it waited {} for a core", Millis(waited)), true)
        } else if waited + runner >= decisive {
            let waited = waited.as_secs_f64() * 1e3;
            let why = "the engine was starved and the runner late";
            (format!("{why}: they waited {waited:.1} and {} for a core", Millis(runner)), true)
        } else {
            engine.cause(watched, engine.used < watched / IDLE_SHARE)
        }
    }

    /// The cause of a missing answer if the engine's time is its CPU time: nothing else can have kept the engine from
    /// working.
    pub(super) fn cause_by_processor_time(&self) -> (String, bool) {
        let Some((of, engine)) = self.watched.zip(self.engine) else { return unknown() };
        engine.cause(of, engine.used + engine.waited < of / IDLE_SHARE)
    }
}

impl EngineUse {
    fn is_stopped(self) -> bool {
        matches!(self.state, 'T' | 't')
    }

    /// What the engine did in this time, if nothing else is to blame.
    fn cause(self, of: Duration, is_idle: bool) -> (String, bool) {
        let did = match is_idle {
            _ if self.is_stopped() => return ("the engine was stopped by a signal".to_owned(), false),
            true => "was idle: it slept or waited, and",
            false => "thought too long: it",
        };
        (format!("the engine {did} used {} of CPU in the last {}", Millis(self.used), Millis(of)), false)
    }
}

fn unknown() -> (String, bool) {
    ("cause unknown".to_owned(), false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::CpuUse;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// A search of 600 ms that was watched during its second half; the engine was thinking all the time.
    fn thinking() -> SearchEvidence {
        SearchEvidence {
            elapsed: ms(600),
            watched: Some(ms(300)),
            overdue: ms(1),
            engine: Some(EngineUse { state: 'R', threads: 2, used: ms(295), waited: ms(2) }),
            runner: Some(CpuUse { used: ms(1), waited: ms(1) }),
            ..SearchEvidence::default()
        }
    }

    fn with_engine(change: impl Fn(&mut EngineUse)) -> SearchEvidence {
        let mut evidence = thinking();
        evidence.engine.iter_mut().for_each(change);
        evidence
    }

    #[test]
    fn every_cause_shows_in_its_figures() {
        const THOUGHT: &str = "the engine thought too long: it used 295.0 ms of CPU in the last 300.0 ms";
        const IDLE: &str =
            "the engine was idle: it slept or waited, and used 3.0 ms of CPU in the last 300.0 ms";
        const BOTH: &str =
            "the engine was starved and the runner late: they waited 70.0 and 60.0 ms for a core";
        let waits = |millis| with_engine(|engine| engine.waited = ms(millis));
        let runner = |millis, evidence| {
            let runner = Some(CpuUse { used: ms(1), waited: ms(millis) });
            SearchEvidence { runner, ..evidence }
        };
        let looks_late = |millis| SearchEvidence { overdue: ms(millis), ..thinking() };
        let does_not_look = |millis| SearchEvidence { watched: None, ..looks_late(millis) };
        // How late the answer was; 0 if it never came.
        let cases = [
            (thinking(), 100, THOUGHT),
            (waits(150), 100, "the engine was starved: it waited 150.0 ms for a core"),
            (with_engine(|engine| engine.used = ms(3)), 100, IDLE),
            (with_engine(|engine| engine.state = 'T'), 0, "the engine was stopped by a signal"),
            (runner(150, thinking()), 100, "the runner was late: its thread waited 150.0 ms for a core"),
            (does_not_look(250), 100, "the runner was late: its thread waited 248.0 ms for a core"),
            (looks_late(110), 100, "the runner was late: its thread waited 109.0 ms for a core"),
            (
                SearchEvidence { suspended: ms(9000), ..thinking() },
                100,
                "the machine was suspended for 9000.0 ms",
            ),
            (
                SearchEvidence { stolen: ms(110), ..thinking() },
                100,
                "the hypervisor took a core for 110.0 ms",
            ),
            (SearchEvidence { stolen: ms(90), ..thinking() }, 100, THOUGHT),
            (SearchEvidence { engine: None, ..thinking() }, 100, "cause unknown"),
            // A wait that does not explain the delay does not excuse the engine.
            (waits(98), 100, THOUGHT),
            (runner(60, waits(70)), 100, BOTH),
            // Half of the time explains a missing answer.
            (waits(160), 0, "the engine was starved: it waited 160.0 ms for a core"),
            (waits(140), 0, THOUGHT),
            // A search too short to be watched proves nothing. A delay of 1 ms beyond the slack of timers does not explain
            // 2 ms.
            (does_not_look(1), 1, "cause unknown"),
            (does_not_look(3), 2, "cause unknown"),
        ];
        for (evidence, overrun, expected) in cases {
            let others =
                ["engine was starved", "runner was late", "machine was suspended", "hypervisor took"];
            let is_others = others.iter().any(|other| expected.contains(other));
            let overrun = Some(ms(overrun)).filter(|overrun| !overrun.is_zero());
            assert_eq!(evidence.cause(overrun), (expected.to_owned(), is_others));
        }
    }
}
