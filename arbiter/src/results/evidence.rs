//! Whether the games of a run can tell two builds apart at all, apart from their results.

use super::limit_use::LimitDoubt;
use super::pairing_summary::PairingSummary;
use super::summary::Summary;
use crate::text::number_text::thousands;
use runner::SprtSummary;
use stats::SprtStatus;

impl PairingSummary {
    /// Whether both engines played the same moves in most pairs, which makes them level whatever the moves are worth.
    pub fn has_same_moves(&self) -> bool {
        is_most(self.mirrored_pairs, self.pentanomial.pairs())
    }
}

/// Whether most pairs are mirrored, with the same moves by both engines.
pub const fn is_most(mirrored: u64, pairs: u64) -> bool {
    mirrored > 1 && mirrored * 2 >= pairs
}

/// `all 52 pairs`, or `40 of 52 pairs`.
pub fn of_pairs(mirrored: u64, pairs: u64) -> String {
    let of = if mirrored == pairs { "all".to_owned() } else { format!("{} of", thousands(mirrored)) };
    format!("{of} {} pairs", thousands(pairs))
}

impl Summary {
    /// Reasons to doubt the games, a sentence each: pairs with the same moves, limits that were not kept, time that was
    /// not used.
    pub fn doubts(&self) -> Vec<String> {
        let of_pairing = self.pairings.iter().filter_map(|pairing| {
            let [first, second] = [pairing.first, pairing.second].map(|engine| self.engine_name(engine));
            let test = pairing.estimates.sprt.as_ref();
            if let Some(obstacle) = test.and_then(|test| self.obstacle(pairing, test)) {
                return Some(format!("H1 proves nothing about {first} and {second}: {obstacle}"));
            }
            let pairs = of_pairs(pairing.mirrored_pairs, pairing.pentanomial.pairs());
            let never = pairing.mirrored_pairs == pairing.pentanomial.pairs();
            let acts = if never { "never acts here, or nothing does" } else { "seldom acts here" };
            let same =
                || format!("In {pairs} {first} and {second} played the same moves: what differs {acts}");
            pairing.has_same_moves().then(same)
        });
        let of_engine = self.engines.iter().flat_map(|engine| {
            engine.doubts.iter().map(|doubt| format!("{} {doubt}; {}", engine.name, doubt.remedy()))
        });
        of_pairing.chain(of_engine).collect()
    }

    /// Whether both engines of a match kept their limits and played the same moves in all pairs, apart from as many pairs as
    /// there are faults.
    pub fn plays_alike(&self) -> bool {
        let faults = self.engines.iter().flat_map(|engine| engine.faults.values()).sum::<u64>();
        let all =
            |it: &PairingSummary| it.has_same_moves() && it.mirrored_pairs + faults >= it.pentanomial.pairs();
        self.of_two().iter().any(all) && self.engines.iter().all(|engine| engine.doubts.is_empty())
    }

    /// Why a test's decision between two engines is no evidence, and what to change; `None` if it is evidence.
    pub fn obstacle(&self, pairing: &PairingSummary, test: &SprtSummary) -> Option<String> {
        let engines = [pairing.first, pairing.second].map(|engine| &self.engines[engine]);
        let doubts: Vec<(&str, LimitDoubt)> = engines
            .iter()
            .flat_map(|engine| engine.doubts.iter().map(|doubt| (&*engine.name, *doubt)))
            .collect();
        let is_shallow = |(_, doubt): &&(&str, LimitDoubt)| matches!(doubt, LimitDoubt::Shallow { .. });
        let (first, shallow) = (doubts.first(), doubts.iter().find(is_shallow));
        is_unfounded(test, pairing.has_same_moves(), shallow.is_some()).then(|| {
            let pairs = of_pairs(pairing.mirrored_pairs, pairing.pentanomial.pairs());
            let same = pairing.has_same_moves().then(|| format!("in {pairs} both played the same moves"));
            let others = first.into_iter().chain(shallow.filter(|shallow| Some(*shallow) != first));
            let why = same.into_iter().chain(others.map(|(name, doubt)| format!("{name} {doubt}")));
            let remedy = first.map_or("use a time control, or other limits", |(_, doubt)| doubt.remedy());
            format!("{}; {remedy}", why.collect::<Vec<_>>().join(", "))
        })
    }
}

/// Whether a test accepted H1 on games that are no evidence for it: an engine hardly searched, or both engines played the
/// same moves in most pairs, which are then level, and level pairs speak for H1.
pub fn is_unfounded(test: &SprtSummary, has_same_moves: bool, is_shallow: bool) -> bool {
    let levels_speak_for_it = test.test.elo0() + test.test.elo1() < 0.0;
    test.status == SprtStatus::AcceptH1 && (is_shallow || (has_same_moves && levels_speak_for_it))
}
