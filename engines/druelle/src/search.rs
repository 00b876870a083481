//! Negamax with alpha-beta (sections 2.5.1 to 2.5.3), one ply deeper at a time, its hash table (section 2.3), and the
//! evaluation (section 2.4): material, known openings, check and stalemate.
//!
//! The document searches to a fixed depth and gives neither the depth nor an order of moves. Iterative deepening lets the
//! search obey a clock. The hash move and captures of the most valuable pieces come first, because alpha-beta gains
//! little without an order. The document has no quiescence search, so this engine sees threats no further than its depth.
//!
//! The document gives no figures. The values of the pieces are the textbook's ([`value`]); a check counts half a
//! pawn and a known opening less, so that neither outweighs material. The document would give check "a very large
//! number"; then the engine would sacrifice every piece for a check, so only mate has such a number.

use std::cmp::Reverse;
use std::collections::HashSet;

use uci::Bound;
use uci::server::SearchBudget;

use super::board::value;
use super::game::Game;
use super::movement::Move;
use super::opening_base::OpeningBase;

const MAX_DEPTH: u32 = 64;

#[derive(Clone, Copy, Debug)]
pub struct Interrupted;

#[derive(Clone, Debug)]
pub struct Iteration {
    pub depth: u32,
    /// The score for the player to move, in centipawns or near [`MATE`].
    pub score: i32,
    pub nodes: u64,
    /// The expected moves of both sides.
    pub line: Vec<Move>,
}

pub struct Search<'a> {
    table: &'a mut HashTable,
    openings: &'a OpeningBase,
    budget: &'a SearchBudget<'a>,
    pub nodes: u64,
}

impl<'a> Search<'a> {
    pub fn new(
        table: &'a mut HashTable,
        openings: &'a OpeningBase,
        budget: &'a SearchBudget<'a>,
    ) -> Search<'a> {
        Search { table, openings, budget, nodes: 0 }
    }

    /// Searches with increasing depth, up to `depth` if `go` has no limit. Returns the best of `moves`, the legal moves
    /// of the position; `None` if there are none.
    pub fn deepen(
        &mut self,
        game: &mut Game,
        moves: &[Move],
        depth: u32,
        report: &mut dyn FnMut(&Iteration),
    ) -> Option<Move> {
        let mut best = *moves.first()?;
        let mut iterations_with_move = 0;
        let deepest = if self.budget.is_unlimited() { depth } else { MAX_DEPTH };
        for depth in 1..=deepest {
            if !self.budget.allows_iteration(depth, self.nodes, iterations_with_move) {
                break;
            }
            let before = best;
            let Ok(score) = self.search_root(game, moves, depth, &mut best) else { break };
            iterations_with_move = if best == before { iterations_with_move + 1 } else { 0 };
            let line = self.line(game, best, depth);
            report(&Iteration { depth, score, nodes: self.nodes, line });
            // The mate found is the shortest, so searching deeper finds nothing better.
            if score.abs() >= NEAR_MATE {
                break;
            }
        }
        Some(best)
    }

    /// One iteration. `best` is searched first and replaced by any better move, so it is the best known move even after
    /// an interruption.
    fn search_root(
        &mut self,
        game: &mut Game,
        moves: &[Move],
        depth: u32,
        best: &mut Move,
    ) -> Result<i32, Interrupted> {
        let mut alpha = -MATE;
        let first = *best;
        let others = moves.iter().copied().filter(|&mv| mv != first);
        for mv in std::iter::once(first).chain(others) {
            let Some(played) = game.play(mv) else { continue };
            let score = self.negamax(game, depth as i32 - 1, -MATE, -alpha, 1);
            game.take_back(played);
            let score = -score?;
            if score > alpha {
                (alpha, *best) = (score, mv);
            }
        }
        Ok(alpha)
    }

    /// The score for the player to move, exact between `alpha` and `beta`, at `ply` half-moves from the root.
    fn negamax(
        &mut self,
        game: &mut Game,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: i32,
    ) -> Result<i32, Interrupted> {
        if self.budget.is_spent(self.nodes) {
            return Err(Interrupted);
        }
        self.nodes += 1;
        if depth == 0 {
            return Ok(evaluate(game, &self.openings.known, ply));
        }
        let key = game.key();
        let known = self.table.get(key, ply);
        if let Some(score) = known.and_then(|entry| entry.answer(depth, alpha, beta)) {
            return Ok(score);
        }
        let (side, start) = (game.turn(), alpha);
        let (mut best, mut best_move) = (-MATE, None);
        for mv in ordered(game, known.and_then(|entry| entry.best)) {
            let Some(played) = game.play(mv) else { continue };
            let is_legal = !game.is_check(side);
            let score = is_legal.then(|| self.negamax(game, depth - 1, -beta, -alpha, ply + 1));
            game.take_back(played);
            let Some(score) = score.transpose()?.map(|score| -score) else { continue };
            if score > best {
                (best, best_move) = (score, Some(mv));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if best_move.is_none() {
            return Ok(if game.is_check(side) { ply - MATE } else { 0 });
        }
        self.table.put(key, ply, depth, best, bound_of(best, start, beta), best_move);
        Ok(best)
    }

    /// The expected line, as far as the hash table knows it.
    fn line(&self, game: &Game, best: Move, depth: u32) -> Vec<Move> {
        let mut game = game.clone();
        let mut line = Vec::new();
        let mut next = Some(best);
        while let Some(mv) = next.filter(|_| line.len() < depth as usize) {
            if !game.legal_moves().contains(&mv) {
                break;
            }
            game.play(mv);
            line.push(mv);
            next = self.table.get(game.key(), 0).and_then(|entry| entry.best);
        }
        line
    }
}

/// The moves: the hash move, then captures by the value of the captured piece, then others.
fn ordered(game: &Game, hash_move: Option<Move>) -> Vec<Move> {
    let mut moves = game.moves();
    let taken = |mv: &Move| game.piece_at(mv.to).map_or(0, |piece| value(piece.kind));
    let promoted = |mv: &Move| mv.promotion.map_or(0, value);
    moves.sort_by_key(|mv| Reverse((hash_move == Some(*mv), taken(mv) + promoted(mv))));
    moves
}

/// What the result of a search between `alpha` and `beta` bounds.
const fn bound_of(score: i32, alpha: i32, beta: i32) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score <= alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    key: u64,
    pub depth: i32,
    /// The score for the player to move.
    pub score: i32,
    pub bound: Bound,
    pub best: Option<Move>,
}

