//! Packs the suites of this folder into `suites.rs`, a table of their kinds, names and compressed texts.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::ZlibEncoder;

const KINDS: [&str; 5] = ["ablation", "openings", "perft", "speed", "tactics"];

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut entries = Vec::new();
    for kind in KINDS {
        println!("cargo::rerun-if-changed={kind}");
        let mut files: Vec<PathBuf> =
            fs::read_dir(kind)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        files.sort();
        for file in files {
            let name = file.file_name().expect("a file in a folder").to_string_lossy().into_owned();
            let packed = format!("{kind}-{name}.z");
            pack(&file, &out.join(&packed))?;
            let bytes = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{packed}\"))");
            entries.push(format!("Suite::new({kind:?}, {name:?}, {bytes})"));
        }
    }
    let table = format!("static SUITES: [Suite; {}] = [{}];", entries.len(), entries.join(",\n"));
    fs::write(out.join("suites.rs"), table)
}

fn pack(from: &Path, to: &Path) -> io::Result<()> {
    let mut encoder = ZlibEncoder::new(fs::File::create(to)?, Compression::best());
    encoder.write_all(&fs::read(from)?)?;
    encoder.finish().map(drop)
}
