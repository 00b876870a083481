//! Promises about this repository: layers of the harness, complete runs in `results/`, and sound suites and books.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use arbiter::measure::tactics::TacticsSuite;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use referee::openings::{Book, BookFormat, BookOptions};
use referee::{Epd, EpdFile, Variant};
use regex_lite::Regex;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
const RUNNER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../libs/runner/src");

/// Crates without a table of layers, whose modules import each other in no circle.
const CRATES: [&str; 11] = [
    "libs/chess", "libs/referee", "libs/stats", "libs/uci", "engines/bibichess", "engines/carnatus",
    "engines/druelle", "engines/schlottke", "engines/tarrasch", "engines/thomartin", "tools/nnue",
];

/// The layers of a crate, from the table in its `lib.rs`.
fn layers(lib: &str) -> Vec<String> {
    let rows = lib.lines().filter_map(|line| line.strip_prefix("//! | `"));
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

fn words(list: &str) -> Vec<String> {
    Regex::new(r"\w+").unwrap().find_iter(list).map(|word| word.as_str().to_owned()).collect()
}

/// The module that defines each item which this one re-exports.
fn owners(handed_on: &str) -> HashMap<String, String> {
    let exports = Regex::new(r"\buse (?:self::)?([a-z_]+)(?:::[a-z_]+)*::(\w+|\{[^}]*\});").unwrap();
    let owners = exports.captures_iter(handed_on).flat_map(|export| {
        words(&export[2]).into_iter().map(|item| (item, export[1].to_owned())).collect::<Vec<_>>()
    });
    owners.collect()
}

/// The modules of the crate in layers below its own that a module imports. `lib` is the text of `lib.rs`; an item that it
/// re-exports counts as one of the module that defines it.
fn from_below(lib: &str, own: &str, text: &str) -> Vec<String> {
    let (layers, owners) = (layers(lib), owners(lib));
    let place = |name: &str| layers.iter().position(|known| known == name);
    let own = place(own).unwrap_or_else(|| panic!("`{own}` is not in the table of lib.rs"));
    let paths = Regex::new(r"\bcrate::(?:(\w+)|\{((?:[^{}]|\{[^}]*\})*)\})").unwrap();
    let first = Regex::new(r"(?:^|,)\s*(\w+)").unwrap();
    let inner = Regex::new(r"\{[^}]*\}").unwrap();
    let named = paths.captures_iter(text).flat_map(|path| match path.get(1) {
        Some(name) => vec![name.as_str().to_owned()],
        None => {
            first.captures_iter(&inner.replace_all(&path[2], "")).map(|name| name[1].to_owned()).collect()
        }
    });
    let named = named.map(|name| owners.get(&name).cloned().unwrap_or(name));
    named.filter(|name| place(name).is_some_and(|at| at > own)).collect()
}

fn mods_of(lib: &str) -> HashSet<String> {
    Regex::new(r"\bmod (\w+);").unwrap().captures_iter(lib).map(|found| found[1].to_owned()).collect()
}

#[test]
fn no_folder_imports_one_below_it() {
    for root in [SOURCES, RUNNER] {
        let lib = fs::read_to_string(Path::new(root).join("lib.rs")).unwrap();
        assert_eq!(layers(&lib).into_iter().collect::<HashSet<_>>(), mods_of(&lib), "{root}/lib.rs");
        for file in sources(Path::new(root)) {
            let inside = file.strip_prefix(root).unwrap();
            let layer = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
            if matches!(layer, "lib" | "main") {
                continue;
            }
            let found = from_below(&lib, layer, &fs::read_to_string(&file).unwrap());
            assert!(found.is_empty(), "{}: imports {}", file.display(), found.join(", "));
        }
    }
    let made_up = "//! | `text`, `report` | a |\n//! | `run` | b |\npub use run::{Played, of::Time};\nmod text;\nmod report;\nmod run;";
    let text =
        "use crate::text::Table;\nuse crate::{Played, text::{Row, Run}};\nfn f(_: crate::run::Time) {}";
    assert_eq!(from_below(made_up, "report", text), ["run", "run"]);
    assert!(from_below(made_up, "run", text).is_empty());
}

/// The files of a folder that import each other in a circle, and the files that import one of these. A re-export from
/// `mod.rs` counts as an import of the file that defines the item.
fn circle(files: &[(String, String)], handed_on: &str) -> Vec<String> {
    let owners = owners(handed_on);
    let imports = Regex::new(r"\bsuper::(\{[^}]*\}|\w+)").unwrap();
    let mut open: Vec<(&String, Vec<String>)> = Vec::new();
    for (name, text) in files {
        let named = imports.captures_iter(text).flat_map(|found| words(&found[1]));
        open.push((name, named.map(|item| owners.get(&item).cloned().unwrap_or(item)).collect()));
    }
    loop {
        let names: HashSet<String> = open.iter().map(|(name, _)| (*name).clone()).collect();
        open.retain(|(name, needed)| needed.iter().any(|other| other != *name && names.contains(other)));
        if open.len() == names.len() {
            return open.into_iter().map(|(name, _)| name.clone()).collect();
        }
    }
}

/// A file without its tests and comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let tests = Regex::new(r"#\[cfg\(test\)\]\n(pub\(super\) )?mod tests\b").unwrap();
    let lines = tests.split(&text).next().unwrap().lines();
    lines.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The modules of a crate, each with its files. Paths that begin at the crate begin with `super::`.
fn modules(root: &Path) -> Vec<(String, String)> {
    let mut modules: BTreeMap<String, String> = BTreeMap::new();
    for file in sources(root).into_iter().filter(|file| !file.ends_with("tests.rs")) {
        let inside = file.strip_prefix(root).unwrap();
        let name = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let is_top = inside.iter().count() == 1 || inside == Path::new(name).join("mod.rs");
        let text = if is_top { code(&file) } else { code(&file).replace("super::", "") };
        modules.entry(name.to_owned()).or_default().push_str(&text.replace("crate::", "super::"));
    }
    modules.into_iter().filter(|(name, _)| !matches!(&**name, "lib" | "main")).collect()
}

#[test]
fn no_files_of_a_folder_import_each_other_in_a_circle() {
    for name in CRATES {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let found = circle(&modules(&root), &code(&root.join("lib.rs")));
        assert!(found.is_empty(), "{name}: {}", found.join(", "));
    }
    let mut folders: BTreeMap<PathBuf, Vec<(String, String)>> = BTreeMap::new();
    let files = [SOURCES, RUNNER].into_iter().flat_map(|root| sources(Path::new(root)));
    for file in files.filter(|file| !file.ends_with("mod.rs")) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        folders.entry(file.parent().unwrap().to_owned()).or_default().push((name, code(&file)));
    }
    for (folder, files) in folders.iter().filter(|(folder, _)| folder.join("mod.rs").exists()) {
        let found = circle(files, &code(&folder.join("mod.rs")));
        assert!(found.is_empty(), "{}: {}", folder.display(), found.join(", "));
    }
    let made_up = [("a", "use super::Of;"), ("b", "use super::{Other, a::It};"), ("c", "use super::b::Of;")];
    let files = made_up.map(|(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(circle(&files, "pub use b::{No, Of};"), ["a", "b", "c"]);
    assert!(circle(&files, "pub use b::No;").is_empty());
}

#[test]
fn players_are_rated_in_one_place_and_games_are_counted_by_the_runner() {
    // `openings rate` and `sprt` count games of files, which belong to no run.
    let counting = ["openings/rating/book_rating.rs", "rating/sprt/results_source.rs"];
    for (word, places) in [("PoolRatings::new(", &["results/rating_list.rs"][..]), ("PairCounter", &counting)]
    {
        let does = |file: &PathBuf| fs::read_to_string(file).unwrap().contains(word);
        let found: BTreeSet<PathBuf> = sources(Path::new(SOURCES)).into_iter().filter(does).collect();
        assert_eq!(found, places.iter().map(|place| Path::new(SOURCES).join(place)).collect(), "{word}");
    }
}

#[test]
fn what_a_sequential_test_accepted_is_judged_in_one_place() {
    let names_hypothesis = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        !file.ends_with("tests.rs") && (code.contains("AcceptH0") || code.contains("AcceptedH0"))
    };
    let found = sources(Path::new(SOURCES)).into_iter().filter(names_hypothesis);
    let mut found: Vec<PathBuf> = found.map(|file| file.strip_prefix(SOURCES).unwrap().to_owned()).collect();
    found.sort();
    // The first has fastchess's words, for which a test may be reversed; the last checks whether a run is over.
    let expected = ["compat/output.rs", "report/verdict.rs", "results/run_phase.rs"].map(PathBuf::from);
    assert_eq!(found, expected);
}

fn run_folders() -> Vec<PathBuf> {
    let results = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("results");
    let folders = fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<PathBuf> = folders.filter(|path| path.join("games.pgn").exists()).collect();
    assert!(folders.len() >= 2, "{folders:?}");
    folders
}

/// Replays games: the number of each game's moves, or its first illegal move.
struct Replay;

impl Visitor for Replay {
    type Tags = Chess;
    type Movetext = (Chess, usize);
    type Output = Result<usize, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            let fen: Fen = value.decode_utf8_lossy().parse().unwrap();
            *start = fen.into_position(CastlingMode::Standard).unwrap();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Self::Output, (Chess, usize)> {
        ControlFlow::Continue((start, 0))
    }

    fn san(&mut self, (position, moves): &mut (Chess, usize), played: SanPlus) -> ControlFlow<Self::Output> {
        match played.san.to_move(position) {
            Ok(legal) => position.play_unchecked(legal),
            Err(error) => return ControlFlow::Break(Err(format!("{played}: {error}"))),
        }
        *moves += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, moves): (Chess, usize)) -> Result<usize, String> {
        Ok(moves)
    }
}

