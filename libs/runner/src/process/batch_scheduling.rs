//! Scheduling: cores for the engines, and runner threads as batch jobs that do not interrupt them.

/// Lets the calling thread run as a batch job (`SCHED_BATCH`, see sched(7)): a line that wakes it does not take the
/// core from an engine that is thinking there. It runs as soon as a core is free, which is so when an engine has moved.
///
/// If every core has an engine, a normal thread wakes up for each `info` line and interrupts a search; a batch job
/// reads several lines at once. Only Linux has this policy; elsewhere, and if a sandbox forbids it, nothing changes.
pub fn schedule_as_batch() {
    #[cfg(target_os = "linux")]
    request(libc::SCHED_BATCH);
}

/// Gives the calling thread the normal policy again. Processes inherit the policy of the thread that starts them.
#[cfg(target_os = "linux")]
pub(super) fn schedule_as_usual() {
    request(libc::SCHED_OTHER);
}

/// A thread that was a batch job and has the normal policy until this is dropped.
///
/// A batch job may have to wait behind the engine of another game until the next tick of the scheduler, which takes up
/// to 10 ms. When an engine is about to exceed its time, reading its answer must not wait that long. This must be
/// dropped on the thread that created it.
#[derive(Debug)]
pub(super) struct PromptScheduling(());

impl PromptScheduling {
    /// Gives the calling thread the normal policy. `None` if it has that already.
    pub(super) fn begin() -> Option<PromptScheduling> {
        #[cfg(target_os = "linux")]
        if is_batch() {
            schedule_as_usual();
            return Some(PromptScheduling(()));
        }
        None
    }
}

impl Drop for PromptScheduling {
    fn drop(&mut self) {
        schedule_as_batch();
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no library in use here wraps this system call")]
fn is_batch() -> bool {
    // SAFETY: the call only asks for the policy of the calling thread (0).
    let policy = unsafe { libc::syscall(libc::SYS_sched_getscheduler, 0) };
    policy == libc::c_long::from(libc::SCHED_BATCH)
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no library in use here wraps this system call")]
fn request(policy: libc::c_int) {
    // This is all of `sched_param` in the kernel. musl's function for this call does nothing.
    let priority: libc::c_int = 0;
    // SAFETY: the call reads the priority, which outlives it, and changes the policy of only the calling thread (0). A
    // refusal is harmless.
    let _ = unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, policy, &raw const priority) };
}

/// Binds threads, and all that they will start, to the last core that this process may use, so that everything bound in
/// this way shares that core. Returns whether all of them are bound.
#[cfg(target_os = "linux")]
pub(super) fn bind_to_last_core(threads: &[u32]) -> bool {
    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let Ok(allowed) = sched_getaffinity(None) else { return false };
    let Some(core) = (0..CpuSet::MAX_CPU).rev().find(|core| allowed.is_set(*core)) else { return false };
    let mut set = CpuSet::new();
    set.set(core);
    threads.iter().all(|thread| {
        let thread = i32::try_from(*thread).ok().and_then(Pid::from_raw);
        thread.is_some_and(|thread| sched_setaffinity(Some(thread), &set).is_ok())
    })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn bind_to_last_core(_: &[u32]) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;

    /// The scheduling policy of this thread from its stat file (proc(5)): 0 is the normal one, 3 is batch.
    fn policy() -> String {
        let stat = fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, after_name) = stat.rsplit_once(')').unwrap();
        after_name.split_whitespace().nth(38).unwrap().to_owned()
    }

    #[test]
    fn a_batch_job_is_prompt_for_a_while() {
        std::thread::spawn(|| {
            assert!(PromptScheduling::begin().is_none());
            schedule_as_batch();
            let prompt = PromptScheduling::begin();
            assert_eq!(policy(), "0");
            drop(prompt);
            assert_eq!(policy(), "3");
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_process_that_runs_is_bound_to_one_core() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        assert!(bind_to_last_core(&[child.id()]));
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let cores = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        assert!(cores.trim().parse::<u32>().is_ok(), "one core and not {cores}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!bind_to_last_core(&[child.id()]), "it is gone");
    }
}
