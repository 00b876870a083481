//! `tune`, as `cargo install --path .` installs it.

fn main() -> std::process::ExitCode {
    tune::main()
}
