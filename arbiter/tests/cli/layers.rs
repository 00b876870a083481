//! The folders of the harness are layers, in the order of the table in `lib.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use regex_lite::Regex;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

fn layers() -> Vec<String> {
    let text = fs::read_to_string(format!("{SOURCES}/lib.rs")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | `"));
    let names = rows.flat_map(|row| {
        let cell = row.split(" | ").next().unwrap();
        cell.split("`, `").map(|name| name.trim_matches('`').to_owned()).collect::<Vec<_>>()
    });
    names.collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// What a file imports from a folder that is not above its own.
fn upward(layers: &[String], layer: &str, text: &str) -> Vec<String> {
    let place = |name: &str| layers.iter().position(|known| known == name);
    let own = place(layer).unwrap_or_else(|| panic!("`{layer}` is not in the table of lib.rs"));
    let paths = Regex::new(r"\bcrate::([a-z_]+)").unwrap();
    let named = paths.captures_iter(text).map(|path| path[1].to_owned());
    named.filter(|name| place(name).is_none_or(|found| found > own)).collect()
}

#[test]
fn no_folder_imports_one_below_it() {
    let layers = layers();
    for file in sources(Path::new(SOURCES)) {
        let inside = file.strip_prefix(SOURCES).unwrap();
        let layer = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if matches!(layer, "lib" | "main") {
            continue;
        }
        let found = upward(&layers, layer, &fs::read_to_string(&file).unwrap());
        assert!(found.is_empty(), "{}: imports {}", inside.display(), found.join(", "));
    }
}

#[test]
fn an_import_from_below_is_found() {
    let layers = ["text", "report", "run"].map(str::to_owned);
    let text = "use crate::text::Table;\nuse crate::run::Played;";
    assert_eq!(upward(&layers, "report", text), ["run"]);
}
