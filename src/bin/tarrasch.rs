//! The Tarrasch chess engine.

fn main() {}
