//! The fuzz program of all targets: shows bytes to the one that `ARBITER_FUZZ_TARGET` names.
#![no_main]

use std::env;
use std::sync::LazyLock;

use arbiter_fuzz::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("ARBITER_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found
        .unwrap_or_else(|| {
            panic!("expected ARBITER_FUZZ_TARGET to name a folder of fuzz/corpus, found `{name}`")
        })
        .1
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));
