//! bibichess, for the tests of the harness.

fn main() -> anyhow::Result<()> {
    bibichess::main()
}
