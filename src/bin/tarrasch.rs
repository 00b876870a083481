//! `tarrasch`, as `cargo install --path .` installs it.

fn main() -> anyhow::Result<()> {
    tarrasch::main()
}
