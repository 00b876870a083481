//! A small git repository of a foreign engine, to which a test adds commit by commit, and builds of the engine by cargo.
//!
//! Its "source" is the file `mode`. Its "build" writes a shell script that starts the mock engine in this mode, or
//! Tarrasch for the mode `tarrasch`, or copies the mock engine for the mode `copied`; the script begins with the file
//! `wrapper`. The mode `broken` does not build. The script names the commit's step, so that no two commits build the same
//! program unless a test wants it.

use std::process::Command;

use crate::programs::MOCK_ENGINE;
use crate::workbench::{TARRASCH, Workbench};

/// The name of the engine.
pub const ENGINE: &str = "foreign";

/// The date of the first commit, in seconds since 1970. Each further commit is a day later.
const FIRST: u64 = 1_700_000_000;

/// A folder with the repository `source` and its manifest, once begun.
#[derive(Default)]
pub struct ForeignRepository {
    pub bench: Workbench,
    commits: u64,
}

impl ForeignRepository {
    /// Begins the repository with a commit for each of these modes, tagged `c1`, `c2` and so on. Every build appends its
    /// mode to the file `builds`.
    pub fn begin(&mut self, modes: &[&str]) {
        self.bench.write("source/README", "An engine.\n");
        self.git(&["init", "--quiet", "--initial-branch=main"]);
        self.write_manifest("");
        for mode in modes {
            self.commit(mode);
        }
    }

    /// Rewrites the manifest, with `before` in front of the build command and an option table at the end.
    pub fn write_manifest(&self, before: &str) {
        let script =
            include_str!("foreign_build.sh").replace("MOCK", MOCK_ENGINE).replace("TARRASCH", TARRASCH);
        self.bench
            .write("build.sh", &script.replace("BUILDS", &self.bench.path("builds").display().to_string()));
        let manifest = format!(
            "name = '{ENGINE}'\ncommand = 'bin/engine'\nrepo = 'source'\nbuild = \"{before}sh '{}'\"\n",
            self.bench.path("build.sh").display()
        );
        self.bench.write(&format!("engines/{ENGINE}/engine.toml"), &manifest);
    }

    pub fn commit_with(&mut self, mode: &str, file: &str, text: &str) {
        self.bench.write(&format!("source/{file}"), text);
        self.commit(mode);
    }

    pub fn commit(&mut self, mode: &str) {
        self.bench.write("source/step", &(self.commits + 1).to_string());
        self.commit_same(mode);
    }

    /// Adds a commit that builds the same program as the previous one, if the mode is the same.
    pub fn commit_same(&mut self, mode: &str) {
        self.commits += 1;
        self.bench.write("source/mode", mode);
        self.git(&["add", "--all"]);
        let message = format!("Step {}: {mode}", self.commits);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", &message]);
        self.git(&["tag", &format!("c{}", self.commits)]);
    }

    pub fn git(&self, args: &[&str]) -> String {
        let date = format!("{} +0000", FIRST + 86_400 * self.commits);
        let output = Command::new("git")
            .args(["-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.org"])
            .args(args)
            .current_dir(self.bench.path("source"))
            .env("HOME", self.bench.path("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .output()
            .unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}
