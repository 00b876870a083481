//! Whether the TT move is the only good one (Anantharaman, Campbell and Hsu, "Singular extensions: adding
//! selectivity to brute-force searching", 1988; Chess Programming Wiki, "Singular Extensions", "Multi-Cut").

use super::Searcher;
use super::interrupted::Interrupted;
use super::node::Node;
use super::params;
use super::techniques::Technique;
use super::window::Window;
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Value};
use chess::{Move, Position};

/// From this depth the question is worth a search.
const SINGULAR_DEPTH: Depth = Depth::new(6);
/// The table's value must come from a search at most so many plies shallower.
const TRUSTED_PLIES: i32 = 3;

/// A line is extended by a second ply at most so often.
const MOST_DOUBLE: u8 = 6;

/// What the other moves say about the TT move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Singularity {
    /// Search it so many plies deeper; negative if another move would do as well.
    Extend(i32),
    /// Several moves are too good for the opponent to allow the position: it has at least this value.
    Cut(Value),
}

impl Searcher<'_> {
    /// Searches the other moves to half the depth, and compares them with what the table says of the TT move `mv`.
    pub(super) fn singularity(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
    ) -> Result<Singularity, Interrupted> {
        let is_asked = node.depth >= SINGULAR_DEPTH
            && !node.ply.is_root()
            && node.excluded.is_none()
            && self.techniques.has(Technique::SingularExtensions)
            && self.may_extend(node.ply);
        let Some(entry) = node.tt_entry.filter(|entry| is_asked && is_trusted(entry, node.depth)) else {
            return Ok(Singularity::Extend(0));
        };
        let beta = entry.value - params::singular_margin() * node.depth.get() / 16;
        let others = Node {
            depth: Depth::new((node.depth.get() - 1) / 2),
            window: Window::zero_above(beta - 1),
            is_pv: false,
            excluded: Some(mv),
            ..*node
        };
        let value = self.search_moves::<false>(position, others, None)?.value;
        Ok(if value < beta {
            let is_far = !node.is_pv && value < beta - params::double_margin();
            let doubled = self.stack[node.ply.index()].doubled;
            Singularity::Extend(if is_far && doubled < MOST_DOUBLE { 2 } else { 1 })
        } else if beta >= node.window.beta {
            Singularity::Cut(beta)
        } else if entry.value >= node.window.beta {
            Singularity::Extend(-2)
        } else {
            Singularity::Extend(-i32::from(node.cut_node))
        })
    }
}

/// Whether the table's value is a lower bound from a search deep enough to build on.
fn is_trusted(entry: &Entry, depth: Depth) -> bool {
    entry.bound != Bound::Upper && entry.depth + TRUSTED_PLIES >= depth && !entry.value.is_mate()
}
