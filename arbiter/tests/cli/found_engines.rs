//! Where engines are found: beside the program, in the user's folders, and in the history of a repository.

use std::fs;
use std::process::Command;

use crate::programs::MOCK_ENGINE;
use crate::workbench::{TARRASCH, Workbench};

/// The rest of a very short match.
const SHORT: [&str; 8] = ["--openings", "book.epd", "--nodes", "20", "--games", "2", "--maxmoves", "4"];

fn play(bench: &Workbench, engines: [&str; 2]) -> String {
    let finished = bench.run(&[&["match", engines[0], engines[1]], &SHORT[..]].concat()).expect_code(0);
    finished.stderr()
}

#[test]
fn the_program_alone_knows_suites_and_tarrasch_in_any_folder() {
    let bench = Workbench::new();
    play(&bench, ["tarrasch", "tarrasch:Hash=1"]);
    let text = bench.run(&["tactics", "tarrasch", "--suite", "tarrasch.epd", "--depth", "1"]).stdout();
    assert!(text.contains("tarrasch.epd"), "{text}");
    bench.run(&["perft", "--suite", "special.epd", "--depth", "2"]).expect_code(0);
    let engines = bench.run(&["engines"]).expect_code(0).stdout();
    for name in ["tarrasch", "stockfish", "ships with Arbiter"] {
        assert!(engines.contains(name), "{engines}");
    }
}

#[test]
fn a_manifest_is_found_in_the_users_configuration_folder() {
    let bench = Workbench::new();
    fs::create_dir_all(bench.path("configuration/arbiter/bin")).unwrap();
    fs::copy(MOCK_ENGINE, bench.path("configuration/arbiter/bin/mine")).unwrap();
    let manifest = "name = 'mine'\ncommand = 'bin/mine'\n[options]\nHash = 2\n";
    bench.write("configuration/arbiter/engines/mine/engine.toml", manifest);
    play(&bench, ["mine", TARRASCH]);
    let engines = bench.run(&["engines"]).expect_code(0).stdout();
    assert!(engines.contains("mine"), "{engines}");
}

#[test]
fn the_current_folder_goes_before_the_configuration_folder() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("configuration/arbiter/engines/well/engine.toml", "name = 'well'\ncommand = 'gone/gone'\n");
    play(&bench, ["well", TARRASCH]);
}

/// Runs git in a folder of the bench, with nothing of the user's configuration.
fn git(bench: &Workbench, folder: &str, args: &[&str]) {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    let status = Command::new("git")
        .args(identity)
        .args(args)
        .current_dir(bench.path(folder))
        .env("HOME", bench.path("home"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(status.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&status.stderr));
}

/// A repository whose engine is "built" by copying the mock engine; each build adds a line to `builds`.
fn with_repository() -> Workbench {
    let bench = Workbench::new();
    bench.write("source/README", "one");
    git(&bench, "source", &["init", "--quiet"]);
    git(&bench, "source", &["add", "README"]);
    git(&bench, "source", &["commit", "--quiet", "-m", "One"]);
    git(&bench, "source", &["tag", "v1"]);
    bench.write("source/README", "two");
    git(&bench, "source", &["commit", "--quiet", "-a", "-m", "Two"]);
    let build = format!(
        "cat README >> '{}' && mkdir -p bin && cp '{}' bin/mine",
        bench.path("builds").display(),
        MOCK_ENGINE
    );
    let manifest = format!("name = 'mine'\ncommand = 'bin/mine'\nrepo = 'source'\nbuild = \"{build}\"\n");
    bench.write("engines/mine/engine.toml", &manifest);
    bench
}

#[test]
fn a_revision_is_built_once_in_a_worktree_of_its_own() {
    let bench = with_repository();
    let said = play(&bench, ["mine@v1", TARRASCH]);
    assert!(said.contains("building mine@"), "{said}");
    assert_eq!(bench.read("builds"), "one", "the build saw the files of the revision");
    let said = play(&bench, ["mine@v1", TARRASCH]);
    assert!(!said.contains("building"), "{said}");
    play(&bench, ["mine@v1", "mine@HEAD"]);
    assert_eq!(bench.read("builds"), "onetwo");
    assert_eq!(bench.read("source/README"), "two", "the user's own files are left alone");
}

#[test]
fn a_build_that_was_interrupted_is_made_again() {
    let bench = with_repository();
    play(&bench, ["mine@v1", TARRASCH]);
    let cached = bench
        .listing()
        .into_iter()
        .find(|path| path.starts_with(bench.path("cache")) && path.ends_with("bin/mine"));
    fs::remove_file(cached.unwrap()).unwrap();
    play(&bench, ["mine@v1", TARRASCH]);
    assert_eq!(bench.read("builds"), "oneone");
    // A cache that was emptied by hand leaves a worktree that git still knows of.
    fs::remove_dir_all(bench.path("cache")).unwrap();
    play(&bench, ["mine@v1", TARRASCH]);
    assert_eq!(bench.read("builds"), "oneoneone");
}

#[test]
fn a_revision_that_does_not_exist_is_named_with_its_repository() {
    let bench = with_repository();
    let args = [&["match", "mine@v9", TARRASCH], &SHORT[..]].concat();
    let message = bench.run(&args).expect_code(2).stderr();
    assert!(
        message.starts_with("error: ") && message.contains("`v9`") && message.contains("source"),
        "{message}"
    );
    assert!(!bench.path("results").exists() && !bench.path("builds").exists());
}
