//! `bibichess`, as `cargo install --path .` installs it.

fn main() -> anyhow::Result<()> {
    bibichess::main()
}
