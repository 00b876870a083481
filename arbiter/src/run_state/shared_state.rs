//! The state of a run that is going on, for all who look at it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::state::RunState;

/// One state that several threads look at: who plays the run feeds it, others are asked about it. Clones are the same.
#[derive(Clone, Debug)]
pub struct SharedState(Arc<Mutex<RunState>>);

impl SharedState {
    /// Shares a state.
    pub fn new(state: RunState) -> SharedState {
        SharedState(Arc::new(Mutex::new(state)))
    }

    /// Takes the state out once the run is over. Who still asks is told of a copy without what the page shows.
    pub fn take(self) -> RunState {
        let mut state = self.lock();
        let facts = state.take_facts();
        state.clone().with_gathered(facts)
    }

    /// The state as it is now; it stays so until what is returned is dropped.
    pub fn lock(&self) -> MutexGuard<'_, RunState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
