//! The thread that sends the reports of a shard, and reads the reports of the other shards.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::mpsc;

use super::ShardReport;
use super::place::{self, Place};
use super::report::MOST_BYTES;
use crate::record::fingerprint;
use crate::workers::WorkerMessage;
use crate::{Event, GameRecord, Machine, PoolDecision, PoolView, RunConfig, RunControl, Schedule};
use stats::Observations;

/// A shard that has not ended is called silent after this many intervals without news, but not before 3 minutes.
const SILENT_INTERVALS: u32 = 5;
const SILENT: Duration = Duration::from_mins(3);

/// How often the last report of a shard is tried.
const LAST_ATTEMPTS: u32 = 3;

/// The next report of the shard; the collector keeps it in step with the journal.
#[derive(Clone, Debug)]
pub(crate) struct OwnReport(Arc<Mutex<ShardReport>>);

impl OwnReport {
    /// The report of a shard whose journal began at this time. `None` without a pool.
    pub(crate) fn of_run(config: &RunConfig, began: Timestamp) -> Option<OwnReport> {
        let (shard, _) = (config.shard?, config.pool.as_ref()?);
        let machine = Machine { name: Machine::name_here(), ..Machine::default() };
        let common = serde_json::to_vec(&config.essence_of_all_shards()).unwrap_or_default();
        let report = ShardReport {
            schema: ShardReport::SCHEMA,
            run: fingerprint::sha256_of_bytes(&common),
            shard,
            session: format!("{began} {}", machine.name),
            machine,
            beat: 0,
            games: 0,
            counts: Observations::none(config.trinomial),
            faults: 0,
            time_losses: 0,
            nodes: 0,
            time: Duration::ZERO,
            decision: None,
            ended: false,
        };
        Some(OwnReport(Arc::new(Mutex::new(report))))
    }

    pub(crate) fn set_machine(&self, machine: &Machine) {
        self.lock().machine = machine.clone();
    }

    /// Adds a game that is in the journal.
    pub(crate) fn add(&self, game: &GameRecord) {
        self.lock().add(game);
    }

    /// Sets the results of the games in the journal.
    pub(crate) fn set_counts(&self, (games, counts): (u32, Observations)) {
        let mut report = self.lock();
        (report.games, report.counts) = (games, counts);
    }

    /// Sets the decision, which every report from now on contains.
    pub(crate) fn decide(&self, decision: &PoolDecision) {
        self.lock().decision.get_or_insert_with(|| decision.clone());
    }

    fn lock(&self) -> MutexGuard<'_, ShardReport> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct PoolLink {
    stop: Sender<()>,
    thread: JoinHandle<Exchange>,
}

impl PoolLink {
    /// Starts the exchange of reports. What is read goes to the collector of the run.
    pub(crate) fn start(
        config: &RunConfig,
        own: OwnReport,
        control: RunControl,
        collector: mpsc::WeakSender<WorkerMessage>,
    ) -> Option<PoolLink> {
        let (pool, shard) = (config.pool.as_ref()?, config.shard?);
        let every = pool.interval(shard.of());
        let mut exchange = Exchange::new(place::open(&pool.place, control), own, every, config);
        let (stop, stopped) = channel::<()>();
        let thread = thread::spawn(move || {
            loop {
                for event in exchange.look() {
                    if let Some(collector) = collector.upgrade() {
                        // If the collector is gone, the run is being stopped.
                        let _ = collector.blocking_send(WorkerMessage::of(event));
                    }
                }
                if !matches!(stopped.recv_timeout(every), Err(RecvTimeoutError::Timeout)) {
                    return exchange;
                }
            }
        });
        Some(PoolLink { stop, thread })
    }

    /// Reports that the shard has ended, and returns what was read then.
    pub(crate) fn finish(self) -> Vec<Event> {
        let _ = self.stop.send(());
        let Ok(mut exchange) = self.thread.join() else { return Vec::new() };
        exchange.own.lock().ended = true;
        let mut events = Vec::new();
        for _ in 0..LAST_ATTEMPTS {
            events.extend(exchange.look());
            if exchange.trouble.is_none() {
                break;
            }
        }
        events
    }
}

