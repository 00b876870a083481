//! What the clocks show.

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

/// A clock of the system less the process's clock at the beginning; zero before that.
struct Begin(AtomicI64);

static WALL: Begin = Begin(AtomicI64::new(0));
static STEADY: Begin = Begin(AtomicI64::new(0));
static BOOT: Begin = Begin(AtomicI64::new(0));

/// The threads that share the processor time; zero before the beginning.
static THREADS: AtomicU64 = AtomicU64::new(0);

/// What idle waits have added to the process's clock.
static SLEPT: AtomicI64 = AtomicI64::new(0);

/// The clock of the program that loads this begins with it, before its first look.
#[used]
#[unsafe(link_section = ".init_array")]
static BEGIN: extern "C" fn() = begin;

extern "C" fn begin() {
    for clock in [REALTIME, MONOTONIC, BOOTTIME] {
        shown(clock);
    }
}

/// What a clock shows to the engine, in nanoseconds; `None` for one that is not answered here.
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

/// The clock of the process: its processor time by its threads, and what it slept while it had nothing to do.
pub fn used() -> i64 {
    real(PROCESS_CPU).cast_unsigned().checked_div(threads()).unwrap_or_default().cast_signed()
        + SLEPT.load(Relaxed)
}

/// Puts the clock forward by what a wait has left in which nobody worked.
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
