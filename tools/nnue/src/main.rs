//! The program; the library has all of it.

fn main() -> std::process::ExitCode {
    nnue::main()
}
