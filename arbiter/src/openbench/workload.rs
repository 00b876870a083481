//! A test as the site describes it.

use serde::Deserialize;

/// The fields of `/api/workload/N/info/` that Arbiter uses.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "OpenBench keeps the state of a test in flags")]
pub(super) struct Workload {
    pub(super) id: u64,
    pub(super) author: String,
    /// `SPRT`, `GAMES`, `SPSA` or `DATAGEN`.
    pub(super) test_mode: String,
    pub(super) upload_pgns: String,
    pub(super) book_name: String,
    pub(super) dev_engine: String,
    pub(super) dev_options: String,
    pub(super) dev_netname: String,
    pub(super) dev_time_control: String,
    pub(super) dev: SiteCommit,
    pub(super) base_engine: String,
    pub(super) base_options: String,
    pub(super) base_netname: String,
    pub(super) base_time_control: String,
    pub(super) base: SiteCommit,
    /// The hypotheses of the SPRT in normalized Elo.
    pub(super) elolower: f64,
    pub(super) eloupper: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    /// The number of games of a test without an SPRT.
    pub(super) max_games: u64,
    pub(super) games: u64,
    /// Losses, draws and wins of the new engine.
    pub(super) tri: [u64; 3],
    /// Pairs with 0, ½, 1, 1½ and 2 points of the new engine.
    pub(super) penta: [u64; 5],
    /// Whether the test counts single games, as old tests do.
    pub(super) use_tri: bool,
    pub(super) passed: bool,
    pub(super) failed: bool,
    pub(super) finished: bool,
    pub(super) deleted: bool,
    pub(super) approved: bool,
    /// Whether a worker has reported a crash, a stall or an illegal move.
    pub(super) error: bool,
}

/// A revision of an engine.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct SiteCommit {
    /// As typed: a branch, a tag or a hash.
    pub(super) name: String,
    /// The hash, 40 hexadecimal digits.
    pub(super) sha: String,
}

/// The results of one machine, a row of `/api/workload/N/results/`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct MachineResult {
    #[serde(rename = "timeloss")]
    pub(super) time_losses: u64,
    /// Crashes and stalls.
    pub(super) crashes: u64,
    pub(super) active: bool,
}

impl Workload {
    /// Where the site describes a test.
    pub(super) fn path(test: u64) -> String {
        format!("api/workload/{test}/info/")
    }

    /// Where it lists the machines of a test.
    pub(super) fn results_path(test: u64) -> String {
        format!("api/workload/{test}/results/")
    }

    /// The two players, the new one first: `Tiny@dev`.
    pub(super) fn players(&self) -> [String; 2] {
        [(&self.dev_engine, &self.dev), (&self.base_engine, &self.base)].map(|(engine, commit)| {
            let is_hash = commit.name.len() == 40 && commit.name.bytes().all(|byte| byte.is_ascii_hexdigit());
            let revision = if is_hash { commit.short_hash() } else { &commit.name };
            format!("{engine}@{revision}")
        })
    }
}

impl SiteCommit {
    /// The first eight digits, as the site shows it.
    pub(super) fn short_hash(&self) -> &str {
        self.sha.get(..8).unwrap_or(&self.sha)
    }
}
