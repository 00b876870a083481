//! Singular extensions and multi-cut: is the TT move the only good one? (Anantharaman, Campbell and Hsu, "Singular
//! extensions: adding selectivity to brute-force searching", 1988; Chess Programming Wiki, "Singular Extensions",
//! "Multi-Cut").

use super::Searcher;
use super::interrupted::Interrupted;
use super::node::Node;
use super::params;
use super::techniques::Technique;
use super::window::Window;
use crate::transposition_table::{Bound, Entry};
use crate::{Depth, Value};
use chess::{Move, Position};

/// Minimum depth.
const SINGULAR_DEPTH: Depth = Depth::new(6);
/// The depth of the TT entry may be this much smaller than the depth of the node.
const TT_DEPTH_MARGIN: i32 = 3;

/// The maximum number of double extensions in a line.
const MAX_DOUBLE_EXTENSIONS: u8 = 6;

/// The result of the singular search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Singularity {
    /// Extend the TT move by this many plies; negative for a reduction.
    Extend(i32),
    /// Multi-cut: the node fails high with this value.
    Cut(Value),
}

impl Searcher<'_> {
    /// The singular search: all moves but the TT move `mv`, to half the depth, with a zero window below singular beta.
    pub(super) fn singularity(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
    ) -> Result<Singularity, Interrupted> {
        let is_tried = node.depth >= SINGULAR_DEPTH
            && !node.ply.is_root()
            && node.excluded.is_none()
            && self.techniques.has(Technique::SingularExtensions)
            && self.may_extend(node.ply);
        let Some(entry) = node.tt_entry.filter(|entry| is_tried && allows_singular_search(entry, node.depth))
        else {
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
            let double_extensions = self.stack[node.ply.index()].double_extensions;
            Singularity::Extend(if is_far && double_extensions < MAX_DOUBLE_EXTENSIONS { 2 } else { 1 })
        } else if beta >= node.window.beta {
            Singularity::Cut(beta)
        } else if entry.value >= node.window.beta {
            Singularity::Extend(-2)
        } else {
            Singularity::Extend(-i32::from(node.cut_node))
        })
    }
}

/// Whether the TT value is a lower bound of sufficient depth, and not a mate.
fn allows_singular_search(entry: &Entry, depth: Depth) -> bool {
    entry.bound != Bound::Upper && entry.depth + TT_DEPTH_MARGIN >= depth && !entry.value.is_mate()
}
