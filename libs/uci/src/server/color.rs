//! The two players, as the clocks of `go` name them.

/// Whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Has `wtime` and `winc`.
    White,
    /// Has `btime` and `binc`.
    Black,
}
