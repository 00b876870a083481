//! druelle, for the tests of the harness.

fn main() -> anyhow::Result<()> {
    druelle::main()
}
