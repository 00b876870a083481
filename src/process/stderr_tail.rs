//! What an engine complained about last.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

/// How much of the error output is kept.
const CAP: usize = 16 * 1024;

/// The end of an engine's error output, filled by a task of its own so that a chatty engine never blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct StderrTail {
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl StderrTail {
    /// Reads the stream to its end in the background.
    pub(super) fn follow(stream: impl AsyncRead + Unpin + Send + 'static) -> StderrTail {
        let tail = StderrTail::default();
        let writer = tail.clone();
        tokio::spawn(async move { writer.drain(stream).await });
        tail
    }

    async fn drain(&self, mut stream: impl AsyncRead + Unpin) {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut chunk).await {
            let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
            bytes.extend_from_slice(&chunk[..count]);
            let excess = bytes.len().saturating_sub(CAP);
            bytes.drain(..excess);
        }
    }

    /// What is kept, as text.
    pub(super) fn text(&self) -> String {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
