//! What every runner is asked to play.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A match of an engine against itself, each opening with both colours.
#[derive(Clone, Debug)]
pub struct Contest {
    /// What it is called on the command line of the benchmark.
    pub name: &'static str,
    /// The program; `None` for the engine that answers at once.
    pub engine: Option<PathBuf>,
    /// Seconds and increment, as all runners write it.
    pub time_control: &'static str,
    /// How many games.
    pub games: u32,
    /// How many at once; each number is a run of its own.
    pub concurrencies: &'static [u32],
    /// How often each runner plays it; the runners take turns.
    pub rounds: usize,
    /// How many seconds a runner gets before it is ended.
    pub patience: u64,
}

impl Contest {
    /// The contests by name.
    pub fn all() -> [Contest; 3] {
        [
            Contest {
                name: "instant",
                engine: None,
                time_control: "10+0.1",
                games: 400,
                concurrencies: &[1, 2],
                rounds: 5,
                patience: 120,
            },
            Contest {
                name: "crowd",
                engine: None,
                time_control: "60+1",
                games: 1000,
                concurrencies: &[250],
                rounds: 3,
                patience: 120,
            },
            Contest {
                name: "stockfish",
                engine: Some("/usr/games/stockfish".into()),
                time_control: "0.2+0.002",
                games: 2000,
                concurrencies: &[2],
                rounds: 1,
                patience: 3600,
            },
        ]
    }

    /// The program to run: for the engine that answers at once this one, which the environment tells to be it.
    pub fn program(&self) -> PathBuf {
        self.engine.clone().or_else(|| std::env::current_exe().ok()).unwrap_or_default()
    }

    /// Writes half as many openings as games, from the book that ships, as plain FENs that every runner reads.
    pub fn write_openings(&self, folder: &Path) -> PathBuf {
        let book = suites::suite("openings", "arbiter-balanced.epd").unwrap();
        let lines = book.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).cycle();
        let path = folder.join("openings.epd");
        let mut file = fs::File::create(&path).expect("a file for the openings");
        for line in lines.take(self.games as usize / 2) {
            let fen: Vec<&str> = line.split_whitespace().take(6).collect();
            writeln!(file, "{}", fen.join(" ")).expect("room for the openings");
        }
        path
    }
}
