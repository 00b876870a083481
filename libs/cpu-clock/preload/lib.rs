//! The library that is loaded into an engine before all others, and shows it its own processor time in the place of the
//! wall's.
//!
//! A clock of the system is answered with what it showed when the process began, plus the processor time that the
//! process has used since, divided by the threads that the engine was given. Clocks of processor time are left as they
//! are. What waits until a moment waits until the clock shown has come to it ([`waits`]).
//!
//! It has no standard library and is linked with none, so that one file serves the programs of every libc: its own
//! system calls read the clocks, and the few functions that it needs of the program's libc are found when it is loaded.

#![no_std]

mod clocks;
mod system;
mod waits;

use core::ffi::{c_int, c_long};

use clocks::{MONOTONIC, REALTIME, shown};
use system::{NANOS, Timespec};

/// What `gettimeofday` fills in.
#[repr(C)]
pub struct Timeval {
    sec: i64,
    usec: i64,
}

/// What `ftime` fills in.
#[repr(C)]
pub struct Timeb {
    sec: i64,
    millis: u16,
    zone: [u16; 2],
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int {
    match shown(clock) {
        Some(nanos) if !time.is_null() => {
            // SAFETY: the caller gives a place for the time.
            unsafe { *time = Timespec::of(nanos) };
            0
        }
        // SAFETY: the call is the system's own.
        _ => system::result(unsafe {
            system::call(system::CLOCK_GETTIME, [clock as usize, time as usize, 0, 0, 0, 0])
        }),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn gettimeofday(time: *mut Timeval, _zone: *mut u8) -> c_int {
    let nanos = now();
    if !time.is_null() {
        // SAFETY: the caller gives a place for the time.
        unsafe { *time = Timeval { sec: nanos / NANOS, usec: nanos % NANOS / 1000 } };
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn time(place: *mut i64) -> i64 {
    let seconds = now() / NANOS;
    if !place.is_null() {
        // SAFETY: the caller gives a place for the time.
        unsafe { *place = seconds };
    }
    seconds
}

#[unsafe(no_mangle)]
unsafe extern "C" fn timespec_get(time: *mut Timespec, base: c_int) -> c_int {
    const UTC: c_int = 1;
    if base != UTC {
        return 0;
    }
    // SAFETY: the caller gives a place for the time.
    unsafe { *time = Timespec::of(now()) };
    base
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ftime(time: *mut Timeb) -> c_int {
    let nanos = now();
    let millis = (nanos % NANOS / 1_000_000) as u16;
    // SAFETY: the caller gives a place for the time.
    unsafe { *time = Timeb { sec: nanos / NANOS, millis, zone: [0; 2] } };
    0
}

/// The processor times that it fills in are the system's; what it returns is time since a moment in the past.
#[unsafe(no_mangle)]
unsafe extern "C" fn times(used: *mut u8) -> c_long {
    const TICKS: i64 = 100;
    // SAFETY: the call is the system's own.
    unsafe { system::call(system::TIMES, [used as usize, 0, 0, 0, 0, 0]) };
    shown(MONOTONIC).unwrap_or_default() / (NANOS / TICKS)
}

fn now() -> i64 {
    shown(REALTIME).unwrap_or_default()
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
