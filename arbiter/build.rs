//! Builds the package again whenever there is a new engine manifest.

fn main() {
    println!("cargo::rerun-if-changed=engines");
}
