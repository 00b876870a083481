//! How many files and pipes a process may have open: each engine takes three, and a system often allows 256 or 1,024 where
//! more are to be had.

#[cfg(unix)]
pub use unix::raise_file_limit;
#[cfg(target_os = "linux")]
pub(super) use unix::restore_file_limit;

/// A runtime of tokio for one thread, as all of ours are.
///
/// # Errors
/// There are no descriptors for it, or for listening to signals, where tokio would panic.
pub fn new_runtime() -> std::io::Result<tokio::runtime::Runtime> {
    #[cfg(unix)]
    {
        // A runtime takes six.
        let room: std::io::Result<Vec<_>> = (0..4).map(|_| std::os::unix::net::UnixStream::pair()).collect();
        room?;
    }
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

#[cfg(unix)]
mod unix {
    use std::sync::OnceLock;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// What this process was allowed when it began.
    static AT_START: OnceLock<Rlimit> = OnceLock::new();

    /// Enough for thousands of engines. Some programs walk over all numbers that a file may have, so it is no more. The
    /// second is the most that macOS takes where it says that there is no limit.
    const ENOUGH: [u64; 2] = [1 << 16, 10_240];

    /// Allows this process as many open files as it may allow itself, to be called once, at its start. On Linux engines
    /// keep the limit that it began with; elsewhere, and for other programs, it is the raised one.
    pub fn raise_file_limit() {
        // The first has what listens to signals for all that follow; now nobody else takes descriptors meanwhile.
        drop(super::new_runtime());
        let limit = getrlimit(Resource::Nofile);
        let _ = AT_START.set(limit);
        for enough in ENOUGH {
            let raised = limit.maximum.map_or(enough, |most| most.min(enough));
            if limit.current.is_none_or(|current| current >= raised)
                || setrlimit(Resource::Nofile, Rlimit { current: Some(raised), ..limit }).is_ok()
            {
                return;
            }
        }
    }

    /// Gives a process that was just forked the limit that ours began with: an engine may use `select`, which knows 1,024
    /// files. Only makes a system call.
    #[cfg(target_os = "linux")]
    pub fn restore_file_limit() {
        if let Some(limit) = AT_START.get() {
            let _ = setrlimit(Resource::Nofile, *limit);
        }
    }
}
