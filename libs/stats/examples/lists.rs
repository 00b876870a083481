//! Simulates rating lists: who plays next by the [`PairingPlan`], and by other ways of pairing, with the same number of games;
//! and one new player that is placed in a list. `lists RUNS` prints `results/lists.csv` and the time of a choice.

#![expect(clippy::print_stdout, reason = "the table of a simulation")]

use std::collections::BTreeMap;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::ratings::{Cluster, PairingPlan, PoolRatings};
use stats::{Elo, Outcome, Pentanomial};

const DRAWS: f64 = 0.5;

/// A list of players with their true ratings, and the pairs played.
struct List {
    truth: Vec<f64>,
    counts: BTreeMap<(usize, usize), Pentanomial>,
    random: ChaCha8Rng,
}

/// How pairs are chosen: by the expected fall of the wanted variances, everybody against everybody, the neighbours by the
/// present ratings, or as in a Swiss tournament, by points.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Plan,
    RoundRobin,
    Neighbours,
    Swiss,
}

impl List {
    /// Players whose true ratings are drawn evenly from a range of this many Elo.
    fn of(players: usize, width: f64, seed: u64) -> List {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let truth = (0..players).map(|_| width * (random.random::<f64>() - 0.5)).collect();
        List { truth, counts: BTreeMap::new(), random }
    }

    /// Plays a pair of games; half of the games of equal players are drawn.
    fn play(&mut self, one: usize, other: usize) {
        let players = (one.min(other), one.max(other));
        let expected = Elo::new(self.truth[players.0] - self.truth[players.1]).expected_score();
        let draws = 2.0 * DRAWS * expected.min(1.0 - expected);
        let mut game = || {
            let (drawn, wins): (f64, f64) = (self.random.random(), expected - draws / 2.0);
            Outcome::of_half_points(2 - u8::from(drawn >= wins) - u8::from(drawn >= wins + draws))
        };
        let (first, second) = (game(), game());
        self.counts.entry(players).or_default().record(first, second);
    }

    fn pairs(&self) -> u64 {
        self.counts.values().map(Pentanomial::pairs).sum()
    }

    fn plan(&self) -> PairingPlan {
        PairingPlan::new(self.truth.len(), &self.counts, &[], &[])
    }

    /// Plays at most this many pairs for the players that are wanted; `place` plays in each of them.
    fn play_planned(&mut self, place: Option<usize>, most: usize) {
        let wanted: Vec<bool> =
            (0..self.truth.len()).map(|player| place.is_none_or(|it| it == player)).collect();
        let mut chooser = self.plan().wanting(&wanted);
        let batch: Vec<_> = (0..most)
            .filter_map(|_| {
                let next = chooser.next(|one, other| place.is_none_or(|it| it == one || it == other))?;
                chooser.expect(next.players.0, next.players.1);
                Some(next.players)
            })
            .collect();
        for (one, other) in batch {
            self.play(one, other);
        }
    }

    fn play_all(&mut self, way: Way, pairs: u64) {
        let players = self.truth.len();
        for round in 0.. {
            let left = pairs.saturating_sub(self.pairs()) as usize;
            let meetings: Vec<(usize, usize)> = match way {
                _ if left == 0 => return,
                Way::Plan => {
                    self.play_planned(None, left.min((self.pairs() as usize / 20).max(players / 2)));
                    continue;
                }
                Way::RoundRobin => {
                    (0..players).flat_map(|one| (one + 1..players).map(move |other| (one, other))).collect()
                }
                Way::Neighbours => {
                    let plan = self.plan();
                    let mut order: Vec<usize> = (0..players).collect();
                    order.sort_by(|&one, &other| {
                        plan.rating(one).value().total_cmp(&plan.rating(other).value())
                    });
                    order[round % 2..].chunks_exact(2).map(|two| (two[0], two[1])).collect()
                }
                Way::Swiss => self.swiss_round(),
            };
            meetings.into_iter().take(left).for_each(|(one, other)| self.play(one, other));
        }
    }

