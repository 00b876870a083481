//! The games of a run on the way through its socket: a [`LivePosition`] a line, as JSON, and empty lines while nothing
//! happens. The stream ends with the run.
//!
//! Of each game at most ten positions a second are sent, the last of that time, and the thread that sends them is a
//! batch job to the scheduler: so much costs the engines nothing that can be measured.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::time::{timeout, timeout_at};

use runner::process::schedule_as_batch;
use runner::{LivePosition, LiveWatch};

/// For so long positions are gathered before they are sent.
const MOMENT: Duration = Duration::from_millis(100);

/// An empty line is sent after so long without a move, so that a client who has gone is noticed.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(5);

/// Sends positions until the run is over or the client goes; there are none where nobody can watch.
pub(super) fn send(mut client: impl Write, watch: Option<LiveWatch>) -> io::Result<()> {
    let Some(mut watch) = watch else { return Ok(()) };
    schedule_as_batch();
    let runtime = Builder::new_current_thread().enable_time().build()?;
    // At once, so that the client knows that it is heard.
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

/// What came in a moment.
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
    let until = Instant::now() + MOMENT;
    let mut latest = BTreeMap::from([(first.game, first)]);
    while let Ok(Some(position)) = timeout_at(until.into(), watch.next()).await {
        latest.insert(position.game, position);
    }
    Gathered::Positions(latest)
}
