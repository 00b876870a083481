//! What becomes of the engines' own children, and of the engines when we are killed.
//!
//! An engine leads a process group, and ending it kills the group. That leaves two gaps: children that left the group
//! (`setsid`), and a `kill -9` of ourselves, which leaves us no time for anything. Both are closed here.
//!
//! Every engine carries a mark in its environment, which its children inherit wherever they go; [`end_strays`] kills
//! the processes that have the mark of an engine that is no more. And a small shell script, the reaper, runs beside us
//! in a process group of its own. It reads from a pipe whose only write end is ours which groups live; when the pipe
//! ends, so have we, and it kills what is left, by group and by mark. It holds neither our output nor our folder.
//!
//! Marks are found in `/proc`, so on Linux alone; other Unix systems have the groups and the reaper, and Windows
//! ends the engine itself but not its children.
//!
//! [`end_strays`]: ProcessReaper::end_strays

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write as _};
use std::process::{ChildStdin, id};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable with the mark.
pub(super) const VARIABLE: &str = "ARBITER_ENGINE";

/// Keeps account of the engines of this process.
#[derive(Debug)]
pub struct ProcessReaper {
    /// What no other process of the machine has in its marks: our process id and when we began.
    realm: String,
    /// Where the script listens; none where it could not be started.
    pipe: Option<ChildStdin>,
    engines: Mutex<Engines>,
}

/// The numbers of the engines.
#[derive(Debug, Default)]
struct Engines {
    last: u64,
    living: BTreeSet<u64>,
}

/// What an engine carries in its environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    number: u64,
    text: String,
}

impl ProcessReaper {
    /// The reaper of this process, started when it is first asked for. There is one because there is one of us: what it
    /// waits for is the end of the process, not of a run.
    pub fn of_this_process() -> &'static ProcessReaper {
        static REAPER: OnceLock<ProcessReaper> = OnceLock::new();
        REAPER.get_or_init(ProcessReaper::new)
    }

    fn new() -> ProcessReaper {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let realm = format!("{}-{}", id(), began.as_nanos());
        // Without a shell there are still the groups and, on Linux, the signal that comes with our death.
        let pipe = start_script(&format!("{VARIABLE}={realm}/")).ok();
        ProcessReaper { realm, pipe, engines: Mutex::default() }
    }

    /// A mark for an engine that is about to be started.
    pub(super) fn enlist(&self) -> Mark {
        let mut engines = self.engines();
        engines.last += 1;
        let number = engines.last;
        engines.living.insert(number);
        Mark { number, text: format!("{}/{number}", self.realm) }
    }

    /// Takes note of the process group of an engine that was started.
    pub(super) fn watch(&self, group: u32) {
        self.tell(&format!("+ {group}\n"));
    }

    /// Takes note that an engine and its group were killed; `group` is none where it never had one. What still carries
    /// its mark is a stray.
    pub(super) fn dismiss(&self, mark: &Mark, group: Option<u32>) {
        self.engines().living.remove(&mark.number);
        if let Some(group) = group {
            self.tell(&format!("- {group}\n"));
        }
    }

    fn tell(&self, line: &str) {
        // A line this short is written whole. If the script was killed, there is nobody to tell.
        let _ = self.pipe.as_ref().map(|mut pipe| pipe.write_all(line.as_bytes()));
    }

    fn engines(&self) -> MutexGuard<'_, Engines> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Starts the script in a process group of its own, so that no signal of our terminal reaches it, with nothing of ours
/// but the pipe.
#[cfg(unix)]
fn start_script(mark: &str) -> io::Result<ChildStdin> {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};

    let mut script = Command::new("/bin/sh")
        .args(["-c", include_str!("process_reaper.sh"), "arbiter-reaper", mark])
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    script.stdin.take().ok_or_else(|| io::Error::other("the script has no pipe"))
}

#[cfg(not(unix))]
fn start_script(_mark: &str) -> io::Result<ChildStdin> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(target_os = "linux")]
mod strays {
    use std::fs;

    use rustix::process::{Pid, Signal, kill_process};

    use super::{ProcessReaper, VARIABLE};

    /// A process may fork while we are looking; so often we look again.
    const ATTEMPTS: usize = 5;

    impl ProcessReaper {
        /// Kills the processes that carry the mark of an engine that was ended: its children that left its group. Costs
        /// a look at every process of the machine, some milliseconds.
        pub fn end_strays(&self) {
            for _ in 0..ATTEMPTS {
                let strays = self.strays();
                if strays.is_empty() {
                    return;
                }
                for stray in strays {
                    // It may be gone already.
                    let _ = kill_process(stray, Signal::KILL);
                }
            }
        }

        fn strays(&self) -> Vec<Pid> {
            let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
            let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
            ids.filter(|id| self.is_stray(*id)).filter_map(Pid::from_raw).collect()
        }

        fn is_stray(&self, process: i32) -> bool {
            // That of another user's process cannot be read.
            let Ok(environment) = fs::read(format!("/proc/{process}/environ")) else { return false };
            let prefix = format!("{VARIABLE}={}/", self.realm);
            let entries = environment.split(|byte| *byte == 0);
            let mut marks = entries.filter_map(|entry| entry.strip_prefix(prefix.as_bytes()));
            let number = marks.next().and_then(|number| str::from_utf8(number).ok()?.parse().ok());
            number.is_some_and(|number| !self.engines().living.contains(&number))
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl ProcessReaper {
    /// Nothing, on a system that does not show the environment of its processes.
    pub fn end_strays(&self) {}
}
