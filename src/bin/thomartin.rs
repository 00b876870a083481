//! `thomartin`, as `cargo install --path .` installs it.

fn main() -> std::io::Result<()> {
    thomartin::main()
}
