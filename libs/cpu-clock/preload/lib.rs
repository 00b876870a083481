//! The library that is loaded into an engine before all others and shows it its own CPU time instead of wall-clock
//! time.
//!
//! A system clock shows its reading when the process began, plus the CPU time that the process has used since, divided
//! by the engine's number of threads. CPU-time clocks are left as they are. A wait lasts until the clock that is shown
//! has reached its end ([`waits`]).
//!
//! The library has no standard library and links to none, so one file serves programs of every libc: it reads the
//! clocks by system calls of its own and looks up the few libc functions that it needs at run time.

#![no_std]

mod clocks;
mod system;
mod waits;

use core::ffi::{c_int, c_long};

use clocks::{MONOTONIC, REALTIME, shown};
use system::{NANOS, Timespec};

/// The struct that `gettimeofday` fills in.
#[repr(C)]
pub struct Timeval {
    sec: i64,
    usec: i64,
}

/// The struct that `ftime` fills in.
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
            // SAFETY: the caller passes a valid pointer for the result.
            unsafe { *time = Timespec::of(nanos) };
            0
        }
        // SAFETY: the call is passed on unchanged.
        _ => system::result(unsafe {
            system::call(system::CLOCK_GETTIME, [clock as usize, time as usize, 0, 0, 0, 0])
        }),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn gettimeofday(time: *mut Timeval, _zone: *mut u8) -> c_int {
    let nanos = now();
    if !time.is_null() {
        // SAFETY: the caller passes a valid pointer for the result.
        unsafe { *time = Timeval { sec: nanos / NANOS, usec: nanos % NANOS / 1000 } };
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn time(place: *mut i64) -> i64 {
    let seconds = now() / NANOS;
    if !place.is_null() {
        // SAFETY: the caller passes a valid pointer for the result.
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
    // SAFETY: the caller passes a valid pointer for the result.
    unsafe { *time = Timespec::of(now()) };
    base
}

#[unsafe(no_mangle)]
unsafe extern "C" fn ftime(time: *mut Timeb) -> c_int {
    let nanos = now();
    let millis = (nanos % NANOS / 1_000_000) as u16;
    // SAFETY: the caller passes a valid pointer for the result.
    unsafe { *time = Timeb { sec: nanos / NANOS, millis, zone: [0; 2] } };
    0
}

/// Fills in the system's CPU times, but returns the steady clock that is shown, in ticks of 10 ms.
#[unsafe(no_mangle)]
unsafe extern "C" fn times(used: *mut u8) -> c_long {
    const TICKS: i64 = 100;
    // SAFETY: the call is passed on unchanged.
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
