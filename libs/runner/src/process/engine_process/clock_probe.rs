//! Tests whether an engine uses its CPU time as the time when it is shown that instead of wall-clock time.
//!
//! The engine is stopped by a signal in the middle of a search, for longer than the search may take, and then continued.
//! An engine that measures its CPU time has the rest of its time left and uses it. An engine that measures time in another
//! way, by the processor's counter or a sleeping thread, finds its time over and answers at once.

use std::time::{Duration, Instant};

use super::{EngineProcess, Silence};
use crate::process::{Answer, EngineError, SearchFailure};
use crate::protocol::{Expected, PositionLine, SearchTask};
use crate::{EngineConfig, SearchLimits};
use cpu_clock::Way;
use uci::{Go, OptionKind};

/// The search of the test. The position is quiet and has many moves.
const POSITION: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9";
const MOVETIME: Duration = Duration::from_millis(300);

/// The engine is stopped once it has worked for 10 ms, which is checked every millisecond, and continued after 450 ms. On
/// a busy machine, 10 ms of work can take much longer.
const WORK_BEFORE: Duration = Duration::from_millis(10);
const LOOK: Duration = Duration::from_millis(1);
const PAUSE: Duration = Duration::from_millis(450);

/// The number of attempts if the engine answers too early: it might have waited for a core.
const ATTEMPTS: usize = 4;

/// The longest wait until the engine is ready for a game, unless it has its own `start_timeout`.
const READY: Duration = Duration::from_secs(10);

/// The longest search of a probe, in the engine's time.
const TIMEOUT: Duration = Duration::from_secs(5);

/// What [`EngineProcess::probe_clock`] finds out: whether an engine measures time by its CPU time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockProbe {
    /// The engine worked on after it was stopped: its CPU time in all, of 300 ms.
    Holds(Duration),
    /// The engine does not use its time in that position, whether it is stopped or not.
    Unknown,
    /// CPU time cannot be the engine's time, for this reason.
    Fails(String),
}

impl EngineProcess {
    /// Begins a game with an engine that was started to be timed by CPU time, and tests whether it measures that.
    ///
    /// # Errors
    /// [`EngineError::Silent`] if it does not get ready, [`EngineError::Ended`] if it ends.
    pub async fn probe_clock(&mut self, config: &EngineConfig) -> Result<ClockProbe, EngineError> {
        let is_loaded = self.clock.processes.iter().any(|process| cpu_clock::is_loaded(*process));
        if !is_loaded && Way::of(&config.program) == Way::Library {
            let reason = "it did not load the library that shows it its CPU time, as programs do not that run with \
                           the rights of another user";
            return Ok(ClockProbe::Fails(reason.to_owned()));
        }
        if let Some(OptionKind::Spin { default, .. }) =
            self.introduction().option("Threads").map(|option| &option.kind)
            && *default > 1
            && config.threads_given().is_none()
        {
            return Ok(ClockProbe::Fails(format!(
                "it has {default} threads by default, which share the time: say how many it is to have, as :Threads=1"
            )));
        }
        self.new_game(config.start_timeout.unwrap_or(READY)).await?;
        let (position, go) =
            (PositionLine::from_fen(POSITION), Go { movetime: Some(MOVETIME), ..Go::default() });
        if self.refuses(&SearchLimits::of(&go)).is_some() {
            let reason = "its protocol has no search of a part of a second, by which this is tested";
            return Ok(ClockProbe::Fails(reason.to_owned()));
        }
        let question = SearchTask::Of(&position, &go);
        let mut worked = Duration::ZERO;
        for _ in 0..ATTEMPTS {
            let answer = self.search_with_a_stop(question).await;
            let Some(stopped) = self.worked(answer)? else { return Ok(ClockProbe::Unknown) };
            if stopped >= MOVETIME * 3 / 4 {
                return Ok(ClockProbe::Holds(stopped));
            }
            // If the engine moves early, it might do so without being stopped as well.
            let begin = Instant::now();
            let answer = self.search(question, TIMEOUT).await;
            let Some(alone) = self.worked(answer)? else { return Ok(ClockProbe::Unknown) };
            if begin.elapsed() < MOVETIME * 9 / 10 {
                return Ok(ClockProbe::Unknown);
            }
            worked = stopped;
            if alone > 2 * stopped {
                break;
            }
        }
        Ok(ClockProbe::Fails(format!(
            "it looks at another clock, such as the processor's counter (rdtsc): stopped in the middle of a search of {} ms, \
             it answered after {} ms of work",
            MOVETIME.as_millis(),
            worked.as_millis()
        )))
    }

    /// How long a search took; `None` if it brought no move.
    fn worked(&self, answer: Result<Answer, SearchFailure>) -> Result<Option<Duration>, EngineError> {
        match answer {
            Ok(answer) => Ok(Some(answer.elapsed)),
            Err(SearchFailure::Ended(end)) => {
                Err(self.explain(Silence::Ended(end), Expected::Answer("bestmove"), TIMEOUT))
            }
            Err(_) => Ok(None),
        }
    }

    /// Searches, and stops the engine meanwhile if it thinks for long enough.
    async fn search_with_a_stop(&mut self, question: SearchTask<'_>) -> Result<Answer, SearchFailure> {
        let (clock, group) = (self.clock.clone(), self.group);
        let begin = clock.now();
        let stop = async {
            while clock.since(&begin) < WORK_BEFORE {
                tokio::time::sleep(LOOK).await;
            }
            signal(group, false);
            tokio::time::sleep(PAUSE).await;
            signal(group, true);
        };
        let mut search = std::pin::pin!(self.search(question, TIMEOUT));
        tokio::select! {
            biased;
            answer = &mut search => answer,
            () = stop => search.await,
        }
    }
}

/// Stops the process group of an engine, or continues it.
fn signal(group: Option<u32>, goes_on: bool) {
    #[cfg(unix)]
    if let Some(group) = group.and_then(|id| rustix::process::Pid::from_raw(id as i32)) {
        use rustix::process::{Signal, kill_process_group};
        // If the group has ended, the answer shows it.
        let _ = kill_process_group(group, if goes_on { Signal::CONT } else { Signal::STOP });
    }
    #[cfg(not(unix))]
    let _ = (group, goes_on);
}
