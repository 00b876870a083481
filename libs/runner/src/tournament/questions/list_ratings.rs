//! The games of a rating list: the results decide who plays next.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::Rule;
use crate::tournament::Stage;
use crate::tournament::pairings::{as_list, pairs_of_stage};
use crate::{
    Format, GameRecord, KnownPairs, ListGoal, Pairing, PairingGames, Rounds, RunConfig, Termination,
};
use referee::GameResult;
use stats::Pentanomial;
use stats::ratings::PairingPlan;

/// The pairs of a list, and those that are to be played next.
///
/// As in a search for the best of several, a batch is a stage, and is based on the results of all batches except the one
/// before it, which is played meanwhile. So the games follow from the results, whatever the order they came in.
///
/// Each pairing begins at a place of its own in the order of the openings, and goes on there, also in later runs. So it has
/// no opening twice before it has had the whole book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListRatings {
    goal: ListGoal,
    engines: usize,
    players: usize,
    #[serde(with = "as_list")]
    counts: BTreeMap<(usize, usize), Pentanomial>,
    /// The round that each pairing of engines plays next.
    #[serde(with = "as_list")]
    next_rounds: BTreeMap<(usize, usize), u32>,
    /// The pairs of each batch that is being played.
    in_play: VecDeque<Vec<(usize, usize)>>,
    pairs_left: u32,
    dealt: u32,
    /// The games that an engine lost by a fault, and that engine.
    #[serde(with = "as_list")]
    faults: BTreeMap<u32, usize>,
    /// The first game that is in no finished batch.
    over: u32,
    /// Whether nothing is to be dealt before the next batch is over.
    waits: bool,
}

/// The most batches in play.
const AHEAD: usize = 2;

/// A batch has at most this share of the pairs of the run so far, and at least half as many pairs as there are engines.
const PART_OF_BATCH: u32 = 20;

/// An engine has at most this many pairs in a batch, and a part of those that it has played before, so that what is found
/// out about a new engine counts soon.
const PAIRS_OF_NEWCOMER: u64 = 4;

const PART_OF_ENGINE: u64 = 8;

/// The same if all games are chosen in advance, since the next ones need another run.
const IN_ADVANCE: (u64, u64) = (8, 2);

/// The places at which pairings begin in the order of the openings.
const PLACES: u64 = 10_000;

impl ListRatings {
    /// The round with which two engines begin that have never met: a hash (FNV-1a) of their names.
    pub fn first_round(one: &str, other: &str) -> u32 {
        let (one, other) = if one < other { (one, other) } else { (other, one) };
        let bytes = one.bytes().chain([0]).chain(other.bytes());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        (hash % PLACES) as u32
    }

    /// Whether an engine gets no more games, because too many of its games ended by a fault of its own.
    pub fn is_set_aside(&self, engine: usize) -> bool {
        let faults = self.faults.range(..self.over).filter(|(_, offender)| **offender == engine);
        faults.count() >= self.goal.most_faults as usize
    }

    /// For each pairing of engines, the first round that it cannot have in this run, whichever games are chosen.
    pub fn rounds_beyond(&self) -> impl Iterator<Item = ((usize, usize), u32)> {
        let of_engines = self.next_rounds.iter().filter(|(pairing, _)| pairing.1 < self.engines);
        of_engines.map(|(&pairing, next)| (pairing, next + self.pairs_left))
    }

    /// For each player that still plays, whether its rating is wanted and its error too large.
    fn open(&self, plan: &PairingPlan, active: &[bool]) -> Vec<bool> {
        let within = self.goal.within.unwrap_or(0.0);
        let is_wanted =
            |player: usize| active[player] && self.goal.place.is_none_or(|placed| player == placed);
        let margins = plan.margins().into_iter().enumerate();
        margins.map(|(player, margin)| is_wanted(player) && margin > within).collect()
    }

