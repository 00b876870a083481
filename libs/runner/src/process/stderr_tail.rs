//! The last lines of an engine's standard error.

use std::fs::File;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};

/// The most that is kept, in bytes.
const CAP: usize = 16 * 1024;

/// The end of an engine's standard error, read by its own task so that a talkative engine is never blocked.
#[derive(Clone, Debug, Default)]
pub(super) struct StderrTail {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    /// The number of bytes dropped before these.
    dropped: u64,
    /// Whether the stream has ended.
    is_whole: bool,
}

impl StderrTail {
    /// Reads the stream to its end in the background, and appends it to the file, if there is one.
    pub(super) fn follow(stream: impl AsyncRead + Unpin + Send + 'static, file: Option<File>) -> StderrTail {
        let tail = StderrTail::default();
        let writer = tail.clone();
        tokio::spawn(async move { writer.drain(stream, file).await });
        tail
    }

    async fn drain(&self, mut stream: impl AsyncRead + Unpin, mut file: Option<File>) {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut chunk).await {
            // If the file system is full, the file is given up, so that the engine does not have to wait.
            file.take_if(|file| file.write_all(&chunk[..count]).is_err());
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.bytes.extend_from_slice(&chunk[..count]);
            let excess = kept.bytes.len().saturating_sub(CAP);
            kept.bytes.drain(..excess);
            kept.dropped += excess as u64;
        }
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).is_whole = true;
    }

    /// Waits for the end of the stream, for 50 ms at most because a child of the engine may keep it open.
    pub(super) async fn settle(&self) {
        for _ in 0..50 {
            if self.kept.lock().unwrap_or_else(PoisonError::into_inner).is_whole {
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    pub(super) fn text(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept.bytes);
        match kept.dropped {
            0 => text.into_owned(),
            dropped => format!("({dropped} earlier bytes are not kept)\n{text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail_of(stream: &[u8]) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let tail = StderrTail::default();
        runtime.block_on(tail.drain(stream, None));
        tail.text()
    }

    #[test]
    fn the_end_is_kept_and_the_rest_is_counted() {
        assert_eq!(tail_of(b"one\ntwo\n"), "one\ntwo\n");
        let long = [vec![b'x'; 3 * CAP], b"\nthe end".to_vec()].concat();
        let text = tail_of(&long);
        assert!(
            text.starts_with(&format!("({} earlier bytes are not kept)\n", 2 * CAP + 8)),
            "{}",
            &text[..50]
        );
        assert!(text.ends_with("\nthe end") && text.len() < CAP + 100);
    }
}
