//! `bibichess`, as `cargo install --path .` installs it.

fn main() -> std::io::Result<()> {
    bibichess::main()
}
