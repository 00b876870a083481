//! The data of a page: one JSON text, which is sent after every change.

use std::convert::Infallible;
use std::sync::Arc;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use tokio::sync::watch;

/// The latest state. Clones are handles to the same state; any thread may publish. A slow client skips states, so that
/// no queue grows.
#[derive(Clone, Debug)]
pub struct LatestState(watch::Sender<Arc<str>>);

impl LatestState {
    /// Starts with this state.
    pub fn new(json: String) -> LatestState {
        LatestState(watch::Sender::new(json.into()))
    }

    /// Publishes a new state.
    pub fn publish(&self, json: String) {
        self.0.send_if_modified(|state| {
            let differs = **state != *json;
            if differs {
                *state = json.into();
            }
            differs
        });
    }

    /// The state, now and whenever it changes, as server-sent events (HTML standard, section 9.2).
    pub fn events(&self) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let mut receiver = self.0.subscribe();
        receiver.mark_changed();
        let events = stream::unfold(receiver, |mut receiver| async move {
            receiver.changed().await.ok()?;
            let state = Arc::clone(&receiver.borrow_and_update());
            Some((Ok(Event::default().data(&*state)), receiver))
        });
        Sse::new(events).keep_alive(KeepAlive::default())
    }
}