#[derive(Debug)]
struct Exchange {
    place: Box<dyn Place>,
    own: OwnReport,
    every: Duration,
    config: RunConfig,
    /// The schedule of the run before its first game.
    before: Schedule,
    /// The latest report of each session, by shard number and session.
    known: BTreeMap<(u32, String), Known>,
    /// The reports that were read but do not count, with the reasons.
    strangers: Vec<String>,
    trouble: Option<String>,
    last: Option<PoolView>,
}

#[derive(Debug)]
struct Known {
    report: ShardReport,
    /// When this report was first read.
    at: Instant,
}

impl Exchange {
    fn new(place: Box<dyn Place>, own: OwnReport, every: Duration, config: &RunConfig) -> Exchange {
        let (known, strangers, config) = (BTreeMap::new(), Vec::new(), config.clone());
        let before = Schedule::new(&config);
        Exchange { place, own, every, config, before, known, strangers, trouble: None, last: None }
    }

    fn look(&mut self) -> Vec<Event> {
        let own = {
            let mut own = self.own.lock();
            own.beat += 1;
            own.clone()
        };
        let line = serde_json::to_string(&own).unwrap_or_default();
        let read = self.place.exchange(&own, &line);
        self.trouble = read.as_ref().err().cloned();
        self.strangers.clear();
        let mut unread = 0;
        for line in read.iter().flatten().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(report) if line.len() <= MOST_BYTES => self.take(&own, report),
                _ => unread += 1,
            }
        }
        if unread > 0 {
            self.strangers.push(format!("lines that are not reports of shards: {unread}"));
        }
        let mut events = Vec::new();
        let decisions = self.known.values().filter_map(|known| known.report.decision.clone());
        if own.decision.is_none()
            && self.twin(&own).is_none()
            && let Some(decision) = decisions.reduce(PoolDecision::first)
        {
            events.push(Event::PoolDecided { decision: Box::new(decision), at: crate::now() });
        }
        let view = self.view(&own);
        if self.last.as_ref().is_none_or(|last| !last.says_the_same_as(&view)) {
            self.last = Some(view.clone());
            events.push(Event::PoolRead(Box::new(view)));
        }
        events
    }

    fn take(&mut self, own: &ShardReport, report: ShardReport) {
        if report.run != own.run || report.shard.of() != own.shard.of() {
            self.strangers.push(format!(
                "{} is of another run: a program, the book, an option, a limit, the seed or the number of shards differs",
                report.name()
            ));
            return;
        }
        if let Some((engine, here, there)) = own.machine.other_bench(&report.machine) {
            self.strangers.push(format!(
                "{} ({}) does not count: engine {} searches {there} nodes in its bench there, {here} here",
                report.name(),
                report.machine.cpu,
                engine + 1
            ));
            return;
        }
        if let Some(problem) = report.problem(&self.config, &self.before) {
            self.strangers.push(format!("{:.200} does not count: its report has {problem}", report.name()));
            return;
        }
        let at = Instant::now();
        match self.known.entry((report.shard.number(), report.session.clone())) {
            Entry::Vacant(place) => drop(place.insert(Known { report, at })),
            // An older report may arrive later.
            Entry::Occupied(mut known)
                if known.get().report.beat != report.beat && known.get().report.games <= report.games =>
            {
                known.insert(Known { report, at });
            }
            Entry::Occupied(_) => {}
        }
    }

    /// A report of the same shard by another session.
    fn twin(&self, own: &ShardReport) -> Option<&Known> {
        self.known
            .values()
            .find(|known| known.report.shard == own.shard && known.report.session != own.session)
    }

    fn view(&self, own: &ShardReport) -> PoolView {
        let patience = SILENT.max(self.every * SILENT_INTERVALS);
        // If another attempt at the same run uses the same place, the reports cannot be told apart.
        let twin = self.twin(own).map(|known| {
            format!(
                "{} is an earlier attempt at this shard; nothing is counted: resume that run, or use a new pool",
                known.report.name()
            )
        });
        // If a shard has several sessions, the session that began last counts.
        let sessions = self.known.values().filter(|_| twin.is_none());
        let counted: BTreeMap<u32, &Known> =
            sessions.map(|known| (known.report.shard.number(), known)).collect();
        let strangers = (!self.strangers.is_empty()).then(|| self.strangers.join("; "));
        let silent = counted.values().filter(|known| !known.report.ended && known.at.elapsed() > patience);
        let none = Observations::none(matches!(own.counts, Observations::Games(_)));
        PoolView {
            counts: counted.values().fold(none, |sum, known| sum + known.report.counts),
            games: counted.iter().map(|(number, known)| (*number, known.report.games)).collect(),
            silent: silent.map(|known| known.report.name()).collect(),
            trouble: self.trouble.clone().or(twin).or(strangers),
            at: crate::now(),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::MachineBench;
    use stats::Pentanomial;

    fn config(shard: &str) -> RunConfig {
        let sprt = "sprt = { elo0 = 0.0, elo1 = 50.0, alpha = 0.05, beta = 0.05, model = 'normalized' }";
        let rest = format!("games = 600\nbook.path = 'x'\nshard = '{shard}'\npool.place = 'pipe'\n{sprt}");
        RunConfig::made_up(&["a", "b"], &rest)
    }

    /// The report of a shard that drew this many games on the machine `ada`.
    pub(in super::super) fn report(shard: &str, games: u32) -> ShardReport {
        let own = OwnReport::of_run(&config(shard), Timestamp::UNIX_EPOCH).unwrap();
        let before = own.lock().clone();
        ShardReport {
            session: format!("session {shard}"),
            machine: Machine { name: "ada".to_owned(), ..Machine::default() },
            beat: games.into(),
            games,
            counts: Observations::Pairs(Pentanomial::new([0, 0, u64::from(games) / 2, 0, 0])),
            ..before
        }
    }

    /// The answers of the place to each exchange in turn.
    #[derive(Debug)]
    struct Said(Vec<Result<Vec<ShardReport>, String>>);

    impl Place for Said {
        fn exchange(&mut self, own: &ShardReport, _: &str) -> Result<Vec<String>, String> {
            let mut reports = self.0.remove(0)?;
            reports.push(own.clone());
            Ok(reports.iter().map(|report| serde_json::to_string(report).unwrap()).collect())
        }
    }

    fn exchange(said: Vec<Result<Vec<ShardReport>, String>>) -> Exchange {
        let own = OwnReport(Arc::new(Mutex::new(report("1/3", 4))));
        Exchange::new(Box::new(Said(said)), own, Duration::from_secs(1), &config("1/3"))
    }

    fn views(exchange: &mut Exchange, times: usize) -> Vec<PoolView> {
        let events: Vec<Event> = (0..times).flat_map(|_| exchange.look()).collect();
        let views = events.into_iter().filter_map(|event| match event {
            Event::PoolRead(view) => Some(*view),
            _ => None,
        });
        views.collect()
    }

    #[test]
    fn all_that_was_read_is_added_up_and_what_is_not_read_again_stays() {
        let others = vec![report("2/3", 10), report("3/3", 2)];
        let mut exchange =
            exchange(vec![Ok(others), Err("no network".to_owned()), Ok(vec![report("2/3", 12)])]);
        let views = views(&mut exchange, 3);
        let pairs = |count| Observations::Pairs(Pentanomial::new([0, 0, count, 0, 0]));
        let said: Vec<_> = views.iter().map(|view| (view.counts, view.trouble.as_deref())).collect();
        assert_eq!(said, [(pairs(8), None), (pairs(8), Some("no network")), (pairs(9), None)]);
        assert_eq!(views[2].games, [(1, 4), (2, 12), (3, 2)]);
    }

    #[test]
    fn another_run_does_not_count_and_with_another_try_of_our_shard_nothing_does() {
        let stranger = ShardReport { run: "another".to_owned(), ..report("2/3", 100) };
        let decision = PoolDecision {
            reason: crate::FinishReason::AcceptedH1,
            counts: Observations::Pairs(Pentanomial::new([0, 0, 0, 0, 90])),
            games: vec![(1, 180)],
        };
        let earlier = ShardReport {
            session: "another".to_owned(),
            ended: true,
            decision: Some(decision),
            ..report("1/3", 100)
        };
        let mut exchange = exchange(vec![Ok(vec![stranger]), Ok(vec![earlier, report("2/3", 10)])]);
        let first = views(&mut exchange, 1).remove(0);
        assert!(first.trouble.unwrap().starts_with("2/3 (ada) is of another run"));
        assert_eq!(first.games, [(1, 4)]);
        let events = exchange.look();
        let [Event::PoolRead(second)] = &events[..] else { panic!("{events:?}") };
        assert!(second.trouble.as_ref().unwrap().contains("nothing is counted"), "{second:?}");
        assert_eq!((second.counts.games(), second.games.len()), (0, 0));
    }

    #[test]
    fn a_machine_on_which_an_engine_searches_other_nodes_does_not_count() {
        let on = |nodes| Machine { benches: vec![MachineBench::Nodes(nodes)], ..report("1/3", 0).machine };
        let odd = ShardReport { machine: on(7), ..report("2/3", 10) };
        let mut exchange = exchange(vec![Ok(vec![odd])]);
        exchange.own.set_machine(&on(8));
        let views = views(&mut exchange, 1);
        let trouble = views[0].trouble.as_deref().unwrap();
        assert!(trouble.contains("engine 1 searches 7 nodes in its bench there, 8 here"), "{trouble}");
        assert_eq!(views[0].games, [(1, 4)]);
    }

    #[test]
    fn a_report_that_cannot_be_true_is_named_and_does_not_count() {
        let pairs = |counts| Observations::Pairs(Pentanomial::new(counts));
        let decided = |reason, counts, games: &[(u32, u32)]| {
            let decision = PoolDecision { reason, counts: pairs(counts), games: games.to_vec() };
            ShardReport { decision: Some(decision), ..report("2/3", 10) }
        };
        let (h0, h1) = (crate::FinishReason::AcceptedH0, crate::FinishReason::AcceptedH1);
        let won = [0, 0, 0, 0, 90];
        let wrong = [
            (ShardReport { schema: 2, ..report("2/3", 10) }, "schema 2, expected 1"),
            (ShardReport { counts: pairs([0, 0, 0, 0, 100_000]), ..report("2/3", 2) }, "not fit its 2 games"),
            (ShardReport { counts: pairs([u64::MAX; 5]), ..report("2/3", 10) }, "not fit its 10 games"),
            (
                ShardReport { counts: Observations::Games(stats::Wdl::new(5, 3, 2)), ..report("2/3", 10) },
                "10 single games",
            ),
            (report("2/3", 202), "202 games, but it has only 200"),
            (ShardReport { faults: 8, time_losses: 3, ..report("2/3", 10) }, "11 faults in 10 games"),
            (ShardReport { session: "x".repeat(1000), ..report("2/3", 10) }, "a name of more"),
            (decided(h0.clone(), won, &[(2, 180)]), "a verdict, AcceptedH0, that pairs"),
            (decided(h1.clone(), [1, 1, 1, 1, 1], &[(2, 10)]), "a verdict, AcceptedH1"),
            (decided(h1.clone(), won, &[(2, 4)]), "a verdict"),
            (decided(h1.clone(), won, &[(2, 90), (2, 90)]), "a verdict"),
            (decided(h1.clone(), won, &[(4, 180)]), "a verdict"),
            (decided(crate::FinishReason::FoundBest, won, &[(2, 180)]), "a verdict, FoundBest"),
        ];
        for (report, said) in wrong {
            let mut exchange = exchange(vec![Ok(vec![report, self::report("3/3", 8)])]);
            let events = exchange.look();
            let [Event::PoolRead(view)] = &events[..] else { panic!("{said}: {events:?}") };
            assert!(view.trouble.as_ref().is_some_and(|trouble| trouble.contains(said)), "{said}: {view:?}");
            assert_eq!(view.games, [(1, 4), (3, 8)], "{said}");
        }
        let mut exchange = exchange(vec![Ok(vec![decided(h1, won, &[(2, 100), (3, 80)])])]);
        assert!(matches!(exchange.look()[..], [Event::PoolDecided { .. }, Event::PoolRead(_)]));
    }

    #[test]
    fn of_two_decisions_the_one_by_fewer_games_is_taken() {
        let decided = |shard, games, reason, counts| {
            let counts = Observations::Pairs(Pentanomial::new(counts));
            let decision = PoolDecision { reason, counts, games: vec![(2, games)] };
            ShardReport { decision: Some(decision), ..report(shard, 100) }
        };
        let (late, early) = (
            decided("2/3", 190, crate::FinishReason::AcceptedH1, [0, 0, 0, 0, 95]),
            decided("3/3", 180, crate::FinishReason::AcceptedH0, [90, 0, 0, 0, 0]),
        );
        let mut exchange = exchange(vec![Ok(vec![late, early])]);
        let events = exchange.look();
        let Some(Event::PoolDecided { decision, .. }) = events.first() else { panic!("{events:?}") };
        assert_eq!((decision.reason.clone(), decision.games_of(2)), (crate::FinishReason::AcceptedH0, 180));
    }
}
