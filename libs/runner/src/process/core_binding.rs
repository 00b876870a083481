//! Binding threads that already run to one core. Linux alone has what it takes.

/// Binds threads, and all that they will start, to the last core that this process may use, so that whatever is bound
/// in this way shares that core. Returns whether all of them are.
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
    use super::*;

    #[test]
    fn a_process_that_runs_is_bound_to_one_core() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        assert!(bind_to_last_core(&[child.id()]));
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let cores = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        assert!(cores.trim().parse::<u32>().is_ok(), "one core and not {cores}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!bind_to_last_core(&[child.id()]), "it is gone");
    }
}
