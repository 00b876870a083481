//! `druelle`, as `cargo install --path .` installs it.

fn main() -> anyhow::Result<()> {
    druelle::main()
}
