//! thomartin, for the tests of the harness.

fn main() -> std::io::Result<()> {
    thomartin::main()
}
