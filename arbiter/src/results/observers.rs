//! Who hears a run: the files of its folder, its display, the output of a dialect.

use anyhow::Result;
use runner::{Event, FinishReason, Run, StopLevel};

use super::{RunState, SharedState};

/// Hears each event of a run when the journal has it and the state has counted it.
pub trait Observer {
    /// An error ends the run. It loses nothing, since the games are safe in the journal.
    fn on_event(&mut self, event: &Event, state: &RunState) -> Result<()>;
}

/// Keeps the events in memory.
impl Observer for Vec<Event> {
    fn on_event(&mut self, event: &Event, _: &RunState) -> Result<()> {
        self.push(event.clone());
        Ok(())
    }
}

/// Plays a run to its end, and tells the observers of it, in their order.
///
/// # Errors
/// The first error of an observer, unless the run itself has one.
pub fn play(run: Run, state: &SharedState, observers: &mut [&mut dyn Observer]) -> Result<FinishReason> {
    let control = run.control();
    let mut broken = None;
    let reason = run.execute(|event| {
        let mut state = state.lock();
        state.update(event);
        for observer in &mut *observers {
            if let Err(error) = observer.on_event(event, &state) {
                broken.get_or_insert(error);
                control.raise(StopLevel::Abandon);
            }
        }
    })?;
    broken.map_or(Ok(reason), Err)
}

#[cfg(all(test, unix))]
mod tests {
    use anyhow::ensure;
    use referee::openings::{Book, BookFormat, BookOptions};
    use runner::{BookConfig, EngineConfig, RunConfig, RunPlan, SearchLimits};
    use tempfile::TempDir;

    use super::*;

    /// An engine that knows one move.
    const SCRIPT: &str = "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                          go*) echo bestmove a1a8;; quit) exit;; esac; done";

    struct FullDisk;

    impl Observer for FullDisk {
        fn on_event(&mut self, event: &Event, _: &RunState) -> Result<()> {
            ensure!(!matches!(event, Event::GameFinished(_)), "full");
            Ok(())
        }
    }

    #[test]
    fn all_hear_every_event_and_an_error_of_one_ends_the_run() {
        let engine = |name: &str| EngineConfig {
            name: name.to_owned(),
            program: "/bin/sh".into(),
            args: vec!["-c".to_owned(), SCRIPT.to_owned()],
            ..EngineConfig::default()
        };
        let config = RunConfig {
            limits: SearchLimits { depth: Some(1), ..SearchLimits::default() },
            ..RunConfig::of(400, BookConfig::of("book"), vec![engine("a"), engine("b")])
        };
        let mate = b"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        let book = Book::read("book", mate, BookFormat::Epd, &BookOptions::default()).unwrap();
        let folder = TempDir::new().unwrap();
        let run = RunPlan::new(config.clone()).unwrap().start(book, folder.path()).unwrap();
        let (state, mut memory) = (SharedState::new(RunState::new(config)), Vec::new());
        let error = play(run, &state, &mut [&mut FullDisk, &mut memory]).unwrap_err();
        assert_eq!(error.to_string(), "full");
        assert!(matches!(memory.first(), Some(Event::RunStarted { .. })));
        assert!(matches!(memory.last(), Some(Event::RunFinished { reason: FinishReason::Requested, .. })));
        let games = memory.iter().filter(|event| matches!(event, Event::GameFinished(_))).count();
        assert!((1..400).contains(&games), "{games}");
    }
}