    /// The pairs of the next batch, if there is one now.
    fn next(&mut self) -> Option<Vec<(usize, usize)>> {
        if self.pairs_left == 0 || self.waits || self.in_play.len() >= AHEAD {
            return None;
        }
        let active: Vec<bool> =
            (0..self.players).map(|player| player < self.engines && !self.is_set_aside(player)).collect();
        let in_advance = self.goal.in_advance;
        let (least, part) = if in_advance { IN_ADVANCE } else { (PAIRS_OF_NEWCOMER, PART_OF_ENGINE) };
        let mut room: Vec<u64> = vec![least; self.players];
        for (&(one, other), results) in &self.counts {
            room[one] += results.pairs() / part;
            room[other] += results.pairs() / part;
        }
        let plan = PairingPlan::new(self.players, &self.counts, &self.goal.anchors, &self.goal.versions);
        let (mut batch, mut open) = (Vec::new(), self.open(&plan, &active));
        let mut chooser = plan.wanting(&open);
        if open.contains(&true) {
            self.in_play.iter().flatten().for_each(|&(one, other)| chooser.expect(one, other));
            open = self.open(chooser.plan(), &active);
        }
        let usual = (self.dealt / PART_OF_BATCH).max(self.engines as u32 / 2).max(2);
        let most = if in_advance { self.pairs_left } else { usual.min(self.pairs_left) };
        while batch.len() < most as usize && open.contains(&true) {
            chooser.want(&open);
            let has_room = |player: usize| active[player] && room[player] > 0;
            let is_meant = |one, other| self.goal.place.is_none_or(|placed| one == placed || other == placed);
            let next = chooser.next(|one, other| has_room(one) && has_room(other) && is_meant(one, other));
            let Some((one, other)) = next.map(|next| next.players) else { break };
            chooser.expect(one, other);
            (room[one], room[other]) = (room[one] - 1, room[other] - 1);
            batch.push((one, other));
            open = self.open(chooser.plan(), &active);
        }
        self.waits = batch.is_empty();
        self.dealt += batch.len() as u32;
        self.pairs_left = if in_advance { 0 } else { self.pairs_left - batch.len() as u32 };
        (!batch.is_empty()).then_some(batch)
    }

    fn stage(&mut self, last: Option<&Stage>) -> Option<Stage> {
        let batch = self.next()?;
        let mut rounds = Vec::new();
        for pairing in &batch {
            let next = self.next_rounds.entry(*pairing).or_default();
            rounds.push(*next);
            *next += 1;
        }
        self.in_play.push_back(batch.clone());
        Some(Stage::batch(last, batch, rounds))
    }
}

impl Rule for ListRatings {
    fn of_run(config: &RunConfig) -> Option<ListRatings> {
        let mut goal = config.list.clone()?;
        let players = goal.players(config.engines.len());
        let known = std::mem::take(&mut goal.known);
        let engines = config.engines.len();
        let name = |engine: usize| config.engines[engine].name.as_str();
        let pairings = (0..engines).flat_map(|one| (one + 1..engines).map(move |other| (one, other)));
        let mut next_rounds: BTreeMap<_, _> = pairings
            .map(|(one, other)| ((one, other), ListRatings::first_round(name(one), name(other))))
            .collect();
        next_rounds.extend(known.iter().map(|known| (known.players, known.next)));
        Some(ListRatings {
            goal,
            engines,
            players,
            counts: known.into_iter().map(|known| (known.players, known.results)).collect(),
            next_rounds,
            in_play: VecDeque::new(),
            pairs_left: config.games / 2,
            dealt: 0,
            faults: BTreeMap::new(),
            over: 0,
            waits: false,
        })
    }

