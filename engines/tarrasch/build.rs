//! Finds the network to build into the program: the file named by the environment variable EVALFILE, as in OpenBench's
//! `make EVALFILE=...`, or the newest released network.

use std::path::Path;
use std::{env, fs};

const RELEASED: &str = "networks/tarrasch-6.nnue";

fn main() {
    println!("cargo:rerun-if-env-changed=EVALFILE");
    let named = env::var("EVALFILE").ok().filter(|name| !name.is_empty());
    // Read at run time, not when this script was compiled: packages that share a target folder share the compiled script.
    let package = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let file = Path::new(&package).join(named.as_deref().unwrap_or(RELEASED));
    println!("cargo:rerun-if-changed={}", file.display());
    match fs::read(&file) {
        Ok(bytes) if bytes.starts_with(b"TarrNNUE") => {}
        Ok(_) => {
            panic!("EVALFILE: {}: expected a network of Tarrasch, which begins with TarrNNUE", file.display())
        }
        Err(error) => panic!("EVALFILE: {}: {error}", file.display()),
    }
    println!("cargo:rustc-env=TARRASCH_NETWORK={}", file.display());
}
