//! The dependency rule of `docs/architecture.md`: which module may import which, proved from the sources.
//!
//! Two things follow from the rule. The referee shares no code with the engine, so a bug in our move generator cannot
//! hide in our judge; and the harness never calls our search, so Tarrasch sits at the board like any other engine.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module and what it may import, as in the table of `docs/architecture.md`.
const RULE: &[(&str, &[&str])] = &[
    ("chess", &[]),
    ("stats", &[]),
    ("uci", &[]),
    ("referee", &[]),
    ("openings", &["referee"]),
    ("engine", &["chess", "uci"]),
    ("process", &["uci"]),
    ("runner", &["uci", "referee", "openings", "process", "stats"]),
    ("suites", &["chess", "uci", "referee", "openings", "process", "stats"]),
    ("report", &["stats", "referee", "runner", "suites"]),
    ("cli", &["chess", "uci", "referee", "openings", "process", "runner", "suites", "stats", "report"]),
];

/// The binaries below `src/bin`: two are each a door into one module, and `tune` fits the weights of the evaluation.
const BINARIES: &[(&str, &[&str])] =
    &[("arbiter", &["cli"]), ("tarrasch", &["engine", "uci"]), ("tune", &["chess", "engine"])];

/// The engines from the literature: the server loop for all, the rules core only where the document has bitboards. The
/// referee checks opening books when they are loaded, and reads and writes games.
const SEED_ENGINES: &[(&str, &[&str])] = &[
    ("bibichess", &["chess", "engine", "uci"]),
    ("carnatus", &["engine", "uci"]),
    ("druelle", &["engine", "referee", "uci"]),
    ("schlottke", &["engine", "referee", "uci"]),
    ("thomartin", &["engine", "referee", "uci"]),
];

#[test]
fn every_module_imports_only_what_the_rule_allows() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut violations = Vec::new();
    for (module, allowed) in RULE {
        for file in rust_files(&source.join(module)) {
            let forbidden = imports(&read(&file), "crate").into_iter().filter(|other| {
                RULE.iter().any(|(name, _)| name == other)
                    && other != module
                    && !allowed.contains(&other.as_str())
            });
            violations.extend(
                forbidden.map(|other| format!("{}: {module} may not import {other}", file.display())),
            );
        }
    }
    for (binary, allowed) in BINARIES {
        let place = source.join("bin").join(binary);
        let files = if place.is_dir() { rust_files(&place) } else { vec![place.with_extension("rs")] };
        for file in files {
            let forbidden = imports(&read(&file), "arbiter");
            let forbidden = forbidden.into_iter().filter(|other| !allowed.contains(&other.as_str()));
            violations.extend(forbidden.map(|other| format!("{}: may not import {other}", file.display())));
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn an_engine_from_the_literature_shares_no_more_than_its_document_does() {
    let engines = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines");
    let mut violations = Vec::new();
    for (engine, allowed) in SEED_ENGINES {
        let folder = engines.join(engine);
        let files = rust_files(&folder);
        assert!(!files.is_empty(), "{} has no source", folder.display());
        // Its tests may hold it to the referee.
        for file in files.into_iter().filter(|file| !file.starts_with(folder.join("tests"))) {
            let forbidden = imports(&read(&file), "arbiter").into_iter();
            let forbidden = forbidden.filter(|other| !allowed.contains(&other.as_str()));
            violations.extend(
                forbidden.map(|other| format!("{}: {engine} may not import {other}", file.display())),
            );
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn every_module_of_the_library_is_in_the_rule() {
    let library = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"));
    let declared: BTreeSet<&str> =
        library.lines().filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let ruled: BTreeSet<&str> = RULE.iter().map(|(module, _)| *module).collect();
    assert_eq!(declared, ruled);
}

#[test]
fn imports_are_found_in_every_form() {
    let text = "use crate::chess::Move;\nuse crate::{uci::{Go, Info}, stats};\nlet x = crate::engine::go();";
    let expected = ["chess", "engine", "stats", "uci"].map(str::to_owned);
    assert_eq!(imports(text, "crate"), BTreeSet::from(expected));
}

/// The first path segments below `root` in a source text: `chess` for `crate::chess::Move`.
fn imports(text: &str, root: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, path) in text.match_indices(&format!("{root}::")) {
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[at + path.len()..];
        match rest.strip_prefix('{') {
            Some(group) => found.extend(group_heads(group)),
            None => found.extend(head(rest)),
        }
    }
    found
}

/// The first segment of each entry of a `{…}` group, whatever is nested in it.
fn group_heads(group: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut entry_start = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.extend(head(&group[entry_start..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.extend(head(&group[entry_start..at]));
                entry_start = at + 1;
            }
            _ => {}
        }
    }
    heads
}

fn head(path: &str) -> Option<String> {
    let path = path.trim_start();
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    (end > 0).then(|| path[..end].to_owned())
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
