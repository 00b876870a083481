//! tarrasch, for the tests of the harness.

fn main() -> anyhow::Result<()> {
    tarrasch::main()
}
