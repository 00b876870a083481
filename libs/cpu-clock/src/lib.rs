//! Shows an engine its own CPU time in place of wall-clock time.
//!
//! A small library (source in `preload/`) is loaded into the engine before all others and answers its calls for the
//! time. The library is part of this package and is written to the user's cache folder, from where engines load it. In
//! programs that load no library, the vDSO is overwritten instead.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod vdso;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod vdso {
    //! Processes can be patched on Linux on `x86_64` only.

    use std::io;

    /// Always fails on this system.
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`].
    pub fn stop_at_start() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Always fails on this system.
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`].
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

/// The preloaded library; empty if there is none for this target.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/preload.so"));

/// The variable that makes the loader load the library.
pub const PRELOAD: &str = "LD_PRELOAD";

/// The variable that gives the library the engine's number of threads.
const THREADS: &str = "ARBITER_CLOCK_THREADS";

/// The environment variables with which a process and its children see CPU time, divided by `threads`. `preloaded` is
/// the value that `LD_PRELOAD` would otherwise have; the library is put before it.
///
/// # Errors
/// If there is no library for this system, or it cannot be written to the user's cache folder.
pub fn environment(threads: usize, preloaded: Option<OsString>) -> io::Result<[(&'static str, OsString); 2]> {
    let cache = etcetera::choose_base_strategy().map_err(io::Error::other)?.cache_dir();
    let mut libraries = install(&cache.join("arbiter"))?.into_os_string();
    if let Some(others) = preloaded.filter(|others| !others.is_empty()) {
        libraries.push(":");
        libraries.push(others);
    }
    Ok([(PRELOAD, libraries), (THREADS, threads.max(1).to_string().into())])
}

/// Writes the library to a folder, unless an identical copy is there, and returns its path.
///
/// # Errors
/// If there is no library for this system, or the folder cannot be written to or has a path that the loader rejects.
pub fn install(folder: &Path) -> io::Result<PathBuf> {
    if LIBRARY.is_empty() {
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

/// The 64-bit FNV-1a hash, which tells versions apart; a file is recognized as the library by its bytes.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// How a program can be shown its CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It loads the library.
    Library,
    /// It is linked statically and loads nothing; its vDSO is overwritten.
    Page,
    /// It cannot be, for this reason.
    None(&'static str),
}

impl Way {
    /// The way for a program, judged by its file. Scripts count as [`Way::Library`], for the sake of their interpreter.
    pub fn of(program: &Path) -> Way {
        const INTERPRETER: u64 = 3;
        const OWN: u64 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
        let mut head = [0; 4096];
        let length = File::open(program).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
        let head = &head[..length];
        if !head.starts_with(b"\x7fELF") {
            return Way::Library;
        }
        // The header of a 64-bit little-endian ELF file, as in elf(5).
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
