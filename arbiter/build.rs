//! Gathers the engine manifests that ship inside the program, and builds the crate again when one of them or a suite
//! changes. The sources of the engines beside them would make the program larger, and every change to them a reason to
//! build the library again.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // Who adds an engine usually adds a binary.
    println!("cargo::rerun-if-changed=Cargo.toml");
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    gather_manifests(Path::new("../engines"), &PathBuf::from(out).join("manifests"))
}

/// Copies `engines/NAME/engine.toml` to `manifests/NAME.toml`, for every engine.
fn gather_manifests(engines: &Path, manifests: &Path) -> io::Result<()> {
    if manifests.exists() {
        fs::remove_dir_all(manifests)?;
    }
    fs::create_dir(manifests)?;
    for engine in fs::read_dir(engines)? {
        let engine = engine?;
        let manifest = engine.path().join("engine.toml");
        if manifest.is_file() {
            println!("cargo::rerun-if-changed={}", manifest.display());
            fs::copy(&manifest, manifests.join(engine.file_name()).with_extension("toml"))?;
        }
    }
    Ok(())
}
