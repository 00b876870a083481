//! The program; the library has all of it.

fn main() -> std::io::Result<()> {
    druelle::main()
}
