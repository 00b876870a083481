//! Several runs in one folder, killed in the middle and resumed until they come to their end.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::workbench::{PATIENCE, Workbench};

/// The growth of the folder after which a process is killed: about two games.
const BYTES_OF_A_LIFE: u64 = 4000;

/// Starts `args`, kills the process whenever its folder has grown, and resumes it once the file `state` exists. Drafts of
/// files do not count as growth. Returns the number of kills until a process ends by itself.
pub fn killed_again_and_again(bench: &Workbench, folder: &str, state: &str, args: &[&str]) -> u32 {
    let bytes = || {
        let files = bench.listing().into_iter().filter(|path| path.starts_with(bench.path(folder)));
        let files = files.filter(|path| path.extension().is_none_or(|ending| ending != "draft"));
        files.filter_map(|path| fs::metadata(path).ok()).map(|file| file.len()).sum::<u64>()
    };
    for lives in 0..100 {
        let before = bytes();
        let has_begun = bench.path(folder).join(state).exists();
        let mut arbiter = if has_begun { bench.spawn(&["resume", folder]) } else { bench.spawn(args) };
        let start = Instant::now();
        while bytes() <= before + BYTES_OF_A_LIFE {
            if let Some(status) = arbiter.try_wait().unwrap() {
                assert_eq!(status.code(), Some(0));
                return lives;
            }
            assert!(start.elapsed() < PATIENCE, "no progress");
            thread::sleep(Duration::from_millis(1));
        }
        let _ = kill_process(Pid::from_child(&arbiter), Signal::KILL);
        arbiter.wait().unwrap();
    }
    panic!("it comes to no end");
}
