//! How many files and pipes a process may have open: each engine takes three, and a system often allows 256 or 1,024 where
//! more are to be had.

#[cfg(target_os = "linux")]
pub(super) use unix::restore_file_limit;
#[cfg(unix)]
pub use unix::{check_descriptors, raise_file_limit};

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::net::UnixStream;
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

    /// Makes sure that there are descriptors for listening to signals, those of the ends of children included. Without them
    /// tokio panics.
    ///
    /// # Errors
    /// Those of the system.
    pub fn check_descriptors() -> io::Result<()> {
        let _first = UnixStream::pair()?;
        UnixStream::pair().map(drop)
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
