//! Ending processes with all their children: engines, also when we are killed, and commands with a time limit.
//!
//! An engine leads a process group, and ending it kills the group. That leaves two gaps: children that left the group
//! (`setsid`), and a `kill -9` of ourselves, which leaves us no time for anything. They are closed here.
//!
//! Every engine carries a mark in its environment, which its children inherit wherever they go; [`end_strays`] kills
//! the processes that have the mark of an engine that is no more. And a small shell script, the reaper, runs beside us
//! in a process group of its own. It reads from a pipe whose only write end is ours which groups live; when the pipe
//! ends, so have we, and it kills what is left, by group and by mark. It holds neither our output nor our folder.
//!
//! A child that left the group and emptied its environment has no mark. On Linux we are the subreaper of all that we start: when
//! the parent of such a child ends, the child is ours, and at the end of a run, when no engine lives, [`end_strays`] kills it.
//! After a `kill -9` of ourselves nobody finds it.
//!
//! Marks are found in `/proc`, so on Linux alone; other Unix systems have the groups and the reaper. Windows has job
//! objects instead of all this.
//!
//! [`end_strays`]: ProcessReaper::end_strays

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, id};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::environment::without_secrets;

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

#[derive(Debug, Default)]
struct Engines {
    last: u64,
    living: BTreeSet<u64>,
    /// The groups that are watched, and that of the script.
    groups: BTreeSet<u32>,
    /// Those that were killed, and may have left us children to take note of.
    #[cfg(target_os = "linux")]
    ended: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    number: u64,
    /// What the environment of the engine has.
    pub(super) text: String,
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
        let (script, pipe) = start_script(&format!("{VARIABLE}={realm}/")).ok().unzip();
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let engines = Engines { groups: script.into_iter().collect(), ..Engines::default() };
        ProcessReaper { realm, pipe, engines: Mutex::new(engines) }
    }

    /// A mark for an engine that is about to be started.
    pub(super) fn enlist(&self) -> Mark {
        let mut engines = self.engines();
        #[cfg(target_os = "linux")]
        engines.take_note_of_the_dead();
        engines.last += 1;
        let number = engines.last;
        engines.living.insert(number);
        Mark { number, text: format!("{}/{number}", self.realm) }
    }

    pub(super) fn watch(&self, group: u32) {
        self.engines().groups.insert(group);
        self.tell(&format!("+ {group}\n"));
    }

    /// Takes note that an engine and its group were killed; `group` is none where it never had one. What still carries
    /// its mark is a stray.
    pub(super) fn dismiss(&self, mark: &Mark, group: Option<u32>) {
        let mut engines = self.engines();
        engines.living.remove(&mark.number);
        if let Some(group) = group {
            engines.groups.remove(&group);
            #[cfg(target_os = "linux")]
            engines.ended.push(group);
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

/// Starts the script in a process group of its own, so that no signal of our terminal reaches it, with nothing of ours
/// but the pipe.
#[cfg(unix)]
fn start_script(mark: &str) -> io::Result<(u32, ChildStdin)> {
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
    let pipe = script.stdin.take().ok_or_else(|| io::Error::other("the script has no pipe"))?;
    Ok((script.id(), pipe))
}

#[cfg(not(unix))]
fn start_script(_mark: &str) -> io::Result<(u32, ChildStdin)> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(target_os = "linux")]
mod strays {
    use std::fs;

    use rustix::process::{Pid, Signal, WaitOptions, getpgid, getpid, kill_process, waitpid};

    use super::{ProcessReaper, VARIABLE};

    /// A process may fork while we are looking; so often we look again.
    const ATTEMPTS: usize = 5;

    impl ProcessReaper {
        /// Kills the processes that carry the mark of an engine that was ended: its children that left its group; and when
        /// no engine lives, those that are ours because their parents are gone. Costs a look at every process of the
        /// machine, some milliseconds.
        pub fn end_strays(&self) {
            self.engines().take_note_of_the_dead();
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
            let is_over = self.engines().living.is_empty();
            ids.filter(|id| self.is_stray(*id) || is_over && self.is_orphan(*id))
                .filter_map(Pid::from_raw)
                .collect()
        }

        /// Whether we have this child without having started it. What we start ourselves is in our own group, watched, or has
        /// all of our environment, as what it may leave running has: a browser, or the connection of ssh.
        fn is_orphan(&self, process: i32) -> bool {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            let fields =
                stat.rsplit_once(") ").map(|(_, fields)| fields.split(' ').take(3).collect::<Vec<_>>());
            let Some([state, parent, group]) = fields.as_deref() else { return false };
            let own_group = getpgid(None).map_or(0, Pid::as_raw_pid).to_string();
            let id = process.cast_unsigned();
            if *parent != getpid().as_raw_pid().to_string()
                || *group == own_group
                || self.engines().groups.contains(&id)
            {
                return false;
            }
            if *state == "Z" {
                let _ = Pid::from_raw(process).map(|process| waitpid(Some(process), WaitOptions::NOHANG));
                return false;
            }
            let variables = |process: &str| fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            let (theirs, ours) = (variables(&process.to_string()), variables("self"));
            let has = |entry: &[u8]| theirs.split(|byte| *byte == 0).any(|other| other == entry);
            ours.is_empty() || !ours.split(|byte| *byte == 0).all(has)
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

#[cfg(target_os = "linux")]
impl Engines {
    /// Takes note of the children of engines that were killed with their groups, which nobody else waits for.
    fn take_note_of_the_dead(&mut self) {
        use rustix::process::{Pid, WaitOptions, waitpgid};

        self.ended.retain(|group| {
            let Some(group) = Pid::from_raw(group.cast_signed()) else { return false };
            while let Ok(found) = waitpgid(group, WaitOptions::NOHANG) {
                if found.is_none() {
                    return true;
                }
            }
            false
        });
    }
}

#[cfg(not(target_os = "linux"))]
impl ProcessReaper {
    /// Nothing, on a system that does not show the environment of its processes.
    pub fn end_strays(&self) {}
}

/// How often the end of a program with a time limit is looked for.
const PAUSE: Duration = Duration::from_millis(20);

/// Git sets these for its hooks. A program that is run for another folder must not take them for its own.
const OF_A_HOOK: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"];

/// Runs a program and waits for its end; `None` when it has not ended within `limit` and was killed. It does not inherit what
/// looks like a secret, and is a [`GuardedChild`].
///
/// # Errors
/// The program cannot be started.
pub fn run_guarded(command: &mut Command, limit: Option<Duration>) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut child = GuardedChild::spawn(without_secrets(command))?;
    child.wait_until(|| limit.is_some_and(|limit| start.elapsed() >= limit))
}

/// A program that leads a process group of its own and carries the mark of the [`ProcessReaper`], as engines do: whatever ends us
/// ends it and its children. Dropping it kills what it has left running in its group.
#[derive(Debug)]
pub(crate) struct GuardedChild {
    pub(crate) child: Child,
    mark: Mark,
    #[cfg(windows)]
    _job: super::job::Job,
}

impl GuardedChild {
    pub(crate) fn spawn(command: &mut Command) -> io::Result<GuardedChild> {
        let reaper = ProcessReaper::of_this_process();
        let mark = reaper.enlist();
        command.env(VARIABLE, &mark.text);
        for variable in OF_A_HOOK {
            command.env_remove(variable);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(command, super::job::flags());
        let child = command.spawn().inspect_err(|_| reaper.dismiss(&mark, None))?;
        #[cfg(windows)]
        let _job =
            super::job::Job::run(std::os::windows::io::AsRawHandle::as_raw_handle(&child), child.id())?;
        reaper.watch(child.id());
        Ok(GuardedChild {
            child,
            mark,
            #[cfg(windows)]
            _job,
        })
    }

    /// Waits for its end; `None` when `is_enough` came first.
    pub(crate) fn wait_until(&mut self, is_enough: impl Fn() -> bool) -> io::Result<Option<ExitStatus>> {
        loop {
            match self.child.try_wait()? {
                Some(status) => return Ok(Some(status)),
                None if is_enough() => return Ok(None),
                None => thread::sleep(PAUSE),
            }
        }
    }
}

impl Drop for GuardedChild {
    fn drop(&mut self) {
        end_group(&mut self.child);
        ProcessReaper::of_this_process().dismiss(&self.mark, Some(self.child.id()));
    }
}

/// Runs the words of a user in the system's shell, as [`run_guarded`] does.
pub fn shell(words: &str) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(shell);
    command.args([flag, words]);
    command
}

fn end_group(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        // There is usually nobody left.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Stdio;

    use super::*;

    #[test]
    fn a_program_that_does_not_end_in_time_is_killed_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let words = "sleep 1000 & echo $! > child; wait";
        let mut command = shell(words);
        command.current_dir(folder.path()).stdin(Stdio::null());
        let ended = run_guarded(&mut command, Some(Duration::from_millis(300))).unwrap();
        assert_eq!(ended, None);
        let child: i32 =
            std::fs::read_to_string(folder.path().join("child")).unwrap().trim().parse().unwrap();
        let child = rustix::process::Pid::from_raw(child).unwrap();
        // It is gone, or waits for somebody to take note of it.
        let is_gone = || {
            rustix::process::test_kill_process(child).is_err()
                || std::fs::read_to_string(format!("/proc/{child}/stat"))
                    .is_ok_and(|stat| stat.contains(") Z"))
        };
        let start = Instant::now();
        while !is_gone() {
            assert!(start.elapsed() < Duration::from_secs(30));
            thread::sleep(PAUSE);
        }
    }

    #[test]
    fn the_status_is_that_of_the_program() {
        let status = run_guarded(&mut shell("exit 7"), None).unwrap();
        assert_eq!(status.unwrap().code(), Some(7));
    }
}
