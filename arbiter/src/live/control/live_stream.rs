//! The stream of a run's games through its socket: a [`LivePosition`] a line, as JSON, and empty lines as heartbeat. The
//! stream ends with the run.
//!
//! Each game sends at most ten positions a second, on a thread with the scheduling policy `SCHED_BATCH`, so that the
//! engines are not measurably slower.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::time::{timeout, timeout_at};

use runner::process::schedule_as_batch;
use runner::{LivePosition, LiveWatch};

/// The time over which positions are gathered before they are sent.
const INTERVAL: Duration = Duration::from_millis(100);

/// The interval of the heartbeat, which detects clients that have gone.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(5);

/// Sends positions until the run is over or the client disconnects; nothing without a `watch`.
pub(super) fn send(mut client: impl Write, watch: Option<LiveWatch>) -> io::Result<()> {
    let Some(mut watch) = watch else { return Ok(()) };
    schedule_as_batch();
    let runtime = Builder::new_current_thread().enable_time().build()?;
    // Confirms the connection to the client.
    client.write_all(b"\n")?;
    loop {
        match runtime.block_on(gather(&mut watch)) {
            Gathered::Nothing => client.write_all(b"\n")?,
            Gathered::Over => return Ok(()),
            Gathered::Positions(latest) => {
                let mut text = String::new();
                for position in latest.values() {
                    text += &serde_json::to_string(&**position)?;
                    text.push('\n');
                }
                client.write_all(text.as_bytes())?;
            }
        }
    }
}

/// What an interval brought.
enum Gathered {
    Nothing,
    /// The latest of each game.
    Positions(BTreeMap<u32, Arc<LivePosition>>),
    Over,
}

async fn gather(watch: &mut LiveWatch) -> Gathered {
    let first = match timeout(HEARTBEAT, watch.next()).await {
        Err(_) => return Gathered::Nothing,
        Ok(None) => return Gathered::Over,
        Ok(Some(first)) => first,
    };
    let until = Instant::now() + INTERVAL;
    let mut latest = BTreeMap::from([(first.game, first)]);
    while let Ok(Some(position)) = timeout_at(until.into(), watch.next()).await {
        latest.insert(position.game, position);
    }
    Gathered::Positions(latest)
}
