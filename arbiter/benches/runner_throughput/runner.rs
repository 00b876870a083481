//! The runners that are compared, and how each is told to play the same match.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::contest::Contest;

/// A program that plays matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    Arbiter,
    /// Arbiter with a core of its own for each game.
    ArbiterWithAffinity,
    Fastchess,
    CChessCli,
    CutechessCli,
}

impl Runner {
    /// In the order in which they are measured.
    pub const ALL: [Runner; 5] = [
        Runner::Arbiter,
        Runner::ArbiterWithAffinity,
        Runner::CChessCli,
        Runner::Fastchess,
        Runner::CutechessCli,
    ];

    /// What it is called, in the table and on the search path.
    pub const fn name(self) -> &'static str {
        match self {
            Runner::Arbiter => "arbiter",
            Runner::ArbiterWithAffinity => "with affinity",
            Runner::Fastchess => "fastchess",
            Runner::CChessCli => "c-chess-cli",
            Runner::CutechessCli => "cutechess-cli",
        }
    }

    fn is_arbiter(self) -> bool {
        matches!(self, Runner::Arbiter | Runner::ArbiterWithAffinity)
    }

    /// Whether it can play so many games at once: with affinity no more than there are cores.
    pub fn can_play_at_once(self, concurrency: u32) -> bool {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        self != Runner::ArbiterWithAffinity || concurrency <= cores
    }

    /// Where it is: Arbiter is the one just built, the others are looked for on the search path.
    pub fn find(self) -> Option<PathBuf> {
        if self.is_arbiter() {
            return Some(env!("CARGO_BIN_EXE_arbiter").into());
        }
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join(self.name())).find(|program| program.is_file())
    }

    /// The command that plays a contest in `folder`, whose path has no spaces.
    pub fn command(self, program: &Path, contest: &Contest, concurrency: u32, folder: &Path) -> Command {
        let engine = contest.program().display().to_string();
        let openings = contest.write_openings(folder).display().to_string();
        let (tc, games, rounds) = (contest.time_control, contest.games, contest.games / 2);
        let words = match self {
            Runner::Arbiter | Runner::ArbiterWithAffinity => format!(
                "match {engine} {engine} --tc {tc} --games {games} --concurrency {concurrency} \
                 --openings {openings} --order sequential --pgn-fields depth,time,latency --no-report --out run"
            ),
            Runner::CChessCli => format!(
                "-each cmd={engine} tc={tc} -engine name=a -engine name=b -games {games} \
                 -concurrency {concurrency} -openings file={openings} -repeat -pgn games.pgn 3"
            ),
            Runner::Fastchess => format!(
                "-engine cmd={engine} name=a -engine cmd={engine} name=b -each tc={tc} \
                 -games 2 -rounds {rounds} -repeat -concurrency {concurrency} -force-concurrency \
                 -openings file={openings} format=epd -pgnout file=games.pgn latency=true"
            ),
            Runner::CutechessCli => format!(
                "-engine cmd={engine} name=a -engine cmd={engine} name=b -each tc={tc} proto=uci \
                 -games 2 -rounds {rounds} -repeat -concurrency {concurrency} \
                 -openings file={openings} format=epd -pgnout games.pgn"
            ),
        };
        let mut command = Command::new(program);
        command.args(words.split_whitespace()).current_dir(folder);
        if self == Runner::ArbiterWithAffinity {
            command.arg("--affinity");
        }
        command
    }

    /// Where it leaves its games.
    pub fn pgn(self, folder: &Path) -> PathBuf {
        match self {
            _ if self.is_arbiter() => folder.join("run/games.pgn"),
            _ => folder.join("games.pgn"),
        }
    }
}
