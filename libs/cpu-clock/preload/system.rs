//! System calls, and functions of the program's libc.

use core::arch::asm;
use core::ffi::{c_char, c_int, c_long, c_void};
use core::ptr;

/// A second, in nanoseconds.
pub const NANOS: i64 = 1_000_000_000;

#[cfg(target_arch = "x86_64")]
mod numbers {
    pub const TIMES: usize = 100;
    pub const FUTEX: usize = 202;
    pub const CLOCK_GETTIME: usize = 228;
    pub const CLOCK_NANOSLEEP: usize = 230;
}

#[cfg(not(target_arch = "x86_64"))]
mod numbers {
    pub const TIMES: usize = 153;
    pub const FUTEX: usize = 98;
    pub const CLOCK_GETTIME: usize = 113;
    pub const CLOCK_NANOSLEEP: usize = 115;
}

pub use numbers::*;

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Timespec {
    pub sec: i64,
    pub nsec: i64,
}

impl Timespec {
    pub fn of(nanos: i64) -> Timespec {
        Timespec { sec: nanos.max(0) / NANOS, nsec: nanos.max(0) % NANOS }
    }

    /// The time in nanoseconds, at most some 290 years.
    pub fn nanos(self) -> i64 {
        self.sec.saturating_mul(NANOS).saturating_add(self.nsec)
    }
}

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
    fn getenv(name: *const c_char) -> *const c_char;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Makes a system call and returns the kernel's answer: an error is a negative number.
#[cfg(target_arch = "x86_64")]
pub unsafe fn call(number: usize, args: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = args;
    let answer;
    // SAFETY: this is the kernel's calling convention; the caller answers for the call itself.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => answer, in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d,
             in("r8") e, in("r9") f, lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    answer
}

/// Makes a system call and returns the kernel's answer: an error is a negative number.
#[cfg(target_arch = "aarch64")]
pub unsafe fn call(number: usize, args: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = args;
    let answer;
    // SAFETY: this is the kernel's calling convention; the caller answers for the call itself.
    unsafe {
        asm!("svc 0", in("x8") number, inlateout("x0") a as isize => answer, in("x1") b, in("x2") c, in("x3") d,
             in("x4") e, in("x5") f, options(nostack));
    }
    answer
}

/// Converts the answer of a system call to the form of libc: -1 and `errno` for an error.
pub fn result(answer: isize) -> c_int {
    if answer < 0 {
        // SAFETY: libc returns a valid pointer to `errno`.
        unsafe { *__errno_location() = -answer as c_int };
        return -1;
    }
    answer as c_int
}

/// The thread's `errno`.
pub fn error() -> c_int {
    // SAFETY: libc returns a valid pointer to `errno`.
    unsafe { *__errno_location() }
}

/// The reading of a system clock, in nanoseconds.
pub fn real(clock: c_int) -> i64 {
    let mut time = Timespec { sec: 0, nsec: 0 };
    // SAFETY: `time` outlives the call that fills it in.
    unsafe { call(CLOCK_GETTIME, [clock as usize, &raw mut time as usize, 0, 0, 0, 0]) };
    time.nanos()
}

/// The number that an environment variable starts with; zero if there is none.
pub fn unsigned_variable(name: *const c_char) -> u64 {
    let mut number = 0_u64;
    // SAFETY: the text that `getenv` returns ends with a zero byte, which is not a digit.
    unsafe {
        let mut text = getenv(name);
        while !text.is_null() && (*text as u8).is_ascii_digit() {
            number = number.saturating_mul(10).saturating_add(u64::from(*text as u8 & 15));
            text = text.add(1);
        }
    }
    number
}

/// The function that the name would refer to without this library; null if there is none.
pub fn next(name: *const c_char) -> *mut c_void {
    const NEXT: *mut c_void = ptr::without_provenance_mut(usize::MAX);
    // SAFETY: the name ends with a zero byte.
    unsafe { dlsym(NEXT, name) }
}

/// libc's `syscall`, through which some programs use the kernel's clocks and waits directly.
#[unsafe(no_mangle)]
unsafe extern "C" fn syscall(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> c_long {
    let args = [a, b, c, d, e, f];
    // SAFETY: the arguments are passed on from the caller.
    let answer = unsafe { crate::waits::intercepted(number as usize, args) };
    if answer < 0 && answer > -4096 {
        // SAFETY: libc returns a valid pointer to `errno`.
        unsafe { *__errno_location() = -answer as c_int };
        return -1;
    }
    answer as c_long
}
