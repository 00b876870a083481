//! Compiles the preloaded library, which the package cannot hold as an ordinary module: it has no standard library and
//! is loaded into the processes of engines.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=preload");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let library = Path::new(&variable("OUT_DIR")).join("preload.so");
    let (system, processor) = (variable("CARGO_CFG_TARGET_OS"), variable("CARGO_CFG_TARGET_ARCH"));
    if system != "linux" || !["x86_64", "aarch64"].contains(&&processor[..]) {
        // An empty file means that there is no library for this target.
        std::fs::write(&library, []).expect("cannot write to OUT_DIR");
        return;
    }
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["--edition=2024", "--crate-name=preload", "--crate-type=cdylib", "preload/lib.rs"]);
    rustc.args(["--target", &variable("TARGET")]).arg("-o").arg(&library);
    // Its calls into the program's libc are bound lazily: an old libc may lack functions that the program never calls.
    for option in ["panic=abort", "opt-level=2", "codegen-units=1", "relro-level=partial", "strip=symbols"] {
        rustc.args(["-C", option]);
    }
    if variable("CARGO_CFG_TARGET_ENV") == "musl" {
        rustc.args(["-C", "target-feature=-crt-static", "-C", "link-self-contained=no"]);
    }
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.args(["-C", &format!("linker={linker}")]);
    }
    if variable("HOST").starts_with(&processor) || env::var("RUSTC_LINKER").is_ok() {
        rustc.args(["-C", "link-arg=-nostdlib", "-C", "link-arg=-nostartfiles"]);
    } else {
        // The system's linker links only for its own processor; rustc ships one that links for all.
        rustc.args(["-C", "linker=rust-lld", "-C", "linker-flavor=ld.lld"]);
    }
    let status = rustc.status().expect("cannot run rustc");
    assert!(status.success(), "rustc cannot compile preload/lib.rs: {status}");
}
