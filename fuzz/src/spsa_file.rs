//! A file of parameters to tune: the rows of OpenBench, or the JSON of Weather Factory.

use arbiter::foreign_files::read_parameters;

use super::scratch;

/// A parameter that is accepted lies within its bounds.
pub fn run(bytes: &[u8]) {
    let (_folder, file) = scratch::file("parameters", bytes);
    for parameter in read_parameters(&file).unwrap_or_default() {
        assert!((parameter.min..=parameter.max).contains(&parameter.value), "{parameter:?}");
        assert!(parameter.c_end.is_finite() && parameter.r_end.is_finite(), "{parameter:?}");
    }
}