    /// A round of a Swiss tournament, roughly as in FIDE's Dutch system: from the top, each player meets the player half a
    /// group of equal points further down, or the next one whom it has met less often.
    fn swiss_round(&self) -> Vec<(usize, usize)> {
        let mut points = vec![0.0; self.truth.len()];
        for (&(one, other), pairs) in &self.counts {
            let (score, pairs) = (pairs.score().mean(), pairs.pairs() as f64);
            points[one] += score * pairs;
            points[other] += (1.0 - score) * pairs;
        }
        let mut left: Vec<usize> = (0..points.len()).collect();
        left.sort_by(|&one, &other| points[other].total_cmp(&points[one]));
        let mut meetings = Vec::new();
        while left.len() > 1 {
            let first = left.remove(0);
            let equals = left.iter().take_while(|&&it| points[it] >= points[first]).count();
            let met = |place: usize| {
                let players = (first.min(left[place]), first.max(left[place]));
                self.counts.get(&players).map_or(0, Pentanomial::pairs)
            };
            let by_wish = (equals / 2..left.len()).chain(0..equals / 2);
            let place = by_wish.min_by_key(|&place| met(place)).unwrap_or(0);
            meetings.push((first, left.remove(place)));
        }
        meetings
    }

    /// The ratings as a list shows them: for each player the error, half of the interval, and whether it has the truth.
    fn rated(&self) -> Vec<(f64, f64, bool)> {
        use Outcome::{Draw, Loss, Win};
        let results = [[Loss, Loss], [Loss, Draw], [Draw, Draw], [Draw, Win], [Win, Win]];
        // Each result comes in both orders, so that neither colour is better; an odd one in an order by its players.
        let clusters = self.counts.iter().flat_map(|(&(one, other), pairs)| {
            let (one, other) = (one as u32, other as u32);
            let halves = results.into_iter().zip(pairs.counts()).flat_map(move |([first, second], times)| {
                let half = u64::midpoint(times, u64::from((one + other) % 2));
                [(first, second, half), (second, first, times - half)]
            });
            halves.filter(|(.., times)| *times > 0).map(move |(first, second, times)| Cluster {
                games: vec![(one, other, first), (other, one, second.reversed())],
                times,
            })
        });
        let ratings = PoolRatings::new(self.truth.len(), &clusters.collect::<Vec<_>>(), &BTreeMap::new());
        let average = self.truth.iter().sum::<f64>() / self.truth.len() as f64;
        let rated = ratings.players().iter().zip(&self.truth).map(|(player, truth)| {
            let (rating, truth) = (player.rating.expect("a rated player"), truth - average);
            let covers = rating.lower.value() <= truth && truth <= rating.upper.value();
            (rating.elo.value() - truth, rating.margin(), covers)
        });
        rated.collect()
    }
}

/// Whole lists after this many pairs of each player: root mean square error, mean of the largest 95% error, and coverage.
fn whole_list(players: usize, width: f64, pairs_of_each: u64, way: Way, runs: u64) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for run in 0..runs {
        let mut list = List::of(players, width, run);
        list.play_all(way, pairs_of_each * players as u64 / 2);
        let rated = list.rated();
        let mean = |of: fn(&(f64, f64, bool)) -> f64| rated.iter().map(of).sum::<f64>() / players as f64;
        sums[0] += mean(|(error, ..)| error * error);
        sums[1] += rated.iter().map(|(_, margin, _)| *margin).fold(0.0, f64::max);
        sums[2] += mean(|(.., covers)| f64::from(u8::from(*covers)));
    }
    let [squares, largest, covered] = sums.map(|sum| sum / runs as f64);
    [squares.sqrt(), largest, covered]
}

/// The most pairs of a player that is placed. Against few opponents its error cannot fall below theirs, however many it plays.
const MOST_PAIRS: usize = 25_000;

/// Places a new player in a list of `players`, of whom each has played 400 pairs, until its error is within these Elo: by the
/// plan, or against the `opponents` nearest in truth. Returns mean and standard deviation of its games, the coverage, and the
/// share of runs that reached the error.
fn place(players: usize, width: f64, within: f64, opponents: Option<usize>, runs: u64) -> [f64; 4] {
    let (mut sums, new) = ([0.0; 4], players);
    for run in 0..runs {
        let mut list = List::of(players + 1, width, run);
        let placed = list.truth.remove(new);
        list.play_all(Way::RoundRobin, 200 * players as u64);
        list.truth.push(placed);
        let (before, mut nearest) = (list.pairs(), (0..players).collect::<Vec<_>>());
        let distance = |player: usize| (list.truth[player] - placed).abs();
        nearest.sort_by(|&one, &other| distance(one).total_cmp(&distance(other)));
        let mut own = 0;
        while own < MOST_PAIRS && list.plan().margins()[new] > within {
            let batch = (own / 8).max(4);
            match opponents {
                None => list.play_planned(Some(new), batch),
                Some(count) => (own..own + batch).for_each(|pair| list.play(nearest[pair % count], new)),
            }
            own = (list.pairs() - before) as usize;
        }
        let games = 2.0 * own as f64;
        let [covers, reached] =
            [list.rated()[new].2, own < MOST_PAIRS].map(|holds| f64::from(u8::from(holds)));
        sums.iter_mut().zip([games, games * games, covers, reached]).for_each(|(sum, it)| *sum += it);
    }
    let [mean, squares, covered, reached] = sums.map(|sum| sum / runs as f64);
    [mean, (squares - mean * mean).max(0.0).sqrt(), covered, reached]
}

