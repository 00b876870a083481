//! The engines that the tests play with. They are examples of this package, so that cargo builds them with its tests.

/// The path of an example, as a text that is known when the tests are compiled.
macro_rules! example {
    ($name:literal) => {
        concat!(env!("OUT_DIR"), "/../../../examples/", $name)
    };
}
pub(crate) use example;

/// A well or badly behaved engine, by its first argument.
pub const MOCK_ENGINE: &str = example!("mock_engine");