#[test]
fn every_move_of_every_game_is_legal_and_the_table_has_as_many_plies() {
    for folder in run_folders() {
        let table = fs::read_to_string(folder.join("games.csv")).unwrap();
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let plies_at = rows.headers().unwrap().iter().position(|name| name == "plies").unwrap();
        let plies: Vec<usize> = rows.records().map(|row| row.unwrap()[plies_at].parse().unwrap()).collect();
        let mut games = Reader::new(Cursor::new(fs::read_to_string(folder.join("games.pgn")).unwrap()));
        let replayed: Result<Vec<usize>, String> =
            games.read_games(&mut Replay).map(Result::unwrap).collect();
        assert_eq!(replayed, Ok(plies), "{}", folder.display());
    }
}

fn texts(kind: &str) -> Vec<(String, String)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("suites").join(kind);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).unwrap());
    paths.into_iter().map(read).collect()
}

/// The lines of a suite, which must be valid.
fn entries(name: &str, text: &str) -> Vec<(usize, Epd)> {
    let EpdFile { entries, skipped, mended, unknown } = EpdFile::parse(name, text);
    assert_eq!(
        (skipped.count, mended.count, unknown.len()),
        (0, 0, 0),
        "{name}: {skipped:?} {mended:?} {unknown:?}"
    );
    entries
}

