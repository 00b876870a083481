//! The times that a program sees with the library loaded: the test program starts itself again.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#![expect(unsafe_code, reason = "a process is started that stops before it runs")]
#![expect(clippy::print_stdout, reason = "the program that is started tells what it sees")]

use std::io::{BufRead, BufReader, Write, stdin};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use cpu_clock::Way;
use rustix::time::{ClockId, clock_gettime};

/// The CPU time of this process according to the kernel.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn work(for_so_long: Duration) {
    let end = processor_time() + for_so_long;
    while processor_time() < end {
        std::hint::black_box((0..1000_u64).fold(0, |sum: u64, next| sum.wrapping_mul(31) ^ next));
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The program that the other tests start; it tests nothing by itself.
#[test]
#[ignore = "started by the others"]
fn shows_its_clocks() {
    let (begin, used) = (Instant::now(), processor_time());
    println!("FACT wait");
    stdin().lock().read_line(&mut String::new()).unwrap();
    println!("FACT blocked {}", millis(begin.elapsed()));
    work(Duration::from_millis(60));
    println!("FACT worked {} {}", millis(begin.elapsed()), millis(processor_time().saturating_sub(used)));
    for (name, wait) in [
        ("slept", thread::sleep as fn(Duration)),
        ("waited", |time| {
            let (_sender, receiver) = channel::<()>();
            assert!(receiver.recv_timeout(time).is_err());
        }),
    ] {
        let begin = Instant::now();
        wait(Duration::from_millis(30));
        println!("FACT {name} {}", millis(begin.elapsed()));
    }
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    println!("FACT date {}", since.as_secs());
}

/// Starts this program as one with `threads` threads, and returns a function that gives its facts, by name.
fn facts(way: Way, threads: usize) -> impl Fn(&str) -> Vec<f64> {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", "shows_its_clocks"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    if way == Way::Library {
        let library = cpu_clock::install(folder.path()).unwrap();
        command.env("LD_PRELOAD", &library).env("ARBITER_CLOCK_THREADS", threads.to_string());
    } else {
        // SAFETY: the closure makes one system call, which is safe to make after fork.
        unsafe { command.pre_exec(cpu_clock::stop_at_start) };
    }
    let mut child = command.spawn().unwrap();
    if way == Way::Page {
        cpu_clock::patch_and_release(child.id(), threads).unwrap();
    }
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.contains("FACT wait")).unwrap();
    assert_eq!(cpu_clock::is_loaded(child.id()), way == Way::Library);
    // Wall-clock time passes, but the CPU time of an idle process does not.
    thread::sleep(Duration::from_millis(400));
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    let lines: Vec<String> = lines.collect();
    assert!(child.wait().unwrap().success(), "{lines:?}");
    move |name| {
        let fact = lines.iter().find_map(|line| line.split_once(&format!("FACT {name} "))).unwrap().1;
        fact.split_whitespace().map(|number| number.parse().unwrap()).collect()
    }
}

/// The ways that this processor supports.
const WAYS: &[Way] = if cfg!(target_arch = "x86_64") { &[Way::Library, Way::Page] } else { &[Way::Library] };

#[test]
fn time_is_what_the_process_has_worked_by_its_threads() {
    for (way, threads) in WAYS.iter().flat_map(|way| [(*way, 1), (*way, 4)]) {
        let fact = facts(way, threads);
        assert!(
            fact("blocked")[0] < 200.0,
            "{way:?}: it did not work while it waited: {:?}",
            fact("blocked")
        );
        let [shown, used] = fact("worked")[..] else { panic!() };
        assert!((shown - used / threads as f64).abs() < 10.0, "{way:?} {threads}: {shown} {used}");
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64();
        assert!((fact("date")[0] - now).abs() < 3600.0, "{way:?}");
    }
}

#[test]
fn a_wait_lasts_until_its_end_is_shown() {
    let fact = facts(Way::Library, 1);
    for wait in ["slept", "waited"] {
        assert!(fact(wait)[0] >= 30.0, "{wait} {:?}", fact(wait));
    }
}

#[test]
fn a_library_that_was_changed_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = cpu_clock::install(folder.path()).unwrap();
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..100]).unwrap();
    assert_eq!(cpu_clock::install(folder.path()).unwrap(), path);
    assert!(std::fs::read(&path).unwrap() == whole);
}

#[test]
fn the_way_of_a_program_shows_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut head = [0_u8; 64];
    head[..6].copy_from_slice(b"\x7fELF\x02\x01");
    let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    head[18..20].copy_from_slice(&own[18..20]);
    for (image, expected) in [
        (&head[..], if cfg!(target_arch = "x86_64") { "Page" } else { "None" }),
        (b"\x7fELF\x01\x01 of 32 bits, long enough to have a whole head", "None"),
        (b"#!/bin/sh\nexec engine\n", "Library"),
        (&own, "Library"),
    ] {
        let program = folder.path().join("program");
        std::fs::write(&program, image).unwrap();
        let way = format!("{:?}", Way::of(&program));
        assert!(way.starts_with(expected), "{way}");
    }
}
