//! Writes the games of a test, a tar of bzip2 files (one for each workload of a worker), to one PGN file.

use std::io::{BufRead, BufReader, Read, Write};

use anyhow::{Context, Result, bail};
use bzip2::read::MultiBzDecoder;
use tar::Archive;

use super::workload::Workload;
use stats::Wdl;

/// The players' names in the worker's files and in ours.
pub(super) struct TestPlayers {
    names: [(String, String); 2],
}

impl TestPlayers {
    /// Workers call the players `Tiny-dev` and `Tiny-base` in every test. Our names contain the commits, to tell tests
    /// apart: `Tiny@1a2b3c4d`. In a test of a commit against itself, `-dev` and `-base` follow.
    pub(super) fn of(test: &Workload) -> TestPlayers {
        let commits = [(&test.dev_engine, &test.dev, "dev"), (&test.base_engine, &test.base, "base")]
            .map(|(engine, commit, role)| (engine, format!("{engine}@{}", commit.short_hash()), role));
        let alike = commits[0].1 == commits[1].1;
        let names = commits.map(|(engine, name, role)| {
            let own = if alike { format!("{name}-{role}") } else { name };
            (format!("{engine}-{role}"), own)
        });
        TestPlayers { names }
    }

    pub(super) fn own(&self) -> [&str; 2] {
        [&self.names[0].1, &self.names[1].1]
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|(workers, _)| workers == name)
    }
}

/// Writes all games of an archive to one PGN file, with unique round numbers. Returns the new engine's results in the
/// finished games.
pub(super) fn write_games(archive: impl Read, names: &TestPlayers, out: &mut impl Write) -> Result<Wdl> {
    let mut games = Wdl::default();
    // Every file counts its rounds from 1.
    let mut rounds = 0;
    for entry in Archive::new(archive).entries().context("the archive of games")? {
        let entry = entry.context("the archive of games")?;
        let name = entry.path().context("the archive of games")?.display().to_string();
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let mut reader = FileReader { names, before: rounds, rounds, white: None, games };
        for line in BufReader::new(MultiBzDecoder::new(entry)).lines() {
            let line = line.with_context(|| format!("{name} of the archive"))?;
            let line = reader.line(line).with_context(|| format!("{name} of the archive"))?;
            writeln!(out, "{line}").context("games.pgn")?;
        }
        writeln!(out).context("games.pgn")?;
        (rounds, games) = (reader.rounds, reader.games);
    }
    Ok(games)
}

struct FileReader<'a> {
    names: &'a TestPlayers,
    before: u64,
    rounds: u64,
    white: Option<usize>,
    games: Wdl,
}

impl FileReader<'_> {
    fn line(&mut self, line: String) -> Result<String> {
        let Some((tag, value)) = tag(&line) else { return Ok(without_words(line)) };
        match tag {
            "White" | "Black" => {
                let Some(place) = self.names.place(value) else {
                    let [dev, base] = &self.names.names;
                    bail!("expected {} or {} as a player, found {value}", dev.0, base.0);
                };
                if tag == "White" {
                    self.white = Some(place);
                }
                return Ok(format!("[{tag} \"{}\"]", self.names.own()[place]));
            }
            "Round" => {
                let round: u64 = value.parse().with_context(|| format!("the round `{value}`"))?;
                self.rounds = self.rounds.max(self.before + round);
                return Ok(format!("[Round \"{}\"]", self.before + round));
            }
            "Result" => match (value, self.white) {
                ("1/2-1/2", _) => self.games.draws += 1,
                ("1-0", Some(0)) | ("0-1", Some(1)) => self.games.wins += 1,
                ("1-0" | "0-1", _) => self.games.losses += 1,
                _ => {}
            },
            _ => {}
        }
        Ok(line)
    }
}

/// Drops words that the worker took for moves. If a game's first move is illegal, fastchess writes only `{White makes an
/// illegal move: a1a1} 0-1`, which the worker turns into `White {unknown} makes {unknown} … 0-1`.
fn without_words(line: String) -> String {
    let has_words = ["White {", "Black {"].iter().any(|word| line.starts_with(word));
    match line.rsplit_once("} ") {
        Some((_, result)) if has_words => result.to_owned(),
        _ => line,
    }
}

fn tag(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")
}
