//! Builds the crate again when a suite or a manifest that ships inside the program changes.

fn main() {
    println!("cargo::rerun-if-changed=suites");
    println!("cargo::rerun-if-changed=engines");
}
