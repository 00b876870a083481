//! The features of an engine, found by trying it. They decide the steps of its `arbiter.toml`.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::engines::{output_of_git, session, shortest_clock};
use crate::measure::bench::{self, NumberPattern};
use crate::measure::check::{CheckVerdict, Finding, check_protocol};
use crate::measure::perft::{CountError, EngineCounter, MoveCounter};
use crate::text::number_text::thousands;
use referee::Variant;
use runner::process::EngineInfo;
use runner::{EngineConfig, PositionLine, SearchTask};
use uci::Go;

/// An engine that was tried, for which steps are suggested.
#[derive(Clone, Copy, Debug)]
pub struct TriedEngine<'a> {
    pub can: &'a EngineFeatures,
    /// The build of its manifest with checks, if it has one.
    pub checked_build: Option<&'a str>,
    /// Whether older commits can be built.
    pub has_repository: bool,
}

#[derive(Debug)]
pub struct EngineFeatures {
    pub findings: Vec<Finding>,
    pub perft: Result<Perft, String>,
    pub bench: Result<Bench, String>,
    pub speed: Result<u64, String>,
    /// The nodes after which it reported [`DEEP_ENOUGH`] in the middle of a game, or all of a fifth of a second.
    pub deep: u64,
    pub keeps_nodes: bool,
    /// The depth reached in a tenth of a second, if the engine keeps `go depth`.
    pub depth: Option<u32>,
    /// The shortest time control at which the engine thinks; `None` if it answers at once whatever the clock says.
    pub clock: Option<&'static str>,
    pub keeps_time: bool,
    pub has_chess960: bool,
}

