//! The generator: the same file whatever the number of threads and however often it was stopped.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use nnue::datagen::{Counts, DataFile, EngineStamp, Header, Settings, Target, generate};
use nnue::{Game, read_games};

const QUICK: Settings = Settings { nodes: 40, opening_nodes: 40, hash_mib: 1, ..Settings::DEFAULT };

fn header(settings: &Settings) -> Header {
    let engine = EngineStamp { name: "Tarrasch".to_owned(), version: "0".to_owned(), bench: 1 };
    Header::new(engine, settings.clone())
}

fn play(path: &Path, settings: &Settings, threads: u16, target: Target) -> Counts {
    let mut file = DataFile::open(path, &header(settings)).unwrap();
    generate(&mut file, settings, threads, target, &AtomicBool::new(false), &mut |_| ()).unwrap();
    file.counts()
}

fn games(path: &Path) -> Vec<Game> {
    let mut games = Vec::new();
    read_games::<nnue::GamesError>(path, |game| {
        games.push(game.clone());
        Ok(())
    })
    .unwrap();
    games
}

fn in_folder(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

#[test]
fn a_file_that_was_cut_off_anywhere_becomes_the_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = in_folder(&folder, "whole.vf");
    let counts = play(&whole, &QUICK, 1, Target::Games(8));
    let expected = fs::read(&whole).unwrap();
    assert_eq!(counts.games, 8);
    for (cut, threads) in [(0, 2), (1, 1), (33, 3), (expected.len() / 2, 2), (expected.len() - 1, 3)] {
        let torn = in_folder(&folder, &format!("torn{cut}.vf"));
        fs::write(&torn, &expected[..cut]).unwrap();
        header(&QUICK).write(&torn).unwrap();
        assert_eq!(play(&torn, &QUICK, threads, Target::Games(8)), counts);
        assert_eq!(fs::read(&torn).unwrap(), expected, "cut at {cut}");
    }
}

#[test]
fn starts_are_not_played_twice_and_the_gaps_are_kept_in_mind() {
    // One random ply or two: twenty starts and four hundred.
    let few = Settings { random_plies: 1, ..QUICK };
    let folder = tempfile::tempdir().unwrap();
    let whole = in_folder(&folder, "whole.vf");
    play(&whole, &few, 2, Target::Games(60));
    let found = games(&whole);
    let mut keys: Vec<_> = found.iter().map(|game| game.start.key()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 60);
    assert!(found.iter().any(|game| game.skipped > 0));

    let parts = in_folder(&folder, "parts.vf");
    for games in (1..=60).step_by(7).chain([60]) {
        play(&parts, &few, 1 + games as u16 % 3, Target::Games(games));
    }
    assert_eq!(fs::read(&parts).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn stopping_keeps_what_is_there_and_positions_are_a_target_too() {
    let folder = tempfile::tempdir().unwrap();
    let [stopped, whole] = ["stopped.vf", "whole.vf"].map(|name| in_folder(&folder, name));
    let mut file = DataFile::open(&stopped, &header(&QUICK)).unwrap();
    let stop = AtomicBool::new(false);
    let mut hear = |counts: Counts| stop.store(counts.games >= 2, Ordering::Relaxed);
    generate(&mut file, &QUICK, 2, Target::Positions(400), &stop, &mut hear).unwrap();
    assert!(file.counts().games >= 2);
    drop(file);

    let counts = play(&stopped, &QUICK, 2, Target::Positions(400));
    assert!(counts.positions >= 400);
    assert_eq!(play(&whole, &QUICK, 1, Target::Positions(400)), counts);
    assert_eq!(fs::read(&stopped).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn seeds_make_other_games() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = [1, 2].map(|seed| {
        let path = in_folder(&folder, &format!("{seed}.vf"));
        play(&path, &Settings { seed, ..QUICK }, 1, Target::Games(2));
        games(&path)
    });
    assert!(one[0] != one[1] && one[0] != two[0] && one[1] != two[0]);
}
