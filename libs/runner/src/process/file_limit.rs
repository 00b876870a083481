//! The limit on open files and pipes: each engine takes three, and a system often allows 256 or 1,024 by default but more
//! on request.

#[cfg(unix)]
pub use unix::raise_file_limit;
#[cfg(target_os = "linux")]
pub(super) use unix::restore_file_limit;

/// A tokio runtime for one thread; this program uses no other kind.
///
/// # Errors
/// There are not enough descriptors for it, or for the signal handling, where tokio would panic.
pub fn new_runtime() -> std::io::Result<tokio::runtime::Runtime> {
    #[cfg(unix)]
    {
        // A runtime takes six descriptors.
        let room: std::io::Result<Vec<_>> = (0..4).map(|_| std::os::unix::net::UnixStream::pair()).collect();
        room?;
    }
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

#[cfg(unix)]
mod unix {
    use std::sync::OnceLock;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// The limit of this process when it began.
    static AT_START: OnceLock<Rlimit> = OnceLock::new();

    /// Enough for thousands of engines. It is no larger because some programs try every possible descriptor. The second is
    /// the most that macOS takes when it reports no limit.
    const ENOUGH: [u64; 2] = [1 << 16, 10_240];

    /// Raises the limit of this process as far as it may; to be called once, at its start. On Linux engines get the
    /// original limit; elsewhere, and for other programs, the raised limit applies.
    pub fn raise_file_limit() {
        // The first runtime creates the signal pipe of all later ones; at this point no other thread takes descriptors.
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

    /// Gives a process that was just forked the original limit of this process: an engine may use `select`, which only
    /// knows 1,024 files. This only makes a system call.
    #[cfg(target_os = "linux")]
    pub fn restore_file_limit() {
        if let Some(limit) = AT_START.get() {
            let _ = setrlimit(Resource::Nofile, *limit);
        }
    }
}
