//! The CPU time of an engine in the place of the wall's, as the engine sees it.
//!
//! A small library (its source is in `preload/`) is loaded into the engine before all others and answers whoever asks
//! for the time. It is part of this package and lies in the user's cache folder, from where engines load it. Programs that
//! load nothing have their page of clocks overwritten.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod vdso;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod vdso {
    //! No program is patched elsewhere.

    use std::io;

    /// Fails.
    ///
    /// # Errors
    /// There is no such thing here.
    pub fn stop_at_start() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Fails.
    ///
    /// # Errors
    /// There is no such thing here.
    pub fn patch_and_release(_: u32, _: usize) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

pub use vdso::{patch_and_release, stop_at_start};

/// The library; empty where there is none for the system.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/preload.so"));

/// The variable by which the loader learns of the library.
pub const PRELOAD: &str = "LD_PRELOAD";

/// The variable by which the library learns of the threads.
const THREADS: &str = "ARBITER_CLOCK_THREADS";

/// Whether there is such a library for this system: on Linux, for `x86_64` and aarch64.
pub const fn is_available() -> bool {
    !LIBRARY.is_empty()
}

/// The variables with which a process and all that it starts see CPU time, divided by `threads` where several share
/// it. `preloaded` is what the process would have in `LD_PRELOAD` else.
///
/// # Errors
/// There is no such library for this system, or it cannot be written into the cache folder of the user.
pub fn environment(threads: usize, preloaded: Option<OsString>) -> io::Result<[(&'static str, OsString); 2]> {
    let cache = etcetera::choose_base_strategy().map_err(io::Error::other)?.cache_dir();
    let mut libraries = install(&cache.join("arbiter"))?.into_os_string();
    if let Some(others) = preloaded.filter(|others| !others.is_empty()) {
        libraries.push(":");
        libraries.push(others);
    }
    Ok([(PRELOAD, libraries), (THREADS, threads.max(1).to_string().into())])
}

/// Puts the library into a folder, unless it is there, whole and unchanged. Returns its path.
///
/// # Errors
/// There is no such library for this system, or the folder cannot be written to.
pub fn install(folder: &Path) -> io::Result<PathBuf> {
    if !is_available() {
        let message = "the clock of CPU time needs Linux on x86_64 or aarch64";
        return Err(io::Error::new(io::ErrorKind::Unsupported, message));
    }
    let path = folder.join(format!("cpu-clock-{:016x}.so", fingerprint(LIBRARY)));
    if path.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b' ' | b':' | b'$')) {
        let path = path.display();
        return Err(io::Error::other(format!(
            "{path}: the loader takes no path with a blank, a colon or a dollar"
        )));
    }
    if fs::read(&path).is_ok_and(|found| found == LIBRARY) {
        return Ok(path);
    }
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!("cpu-clock-{}.draft", std::process::id()));
    fs::write(&draft, LIBRARY)?;
    fs::rename(&draft, &path)?;
    Ok(path)
}

/// Whether a process has loaded the library.
pub fn is_loaded(process: u32) -> bool {
    let name = format!("/cpu-clock-{:016x}.so", fingerprint(LIBRARY));
    let maps = fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
    maps.windows(name.len()).any(|window| window == name.as_bytes())
}

/// The hash FNV-1a of 64 bits. It tells versions apart; that a file is the library is seen by its bytes.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// How a program comes to its CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It loads the library.
    Library,
    /// It is linked statically and loads nothing; its page of clocks is overwritten.
    Page,
    /// Not at all, and why.
    None(&'static str),
}

impl Way {
    /// The way of a program, by its file. A script is judged by what it starts, when that runs.
    pub fn of(program: &Path) -> Way {
        const INTERPRETER: u64 = 3;
        const OWN: u64 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
        let mut head = [0; 4096];
        let length = File::open(program).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
        let head = &head[..length];
        if !head.starts_with(b"\x7fELF") {
            return Way::Library;
        }
        // The heads of ELF files of 64 bits, little-endian, as elf(5) has them.
        let number = |at: usize, bytes: usize| {
            let field = head.get(at..at + bytes).unwrap_or_default();
            field.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
        };
        if head.get(4..6) != Some(&[2, 1]) || number(18, 2) != OWN {
            return Way::None("it is a program for another processor, and the library is for this one");
        }
        let (table, size) = (number(32, 8) as usize, number(54, 2) as usize);
        let mut segments = (0..number(56, 2) as usize).map(|entry| number(table + entry * size, 4));
        match segments.any(|kind| kind == INTERPRETER) {
            true => Way::Library,
            false if cfg!(target_arch = "x86_64") => Way::Page,
            false => Way::None("it is linked statically, so that no library can be loaded into it"),
        }
    }
}
