//! The program; the library has all of it.

fn main() -> anyhow::Result<()> {
    druelle::main()
}
