//! `schlottke`, as `cargo install --path .` installs it.

fn main() -> std::io::Result<()> {
    schlottke::main()
}
