//! Functions that wait for a time.
//!
//! A wait lasts until the clock that is shown has reached its end. While threads of the process work, it sleeps in
//! steps, each as long as the time that is still missing on that clock. If the process is idle, its clock is put
//! forward to the end of the wait, as CPU time would never get there.
//!
//! `select`, `poll` and `epoll_wait` keep their wall-clock timeouts.

use core::ffi::{CStr, c_int, c_uint, c_void};
use core::mem;
use core::sync::atomic::{AtomicI64, Ordering::Relaxed};

use crate::clocks::{MONOTONIC, REALTIME, put_forward, shown, used};
use crate::system::{self, CLOCK_GETTIME, CLOCK_NANOSLEEP, FUTEX, NANOS, Timespec, call, next, real};

const EINTR: c_int = 4;
const ETIMEDOUT: c_int = 110;

/// The shortest time over which a process is judged idle, in nanoseconds: one that waits for a core uses no CPU either.
const WINDOW: i64 = 20_000_000;

/// A process is idle if it used less than one part in this many of the window.
const IDLE_SHARE: i64 = 50;

/// The window's beginning on the steady clock, and the process's clock at that moment.
static BEGAN: AtomicI64 = AtomicI64::new(0);
static USED: AtomicI64 = AtomicI64::new(0);

fn open_window(now: i64) {
    BEGAN.store(now, Relaxed);
    USED.store(used(), Relaxed);
}

fn is_idle() -> bool {
    let now = real(MONOTONIC);
    let lasted = now - BEGAN.load(Relaxed);
    if lasted < WINDOW {
        return false;
    }
    let is_idle = used() - USED.load(Relaxed) < lasted / IDLE_SHARE;
    if !is_idle {
        open_window(now);
    }
    is_idle
}

/// A wait until a clock shows `end`, in nanoseconds.
#[derive(Clone, Copy)]
struct Wait {
    clock: c_int,
    end: i64,
}

impl Wait {
    fn until(clock: c_int, end: i64) -> Wait {
        let now = real(MONOTONIC);
        if now - BEGAN.load(Relaxed) > 2 * WINDOW {
            open_window(now);
        }
        Wait { clock, end }
    }

    /// A wait until a time of the wall clock (since 1970) or the steady clock (since boot), told apart by its size.
    fn on_either(end: i64) -> Wait {
        const LATE: i64 = 1_000_000_000 * NANOS;
        Wait::until(if end > LATE { REALTIME } else { MONOTONIC }, end)
    }

    /// The nanoseconds still missing on the clock that is shown; negative if the time has come.
    fn missing(&self) -> i64 {
        shown(self.clock).map_or(0, |now| self.end.saturating_sub(now))
    }

    /// The earliest time on the system's clock at which the wait can be over.
    fn real_end(&self) -> Timespec {
        Timespec::of(real(self.clock).saturating_add(self.missing().max(0)))
    }

    /// Whether the wait is over, once the system's clock has passed `real_end`. Puts the clock forward if so.
    fn is_over(&self) -> bool {
        let missing = self.missing();
        if missing > 0 && !is_idle() {
            return false;
        }
        put_forward(missing);
        true
    }

    /// Sleeps until the wait is over. Returns an error number, or 0.
    fn pass(self) -> c_int {
        while self.missing() > 0 {
            const ABSOLUTE: usize = 1;
            let end = self.real_end();
            let args = [self.clock as usize, ABSOLUTE, &raw const end as usize, 0, 0, 0];
            // SAFETY: `end` outlives the call that reads it.
            let answer = unsafe { call(CLOCK_NANOSLEEP, args) };
            if answer != 0 {
                return -answer as c_int;
            }
            if self.is_over() {
                break;
            }
        }
        0
    }
}

