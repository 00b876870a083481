//! The miner: plays games and keeps positions until every case has been met often enough.
//!
//! The games are random, but drawn towards what is still lacking: of a few moves drawn at random, the one is played
//! whose position shows the rarest cases. Each game gives at most one position, the one that is worth most, so that no
//! two are neighbours. Some cases are so rare even so that one game in tens of thousands shows them; after a while
//! every other game is short and begins just before a position that showed one of these, with a few pieces moved
//! elsewhere. Everything follows from the seed.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::case_set::CaseSet;
use super::classifier::cases_of;
use super::rule_case::{CaseGroup, RuleCase};
use super::scene::Scene;
use super::start::{below, draw_start, vary};
use chess::{MoveList, Position, ZobristKey};
use referee::Variant;

/// The longest game, in plies. How long each may become is drawn, so that many are played.
const LONGEST_GAME: u32 = 60;

/// How many moves are drawn before one is played.
const DRAWS: usize = 8;

/// So many games are played before the first varies what others have found: enough for a few of everything.
const GAMES_BEFORE_VARIATIONS: u64 = 20_000;

/// After that, one game of so many does.
const VARIATIONS: u32 = 2;

/// How many positions are drawn before one is varied.
const PARENTS: u32 = 8;

/// The longest of those games, in plies: what they vary is near.
const LONGEST_VARIATION: u32 = 4;

/// One move in so many is played as it is drawn.
const CARELESS: u32 = 4;

/// How many times as many positions as are wanted the miner finds of every case, so that there is a choice.
const ENOUGH: u32 = 8;

/// How many times as many it keeps of a case that is common.
const SURPLUS: u32 = 40;

/// What is mined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseRecipe {
    /// The rules of castling. In Chess960 only cases of castling are wanted; the others are those of chess.
    pub variant: Variant,
    /// In how many positions each case is wanted.
    pub times: u32,
    /// What decides the games.
    pub seed: u64,
}

impl CaseRecipe {
    /// In how many positions each case is to be found before few of them are chosen.
    pub const fn supply(self) -> u32 {
        ENOUGH.saturating_mul(self.times)
    }

    /// The cases that are wanted.
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
    /// The position.
    pub scene: Scene,
    /// The cases that it shows, of those that are wanted.
    pub cases: CaseSet,
    /// The position one move before.
    pub before: Position,
}

/// Plays games one after the other.
#[derive(Debug)]
pub struct CaseMiner {
    recipe: CaseRecipe,
    wanted: CaseSet,
    random: ChaCha8Rng,
    games: u64,
    /// In how many of the positions kept each case occurs.
    tally: Vec<u32>,
    kept: Vec<HardPosition>,
    keys: HashSet<ZobristKey>,
}

impl CaseMiner {
    /// A miner that has played no game yet.
    pub fn new(recipe: CaseRecipe) -> CaseMiner {
        CaseMiner {
            recipe,
            wanted: recipe.wanted(),
            random: ChaCha8Rng::seed_from_u64(recipe.seed),
            games: 0,
            tally: vec![0; RuleCase::ALL.len()],
            kept: Vec::new(),
            keys: HashSet::new(),
        }
    }

    /// The positions kept so far.
    pub fn kept(&self) -> &[HardPosition] {
        &self.kept
    }

    /// The cases that occur in fewer positions than are to be found, and in how many they do.
    pub fn lacking(&self) -> Vec<(RuleCase, u32)> {
        let found = |case: RuleCase| (case, self.tally[case as usize]);
        self.wanted.iter().map(found).filter(|(_, count)| *count < self.recipe.supply()).collect()
    }

    /// Plays one game, and keeps its best position if that shows something that is still short.
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

    /// Draws where a game begins, and the most plies that it may have.
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

    /// Draws some positions of those that show something that is lacking, and chooses the one with the most cases.
    fn draw_scarce(&mut self) -> Option<usize> {
        let lacking = self.lacking();
        let (case, count) = *lacking.get(below(&mut self.random, lacking.len() as u32) as usize)?;
        let shows = |index: &usize| self.kept[*index].cases.has(case);
        let parents: Vec<usize> = (0..self.kept.len()).filter(shows).collect();
        let random = &mut self.random;
        let drawn = (0..PARENTS).filter_map(|_| parents.get(below(random, count) as usize).copied());
        drawn.max_by_key(|parent| self.kept[*parent].cases.iter().count())
    }

    /// Draws some moves, and chooses the one whose position is worth most; `None` when the game is over.
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

    /// What cases are worth: the rarer they have been so far the more, and nothing once there are enough.
    fn value_of(&self, cases: CaseSet) -> f64 {
        let short = cases.iter().filter(|case| self.is_short_of(*case));
        short.map(|case| 1.0 / f64::from(1 + self.tally[case as usize])).sum()
    }

    fn is_short_of(&self, case: RuleCase) -> bool {
        self.tally[case as usize] < SURPLUS.saturating_mul(self.recipe.times)
    }

    fn keep(&mut self, mined: HardPosition) {
        self.keys.insert(mined.scene.position.key());
        mined.cases.iter().for_each(|case| self.tally[case as usize] += 1);
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
