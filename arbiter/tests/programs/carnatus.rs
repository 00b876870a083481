//! carnatus, for the tests of the harness.

fn main() -> anyhow::Result<()> {
    carnatus::main()
}