#[test]
fn the_mined_suites_have_different_positions_with_their_verification() {
    for (file, is_endgame, max_pieces, least) in
        [("mined-tactics.epd", false, 32, 300), ("mined-endgames.epd", true, 10, 300)]
    {
        let (name, text) = texts("tactics").into_iter().find(|(name, _)| name.ends_with(file)).unwrap();
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("# arbiter mine ")), "{name}");
        assert!(TacticsSuite::parse(&name, &text).unwrap().positions.len() >= least, "{name}");
        let mut seen = HashSet::new();
        for (line, epd) in entries(&name, &text) {
            let operand = |opcode: &str| epd.operands(opcode).unwrap().join(" ");
            let board = epd.fen.split(' ').next().unwrap();
            let pieces = board.chars().filter(char::is_ascii_alphabetic).count();
            assert!(pieces <= max_pieces && (pieces <= 10) == is_endgame, "{name}:{line}: {pieces} pieces");
            assert_eq!(epd.operands("bm").unwrap().len(), 1, "{name}:{line}");
            assert!(operand("c0").contains(", game "), "{name}:{line}");
            assert!(operand("c1").starts_with("Stockfish 15.1, "), "{name}:{line}");
            let (achieves, depth) =
                operand("c2").split_once(", depth ").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
            assert!(["wins", "holds"].contains(&achieves.as_str()), "{name}:{line}");
            assert!(depth.parse::<u32>().unwrap() >= 1, "{name}:{line}");
            assert!(seen.insert(epd.fen.clone()), "{name}:{line}: duplicate");
        }
    }
}

