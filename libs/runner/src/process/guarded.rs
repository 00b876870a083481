//! Other programs than engines, such as builds and benches, that run to their end and never outlive us.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use super::ProcessReaper;
use super::process_reaper::VARIABLE;

/// How often the end of a program with a time limit is looked for.
const PAUSE: Duration = Duration::from_millis(20);

/// Git sets these for its hooks. A program that is run for another folder must not take them for its own.
const OF_A_HOOK: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"];

/// Runs a program and waits for its end; `None` when it has not ended within `limit` and was killed.
///
/// It leads a process group of its own and carries the mark of the [`ProcessReaper`], as engines do: whatever ends us ends it
/// and its children. What it has left running in its group when it ends is killed, too.
///
/// # Errors
/// The program cannot be started.
pub fn run_guarded(command: &mut Command, limit: Option<Duration>) -> io::Result<Option<ExitStatus>> {
    let reaper = ProcessReaper::of_this_process();
    let mark = reaper.enlist();
    command.env(VARIABLE, mark.to_string());
    for variable in OF_A_HOOK {
        command.env_remove(variable);
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn().inspect_err(|_| reaper.dismiss(&mark, None))?;
    reaper.watch(child.id());
    let ended = wait(&mut child, limit);
    end_group(&mut child);
    reaper.dismiss(&mark, Some(child.id()));
    ended
}

/// Runs the words of a user in the system's shell, as [`run_guarded`] does.
pub fn shell(words: &str) -> Command {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(shell);
    command.args([flag, words]);
    command
}

fn wait(child: &mut Child, limit: Option<Duration>) -> io::Result<Option<ExitStatus>> {
    let Some(limit) = limit else { return child.wait().map(Some) };
    let start = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if start.elapsed() >= limit => return Ok(None),
            None => thread::sleep(PAUSE),
        }
    }
}

/// Kills what is left of the process group.
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
