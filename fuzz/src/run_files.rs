//! Files of runs and of the harness.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use arbiter::compat::Tournament;
use arbiter::engines::Manifest;
use arbiter::fuzz_readers::{
    read_ci_file, read_ladder, read_machines, read_parameters, read_run_file, rewrite_baseline,
};
use arbiter::live::status::RunStatus;
use arbiter::report::page::RunReport;
use arbiter::results::{RunPhase, RunResults, RunState};
use chess::Position;
use runner::{Event, Journal, JournalReader, RunConfig, RunPlan, Schedule, ShardReport};
use tarrasch::nnue::Network;

use super::scratch_file;

/// The most games of which every pairing is looked at.
const FEW_GAMES: u32 = 2000;

/// The most engines that are paired here: pairings grow with their square.
const FEW_ENGINES: usize = 64;

/// A `run.toml`: as a file by hand, and as the configuration of a run.
///
/// A configuration that is accepted has a schedule, and is written so that it reads as the same one.
pub fn run_file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = read_run_file(&text);
    let Ok(config) = toml::from_str::<RunConfig>(&text) else { return };
    if config.engines.len() > FEW_ENGINES {
        return;
    }
    let Ok(plan) = RunPlan::new(config) else { return };
    let config = plan.config();
    if let Ok(written) = toml::to_string(config) {
        let again: RunConfig = toml::from_str(&written).expect("a configuration reads what it wrote");
        assert_eq!(toml::to_string(&again).as_ref(), Ok(&written));
    }
    let schedule = Schedule::new(config);
    let games = || schedule.to_play().games();
    for game in games().take(FEW_GAMES as usize).chain(games().rev().take(FEW_GAMES as usize)) {
        let pairing = schedule.pairing(game).expect("a game of the schedule has a pairing");
        assert!(pairing.white != pairing.black && pairing.white.max(pairing.black) < config.engines.len());
    }
}

/// The most bytes of a journal of which a page is made: it takes milliseconds.
const SMALL: usize = 4096;

/// The journal of a run, torn, spliced, or with bits flipped; the first byte says whether it is compressed.
///
/// Whatever can be read is reported without a panic. A plain journal cut off anywhere has the events of its whole lines,
/// in their order, and is continued behind the last of them.
pub fn journal(bytes: &[u8]) {
    let Some((kind, content)) = bytes.split_first() else { return };
    let is_packed = kind % 2 == 1;
    let (folder, file) = scratch_file(if is_packed { "events.jsonl.gz" } else { "events.jsonl" }, content);
    report(folder.path(), content.len() <= SMALL);
    if is_packed {
        return;
    }
    let whole = events(folder.path());
    let cut = content.len() * usize::from(*kind) / 256;
    fs::write(&file, &content[..cut]).expect("a file");
    let part = events(folder.path());
    if let (Some(whole), Some(part)) = (&whole, &part) {
        assert!(whole.starts_with(part), "a cut at {cut} changed the events before it");
    }
    if let Ok((journal, events)) = Journal::open_for_resume(&file) {
        drop(journal);
        assert_eq!(Some(&events), part.as_ref());
        let kept = fs::read(&file).expect("the journal");
        assert!(content.starts_with(&kept) && kept.last().is_none_or(|last| *last == b'\n'));
    }
}

/// What lies beside a journal as `state.json`.
///
/// Whatever it is, the run is what its journal says.
pub fn saved_state(bytes: &[u8]) {
    static OF_JOURNAL: OnceLock<(String, RunPhase, Option<usize>)> = OnceLock::new();
    let journal = include_bytes!("../corpus/saved_state/journal");
    let (folder, _) = scratch_file("events.jsonl", journal);
    let read = || {
        let (run, phase, torn) = RunState::read_folder(folder.path(), false).expect("a journal");
        (serde_json::to_string(&run).expect("a state"), phase, torn)
    };
    let of_journal = OF_JOURNAL.get_or_init(read);
    fs::write(folder.path().join("state.json"), bytes).expect("a file");
    assert_eq!(read(), *of_journal);
}

/// A line of a pool.
///
/// An accepted report can be added to others: its results fit its games, and its verdict follows from its counts.
pub fn pool_line(bytes: &[u8]) {
    const RUN: &str = "games = 600\nbook.path = 'x'\nshard = '1/3'\npool.place = 'pipe'\n[[engine]]\nname = 'a'\nprogram = 'a'\n\
        [[engine]]\nname = 'b'\nprogram = 'b'\n\
        [sprt]\nelo0 = 0.0\nelo1 = 5.0\nalpha = 0.05\nbeta = 0.05\nmodel = 'normalized'\n";
    let config: RunConfig = toml::from_str(RUN).expect("a configuration");
    let before = Schedule::new(&config);
    let Ok(report) = serde_json::from_slice::<ShardReport>(bytes) else { return };
    if report.problem(&config, &before).is_none() {
        assert!(report.counts.games() <= report.games.into() && report.games <= config.games);
        let mut schedule = before;
        schedule.take_pool(report.counts + report.counts);
        if let Some(decision) = &report.decision {
            assert!(decision.counts.games() <= u64::from(config.games));
        }
    }
}

