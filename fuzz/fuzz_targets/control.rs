#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| arbiter_fuzz::control::run(bytes));
