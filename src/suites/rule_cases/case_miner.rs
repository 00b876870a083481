//! The miner: plays games and keeps positions until every case has been met often enough.
//!
//! The games are random, but drawn towards what is still lacking: of a few moves drawn at random, the one is played
//! whose position shows the rarest cases. Each game gives at most one position, the one that is worth most, so that no
//! two are neighbours. Everything follows from the seed.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::start::draw_start;
use super::{CaseGroup, CaseSet, RuleCase, Scene, cases_of};
use crate::chess::{MoveList, ZobristKey};
use crate::referee::Variant;

/// The longest game, in plies.
const LONGEST_GAME: u32 = 120;

/// How many moves are drawn before one is played.
const DRAWS: usize = 4;

/// One move in so many is played as it is drawn.
const CARELESS: u32 = 4;

/// How many times as many positions as are wanted the miner keeps of a case, so that there is a choice.
const SURPLUS: u32 = 3;

/// What is mined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiningRecipe {
    /// The rules of castling. In Chess960 only cases of castling are wanted; the others are those of chess.
    pub variant: Variant,
    /// In how many positions each case is wanted.
    pub times: u32,
    /// What decides the games.
    pub seed: u64,
}

impl MiningRecipe {
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
pub struct MinedPosition {
    /// The position.
    pub scene: Scene,
    /// The cases that it shows, of those that are wanted.
    pub cases: CaseSet,
}

/// Plays games one after the other.
#[derive(Debug)]
pub struct CaseMiner {
    recipe: MiningRecipe,
    wanted: CaseSet,
    random: ChaCha8Rng,
    /// In how many of the positions kept each case occurs.
    tally: Vec<u32>,
    kept: Vec<MinedPosition>,
    keys: HashSet<ZobristKey>,
}

impl CaseMiner {
    /// A miner that has played no game yet.
    pub fn new(recipe: MiningRecipe) -> CaseMiner {
        CaseMiner {
            recipe,
            wanted: recipe.wanted(),
            random: ChaCha8Rng::seed_from_u64(recipe.seed),
            tally: vec![0; RuleCase::ALL.len()],
            kept: Vec::new(),
            keys: HashSet::new(),
        }
    }

    /// The positions kept so far.
    pub fn kept(&self) -> &[MinedPosition] {
        &self.kept
    }

    /// The cases that occur in fewer positions than are wanted, and in how many they do.
    pub fn lacking(&self) -> Vec<(RuleCase, u32)> {
        let found = |case: RuleCase| (case, self.tally[case as usize]);
        self.wanted.iter().map(found).filter(|(_, count)| *count < self.recipe.times).collect()
    }

    /// Plays one game, and keeps its best position if that shows something that is still short.
    pub fn play_game(&mut self) {
        let mut scene = Scene { position: draw_start(&mut self.random, self.recipe.variant), passed: None };
        let mut best: Option<(f64, MinedPosition)> = None;
        for _ in 0..LONGEST_GAME {
            let Some(next) = self.draw_move(&scene) else { break };
            let (value, mined) = next;
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

    /// Draws some moves, and chooses the one whose position is worth most; `None` when the game is over.
    fn draw_move(&mut self, scene: &Scene) -> Option<(f64, MinedPosition)> {
        let mut moves = MoveList::new();
        scene.position.legal_moves(&mut moves);
        let is_careless = below(&mut self.random, CARELESS) == 0;
        let mut best: Option<(f64, MinedPosition)> = None;
        for _ in 0..if is_careless { 1 } else { DRAWS.min(moves.len()) } {
            let m = *moves.get(below(&mut self.random, moves.len() as u32) as usize)?;
            let scene = scene.play(m);
            let cases = cases_of(&scene) & self.wanted;
            let value = self.value_of(cases);
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, MinedPosition { scene, cases }));
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
        self.tally[case as usize] < SURPLUS * self.recipe.times
    }

    fn keep(&mut self, mined: MinedPosition) {
        self.keys.insert(mined.scene.position.key());
        mined.cases.iter().for_each(|case| self.tally[case as usize] += 1);
        self.kept.push(mined);
    }
}

/// A random number below `bound`; 0 below 0.
pub(super) fn below(random: &mut ChaCha8Rng, bound: u32) -> u32 {
    ((u64::from(random.next_u32()) * u64::from(bound)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mined(variant: Variant, seed: u64) -> Vec<String> {
        let mut miner = CaseMiner::new(MiningRecipe { variant, times: 1, seed });
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
        let recipe = MiningRecipe { variant: Variant::Standard, times: 2, seed: 3 };
        let mut miner = CaseMiner::new(recipe);
        (0..10).for_each(|_| miner.play_game());
        for mined in miner.kept() {
            assert_eq!(cases_of(&mined.scene) & recipe.wanted(), mined.cases);
            assert!(!mined.cases.is_empty());
        }
        let mate = miner.kept().iter().filter(|mined| mined.cases.has(RuleCase::IgnoresCheck)).count();
        let lacking = miner.lacking();
        assert_eq!(mate < 2, lacking.iter().any(|(case, _)| *case == RuleCase::IgnoresCheck));
    }
}
