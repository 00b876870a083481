//! Engines that cargo builds, wherever the user has it build; and builds that are made once.

use std::process::Command;

use crate::foreign_repository::ForeignRepository;
use crate::workbench::Workbench;

/// A package `fool` whose program ends at once, in a repository, with a manifest as the shipped ones are.
fn with_package() -> Workbench {
    let bench = Workbench::new();
    bench.write("Cargo.toml", "[package]\nname = 'fool'\nversion = '0.1.0'\nedition = '2024'\n[workspace]\n");
    bench.write("src/main.rs", "fn main() {}\n");
    let manifest =
        "name = 'fool'\ncommand = 'target/debug/fool'\nbuild = 'cargo build --offline'\nrepo = '.'\n";
    bench.write("engines/fool/engine.toml", manifest);
    bench
}

/// What `arbiter engines build` says of the engine, with the cargo of this user.
fn build(bench: &Workbench, engine: &str, variables: &[(&str, &str)]) -> String {
    let mut arbiter = bench.command(&["engines", "build", engine]);
    // The folders of cargo and rustup are found by the home folder, which a bench has of its own.
    for (variable, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let usual = std::env::home_dir().unwrap().join(folder);
        arbiter.env(variable, std::env::var_os(variable).unwrap_or(usual.into()));
    }
    let output = arbiter.env_remove("CARGO_TARGET_DIR").envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_target_folder_of_the_environment_is_found() {
    let bench = with_package();
    let elsewhere = bench.path("elsewhere");
    let said = build(&bench, "fool", &[("CARGO_TARGET_DIR", elsewhere.to_str().unwrap())]);
    assert!(said.contains("elsewhere/debug/fool"), "{said}");
    assert!(!bench.path("target").exists());
}

#[test]
fn a_target_folder_of_the_configuration_is_found() {
    let bench = with_package();
    bench.write(".cargo/config.toml", "[build]\ntarget-dir = 'configured'\n");
    let said = build(&bench, "fool", &[]);
    assert!(said.contains("configured/debug/fool"), "{said}");
}

#[test]
fn a_revision_is_built_in_its_worktree_whatever_the_environment_says() {
    let bench = with_package();
    bench.write(".gitignore", "/target\n/home\n/cache\n/Cargo.lock\n");
    for args in [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "-m", "One"]] {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Test", "-c", "user.email=test@example.org"]).args(args);
        assert!(git.current_dir(bench.path("")).status().unwrap().success());
    }
    let shared = bench.path("shared");
    let said = build(&bench, "fool@HEAD", &[("CARGO_TARGET_DIR", shared.to_str().unwrap())]);
    assert!(said.contains("/target/debug/fool"), "{said}");
    assert!(!shared.exists(), "two revisions would overwrite each other there");
}

#[test]
fn the_same_build_is_made_and_announced_once() {
    let foreign = ForeignRepository::new(&["well"]);
    let bench = &foreign.bench;
    foreign.write_manifest("cd source && ");
    let manifest = bench.read("engines/foreign/engine.toml").replace("'bin/engine'", "'source/bin/engine'");
    bench.write("engines/foreign/engine.toml", &manifest);
    let said = bench.run("engines build foreign foreign:Hash=1").expect_code(0).stderr();
    assert_eq!(said.matches("building foreign").count(), 1, "{said}");
    assert_eq!(foreign.builds(), ["well"]);
}

#[test]
fn older_revisions_are_built_as_the_manifest_says_of_them() {
    let foreign = ForeignRepository::new(&["well", "well", "other-move", "well"]);
    let bench = &foreign.bench;
    let newest = bench.read("engines/foreign/engine.toml");
    let build = newest.lines().find(|line| line.starts_with("build = ")).unwrap();
    let older = |until: &str, marker: &str| {
        let command =
            build.replace("\"sh ", &format!("\"echo {marker} >> '{}'; sh ", bench.path("how").display()));
        format!("[[older]]\nuntil = '{until}'\n{command}\n")
    };
    let manifest = format!("{newest}{}{}", older("c3", "third"), older("c2", "second"));
    bench.write("engines/foreign/engine.toml", &manifest);
    bench.run("engines build foreign@c1 foreign@c2 foreign@c3 foreign@c4").expect_code(0);
    // The entry that ends first is the nearest: c1 and c2 by the second, c3 by the other, c4 by none.
    assert_eq!(bench.read("how"), "second\nsecond\nthird\n");
    bench.write("engines/foreign/engine.toml", &format!("{newest}{}", older("c9", "never")));
    bench
        .run("engines build foreign@c4")
        .expect_code(2)
        .tells(&["engines/foreign/engine.toml: `older.until`", "c9"]);
}
