//! `carnatus`, as `cargo install --path .` installs it.

fn main() -> anyhow::Result<()> {
    carnatus::main()
}