    fn problems(config: &RunConfig) -> Vec<String> {
        let Some(goal) = &config.list else { return Vec::new() };
        let players = goal.players(config.engines.len());
        let is_wrong = |known: &KnownPairs| known.players.0 >= known.players.1;
        crate::config::found([
            (goal.within.is_some_and(|it| it.is_nan() || it <= 0.0), "list, within: expected Elo above 0"),
            (
                goal.place.is_some_and(|it| it >= config.engines.len()),
                "list, place: expected the index of an engine",
            ),
            (goal.most_faults == 0, "list, most_faults: expected a number above 0"),
            (config.shard.is_some() && !goal.in_advance, "list, in_advance: expected `true` with a shard"),
            (goal.known.iter().any(is_wrong), "list, known: expected two players, the lower index first"),
            (goal.versions.iter().any(|it| it.0 == it.1), "list, versions: expected pairs of two players"),
            (goal.anchors.iter().any(|&it| it >= players), "list, anchors: expected indices of players"),
            (
                config.format != Format::RoundRobin || config.rounds != Rounds::default(),
                "list: expected pairs of games, and no format",
            ),
        ])
    }

    fn first_stage(&mut self, config: &RunConfig) -> Stage {
        self.stage(None).unwrap_or_else(|| Stage::first(Vec::new(), 0, config.rounds))
    }

    fn next_stage(&mut self, last: &Stage, _all_taken: bool) -> Option<Stage> {
        self.stage(Some(last))
    }

    fn take_stage(&mut self, games: &[(Pairing, GameResult)]) {
        for (pairing, pair) in pairs_of_stage(games) {
            *self.counts.entry(pairing).or_default() += pair;
        }
        self.over = games.last().map_or(self.over, |(last, _)| last.game + 1);
        self.in_play.pop_front();
        self.waits = false;
    }

    fn take_game(&mut self, record: &GameRecord, _games: &PairingGames) -> bool {
        let is_fault = record.termination.is_fault() && record.termination != Termination::TimeLoss;
        if let Some(offender) = record.offender.filter(|_| is_fault) {
            self.faults.insert(record.game, record.engine(offender));
        }
        false
    }

    /// The most games that the batches to come may have.
    fn to_come(&self) -> Option<u32> {
        let may_end = self.pairs_left == 0 || self.waits && self.in_play.is_empty();
        (!may_end).then_some(2 * self.pairs_left)
    }

