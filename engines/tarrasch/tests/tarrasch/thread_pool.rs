//! Searches with one thread and with several.

use std::time::{Duration, Instant};

use chess::{Move, Position};
use tarrasch::search::{Outcome, Report, Searcher, ThreadData, ThreadPool};
use tarrasch::transposition_table::Bound;
use tarrasch::{ClockState, Depth, Limits, Nodes, SearchControl, TimeManager, TranspositionTable};
use uci::server::bench_positions;

use super::search::assert_legal;

/// Fig. 1 of the `BibiChess` document: Tarrasch – Eckart, Nuremberg 1889.
const TARRASCH_ECKART: &str = "r1bn1rk1/pp2b2p/1q2pnp1/2pp2N1/3P1N2/2PB4/PPQ2PPP/R1B2RK1 w - - 0 14";

/// The number of nodes between two checks of a thread.
const SLACK: u64 = 128;

struct Found {
    outcome: Outcome,
    reports: Vec<Report>,
}

impl Found {
    fn best(&self) -> Option<Move> {
        self.outcome.line.first().copied()
    }

    fn last(&self) -> &Report {
        self.reports.last().unwrap()
    }
}

/// Searches with this number of threads. `listen` receives every report and may stop the search.
fn search(fen: &str, threads: usize, limits: &Limits, listen: impl Fn(&Report, &SearchControl)) -> Found {
    let position = Position::from_fen(fen).unwrap();
    let mut thread_pool = ThreadPool::default();
    thread_pool.resize(threads);
    let mut tt = TranspositionTable::new(4).unwrap();
    let control = SearchControl::new(Instant::now(), false);
    let mut reports = Vec::new();
    let outcome = thread_pool.search(&position, &[], limits, &control, tt.begin_search(), &mut |report| {
        listen(report, &control);
        reports.push(report.clone());
    });
    Found { outcome, reports }
}

fn ignore(_: &Report, _: &SearchControl) {}

#[test]
fn any_number_of_threads_finds_the_move_the_engine_is_named_for_and_stops() {
    for threads in [1, 2, 4] {
        let knows_it = |report: &Report| report.line.first().is_some_and(|mv| mv.to_string() == "d3g6");
        let found = search(TARRASCH_ECKART, threads, &Limits::unlimited(), |report, control| {
            if report.depth >= Depth::new(8) && report.bound == Bound::Exact && knows_it(report) {
                control.stop();
            }
        });
        assert_eq!(found.best().map(|mv| mv.to_string()).as_deref(), Some("d3g6"), "{threads} threads");
        for report in &found.reports {
            assert_legal(&Position::from_fen(TARRASCH_ECKART).unwrap(), &report.line);
        }
    }
}

#[test]
fn a_node_limit_is_for_all_threads_together() {
    for (threads, nodes) in [(2, 1), (2, 10_000), (3, 1_000), (4, 30_000), (16, 20_000)] {
        let found = search(TARRASCH_ECKART, threads, &Limits::nodes(Nodes::new(nodes)), ignore);
        let spent = found.outcome.nodes.get();
        assert!(spent >= nodes, "{spent} of {nodes} nodes by {threads} threads");
        assert!(spent < nodes + SLACK * threads as u64, "{spent} of {nodes} nodes by {threads} threads");
    }
}

#[test]
fn a_pool_of_one_thread_searches_like_a_single_searcher() {
    for fen in bench_positions().take(5) {
        let limits = Limits::nodes(Nodes::new(8_000));
        let position = Position::from_fen(fen).unwrap();
        let mut tt = TranspositionTable::new(4).unwrap();
        let mut thread_data = ThreadData::new();
        let control = SearchControl::new(Instant::now(), false);
        let mut single =
            Searcher::new(&position, &[], &limits, &control, tt.begin_search(), &mut thread_data);
        let single = single.run(&position, &mut |_| {});
        let thread_pool = search(fen, 1, &limits, ignore).outcome;
        assert_eq!(
            (thread_pool.nodes, thread_pool.value, thread_pool.line),
            (single.nodes, single.value, single.line),
            "{fen}"
        );
        assert_eq!(single.nodes, Nodes::new(8_000));
    }
}

#[test]
fn whatever_the_clock_the_last_report_is_of_the_move_that_is_played() {
    for (threads, millis) in [(1, 0), (1, 20), (3, 0), (3, 20), (3, 150)] {
        for fen in bench_positions().take(6) {
            let remaining = Duration::from_millis(millis);
            let clock = ClockState { remaining, increment: Duration::ZERO, moves_to_go: Some(2) };
            let time = TimeManager::from_clock(clock, Duration::ZERO);
            let found = search(fen, threads, &Limits { time, ..Limits::unlimited() }, ignore);
            assert_eq!(found.last().line.first().copied(), found.best(), "{threads} threads, {fen}");
            assert_legal(&Position::from_fen(fen).unwrap(), &found.outcome.line);
        }
    }
}
