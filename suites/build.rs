//! Builds the package again whenever a file in this folder changes, or there is a new one.

fn main() {
    println!("cargo::rerun-if-changed=.");
}