    fn may_need(&self, engine: usize) -> bool {
        !self.is_set_aside(engine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::pairings::ordered;
    use crate::{Question, Schedule};
    use referee::Side;
    use std::collections::BTreeSet;

    const NAMES: [&str; 5] = ["best", "good", "fair", "weak", "worst"];

    fn config(games: u32, list: &str) -> RunConfig {
        RunConfig::made_up(&NAMES, &format!("games = {games}\nbook.path = 'x'\nlist = {{ {list} }}"))
    }

    /// An engine wins more often, the further it stands in front of the other, but also draws and loses.
    fn record(pairing: Pairing) -> GameRecord {
        let lead = pairing.black as i64 - pairing.white as i64;
        let drawn = (pairing.round.wrapping_mul(2_654_435_761) >> 16) % 100 + 17 * (pairing.game % 2);
        let result = match i64::from(drawn % 100) + 13 * lead {
            ..30 => GameResult::BlackWins,
            30..70 => GameResult::Draw,
            _ => GameResult::WhiteWins,
        };
        GameRecord::of_pairing(pairing, result)
    }

    fn play(config: &RunConfig, in_flight: usize) -> Schedule {
        config.validate().unwrap();
        let mut schedule = Schedule::new(config);
        schedule.play_out(in_flight, 1, record);
        assert!(schedule.is_over());
        schedule
    }

    fn games(schedule: &Schedule) -> Vec<Pairing> {
        schedule.pairings().collect()
    }

    #[test]
    fn who_plays_follows_from_the_results_whatever_the_order_they_come_in() {
        for list in ["", "within = 60.0", "within = 50.0, place = 2"] {
            let config = config(600, list);
            let alone = play(&config, 1);
            assert_eq!(list.is_empty(), alone.games() == 600, "{list}: {}", alone.games());
            assert!(list.is_empty() || alone.games() > 40, "{list}: {}", alone.games());
            for in_flight in [2, 5, 100] {
                assert_eq!(games(&play(&config, in_flight)), games(&alone), "{list}, {in_flight}");
            }
            if list.contains("place") {
                assert!(games(&alone).iter().all(|game| game.white == 2 || game.black == 2));
            }
        }
    }

    #[test]
    fn a_pairing_has_each_opening_once_also_in_the_next_run() {
        let first = play(&config(300, ""), 3);
        let mut rounds: BTreeMap<_, BTreeSet<u32>> = BTreeMap::new();
        let mut take = |schedule: &Schedule| {
            for game in games(schedule).iter().step_by(2) {
                assert!(
                    rounds.entry(ordered(game.white, game.black)).or_default().insert(game.round),
                    "{game:?}"
                );
            }
            rounds.clone()
        };
        let rounds = take(&first);
        let starts: BTreeSet<u32> = rounds.values().filter_map(|rounds| rounds.first().copied()).collect();
        assert_eq!(starts.len(), rounds.len(), "each begins elsewhere");
        let known = |(&players, rounds): (&(usize, usize), &BTreeSet<u32>)| KnownPairs {
            players,
            results: *first.games_of(players.0, players.1).unwrap().scored.pairs(),
            next: rounds.last().unwrap() + 1,
        };
        let mut next = config(300, "");
        next.list.as_mut().unwrap().known = rounds.iter().map(known).collect();
        let toml = toml::to_string(&next).unwrap();
        assert_eq!(toml::from_str::<RunConfig>(&toml).unwrap(), next);
        take(&play(&next, 3));
    }

    #[test]
    fn shards_share_the_games_that_are_chosen_in_advance() {
        let whole = config(600, "in_advance = true");
        let all = games(&play(&whole, 3));
        // Eight pairs of each engine.
        assert_eq!(all.len(), 5 * 8);
        let shards = (1..=3).flat_map(|number| {
            let shard = Some(format!("{number}/3").parse().unwrap());
            games(&play(&RunConfig { shard, ..whole.clone() }, 2))
        });
        assert_eq!(shards.collect::<Vec<_>>(), all);
    }

    #[test]
    fn an_engine_that_keeps_failing_gets_no_more_games_and_the_run_goes_on() {
        let config = config(400, "most_faults = 4");
        let mut schedule = Schedule::new(&config);
        let failing =
            |pairing: Pairing| match [pairing.white, pairing.black].iter().position(|&engine| engine == 1) {
                Some(place) => {
                    let (offender, result) =
                        [(Side::White, GameResult::BlackWins), (Side::Black, GameResult::WhiteWins)][place];
                    let (termination, offender) = (Termination::Crash, Some(offender));
                    GameRecord { termination, offender, ..GameRecord::of_pairing(pairing, result) }
                }
                None => record(pairing),
            };
        schedule.play_out(2, 1, failing);
        let Question::ListRatings(list) = schedule.question() else { panic!("another question") };
        assert!(list.is_set_aside(1) && !list.is_set_aside(0) && !schedule.may_need(1));
        let all = games(&schedule);
        let its = all.iter().filter(|game| game.white == 1 || game.black == 1).count();
        assert!((4..20).contains(&its) && all.len() == 400, "{its} of {}", all.len());
        assert!(all[200..].iter().all(|game| game.white != 1 && game.black != 1));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (list, problem) in [
            ("within = 0.0", "list, within"),
            ("place = 5", "list, place"),
            ("most_faults = 0", "list, most_faults"),
            ("anchors = [9]", "list, anchors"),
            ("known = [{ players = [1, 0], results = [0, 0, 1, 0, 0], next = 1 }]", "list, known"),
        ] {
            let found = config(100, list).validate().unwrap_err().to_string();
            assert!(found.contains(problem), "{found}");
        }
        let knockout = RunConfig { format: Format::Knockout { extra_pairs: 3 }, ..config(100, "") };
        assert!(knockout.validate().unwrap_err().to_string().contains("a rating list"));
    }
}
