//! Pondering: thinking on the opponent's time.
//!
//! After its move an engine may ponder on the reply it named, if it announces the option `Ponder`, pondering is asked
//! for, and the reply is legal and does not end the game. It gets `go ponder` with both clocks as they stand. If that
//! reply is played, the engine gets `ponderhit`, and its time runs from there. Otherwise it is stopped, its answer is
//! dropped, and it gets a normal `go`. The time that it takes to stop is on nobody's clock, but has a deadline.

use std::pin::pin;

use crate::process::EngineProcess;
use crate::{RunConfig, UciSetting};
use referee::Side;
use uci::UciMove;

/// The option by which an engine says that it can ponder.
pub(crate) const OPTION: &str = "Ponder";

/// The replies that White and Black ponder on.
#[derive(Debug, Default)]
pub(super) struct Ponder {
    /// Whether each side ponders at all, White first.
    enabled: [bool; 2],
    expected: [Option<UciMove>; 2],
}

impl Ponder {
    pub(super) fn enable(&mut self, side: Side, enabled: bool) {
        self.enabled[side as usize] = enabled;
    }

    /// The move that the engine wants to ponder on, if it may ponder.
    pub(super) fn wish(&self, side: Side, wish: Option<UciMove>) -> Option<UciMove> {
        wish.filter(|_| self.enabled[side as usize])
    }

    pub(super) fn expect(&mut self, side: Side, reply: UciMove) {
        self.expected[side as usize] = Some(reply);
    }

    /// Whether the side pondered on the reply that was played. Its expected reply is forgotten.
    pub(super) fn is_hit(&mut self, side: Side, played: Option<&str>) -> bool {
        let expected = self.expected[side as usize].take();
        expected.is_some_and(|expected| Some(expected.as_str()) == played)
    }
}

impl RunConfig {
    /// Whether an engine is asked to ponder: the run asks for it, and no option of the engine turns it off.
    pub fn asks_to_ponder(&self, engine: usize) -> bool {
        self.ponder && !self.engines[engine].options.iter().any(refuses)
    }
}

/// Whether a setting turns pondering off for its engine.
pub(crate) fn refuses(setting: &UciSetting) -> bool {
    setting.name.eq_ignore_ascii_case(OPTION) && setting.value.as_deref().is_some_and(|value| value != "true")
}

pub(crate) fn can_ponder(engine: &EngineProcess) -> bool {
    engine.introduction().option(OPTION).is_some()
}

/// Waits for the search of one engine and meanwhile reads the output of its opponent, which ponders.
pub(super) async fn beside<T>(search: impl Future<Output = T>, pondering: &mut EngineProcess) -> T {
    let mut search = pin!(search);
    tokio::select! {
        biased;
        outcome = &mut search => return outcome,
        () = pondering.watch_pondering() => {}
    }
    search.await
}