fn opening_book(file: &str) -> (String, String) {
    texts("openings").into_iter().find(|(name, _)| name.ends_with(file)).unwrap()
}

#[test]
fn the_opening_suites_have_5000_different_positions_with_the_evals_that_they_promise() {
    for (file, evals) in [("arbiter-balanced.epd", 0..=60), ("arbiter-unbalanced.epd", 90..=130)] {
        let (name, text) = opening_book(file);
        let book = Book::read(&name, text.as_bytes(), BookFormat::Epd, &BookOptions::default()).unwrap();
        assert!(book.report().openings >= 5000, "{:?}", book.report());
        assert_eq!(book.report().duplicates, 0);
        for (line, epd) in entries(&name, &text) {
            let eval: i32 = epd.operands("ce").unwrap()[0].parse().unwrap();
            assert!(evals.contains(&eval.abs()), "{name}:{line}: {eval}");
            let plies = epd.operands("c0").unwrap()[0].split_whitespace().count();
            assert!((6..=16).contains(&plies), "{name}:{line}: {plies} plies");
        }
    }
}

#[test]
fn the_chess960_book_has_each_starting_position_by_its_number() {
    let (name, text) = opening_book("chess960.epd");
    let options = BookOptions { variant: Variant::Chess960, ..BookOptions::default() };
    let report = Book::read(&name, text.as_bytes(), BookFormat::Epd, &options).unwrap().report();
    assert_eq!((report.openings, report.duplicates), (960, 0));
    for (number, (line, epd)) in entries(&name, &text).into_iter().enumerate() {
        assert_eq!(epd.operands("id").unwrap(), [number.to_string()], "{name}:{line}");
        let rank = epd.fen.split('/').next().unwrap();
        let white = rank.to_uppercase();
        let squares = |piece: char| rank.match_indices(piece).map(|(square, _)| square).collect::<Vec<_>>();
        let (rooks, bishops) = (squares('r'), squares('b'));
        assert_eq!(
            [rank.len(), rooks.len(), bishops.len(), squares('n').len(), squares('q').len()],
            [8, 2, 2, 2, 1]
        );
        assert_eq!(squares('k').len(), 1, "{name}:{line}");
        assert!(
            rooks[0] < squares('k')[0] && squares('k')[0] < rooks[1],
            "{name}:{line}: the king is outside"
        );
        assert_ne!(bishops[0] % 2, bishops[1] % 2, "{name}:{line}: bishops of one colour");
        let files: String = rooks.iter().rev().map(|&file| char::from(b'a' + file as u8)).collect();
        let castling = format!("{}{files}", files.to_uppercase());
        let expected = format!("{rank}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {castling} -");
        assert!(epd.fen.starts_with(&expected), "{name}:{line}: {}", epd.fen);
        if number == 518 {
            assert_eq!(rank, "rnbqkbnr");
        }
    }
}

/// A tag can be moved to other code, and credentials kept by a checkout are available to every later step.
#[test]
fn workflows_take_actions_by_hash_and_keep_no_credentials() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let ours = format!("OWNER/arbiter@v{}", env!("CARGO_PKG_VERSION"));
    let folders = [".github/workflows", "docs/guide/ci"].map(|folder| root.join(folder).read_dir().unwrap());
    let files = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    for file in files
        .filter(|file| file.extension().is_some_and(|ending| ending == "yml"))
        .chain([root.join("action.yml")])
    {
        let text = fs::read_to_string(&file).unwrap();
        for (_, used) in text.lines().filter_map(|line| line.split_once("uses: ")) {
            let (action, version) = used.split_once('@').unwrap();
            let hash = version.split(' ').next().unwrap();
            let is_hash = hash.len() == 40 && hash.chars().all(|c| c.is_ascii_hexdigit());
            let is_ours = used == ours || action.starts_with("OWNER/arbiter/") && ours.ends_with(version);
            assert!(is_ours || is_hash && version.contains("  # v"), "{}: {used}", file.display());
        }
        let counts =
            ["actions/checkout@", "persist-credentials: false"].map(|word| text.matches(word).count());
        assert_eq!(counts[0], counts[1], "{}", file.display());
    }
    let action = fs::read_to_string(root.join("action.yml")).unwrap();
    assert!(action.contains(&format!("    default: v{}\n", env!("CARGO_PKG_VERSION"))));
}
