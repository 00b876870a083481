//! The command line of Arbiter.

fn main() {}
