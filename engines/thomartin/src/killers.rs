//! Killer moves (chapter "Killer Heuristic"): two for each depth that refuted what the opponent had played.

use shakmaty::Move;

/// More half-moves than any search goes deep.
const DEPTHS: usize = 64;

/// The last two killers of each depth.
#[derive(Clone, Debug)]
pub struct Killers([[Option<Move>; 2]; DEPTHS]);

impl Killers {
    /// None yet.
    pub fn new() -> Killers {
        Killers([[None; 2]; DEPTHS])
    }

    /// `mv` closed the window at `depth`.
    pub fn add(&mut self, depth: u32, mv: Move) {
        let [first, second] = &mut self.0[depth as usize % DEPTHS];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
    }

    /// Whether it did so lately.
    pub fn has(&self, depth: u32, mv: Move) -> bool {
        self.0[depth as usize % DEPTHS].contains(&Some(mv))
    }
}
