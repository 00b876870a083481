//! The engines of a worker that do not play just now.

use crate::process::EngineProcess;

/// Engine processes that are ready for another game. An engine costs no time while it is idle, since it is only put
/// here when its last search has ended; it costs its memory, so their number is limited.
#[derive(Debug)]
pub(super) struct IdleEngines {
    /// With their index in the configuration, the one that has waited longest first.
    waiting: Vec<(usize, EngineProcess)>,
    capacity: usize,
}

impl IdleEngines {
    /// Keeps at most `capacity` engines.
    pub(super) fn with_capacity(capacity: usize) -> IdleEngines {
        IdleEngines { waiting: Vec::new(), capacity }
    }

    /// Takes in an engine whose game is over.
    pub(super) fn put(&mut self, engine: usize, process: EngineProcess) {
        self.waiting.push((engine, process));
    }

    /// Hands out an engine, if it is here.
    pub(super) fn take(&mut self, engine: usize) -> Option<EngineProcess> {
        let place = self.waiting.iter().position(|(waiting, _)| *waiting == engine)?;
        Some(self.waiting.remove(place).1)
    }

    /// Sends away the engines that are not needed any more, and those that have waited longest where there are more
    /// than there is room for. The engines of the next game stay and take no room.
    pub(super) async fn make_room(&mut self, next: [usize; 2], may_need: impl Fn(usize) -> bool) {
        let plays_next = |engine: usize| next.contains(&engine);
        let waits_on = |engine: usize| !plays_next(engine) && may_need(engine);
        let mut excess =
            self.waiting.iter().filter(|(engine, _)| waits_on(*engine)).count().saturating_sub(self.capacity);
        for (engine, process) in std::mem::take(&mut self.waiting) {
            let stays = plays_next(engine) || may_need(engine) && excess == 0;
            if stays {
                self.waiting.push((engine, process));
                continue;
            }
            excess -= usize::from(waits_on(engine));
            process.quit().await;
        }
    }

    /// Sends all of them away.
    pub(super) async fn dismiss_all(&mut self) {
        for (_, process) in std::mem::take(&mut self.waiting) {
            process.quit().await;
        }
    }
}
