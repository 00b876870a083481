//! Explains the result of a match: all differences between the players, tested jointly against chance.

use referee::Side;
use schemars::JsonSchema;
use serde::Serialize;
use stats::{EloEstimate, Outcome, PairedSum, Pentanomial, discoveries, normal_cumulative};

use super::causes::{self, Cause, CauseKind};
use super::groups::{self, Group, SEED};
use super::match_games::{DecidedBy, MatchGames};
use super::points::{Points, Shares};
use super::positions::WeakPosition;

/// The expected share of reported differences that are due to chance; if no difference is real, the probability that any
/// is reported.
const FALSE_DISCOVERIES: f64 = 0.05;

/// A smaller difference in speed is not a cause.
const LEAST_SPEED: f64 = 0.02;

#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Explanation {
    pub schema: u32,
    pub names: [String; 2],
    pub games: u64,
    pub pairs: Pentanomial,
    pub elo: EloEstimate,
    /// How far the first player's points are below half of the games; negative if it won.
    pub lost: f64,
    pub interval: [f64; 2],
    pub shares: Shares,
    /// Games that each player lost by faults.
    pub faults: [u64; 2],
    /// The referee's centipawns at which the odds are e : 1.
    pub scale: f64,
    pub causes: Vec<Cause>,
    pub groups: Vec<Group>,
    pub positions: Vec<WeakPosition>,
    pub referee: RefereeFacts,
}

/// The referee and the extent of its analysis.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct RefereeFacts {
    pub name: String,
    pub nodes: u64,
    pub deep_nodes: u64,
    /// The games that were analysed, and all games.
    pub games: [u64; 2],
    /// The number of positions that were searched longer.
    pub deep: u64,
    pub seconds: f64,
}

impl Explanation {
    const SCHEMA: u32 = 1;

    pub fn new(matched: &MatchGames, points: &Points) -> Explanation {
        let mut by_pair = vec![(0.0, Shares::default()); matched.pairs];
        let mut outcomes = vec![Vec::new(); matched.pairs];
        let (mut shares, mut faults) = (Shares::default(), [0; 2]);
        for (game, of_game) in matched.games.iter().zip(&points.shares) {
            for sum in [&mut shares, &mut by_pair[game.pair].1] {
                sum.moves += of_game.moves;
                sum.faults += of_game.faults;
                sum.adjudication += of_game.adjudication;
                sum.opening += of_game.opening;
            }
            by_pair[game.pair].0 += 0.5 - game.points();
            let side = if game.first_is_white { Side::White } else { Side::Black };
            outcomes[game.pair].push(Outcome::of_half_points(game.result.half_points(side)));
            if game.end == DecidedBy::Fault {
                faults[usize::from(game.points() > 0.5)] += 1;
            }
        }
        let mut pairs = Pentanomial::default();
        for outcomes in outcomes {
            if let [one, other] = outcomes[..] {
                pairs.record(one, other);
            }
        }
        let losses: Vec<f64> = by_pair.iter().map(|(lost, _)| *lost).collect();
        let by_faults: Vec<f64> = by_pair.iter().map(|(_, shares)| -shares.faults).collect();
        let sentence = format!(
            "loses {} games by time, crashes and illegal moves, its opponent {}: {:.1} points",
            faults[0], faults[1], shares.faults
        );
        let by_fault = Cause::new(CauseKind::Faults, "faults", &by_faults);
        let mut causes = vec![Cause { sentence, difference: shares.faults, ..by_fault }];
        causes.extend(causes::of_searches(matched));
        causes.extend(causes::of_scores(points, matched.pairs));
        let mut explanation = Explanation {
            schema: Explanation::SCHEMA,
            names: matched.names.clone(),
            games: matched.games.len() as u64,
            pairs,
            elo: EloEstimate::new(&pairs.score()),
            lost: shares.total(),
            interval: PairedSum::interval(&losses, SEED),
            shares,
            faults,
            scale: points.worth.scale,
            causes,
            groups: groups::of_moves(&points.moves, matched.pairs),
            positions: Vec::new(),
            referee: RefereeFacts::default(),
        };
        explanation.hold_against_chance();
        explanation
    }

    /// Marks differences greater than chance, and among these groups the ones with more than their share.
    fn hold_against_chance(&mut self) {
        let causes = self.causes.iter().map(|cause| cause.p_value);
        let p_values: Vec<f64> = causes.chain(self.groups.iter().map(|group| group.p_value)).collect();
        let mut found = discoveries(&p_values, FALSE_DISCOVERIES).into_iter();
        self.causes.iter_mut().zip(&mut found).for_each(|(cause, differs)| cause.differs = differs);
        self.groups.iter_mut().zip(found).for_each(|(group, differs)| group.differs = differs);
        let two_sided = |excess: f64| 2.0 * normal_cumulative(-excess.abs());
        let excesses = |group: &Group| if group.differs { two_sided(group.excess) } else { 1.0 };
        let excesses: Vec<f64> = self.groups.iter().map(excesses).collect();
        let found = discoveries(&excesses, FALSE_DISCOVERIES);
        for (group, stands_out) in self.groups.iter_mut().zip(found) {
            group.stands_out = stands_out && group.excess > 0.0 && group.is_weakness();
        }
    }

    /// The causes that make the first player lose: faults first, then by significance.
    pub fn reasons(&self) -> Vec<&Cause> {
        let is_reason = |cause: &&Cause| {
            cause.differs
                && cause.is_worse
                && (cause.kind != CauseKind::Speed || cause.difference.abs() >= LEAST_SPEED)
        };
        let mut reasons: Vec<&Cause> = self.causes.iter().filter(is_reason).collect();
        let rank = |cause: &Cause| (cause.kind != CauseKind::Faults, -cause.z.abs());
        reasons
            .sort_by(|one, other| rank(one).partial_cmp(&rank(other)).unwrap_or(std::cmp::Ordering::Equal));
        reasons
    }

    /// The groups in which the first player loses significantly more than the second. Groups that stand out come first,
    /// then by points lost.
    pub fn weaknesses(&self) -> Vec<&Group> {
        let mut groups: Vec<&Group> = self.groups.iter().filter(|group| group.is_weakness()).collect();
        groups.sort_by(|one, other| {
            other.stands_out.cmp(&one.stands_out).then(other.worse.total_cmp(&one.worse))
        });
        groups
    }

    /// Whether the result is significant by the displayed Elo interval.
    pub fn is_decided(&self) -> bool {
        self.elo.lower.value() > 0.0 || self.elo.upper.value() < 0.0
    }

    pub fn has_no_difference(&self) -> bool {
        !self.causes.iter().any(|cause| cause.differs) && !self.groups.iter().any(|group| group.differs)
    }
}
