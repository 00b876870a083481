//! Statically linked programs. They load no library, but they read the time through the page of code that the kernel
//! maps into every process (vdso(7)). When such a program has started and not yet run, its copy of the page is
//! overwritten, as a debugger does to set a breakpoint. Functions that wait for a time are left as they are.

#![expect(
    unsafe_code,
    reason = "code for another process, and system calls that no library in use here wraps"
)]

use std::arch::global_asm;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::ptr;

use rustix::time::{ClockId, clock_gettime};

// The vDSO's `clock_gettime`, `gettimeofday` and `time`: the process's CPU time divided by its threads, plus the
// clock's reading when the process began. Clocks have the numbers of clock_gettime(2): 0 and 5 are wall clocks, 2 and 3
// are CPU-time clocks.
global_asm!(include_str!("vdso.s"));

unsafe extern "C" {
    static cpu_clock_vdso: u8;
    static cpu_clock_vdso_gettimeofday: u8;
    static cpu_clock_vdso_time: u8;
    static cpu_clock_vdso_numbers: u8;
    static cpu_clock_vdso_end: u8;
}

/// The code, and the offsets of its functions and numbers.
struct Code {
    bytes: Vec<u8>,
    gettimeofday: u64,
    time: u64,
    numbers: usize,
}

impl Code {
    fn assembled() -> Code {
        // SAFETY: the symbols are addresses in one read-only section, in this order.
        unsafe {
            let start = &raw const cpu_clock_vdso;
            let from_start = |place: *const u8| place.addr() - start.addr();
            let bytes = ptr::slice_from_raw_parts(start, from_start(&raw const cpu_clock_vdso_end));
            Code {
                bytes: (*bytes).to_vec(),
                gettimeofday: from_start(&raw const cpu_clock_vdso_gettimeofday) as u64,
                time: from_start(&raw const cpu_clock_vdso_time) as u64,
                numbers: from_start(&raw const cpu_clock_vdso_numbers),
            }
        }
    }
}

/// A relative jump over `distance` bytes, which include the instruction itself.
fn jump(distance: u64) -> [u8; 5] {
    let [a, b, c, d] = (distance.wrapping_sub(5) as u32).to_le_bytes();
    [0xe9, a, b, c, d]
}

/// Makes this process stop when it executes another program, before that runs, until it is
/// [released](patch_and_release). Call it after fork.
///
/// # Errors
/// If the system does not allow tracing.
pub fn stop_at_start() -> io::Result<()> {
    // SAFETY: the call touches no memory.
    match unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Overwrites the vDSO of a process that has stopped at its start, so that it sees its CPU time divided by `threads`,
/// and lets it run. Call it on the thread that started the process.
///
/// # Errors
/// If the process does not stop, or its vDSO is of an unknown kind. Kill the process then.
pub fn patch_and_release(process: u32, threads: usize) -> io::Result<()> {
    let id = process as libc::pid_t;
    let mut status = 0;
    // SAFETY: the call writes to the status, which outlives it.
    if unsafe { libc::waitpid(id, &raw mut status, libc::__WALL) } != id || !libc::WIFSTOPPED(status) {
        return Err(io::Error::other("the program does not start"));
    }
    let patched = patch(process, threads as u64);
    // SAFETY: the call touches no memory of ours.
    unsafe { libc::ptrace(libc::PTRACE_DETACH, id, 0, 0) };
    patched
}

fn patch(process: u32, threads: u64) -> io::Result<()> {
    const PAGE_OF_CODE: u64 = 33;
    let unknown = || io::Error::other("the kernel's page of clocks (vdso) is none that we know");
    let auxiliary = fs::read(format!("/proc/{process}/auxv"))?;
    let words: Vec<u64> = auxiliary.chunks_exact(8).map(number).collect();
    let start = words.chunks_exact(2).find(|pair| pair[0] == PAGE_OF_CODE).ok_or_else(unknown)?[1];
    let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{process}/mem"))?;
    let mut image = vec![0; 0x4000];
    let length = memory.read_at(&mut image, start)?;
    image.truncate(length);
    let place = |name: &str| symbol(&image, name);
    let mut code = Code::assembled();
    let (clock, _) = place("__vdso_clock_gettime")
        .filter(|(_, size)| *size as usize >= code.bytes.len())
        .ok_or_else(unknown)?;
    let nanos = |clock| {
        let time = clock_gettime(clock);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    };
    let numbers = [threads.max(1), nanos(ClockId::Realtime), nanos(ClockId::Monotonic)];
    for (index, number) in numbers.into_iter().enumerate() {
        let at = code.numbers + 8 * index;
        code.bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
    }
    memory.write_all_at(&code.bytes, start + clock)?;
    for (name, target) in [("__vdso_gettimeofday", code.gettimeofday), ("__vdso_time", code.time)] {
        if let Some((place, _)) = place(name) {
            memory.write_all_at(&jump((clock + target).wrapping_sub(place)), start + place)?;
        }
    }
    Ok(())
}

/// Reads a little-endian number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The offset and length of a function in an ELF image that is loaded at address zero, as in elf(5).
fn symbol(image: &[u8], name: &str) -> Option<(u64, u64)> {
    const DYNAMIC: u64 = 2;
    const STRINGS: u64 = 5;
    const SYMBOLS: u64 = 6;
    let field = |at: usize, bytes: usize| image.get(at..at + bytes).map(number);
    let table = field(32, 8)? as usize;
    let segment = (0..field(56, 2)? as usize).map(|entry| table + 56 * entry);
    let dynamic = segment.into_iter().find(|at| field(*at, 4) == Some(DYNAMIC))?;
    let dynamic = field(dynamic + 8, 8)? as usize;
    let entry = |tag| (0..64).map(|entry| dynamic + 16 * entry).find(|at| field(*at, 8) == Some(tag));
    let (strings, symbols) =
        (field(entry(STRINGS)? + 8, 8)? as usize, field(entry(SYMBOLS)? + 8, 8)? as usize);
    let mut places = (symbols..strings).step_by(24);
    let found = places.find(|at| {
        let text = field(*at, 4).and_then(|offset| image.get(strings + offset as usize..));
        text.is_some_and(|text| text.starts_with(name.as_bytes()) && text.get(name.len()) == Some(&0))
    })?;
    Some((field(found + 8, 8)?, field(found + 16, 8)?))
}
