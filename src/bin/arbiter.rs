//! `arbiter`, as `cargo install --path .` installs it.

fn main() -> std::process::ExitCode {
    arbiter::commands::main().into()
}