/// The milliseconds of a plan and of a choice with a million games.
fn speed(players: usize) -> [f64; 2] {
    let mut list = List::of(players, 600.0, 1);
    list.play_all(Way::RoundRobin, (players * (players - 1) / 2) as u64);
    let scale = 500_000 / list.pairs();
    list.counts.values_mut().for_each(|pairs| *pairs = Pentanomial::new(pairs.counts().map(|it| it * scale)));
    let begun = Instant::now();
    let mut chooser = list.plan().wanting(&vec![true; players]);
    let made = begun.elapsed();
    for _ in 0..players {
        let next = chooser.next(|_, _| true).expect("somebody to play");
        chooser.expect(next.players.0, next.players.1);
    }
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    [ms(made), ms(begun.elapsed().saturating_sub(made)) / players as f64]
}

fn main() {
    let runs: u64 = std::env::args().nth(1).map_or(20, |word| word.parse().expect("a number of runs"));
    println!("what,players,width,way,pairs_of_each,runs,rms_error,largest_margin,coverage");
    for (players, width, pairs, runs) in [
        (12, 300.0, 100, runs),
        (12, 1200.0, 100, runs),
        (30, 500.0, 50, runs),
        (30, 1500.0, 50, runs),
        (300, 1000.0, 20, runs.div_ceil(20)),
    ] {
        for way in [Way::Plan, Way::RoundRobin, Way::Neighbours, Way::Swiss] {
            let [error, largest, covered] = whole_list(players, width, pairs, way, runs);
            println!("list,{players},{width},{way:?},{pairs},{runs},{error:.2},{largest:.2},{covered:.4}");
        }
    }
    println!("what,players,width,opponents,within,runs,games,deviation,coverage,reached");
    for width in [500.0, 1200.0] {
        for (name, opponents) in
            [("plan", None), ("all", Some(12)), ("nearest 2", Some(2)), ("nearest 4", Some(4))]
        {
            let [games, deviation, covered, reached] = place(12, width, 10.0, opponents, 10 * runs);
            println!(
                "place,12,{width},{name},10,{},{games:.0},{deviation:.0},{covered:.4},{reached:.3}",
                10 * runs
            );
        }
    }
    println!("what,players,games,plan_ms,choice_ms");
    for players in [12, 30, 100, 300] {
        let [plan, choice] = speed(players);
        println!("speed,{players},1000000,{plan:.2},{choice:.3}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_saves_games_where_strengths_differ_and_the_intervals_hold() {
        let [planned, robin] = [Way::Plan, Way::RoundRobin].map(|way| whole_list(10, 1200.0, 40, way, 30));
        assert!(planned[1] < 0.92 * robin[1], "largest errors {planned:?} {robin:?}");
        // With few games, estimates of who is near are mostly chance.
        let [near, all] = [Way::Plan, Way::RoundRobin].map(|way| whole_list(16, 300.0, 20, way, 60));
        assert!(near[0] < 1.1 * all[0] && near[2] > 0.915, "errors and coverage {near:?} {all:?}");
        // A large list of which little is known is not stretched by who meets whom.
        let young = whole_list(60, 400.0, 15, Way::Plan, 3);
        assert!(young[2] > 0.9, "{young:?}");
        let [games, _, covered, _] = place(8, 1000.0, 25.0, None, 60);
        let [gauntlet, ..] = place(8, 1000.0, 25.0, Some(8), 60);
        assert!(games < 0.85 * gauntlet, "{games} {gauntlet}");
        // 95% minus three standard errors, although the games ended when the error was small enough.
        assert!(
            covered > 0.95 - 3.0 * (0.95 * 0.05 / 60.0_f64).sqrt() && planned[2] > 0.92,
            "{covered} {planned:?}"
        );
    }
}
