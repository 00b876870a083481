//! Ending processes with all their children: engines, even if this process is killed, and commands with a time limit.
//!
//! An engine leads a process group, and ending it kills the group. That leaves two gaps: children that left the group
//! (`setsid`), and a `kill -9` of this process, which leaves it no time to act. This module closes them.
//!
//! Every engine has a mark in its environment, which all its children inherit; [`end_strays`] kills the processes that have the
//! mark of an engine that was ended. Also, a small shell script, the reaper, runs in its own process group. This process tells
//! it through a pipe which groups live. When the pipe closes, this process has ended, and the reaper kills what is left, by
//! group and by mark. The reaper holds neither the output nor the folder of this process.
//!
//! A child that left the group and cleared its environment has no mark. On Linux this process is the subreaper of all that it
//! starts: when the parent of such a child ends, this process adopts it, and at the end of a run, when no engine lives,
//! [`end_strays`] kills it. After a `kill -9` of this process such a child lives on.
//!
//! Marks are found in `/proc`, so only on Linux; other Unix systems have the groups and the reaper. Windows has job objects
//! instead of all this.
//!
//! [`end_strays`]: ProcessReaper::end_strays

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, id};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::environment::without_secrets;

/// The environment variable that holds the mark.
pub(super) const VARIABLE: &str = "ARBITER_ENGINE";

/// Tracks the engines of this process.
#[derive(Debug)]
pub struct ProcessReaper {
    /// The prefix of this process's marks, unique on the machine: its process id and the time when it began.
    realm: String,
    /// The input of the reaper; `None` if it could not be started.
    pipe: Option<ChildStdin>,
    engines: Mutex<Engines>,
}

#[derive(Debug, Default)]
struct Engines {
    last: u64,
    living: BTreeSet<u64>,
    /// The groups that are watched, and the group of the reaper.
    groups: BTreeSet<u32>,
    /// The groups that were killed and may have left zombies to this process.
    #[cfg(target_os = "linux")]
    ended: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EngineMark {
    number: u64,
    /// The value of the variable in the environment of the engine.
    pub(super) text: String,
}

impl ProcessReaper {
    /// The reaper of this process, started on the first call. There is only one, because it waits for the end of the process,
    /// not of a run.
    pub fn of_this_process() -> &'static ProcessReaper {
        static REAPER: OnceLock<ProcessReaper> = OnceLock::new();
        REAPER.get_or_init(ProcessReaper::new)
    }

    fn new() -> ProcessReaper {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let realm = format!("{}-{}", id(), began.as_nanos());
        // Without a shell there are still the groups and, on Linux, the signal at the death of this process.
        let (script, pipe) = start_script(&format!("{VARIABLE}={realm}/")).ok().unzip();
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let engines = Engines { groups: script.into_iter().collect(), ..Engines::default() };
        ProcessReaper { realm, pipe, engines: Mutex::new(engines) }
    }

    /// Creates the mark of an engine that is about to be started.
    pub(super) fn enlist(&self) -> EngineMark {
        let mut engines = self.engines();
        #[cfg(target_os = "linux")]
        engines.take_note_of_the_dead();
        engines.last += 1;
        let number = engines.last;
        engines.living.insert(number);
        EngineMark { number, text: format!("{}/{number}", self.realm) }
    }

    pub(super) fn watch(&self, group: u32) {
        self.engines().groups.insert(group);
        self.tell(&format!("+ {group}\n"));
    }

    /// Records that an engine and its group were killed; `group` is `None` if there never was one. A process that still has the
    /// engine's mark is a stray.
    pub(super) fn dismiss(&self, mark: &EngineMark, group: Option<u32>) {
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
        // A line this short is written as a whole. If the reaper was killed, nobody can be told.
        let _ = self.pipe.as_ref().map(|mut pipe| pipe.write_all(line.as_bytes()));
    }

    fn engines(&self) -> MutexGuard<'_, Engines> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the reaper in its own process group, so that no signal of this terminal reaches it. Of this process it has only the
/// pipe.
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

    /// The number of searches for strays; a process may fork during a search.
    const ATTEMPTS: usize = 5;

    impl ProcessReaper {
        /// Kills the processes with the mark of an engine that was ended, its children that left the group; if no engine lives,
        /// it also kills the processes that this process has adopted. It looks at every process of the machine, which takes
        /// some milliseconds.
        pub fn end_strays(&self) {
            self.engines().take_note_of_the_dead();
            for _ in 0..ATTEMPTS {
                let strays = self.strays();
                if strays.is_empty() {
                    return;
                }
                for stray in strays {
                    // The stray may have ended already.
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

        /// Whether this child was adopted and not started by this process. Processes started here are in its group, watched, or
        /// have all of its environment, as have those that they leave running: a browser, or an ssh connection.
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
            // The environment of another user's process cannot be read.
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
    /// Reaps the children of engines that were killed with their groups, which no other process waits for.
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
    /// Does nothing on a system that does not show the environment of its processes.
    pub fn end_strays(&self) {}
}

/// How often a program with a time limit is checked for its end.
const PAUSE: Duration = Duration::from_millis(20);

/// Git sets these variables for its hooks. A program that is run for another folder must not use them.
const OF_A_HOOK: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"];

/// Runs a program as a guarded child, without secrets in its environment, and waits for its end; `None` if it did not end
/// within `limit` and was killed.
///
/// # Errors
/// The program cannot be started.
pub fn run_guarded(command: &mut Command, limit: Option<Duration>) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut child = GuardedChild::spawn(without_secrets(command))?;
    child.wait_until(|| limit.is_some_and(|limit| start.elapsed() >= limit))
}

/// A program that leads its own process group and has a mark of the [`ProcessReaper`], as engines do: whatever ends this
/// process also ends the program and its children. Dropping it kills what is left of its group.
#[derive(Debug)]
pub(crate) struct GuardedChild {
    pub(crate) child: Child,
    mark: EngineMark,
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

    /// Waits for its end; `None` if `is_enough` became true first.
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

/// The command that runs a user's text in the system's shell; [`run_guarded`] can run it.
pub fn shell(words: &str) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(shell);
    command.args([flag, words]);
    command
}

fn end_group(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        // Usually no process of the group is left.
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
        // The process has ended, or is a zombie.
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
}
