//! `arbiter engines`: which engines are known here.

use std::io::{self, Write};

use crate::cli::ExitCode;
use crate::cli::engines::{find_manifest, manifest_names};
use crate::cli::error::{Blame, CliResult};

/// Prints a line per manifest: the name, the program, and where the manifest is.
pub fn run() -> CliResult {
    let mut out = io::stdout().lock();
    for name in manifest_names() {
        let Some(located) = find_manifest(&name).usage()? else { continue };
        let place =
            located.root.map_or("built in".to_owned(), |root| root.join("engines").display().to_string());
        writeln!(out, "{name:<12} {:<28} {place}", located.manifest.command).fault()?;
    }
    Ok(ExitCode::Done)
}
