//! Which cores this process may use, and binding threads to them. Linux alone has what it takes.

use std::io;

/// The cores that this process may run on, in the order in which they should be taken: one of every physical core
/// first, then their siblings (hyper-threads), which share its units. Both by number.
///
/// # Errors
/// [`io::ErrorKind::Unsupported`] on other systems than Linux.
pub(super) fn usable_cores() -> io::Result<Vec<usize>> {
    Ok(physical_first(&system::allowed_cores()?, system::siblings_of))
}

/// Binds the calling thread, and every thread and process that it starts from now on, to some cores. A child inherits
/// the binding at its start and keeps it through `exec` (`sched_setaffinity(2)`), so it holds before an engine can
/// start a thread of its own.
///
/// # Errors
/// What the system says; [`io::ErrorKind::Unsupported`] on other systems than Linux.
pub(super) fn bind_this_thread(cores: &[usize]) -> io::Result<()> {
    system::bind_this_thread(cores)
}

/// Sorts cores so that no two on the same physical core follow each other before every physical core has had its turn.
fn physical_first(allowed: &[usize], siblings_of: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let rank = |core: usize| {
        let before = siblings_of(core).into_iter().filter(|other| *other < core && allowed.contains(other));
        before.count()
    };
    let mut cores = allowed.to_vec();
    cores.sort_by_cached_key(|core| (rank(*core), *core));
    cores
}

/// Reads the kernel's lists of cores, `0-3,8`. What is no number is left out.
fn parse_list(text: &str) -> Vec<usize> {
    let ranges = text.trim().split(',').filter_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?)
    });
    ranges.flatten().collect()
}

#[cfg(target_os = "linux")]
mod system {
    use std::{fs, io};

    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::parse_list;

    pub(super) fn allowed_cores() -> io::Result<Vec<usize>> {
        let set = sched_getaffinity(None)?;
        Ok((0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect())
    }

    pub(super) fn siblings_of(core: usize) -> Vec<usize> {
        let file = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        fs::read_to_string(file).map_or_else(|_| vec![core], |text| parse_list(&text))
    }

    pub(super) fn bind_this_thread(cores: &[usize]) -> io::Result<()> {
        let mut set = CpuSet::new();
        for core in cores {
            set.set(*core);
        }
        Ok(sched_setaffinity(None, &set)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(super) fn allowed_cores() -> io::Result<Vec<usize>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn siblings_of(core: usize) -> Vec<usize> {
        vec![core]
    }

    pub(super) fn bind_this_thread(_: &[usize]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_the_kernel_are_understood() {
        assert_eq!(parse_list("0-3,8,10-11\n"), [0, 1, 2, 3, 8, 10, 11]);
        assert_eq!(parse_list("5\n"), [5]);
        assert_eq!(parse_list(""), [0_usize; 0]);
    }

    #[test]
    fn every_physical_core_comes_before_the_second_thread_of_any() {
        // Four physical cores; 0 and 4, 1 and 5, … are siblings.
        let siblings = |core: usize| vec![core % 4, core % 4 + 4];
        assert_eq!(physical_first(&[0, 1, 2, 3, 4, 5, 6, 7], siblings), [0, 1, 2, 3, 4, 5, 6, 7]);
        // Neighbours are siblings.
        let neighbours = |core: usize| vec![core & !1, core | 1];
        assert_eq!(physical_first(&[0, 1, 2, 3, 4, 5], neighbours), [0, 2, 4, 1, 3, 5]);
        // A sibling that may not be used does not count.
        assert_eq!(physical_first(&[1, 2, 3], neighbours), [1, 2, 3]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_bound_as_the_thread_that_starts_it() {
        let core = usable_cores().unwrap()[0];
        let status = std::thread::spawn(move || {
            bind_this_thread(&[core]).unwrap();
            std::process::Command::new("cat").arg("/proc/self/status").output().unwrap().stdout
        });
        let status = String::from_utf8(status.join().unwrap()).unwrap();
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        assert_eq!(parse_list(list), [core]);
        assert!(usable_cores().unwrap().contains(&core), "other threads keep what they had");
    }
}