/// A `ladder.toml`.
///
/// It is shown or an error.
pub fn ladder(bytes: &[u8]) {
    let (folder, _) = scratch_file("ladder.toml", bytes);
    let _ = read_ladder(folder.path());
}

/// A `machines.toml`.
///
/// Each of its machines has its own folder in the run's folder; anything else is an error.
pub fn machines(bytes: &[u8]) {
    let (folder, _) = scratch_file("machines.toml", bytes);
    let _ = read_machines(folder.path());
}

fn report(folder: &Path, with_page: bool) {
    if let Ok((run, phase, _)) = RunState::read_folder(folder, false) {
        let _ = arbiter::report::result::summary(&run.summary(), None).terminal(false);
        let _ = serde_json::to_string(&RunStatus::new(&run, phase));
    }
    if let Ok(outcome) = RunResults::read(folder) {
        let _ = arbiter::report::markdown::markdown(&[outcome]);
    }
    if with_page && let Ok(page) = RunReport::of_folder(folder) {
        let _ = page.html();
    }
}

/// All events, if every whole line is one.
fn events(folder: &Path) -> Option<Vec<Event>> {
    JournalReader::open(folder).ok()?.collect::<Result<_, _>>().ok()
}

/// An `engine.toml`.
///
/// It is a manifest or an error.
pub fn manifest(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(manifest) = Manifest::parse(&text) {
        let _ = (manifest.options().count(), manifest.args(Path::new("/x")), manifest.env(Path::new("/x")));
        let _ = manifest.command_is_bare();
        for older in &manifest.older {
            let _ = manifest.clone().with(older);
        }
    }
}

/// A baseline of `arbiter ci`.
///
/// A baseline is written so that it reads as the same one.
pub fn baseline(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(written) = rewrite_baseline(&text) {
        assert_eq!(rewrite_baseline(&written).ok().as_ref(), Some(&written));
    }
}

/// An `arbiter.toml`.
///
/// It is a configuration or an error.
pub fn ci_file(bytes: &[u8]) {
    let _ = read_ci_file(&String::from_utf8_lossy(bytes));
}

/// The file in which fastchess keeps a tournament, to continue it.
///
/// It is a tournament or an error, and a tournament is a run or an error.
pub fn fastchess_state(bytes: &[u8]) {
    let (_folder, file) = scratch_file("config.json", bytes);
    let args = ["-config".to_owned(), format!("file={}", file.display())];
    if let Ok(tournament) = Tournament::of_fastchess(&args) {
        let _ = tournament.recorded_run_config();
    }
}

/// A file of parameters to tune: the rows of OpenBench, or the JSON of Weather Factory.
///
/// A parameter that is accepted lies within its bounds.
pub fn spsa_file(bytes: &[u8]) {
    let (_folder, file) = scratch_file("parameters", bytes);
    for parameter in read_parameters(&file).unwrap_or_default() {
        assert!((parameter.min..=parameter.max).contains(&parameter.value), "{parameter:?}");
        assert!(parameter.c_end.is_finite() && parameter.r_end.is_finite(), "{parameter:?}");
    }
}

const HEADER_BYTES: usize = 32;
const CHECKSUM_AT: usize = 24;

/// A network file of Tarrasch. Random bytes never have the right size and checksum, so both can be put right: the first
/// byte says so, the second gives the width.
///
/// It is a network or an error, and a network has a value for a position.
pub fn network(bytes: &[u8]) {
    let Some((&[mode, width], content)) = bytes.split_first_chunk() else { return };
    let content = if mode % 2 == 0 { content.to_vec() } else { mended(content, width) };
    if let Ok(network) = Network::from_bytes(&content) {
        let _ = network.evaluate(&Position::start());
    }
}

/// The content as a file whose frame is sound: magic, version, width, size and checksum.
fn mended(content: &[u8], width: u8) -> Vec<u8> {
    let columns = 64 * usize::from(width % 3);
    let size = HEADER_BYTES + 2 * (768 + 1 + 16) * columns + 32;
    let mut file: Vec<u8> =
        content.iter().copied().cycle().take(if content.is_empty() { 0 } else { size }).collect();
    file.resize(size, 0);
    file[..8].copy_from_slice(b"TarrNNUE");
    file[8..10].copy_from_slice(&2_u16.to_le_bytes());
    file[10..12].copy_from_slice(&(columns as u16).to_le_bytes());
    let others = file.iter().enumerate().filter(|(at, _)| !(CHECKSUM_AT..HEADER_BYTES).contains(at));
    let checksum = others.fold(0xCBF2_9CE4_8422_2325_u64, |hash, (_, &byte)| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    });
    file[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
    file
}
