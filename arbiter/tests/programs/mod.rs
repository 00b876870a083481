//! The engines for the tests. They are examples of this package, so that cargo builds them with its tests.

/// The path of an example as a compile-time string.
macro_rules! example {
    ($name:literal) => {
        concat!(env!("OUT_DIR"), "/../../../examples/", $name, $crate::programs::exe_suffix!())
    };
}
pub(crate) use example;

#[cfg(unix)]
macro_rules! exe_suffix {
    () => {
        ""
    };
}
#[cfg(windows)]
macro_rules! exe_suffix {
    () => {
        ".exe"
    };
}
pub(crate) use exe_suffix;

/// Whether the tests of a Windows build run under Wine, as verify/wine.py runs them.
pub fn is_wine() -> bool {
    cfg!(windows) && std::env::var_os("WINEPREFIX").is_some()
}

/// The mock engine, whose first argument says how it behaves.
pub const MOCK_ENGINE: &str = example!("mock_engine");
