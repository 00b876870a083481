//! The miner: plays games and keeps positions until every case occurs often enough.
//!
//! The games are random, but prefer rare cases: of a few random moves, the one is played whose position shows the rarest.
//! Each game gives at most one position, so that no two are neighbours. Some cases still occur in one of tens of thousands
//! of games; after a while every other game is short and begins just before a position that showed such a case, with a few
//! pieces moved. Everything depends only on the seed.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::case_set::CaseSet;
use super::classifier::{Scene, cases_of};
use super::rule_case::{CaseGroup, RuleCase};
use super::start::{below, draw_start, vary};
use chess::{MoveList, Position, ZobristKey};
use referee::Variant;

/// The maximum length of a game in plies. The length of each is random, so that many are short.
const LONGEST_GAME: u32 = 60;

/// The number of random moves of which the best is played.
const DRAWS: usize = 8;

/// The number of games before the first variation: enough for a few positions of every case.
const GAMES_BEFORE_VARIATIONS: u64 = 20_000;

/// After that, one game in this many is a variation.
const VARIATIONS: u32 = 2;

/// The number of random positions of which the best is varied.
const PARENTS: u32 = 8;

/// The maximum length of a variation in plies.
const LONGEST_VARIATION: u32 = 4;

/// One move in this many is played at random.
const CARELESS: u32 = 4;

/// The positions that the miner finds of every case, as a multiple of those wanted, so that there is a choice.
const ENOUGH: u32 = 8;

/// The positions that it keeps of a common case, as a multiple of those wanted.
const SURPLUS: u32 = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseRecipe {
    /// The rules of castling. In Chess960 only cases of castling are wanted; the others are those of chess.
    pub variant: Variant,
    pub times: u32,
    pub seed: u64,
}

impl CaseRecipe {
    /// The number of positions to find for each case, before few of them are chosen.
    pub const fn supply(self) -> u32 {
        ENOUGH.saturating_mul(self.times)
    }

    pub fn wanted(self) -> CaseSet {
        let is_wanted = |case: &RuleCase| match (self.variant, case.group()) {
            (_, CaseGroup::Castling) => true,
            (variant, CaseGroup::Chess960) => variant == Variant::Chess960,
            (variant, _) => variant == Variant::Standard,
        };
        RuleCase::ALL.iter().copied().filter(is_wanted).collect()
    }
}

/// A position that shows rare cases.
#[derive(Clone, Debug)]
pub struct HardPosition {
    pub scene: Scene,
    /// The wanted cases that it shows.
    pub cases: CaseSet,
    pub before: Position,
}

#[derive(Debug)]
pub struct CaseMiner {
    recipe: CaseRecipe,
    wanted: CaseSet,
    random: ChaCha8Rng,
    games: u64,
    counts: Vec<u32>,
    kept: Vec<HardPosition>,
    keys: HashSet<ZobristKey>,
}

impl CaseMiner {
    pub fn new(recipe: CaseRecipe) -> CaseMiner {
        CaseMiner {
            recipe,
            wanted: recipe.wanted(),
            random: ChaCha8Rng::seed_from_u64(recipe.seed),
            games: 0,
            counts: vec![0; RuleCase::ALL.len()],
            kept: Vec::new(),
            keys: HashSet::new(),
        }
    }

    pub fn kept(&self) -> &[HardPosition] {
        &self.kept
    }

    pub fn lacking(&self) -> Vec<(RuleCase, u32)> {
        let found = |case: RuleCase| (case, self.counts[case as usize]);
        self.wanted.iter().map(found).filter(|(_, count)| *count < self.recipe.supply()).collect()
    }

    /// Plays one game, and keeps its best position if that shows a case with too few.
    pub fn play_game(&mut self) {
        let (start, longest) = self.draw_game();
        self.games += 1;
        let mut scene = Scene { position: start, passed: None };
        let mut best: Option<(f64, HardPosition)> = None;
        for _ in 0..=below(&mut self.random, longest) {
            let Some((value, mined)) = self.draw_move(&scene) else { break };
            scene = mined.scene.clone();
            let is_better = best.as_ref().is_none_or(|(most, _)| value > *most);
            if is_better && !self.keys.contains(&mined.scene.position.key()) {
                best = Some((value, mined));
            }
        }
        if let Some((value, mined)) = best
            && value > 0.0
        {
            self.keep(mined);
        }
    }

