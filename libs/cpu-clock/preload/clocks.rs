//! The time that each clock shows to the engine.

use core::ffi::{c_char, c_int};
use core::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use crate::system::{real, unsigned_variable};

pub const REALTIME: c_int = 0;
pub const MONOTONIC: c_int = 1;
const PROCESS_CPU: c_int = 2;
const MONOTONIC_RAW: c_int = 4;
const REALTIME_COARSE: c_int = 5;
const MONOTONIC_COARSE: c_int = 6;
const BOOTTIME: c_int = 7;

/// A system clock's reading minus the process's clock when the process began; zero until it is known.
struct Begin(AtomicI64);

static WALL: Begin = Begin(AtomicI64::new(0));
static STEADY: Begin = Begin(AtomicI64::new(0));
static BOOT: Begin = Begin(AtomicI64::new(0));

/// The number of threads that CPU time is divided by; zero until it is known.
static THREADS: AtomicU64 = AtomicU64::new(0);

/// The time by which idle waits have put the process's clock forward, in nanoseconds.
static SLEPT: AtomicI64 = AtomicI64::new(0);

/// Runs when the library is loaded, so that the clocks begin before the program first reads one.
#[used]
#[unsafe(link_section = ".init_array")]
static BEGIN: extern "C" fn() = begin;

extern "C" fn begin() {
    for clock in [REALTIME, MONOTONIC, BOOTTIME] {
        shown(clock);
    }
}

/// The time that a clock shows to the engine, in nanoseconds; `None` for a clock that is passed on to the system.
pub fn shown(clock: c_int) -> Option<i64> {
    let (begin, base) = match clock {
        REALTIME | REALTIME_COARSE => (&WALL, REALTIME),
        MONOTONIC | MONOTONIC_RAW | MONOTONIC_COARSE => (&STEADY, MONOTONIC),
        BOOTTIME => (&BOOT, BOOTTIME),
        _ => return None,
    };
    let used = used();
    let since = match begin.0.load(Relaxed) {
        0 => {
            let fresh = real(base) - used;
            begin.0.compare_exchange(0, fresh, Relaxed, Relaxed).map_or_else(|known| known, |_| fresh)
        }
        known => known,
    };
    Some(since + used)
}

/// The process's clock in nanoseconds: its CPU time divided by its threads, plus the idle waits.
pub fn used() -> i64 {
    real(PROCESS_CPU).cast_unsigned().checked_div(threads()).unwrap_or_default().cast_signed()
        + SLEPT.load(Relaxed)
}

/// Puts the clock forward by the rest of a wait in which the process was idle, in nanoseconds.
pub fn put_forward(nanos: i64) {
    SLEPT.fetch_add(nanos.max(0), Relaxed);
}

fn threads() -> u64 {
    match THREADS.load(Relaxed) {
        0 => {
            const NAME: *const c_char = c"ARBITER_CLOCK_THREADS".as_ptr();
            let given = unsigned_variable(NAME).max(1);
            THREADS.store(given, Relaxed);
            given
        }
        known => known,
    }
}