/// The result of a perft whose answers can be parsed.
#[derive(Debug)]
pub struct Perft {
    pub nodes_per_second: f64,
    /// Whether the counts for one known position are right.
    pub is_right: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Bench {
    pub key: &'static str,
    pub value: &'static str,
    pub nodes: &'static str,
    pub measured: u64,
    /// The pattern that matches the bench in the newest commit that states one, and the number there.
    pub stated: Option<(&'static str, u64)>,
}

impl EngineFeatures {
    /// Tries all features; `report` gets the name of each before it is tried.
    pub fn of(
        engine: &EngineConfig,
        introduction: &EngineInfo,
        report: &mut dyn FnMut(&str),
    ) -> io::Result<EngineFeatures> {
        report("trying the protocol");
        let findings = check_protocol(engine, |_| {})?;
        report("trying `go perft`");
        let perft = try_perft(engine);
        report("trying its bench");
        let bench = try_bench(engine);
        report("trying its speed");
        let TriedSpeed { nodes_per_second: speed, keeps_time, depth, deep } = try_speed(engine);
        let passes = |name: &str| {
            findings
                .iter()
                .any(|finding| finding.check == name && finding.outcome.verdict == CheckVerdict::Pass)
        };
        Ok(EngineFeatures {
            keeps_nodes: passes("go nodes"),
            depth: depth.filter(|_| passes("go depth")),
            clock: shortest_clock::of(engine).unwrap_or_default(),
            has_chess960: introduction.option("UCI_Chess960").is_some(),
            findings,
            perft,
            bench,
            speed,
            deep,
            keeps_time,
        })
    }

    /// A round number of nodes that takes this part of a second, as TOML may write it: `200_000`. `None` if it does not keep
    /// `go nodes`.
    pub fn nodes_in_a_part(&self, part: u64) -> Option<String> {
        let per_second = self.speed.as_ref().ok().filter(|_| self.keeps_nodes)?;
        Some(written(round(per_second / part, 100)))
    }

    /// The nodes per move for a short match: what the engine searches in 10 ms, or more if it needs more for depth 4.
    pub fn nodes_of_a_move(&self) -> Option<String> {
        let per_second = self.speed.as_ref().ok().filter(|_| self.keeps_nodes)?;
        // Rounding takes away up to three fifths.
        Some(written(round((per_second / 100).max(self.deep * 5 / 2), 100)))
    }
}

/// A depth at which the games of two builds tell them apart; below 3, no match counts.
const DEEP_ENOUGH: u32 = 4;

fn written(nodes: u64) -> String {
    thousands(nodes).replace(',', "_")
}

/// Rounds down to 1, 2 or 5 times a power of ten, but not below `least`.
fn round(number: u64, least: u64) -> u64 {
    let mut round = least;
    for step in [2.0, 2.5, 2.0].into_iter().cycle() {
        let next = (round as f64 * step).round() as u64;
        if next > number {
            return round;
        }
        round = next;
    }
    round
}

/// "Kiwipete", a position with 97,862 sequences of three moves and 4,085,603 of four.
const POSITION: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const COUNTS: [(u32, u64); 2] = [(3, 97_862), (4, 4_085_603)];

const PERFT_TIMEOUT: Duration = Duration::from_secs(15);

/// A shorter count does not tell the speed.
const SHORT: Duration = Duration::from_millis(300);

fn try_perft(engine: &EngineConfig) -> Result<Perft, String> {
    let mut counter = EngineCounter::start(engine, None).map_err(|error| error.to_string())?;
    counter.probe().map_err(|error| match error {
        // The line that it found instead belongs to a search.
        CountError::NoCounts { .. } => {
            "it answers none of `go perft N`, `perft N` and `divide N` with counts".to_owned()
        }
        CountError::DoesNotCount { .. } => "it answers `go perft` with a search".to_owned(),
        error => error.to_string(),
    })?;
    // Some engines do not answer every count.
    counter.timeout = PERFT_TIMEOUT;
    let mut perft = Perft { nodes_per_second: 0.0, is_right: true };
    for (depth, expected) in COUNTS {
        let start = Instant::now();
        let found =
            counter.divide(POSITION, Variant::Standard, depth).map_err(|error| error.to_string())?.total;
        let elapsed = start.elapsed();
        perft.is_right &= found == expected;
        perft.nodes_per_second = expected as f64 / elapsed.as_secs_f64().max(1e-6);
        if elapsed > SHORT || !perft.is_right {
            break;
        }
    }
    Ok(perft)
}

/// Patterns for the number in the output of a bench, the most reliable first. The last ones also match lines of a search.
const PATTERNS: [&str; 8] = [
    r"(?i)^\W*Nodes searched *: *([\d,']+)",
    r"(?i)^\W*Total nodes *:? *([\d,']+)",
    // Before a time: `Bench: 2917 ms 4711 nodes 1615 nps`.
    r"(?i)^[^\d\n]*(?:[\d,'.]+ *m?s\W+)?([\d,']+) +nodes\b[^\n]*\bnps\W*$",
    r"^([\d,']+) nodes\b",
    r"^Bench *[:=]? *([\d,']+)(?:$|[^\d,']*nodes)",
    r"(?i)^\W*nodes *[:=]? *([\d,']+)",
    r"(?i)\bnodes *[:= ] *([\d,']+)",
    r"(?i)\b([\d,']+) nodes\b",
];
/// The number of patterns that may be used for lines over UCI.
const FOR_UCI: usize = 6;

const STATED: [&str; 4] =
    [r"^Bench: (\d+)$", r"\bBench: *(\d+)", r"^bench:? *(\d+)$", r"\b[Bb]ench[:=]? *(\d{4,})"];

const BENCH_TIMEOUT: Duration = Duration::from_mins(1);

fn pattern(text: &str) -> NumberPattern {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn try_bench(engine: &EngineConfig) -> Result<Bench, String> {
    let no_number = || "neither `PROGRAM bench` nor the line `bench` gives a number of nodes".to_owned();
    // The shell command of `[bench]` uses neither the manifest's arguments nor its folder.
    let is_plain = engine.args.is_empty() && engine.dir.is_none();
    let by_argument = || {
        is_plain.then_some(())?;
        let file = tempfile::tempfile().ok()?;
        bench::output_of_argument(engine, file, BENCH_TIMEOUT).ok()
    };
    let (key, value, nodes, measured, again) =
        if let Some((nodes, measured)) = by_argument().and_then(|text| last_number(&text)) {
            let again = by_argument().and_then(|text| pattern(nodes).last_in(&text));
            ("command", "{engine} bench", nodes, measured, again)
        } else {
            let (nodes, measured) = by_line(engine).ok_or_else(no_number)?;
            ("uci", "bench", nodes, measured, by_line(engine).map(|(_, nodes)| nodes))
        };
    if again != Some(measured) {
        let again = again.map_or_else(|| "none".to_owned(), |again| again.to_string());
        return Err(format!(
            "its bench is {measured} nodes the first time and {again} the second; it has to be the same"
        ));
    }
    let log = output_of_git(Path::new("."), &["log", "-100", "--format=%B"]).unwrap_or_default();
    let stated = STATED.into_iter().find_map(|text| Some((text, pattern(text).first_in(&log)?)));
    Ok(Bench { key, value, nodes, measured, stated })
}

fn last_number(text: &str) -> Option<(&'static str, u64)> {
    PATTERNS.into_iter().find_map(|nodes| Some((nodes, pattern(nodes).last_in(text)?)))
}

/// The bench by the UCI line `bench`. An engine that answers `isready` first has no such command.
fn by_line(engine: &EngineConfig) -> Option<(&'static str, u64)> {
    let patterns = PATTERNS.map(|text| (text, pattern(text)));
    let mut session = session::start(engine).ok()?;
    let mut found = None;
    let asked = session.ask("bench\nisready\n", BENCH_TIMEOUT, |line| {
        let line = line.trim();
        found = patterns[..FOR_UCI].iter().find_map(|(text, nodes)| Some((*text, nodes.first_in(line)?)));
        found.is_some() || line == "readyok"
    });
    session.end();
    asked.ok().and(found)
}

struct TriedSpeed {
    nodes_per_second: Result<u64, String>,
    /// Whether searches end at about their time.
    keeps_time: bool,
    /// The depth reached in the first tenth of the search.
    depth: Option<u32>,
    deep: u64,
}

fn try_speed(engine: &EngineConfig) -> TriedSpeed {
    const TIME: Duration = Duration::from_secs(1);
    let failed =
        |error: String| TriedSpeed { nodes_per_second: Err(error), keeps_time: false, depth: None, deep: 0 };
    let mut session = match session::start(engine) {
        Ok(session) => session,
        Err(error) => return failed(error.to_string()),
    };
    let (mut nodes, mut depth) = (None, None);
    let start = Instant::now();
    let go = |movetime| Go { movetime: Some(movetime), ..Go::default() };
    let searched =
        session.watch_search(SearchTask::Of(&PositionLine::default(), &go(TIME)), TIME * 10, |info| {
            nodes = info.nodes.or(nodes);
            depth = info.depth.filter(|_| start.elapsed() < TIME / 10).max(depth);
        });
    let elapsed = start.elapsed();
    if let Err(error) = searched {
        return failed(error.to_string());
    }
    // An engine that always searches to the same depth may be quick at the start, but not in the middle of a game.
    let middle = Instant::now();
    let position = PositionLine::from_fen(POSITION);
    let (mut deep, mut is_deep) = (0, false);
    let searched = session.watch_search(SearchTask::Of(&position, &go(TIME / 5)), TIME * 10, |info| {
        if !is_deep {
            deep = info.nodes.unwrap_or(deep);
            is_deep = info.depth >= Some(DEEP_ENOUGH);
        }
    });
    let keeps_time = searched.is_ok() && middle.elapsed() < TIME;
    session.end();
    let nodes = nodes.filter(|nodes| *nodes > 0);
    let nodes = nodes.ok_or_else(|| "it does not report the nodes of a search".to_owned());
    let per_second = |nodes: u64| ((nodes as f64 / elapsed.as_secs_f64().max(0.01)) as u64).max(1);
    TriedSpeed {
        nodes_per_second: nodes.map(per_second),
        keeps_time: keeps_time && elapsed < TIME * 3,
        depth,
        deep,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_bench_is_found_by_the_surest_pattern() {
        for (text, nodes, number) in [
            ("info depth 1 nodes 20\nNodes searched  : 4711\nNodes/second: 99\n", PATTERNS[0], 4711),
            ("info depth 1 nodes 20\n4711 nodes 99 nps\n", PATTERNS[2], 4711),
            ("Bench: 4,711\n", PATTERNS[4], 4711),
            ("OVERALL: time: 12, nodes: 4711\n", PATTERNS[6], 4711),
        ] {
            assert_eq!(last_number(text), Some((nodes, number)), "{text}");
        }
        for text in bench::public_forms() {
            assert_eq!(last_number(text).map(|(_, number)| number), Some(4711), "{text}");
        }
        assert_eq!(last_number("id name Pico\nuciok\n"), None);
    }

    #[test]
    fn limits_are_round_numbers() {
        for (number, expected) in [(0, 100), (199, 100), (246_913, 200_000), (500_000, 500_000), (999, 500)] {
            assert_eq!(round(number, 100), expected);
        }
    }
}
