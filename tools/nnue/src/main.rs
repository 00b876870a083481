//! The program `nnue`; all its code is in the library.

fn main() -> std::process::ExitCode {
    nnue::main()
}
