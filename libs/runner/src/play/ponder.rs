//! Thinking on the opponent's time: what each engine of a game expects, and what becomes of it.
//!
//! After its move an engine may ponder on the reply it named, if it announces the option `Ponder`, pondering is asked
//! for, and the reply is legal and does not end the game. It gets `go ponder` with both clocks as they stand. When the
//! reply is played it gets `ponderhit`, and its time runs from there; when another one is, it is stopped, its answer is
//! dropped, and it gets a `go` as usual. The time that it takes to stop is on nobody's clock, but has a deadline.

use std::pin::pin;

use crate::process::EngineProcess;
use crate::{RunConfig, UciSetting};
use referee::Side;
use uci::UciMove;

/// The option by which an engine says that it can ponder.
const OPTION: &str = "Ponder";

/// What White and Black ponder on.
#[derive(Debug, Default)]
pub(super) struct Ponder {
    /// Whether each side ponders at all.
    enabled: [bool; 2],
    expected: [Option<UciMove>; 2],
}

impl Ponder {
    pub(super) fn enable(&mut self, side: Side, enabled: bool) {
        self.enabled[side as usize] = enabled;
    }

    /// The move that an engine would like to ponder on, if it may.
    pub(super) fn wish(&self, side: Side, wish: Option<UciMove>) -> Option<UciMove> {
        wish.filter(|_| self.enabled[side as usize])
    }

    pub(super) fn expect(&mut self, side: Side, reply: UciMove) {
        self.expected[side as usize] = Some(reply);
    }

    /// Whether a side pondered on the reply that was played; it expects nothing any more.
    pub(super) fn is_hit(&mut self, side: Side, played: Option<&str>) -> bool {
        let expected = self.expected[side as usize].take();
        expected.is_some_and(|expected| Some(expected.as_str()) == played)
    }
}

impl RunConfig {
    /// Whether an engine is asked to ponder: the run says so, and no option of its own takes it back.
    pub fn asks_to_ponder(&self, engine: usize) -> bool {
        self.ponder && !self.engines[engine].options.iter().any(refuses)
    }
}

/// Whether a setting says that its engine is not to ponder, as one without that option does not in any case.
pub(crate) fn refuses(setting: &UciSetting) -> bool {
    setting.name.eq_ignore_ascii_case(OPTION) && setting.value.as_deref().is_some_and(|value| value != "true")
}

pub(crate) fn can_ponder(engine: &EngineProcess) -> bool {
    engine.introduction().option(OPTION).is_some()
}

/// The setting that an engine gets before it is to ponder.
pub(crate) const fn setting() -> (&'static str, &'static str) {
    (OPTION, "true")
}

/// Waits for one engine while the output of another, which ponders, is read.
pub(super) async fn beside<T>(search: impl Future<Output = T>, pondering: &mut EngineProcess) -> T {
    let mut search = pin!(search);
    tokio::select! {
        biased;
        outcome = &mut search => return outcome,
        () = pondering.watch_pondering() => {}
    }
    search.await
}