    /// A random start of a game, and its maximum length in plies.
    fn draw_game(&mut self) -> (Position, u32) {
        if self.games >= GAMES_BEFORE_VARIATIONS
            && below(&mut self.random, VARIATIONS) == 0
            && let Some(parent) = self.draw_scarce()
            && let Some(start) = vary(&mut self.random, &self.kept[parent].before)
        {
            return (start, LONGEST_VARIATION);
        }
        (draw_start(&mut self.random, self.recipe.variant), LONGEST_GAME)
    }

    /// Of some random positions with a lacking case, the one with the most cases.
    fn draw_scarce(&mut self) -> Option<usize> {
        let lacking = self.lacking();
        let (case, count) = *lacking.get(below(&mut self.random, lacking.len() as u32) as usize)?;
        let shows = |index: &usize| self.kept[*index].cases.has(case);
        let parents: Vec<usize> = (0..self.kept.len()).filter(shows).collect();
        let random = &mut self.random;
        let drawn = (0..PARENTS).filter_map(|_| parents.get(below(random, count) as usize).copied());
        drawn.max_by_key(|parent| self.kept[*parent].cases.iter().count())
    }

    /// Of some random moves, the one whose position has the highest value; `None` when the game is over.
    fn draw_move(&mut self, scene: &Scene) -> Option<(f64, HardPosition)> {
        let mut moves = MoveList::new();
        scene.position.legal_moves(&mut moves);
        let is_careless = below(&mut self.random, CARELESS) == 0;
        let mut best: Option<(f64, HardPosition)> = None;
        for _ in 0..if is_careless { 1 } else { DRAWS.min(moves.len()) } {
            let m = *moves.get(below(&mut self.random, moves.len() as u32) as usize)?;
            let before = &scene.position;
            let scene = scene.play(m);
            let cases = cases_of(&scene) & self.wanted;
            let value = self.value_of(cases);
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, HardPosition { scene, cases, before: before.clone() }));
            }
        }
        best
    }

    /// The value of cases: higher for rarer ones, and 0 once there are enough.
    fn value_of(&self, cases: CaseSet) -> f64 {
        let short = cases.iter().filter(|case| self.is_short_of(*case));
        short.map(|case| 1.0 / f64::from(1 + self.counts[case as usize])).sum()
    }

    fn is_short_of(&self, case: RuleCase) -> bool {
        self.counts[case as usize] < SURPLUS.saturating_mul(self.recipe.times)
    }

    fn keep(&mut self, mined: HardPosition) {
        self.keys.insert(mined.scene.position.key());
        mined.cases.iter().for_each(|case| self.counts[case as usize] += 1);
        self.kept.push(mined);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mined(variant: Variant, seed: u64) -> Vec<String> {
        let mut miner = CaseMiner::new(CaseRecipe { variant, times: 1, seed });
        (0..5).for_each(|_| miner.play_game());
        miner.kept().iter().map(|mined| mined.scene.fen(variant)).collect()
    }

    #[test]
    fn the_same_seed_plays_the_same_games() {
        for variant in [Variant::Standard, Variant::Chess960] {
            assert_eq!(mined(variant, 1), mined(variant, 1));
            assert_ne!(mined(variant, 1), mined(variant, 2));
            assert!(!mined(variant, 1).is_empty());
        }
    }

    #[test]
    fn what_is_kept_shows_what_it_is_kept_for() {
        let recipe = CaseRecipe { variant: Variant::Standard, times: 2, seed: 3 };
        let mut miner = CaseMiner::new(recipe);
        (0..10).for_each(|_| miner.play_game());
        for mined in miner.kept() {
            assert_eq!(cases_of(&mined.scene) & recipe.wanted(), mined.cases);
            assert!(!mined.cases.is_empty());
        }
        let mate = miner.kept().iter().filter(|mined| mined.cases.has(RuleCase::IgnoresCheck)).count();
        let lacking = miner.lacking();
        assert_eq!(
            mate < recipe.supply() as usize,
            lacking.iter().any(|(case, _)| *case == RuleCase::IgnoresCheck)
        );
    }
}
