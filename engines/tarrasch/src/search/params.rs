//! The tunable parameters of the search, each with its range.
//!
//! They are constants. With the cargo feature `tuning` they are UCI options of the same names.

use std::sync::atomic::{AtomicI32, Ordering};

use crate::Depth;

/// A parameter in the build for tuning.
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// Its value in the build that ships.
    pub default: i32,
    pub min: i32,
    pub max: i32,
    value: AtomicI32,
}

impl Parameter {
    /// The parameter with this name; `None` in the build that ships.
    pub fn named(name: &str) -> Option<&'static Parameter> {
        Parameter::all().iter().copied().find(|parameter| parameter.name == name)
    }

    /// Changes the value, for all searches of the process.
    pub fn set(&self, value: i32) {
        self.value.store(value, Ordering::Relaxed);
    }
}

/// Makes a function for each parameter, and [`Parameter::all`].
macro_rules! params {
    ($($(#[$doc:meta])+ $name:ident = $default:literal in $min:literal..=$max:literal;)+) => {
        const _: () = {
            $(assert!($min <= $default && $default <= $max, stringify!($name));)+
        };

        $(
            $(#[$doc])+
            #[cfg(not(feature = "tuning"))]
            #[inline]
            pub const fn $name() -> i32 {
                $default
            }

            $(#[$doc])+
            #[cfg(feature = "tuning")]
            #[inline]
            pub fn $name() -> i32 {
                variables::$name.value.load(Ordering::Relaxed)
            }
        )+

        #[cfg(feature = "tuning")]
        #[expect(non_upper_case_globals, reason = "their names are those of the parameters")]
        mod variables {
            use super::{AtomicI32, Parameter};

            $(pub static $name: Parameter = Parameter {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                value: AtomicI32::new($default),
            };)+
        }

        impl Parameter {
            /// The parameters of this build: none without the feature `tuning`.
            #[cfg(not(feature = "tuning"))]
            pub fn all() -> &'static [&'static Parameter] {
                &[]
            }

            /// The parameters of this build.
            #[cfg(feature = "tuning")]
            pub fn all() -> &'static [&'static Parameter] {
                static ALL: &[&Parameter] = &[$(&variables::$name),+];
                ALL
            }
        }
    };
}

params! {
    /// Time: the soft limit in percent of the time manager's limit, if the best move is new.
    time_new_move = 150 in 80..=300;
    /// Time: percent if the best move has been the same for one iteration.
    time_second_iteration = 120 in 60..=240;
    /// Time: percent for two iterations.
    time_third_iteration = 100 in 50..=200;
    /// Time: percent for three iterations.
    time_fourth_iteration = 90 in 45..=180;
    /// Time: percent for four iterations.
    time_fifth_iteration = 85 in 40..=170;
    /// Time: percent for five iterations or more.
    time_steady_move = 80 in 40..=160;
    /// Time: more for a value that falls, in hundredths of a percent per centipawn.
    time_drop = 100 in 0..=400;
    /// Time: at least this much by the change of the value, in percent.
    time_drop_min = 85 in 50..=100;
    /// Time: at most this much by the change of the value, in percent.
    time_drop_max = 150 in 100..=300;
    /// Time: the factor for nodes spent on other moves is (this - the best move's share of the nodes), in percent, …
    time_share_base = 175 in 120..=260;
    /// Time: … times this, in percent.
    time_share_scale = 95 in 40..=180;

    /// Aspiration: the first radius in centipawns.
    aspiration_radius = 10 in 4..=40;
    /// Aspiration: a window wider than this is replaced by the full window.
    aspiration_limit = 600 in 150..=1200;

    /// Reverse futility pruning: margin above beta in centipawns per ply of depth.
    reverse_futility_margin = 60 in 20..=120;
    /// Reverse futility pruning: less depth for the margin if the evaluation improves, in hundredths of a ply.
    reverse_futility_improving = 14 in 0..=300;
    /// Razoring: margin below alpha in centipawns per ply of depth.
    razoring_margin = 250 in 120..=450;
    /// Null move: base reduction in plies.
    null_move_reduction = 5 in 2..=8;
    /// Null move: one ply more of reduction per this many plies of depth.
    null_move_depth_divisor = 4 in 2..=8;
    /// Null move: one ply more of reduction per this many centipawns above beta, at most three.
    null_move_eval_divisor = 262 in 80..=400;
    /// Null move: the raw static evaluation must be at least beta plus this for each ply below `NULL_MOVE_EVAL_DEPTH`,
    /// or minus this for each ply above it.
    null_move_eval_margin = 19 in 5..=40;
    /// `ProbCut`: centipawns above beta.
    probcut_margin = 180 in 80..=350;

    /// Futility pruning: margin below alpha in centipawns at depth 0.
    futility_base = 37 in 20..=250;
    /// Futility pruning: further margin in centipawns per ply of depth.
    futility_margin = 85 in 30..=180;
    /// Late-move pruning: moves searched at depth 0.
    late_move_pruning_base = 5 in 1..=12;
    /// Late-move pruning: more moves for the square of the depth, in 96ths.
    late_move_pruning_slope = 121 in 48..=288;
    /// SEE pruning: centipawns that a quiet move may lose, times the square of the reduced depth.
    see_pruning_quiet = 26 in 8..=60;
    /// SEE pruning: centipawns that a capture may lose per ply of depth.
    see_pruning_noisy = 84 in 40..=220;
    /// SEE pruning: a capture may lose one centipawn more per this capture history score.
    see_pruning_history = 32 in 12..=96;
    /// History pruning: a quiet move is pruned below minus this history score times the reduced depth.
    history_pruning_margin = 4020 in 1500..=8000;
    /// Delta pruning in quiescence: margin in centipawns for the positional terms.
    delta_margin = 226 in 50..=350;

    /// Late-move reductions: constant part, in hundredths of a ply.
    late_move_reduction_base = 127 in 50..=250;
    /// Late-move reductions: divisor of ln(depth) ln(move count), in hundredths.
    late_move_reduction_divisor = 220 in 140..=380;
    /// Late-move reductions: one ply per this history score.
    late_move_reduction_history = 6046 in 2000..=12000;
    /// Late-move reductions: plies less at the root.
    late_move_reduction_root = 2 in 0..=4;
    /// A reduced move that beats the best value by this margin in centipawns, plus 2 for each ply of depth, is searched
    /// one ply deeper.
    deeper_margin = 40 in 10..=100;

    /// Singular extensions: margin per ply of depth, in 16ths of a centipawn.
    singular_margin = 11 in 8..=80;
    /// Singular extensions: further margin in centipawns for a double extension.
    double_margin = 21 in 4..=60;

    /// History score of a quiet move: weight of the butterfly history in percent.
    butterfly_weight = 100 in 10..=300;
    /// History score: weight of the continuation history of the previous move, in percent.
    one_ply_weight = 100 in 10..=300;
    /// History score: weight of the continuation history two plies back, in percent.
    two_plies_weight = 100 in 0..=300;
    /// History score: weight of the continuation history four plies back, in percent.
    four_plies_weight = 44 in 0..=300;
    /// History score: weight of the continuation history six plies back, in percent.
    six_plies_weight = 100 in 0..=300;
    /// History score: weight of the pawn history, in percent.
    pawn_weight = 78 in 0..=300;
    /// Histories: bonus of a cutoff per ply of depth.
    history_bonus = 210 in 80..=400;
    /// Histories: constant subtracted from that bonus.
    history_bonus_offset = 67 in 0..=400;
    /// Histories: the largest bonus.
    history_bonus_max = 2200 in 800..=4000;
    /// Histories: malus of the quiet moves searched before the cutoff, in percent of the bonus.
    history_malus = 75 in 25..=150;
    /// History of the prior move: bonus per centipawn of change of the evaluation.
    prior_move_bonus = 8 in 2..=20;
    /// History of the prior move: the largest bonus or malus for a change of the evaluation.
    prior_move_bonus_max = 800 in 200..=2000;
    /// Correction history: units of an entry per centipawn.
    correction_grain = 32 in 16..=96;
    /// Correction history: an error counts in full at this depth.
    correction_full_depth = 6 in 3..=16;
    /// The static evaluation is multiplied by `(this - half-move clock) / this`.
    clock_divisor = 163 in 110..=600;

    /// Move ordering: bonus for a queen that leaves the attack of a lesser piece, and malus for one that enters it.
    queen_in_danger = 18000 in 6000..=32000;
    /// Move ordering: the same for a rook attacked by minor pieces or pawns.
    rook_in_danger = 10500 in 4000..=24000;
    /// Move ordering: the same for a minor piece attacked by pawns.
    minor_in_danger = 6148 in 2000..=16000;
    /// Move ordering: quiet moves with a history score below minus this come after captures that lose material.
    bad_quiet = 4744 in 2000..=16000;
}

/// The reduction in plies, by depth and move count: `base + ln(depth) ln(move count) / divisor` (Chess Programming
/// Wiki, "Late Move Reductions").
#[derive(Debug)]
pub struct Reductions {
    plies: Box<[[u8; 64]; 64]>,
    /// The parameters of the table, in hundredths.
    base: i32,
    divisor: i32,
}

impl Default for Reductions {
    fn default() -> Reductions {
        let (base, divisor) = (late_move_reduction_base(), late_move_reduction_divisor());
        let mut plies = Box::new([[0; 64]; 64]);
        for (depth, row) in plies.iter_mut().enumerate().skip(1) {
            for (move_count, plies) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (move_count as f64).ln();
                *plies = (f64::from(base) / 100.0 + product / (f64::from(divisor) / 100.0)) as u8;
            }
        }
        Reductions { plies, base, divisor }
    }
}

impl Reductions {
    /// Recomputes the table if the parameters have changed.
    pub fn refresh(&mut self) {
        let now = [late_move_reduction_base(), late_move_reduction_divisor()];
        if [self.base, self.divisor] != now {
            *self = Reductions::default();
        }
    }

    /// The reduction in plies at this depth for this move count, from 1.
    pub fn plies(&self, depth: Depth, move_count: usize) -> i32 {
        let depth = depth.get().clamp(0, 63) as usize;
        i32::from(self.plies[depth][move_count.min(63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_and_deeper_searches_are_reduced_more() {
        let reductions = Reductions::default();
        assert_eq!(reductions.plies(Depth::new(3), 1), reductions.plies(Depth::new(60), 1));
        for depth in 2..63 {
            for move_count in 2..63 {
                let here = reductions.plies(Depth::new(depth), move_count);
                assert!(reductions.plies(Depth::new(depth + 1), move_count) >= here);
                assert!(reductions.plies(Depth::new(depth), move_count + 1) >= here);
            }
        }
    }
}