/// Sleeps for the time `wish`. Returns an error number; if a signal ended the sleep, `rest` is the remaining time.
fn sleep_for(wish: Timespec, rest: *mut Timespec) -> c_int {
    let Some(now) = shown(MONOTONIC) else { return 0 };
    let wait = Wait::until(MONOTONIC, now.saturating_add(wish.nanos()));
    let error = wait.pass();
    if error == EINTR && !rest.is_null() {
        // SAFETY: the caller passes a valid pointer for the rest.
        unsafe { *rest = Timespec::of(wait.missing()) };
    }
    error
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nanosleep(wish: *const Timespec, rest: *mut Timespec) -> c_int {
    // SAFETY: the caller passes a valid pointer to the time.
    system::result(-(sleep_for(unsafe { *wish }, rest) as isize))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn usleep(micros: c_uint) -> c_int {
    system::result(-(sleep_for(Timespec::of(i64::from(micros) * 1000), core::ptr::null_mut()) as isize))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sleep(seconds: c_uint) -> c_uint {
    let mut rest = Timespec { sec: 0, nsec: 0 };
    sleep_for(Timespec::of(i64::from(seconds) * NANOS), &raw mut rest);
    rest.sec as c_uint
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clock_nanosleep(
    clock: c_int,
    flags: c_int,
    wish: *const Timespec,
    rest: *mut Timespec,
) -> c_int {
    if shown(clock).is_none() {
        // SAFETY: the call and its arguments are passed on from the caller.
        return -unsafe {
            call(CLOCK_NANOSLEEP, [clock as usize, flags as usize, wish as usize, rest as usize, 0, 0])
        } as c_int;
    }
    // SAFETY: the caller passes a valid pointer to the time.
    let wish = unsafe { *wish };
    if flags & 1 == 0 { sleep_for(wish, rest) } else { Wait::until(clock, wish.nanos()).pass() }
}

/// Waits by a libc function. If it times out before the clock that is shown has reached the end, this returns `early`,
/// for functions that may wake up spuriously, or waits again.
fn wait_for(wait: Wait, early: Option<c_int>, step: impl Fn(*const Timespec) -> c_int) -> c_int {
    loop {
        let end = wait.real_end();
        let answer = step(&raw const end);
        if answer != ETIMEDOUT || wait.is_over() {
            return answer;
        }
        if let Some(answer) = early {
            return answer;
        }
    }
}

/// The libc function that this library's function of the same name replaces.
fn original<F: Copy>(name: &CStr) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    let found: *mut c_void = next(name.as_ptr());
    // SAFETY: `F` is the type in the documentation of the libc function.
    unsafe { mem::transmute_copy(&found) }
}

type Waiting = unsafe extern "C" fn(*mut c_void, *mut c_void, *const Timespec) -> c_int;
type WaitingBy = unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, *const Timespec) -> c_int;
type Taking = unsafe extern "C" fn(*mut c_void, *const Timespec) -> c_int;

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_cond_timedwait(
    condition: *mut c_void,
    mutex: *mut c_void,
    end: *const Timespec,
) -> c_int {
    let step: Waiting = original(c"pthread_cond_timedwait");
    // SAFETY: the arguments are passed on from the caller.
    unsafe { wait_for(Wait::on_either((*end).nanos()), Some(0), |end| step(condition, mutex, end)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_cond_clockwait(
    condition: *mut c_void,
    mutex: *mut c_void,
    clock: c_int,
    end: *const Timespec,
) -> c_int {
    let step: WaitingBy = original(c"pthread_cond_clockwait");
    // SAFETY: the arguments are passed on from the caller.
    unsafe { wait_for(Wait::until(clock, (*end).nanos()), Some(0), |end| step(condition, mutex, clock, end)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_mutex_timedlock(mutex: *mut c_void, end: *const Timespec) -> c_int {
    let step: Taking = original(c"pthread_mutex_timedlock");
    // SAFETY: the arguments are passed on from the caller.
    unsafe { wait_for(Wait::on_either((*end).nanos()), None, |end| step(mutex, end)) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sem_timedwait(semaphore: *mut c_void, end: *const Timespec) -> c_int {
    let step: Taking = original(c"sem_timedwait");
    // SAFETY: the caller passes a valid pointer to the time.
    let wait = unsafe { Wait::on_either((*end).nanos()) };
    let error = wait_for(wait, None, |end| {
        // SAFETY: the semaphore is the caller's.
        if unsafe { step(semaphore, end) } == 0 { 0 } else { system::error() }
    });
    system::result(-(error as isize))
}

/// Makes a system call for the program: clocks show what this library's functions show, and timed waits are translated.
pub unsafe fn intercepted(number: usize, args: [usize; 6]) -> isize {
    const WAIT_BITSET: usize = 9;
    const PRIVATE: usize = 128;
    const BY_WALL: usize = 256;
    match number {
        CLOCK_GETTIME if let Some(nanos) = shown(args[0] as c_int) => {
            // SAFETY: the caller passes a valid pointer for the result.
            unsafe { *(args[1] as *mut Timespec) = Timespec::of(nanos) };
            0
        }
        FUTEX if args[1] & !(PRIVATE | BY_WALL) == WAIT_BITSET && args[3] != 0 => {
            let clock = if args[1] & BY_WALL == 0 { MONOTONIC } else { REALTIME };
            // SAFETY: the caller passes a valid pointer to the time.
            let wait = Wait::until(clock, unsafe { *(args[3] as *const Timespec) }.nanos());
            let step = |end: *const Timespec| {
                let [a, b, c, _, e, f] = args;
                // SAFETY: the arguments are the caller's, except for the time, which outlives the call.
                -unsafe { call(FUTEX, [a, b, c, end as usize, e, f]) } as c_int
            };
            -(wait_for(wait, Some(0), step) as isize)
        }
        // SAFETY: the call and its arguments are passed on from the caller.
        _ => unsafe { call(number, args) },
    }
}
