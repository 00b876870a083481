//! The program `arbiter`.

use std::process::ExitCode;

fn main() -> ExitCode {
    arbiter::commands::main().into()
}