impl Entry {
    /// The score, if the search was deep enough and its bound answers a search between `alpha` and `beta`.
    pub fn answer(&self, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let is_enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        };
        (self.depth >= depth && is_enough).then_some(self.score)
    }
}

/// One entry for each value of the low bits of the key; the latest result is kept.
#[derive(Debug)]
pub struct HashTable {
    entries: Vec<Option<Entry>>,
}

impl HashTable {
    pub fn new(megabytes: usize) -> HashTable {
        let most = (megabytes << 20) / size_of::<Option<Entry>>();
        let length = if most.is_power_of_two() { most } else { most.next_power_of_two() / 2 };
        HashTable { entries: vec![None; length.max(1)] }
    }

    /// The entry of the position with this key, at `ply` half-moves from the root.
    pub fn get(&self, key: u64, ply: i32) -> Option<Entry> {
        let entry = self.entries[self.index(key)].filter(|entry| entry.key == key)?;
        Some(Entry { score: moved(entry.score, -ply), ..entry })
    }

    /// Stores the result of a search in place of the old entry.
    pub fn put(&mut self, key: u64, ply: i32, depth: i32, score: i32, bound: Bound, best: Option<Move>) {
        let index = self.index(key);
        self.entries[index] = Some(Entry { key, depth, score: moved(score, ply), bound, best });
    }

    pub fn clear(&mut self) {
        self.entries.fill(None);
    }

    const fn index(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }
}

/// Converts mate scores, which count from the root in the search and from the position in the table.
const fn moved(score: i32, plies: i32) -> i32 {
    if score >= NEAR_MATE {
        score + plies
    } else if score <= -NEAR_MATE {
        score - plies
    } else {
        score
    }
}

/// The score of mate, reduced by one for each half-move to it.
pub const MATE: i32 = 100_000;
/// A score beyond this is a mate.
pub const NEAR_MATE: i32 = MATE - 1_000;
/// The value of giving check, in centipawns.
const CHECK: i32 = 50;
/// The value of following a known opening, in centipawns.
const KNOWN_OPENING: i32 = 30;

/// The score of a leaf for the player to move, at `ply` half-moves from the root. `known` holds the keys of the positions
/// to which the opening base leads.
pub fn evaluate(game: &mut Game, known: &HashSet<u64>, ply: i32) -> i32 {
    let side = game.turn();
    let is_check = game.is_check(side);
    if !game.has_legal_move() {
        return if is_check { ply - MATE } else { 0 };
    }
    let material = game.player(side).material - game.player(!side).material;
    let check = if is_check { CHECK } else { 0 };
    let opening = if known.contains(&game.key()) { KNOWN_OPENING } else { 0 };
    material - check - opening
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_within_its_size_and_counts_mates_from_the_reader() {
        let table = HashTable::new(3);
        assert!(table.entries.len() * size_of::<Option<Entry>>() <= 3 << 20);
        assert!(table.entries.len().is_power_of_two());
        let mut table = HashTable::new(1);
        table.put(7, 2, 1, MATE - 5, Bound::Exact, None);
        assert_eq!(table.get(7, 4).unwrap().score, MATE - 7);
        assert_eq!(table.get(7 + (1 << 60), 4), None);
    }

    fn score(fen: &str) -> i32 {
        evaluate(&mut Game::from_fen(fen).unwrap(), &HashSet::new(), 3)
    }

    #[test]
    fn material_check_mate_and_stalemate_count() {
        assert_eq!(score("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1"), 600);
        assert_eq!(score("4k3/8/8/8/8/8/P7/R3K3 b - - 0 1"), -600);
        assert_eq!(score("4k3/8/8/8/8/8/P7/4RK2 b - - 0 1"), -650);
        assert_eq!(score("4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1"), 3 - MATE);
        assert_eq!(score("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), 0);
    }

    #[test]
    fn who_has_followed_an_opening_is_better_off() {
        let mut game = Game::start();
        let known = HashSet::from([game.key()]);
        assert_eq!(evaluate(&mut game, &known, 0), -KNOWN_OPENING);
    }
}
