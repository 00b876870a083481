//! The numbers of the search that a tuner may change, with the range for each.
//!
//! They are constants. With the feature `tuning` they are variables instead, which UCI options of the same names set.

use std::sync::atomic::{AtomicI32, Ordering};

/// A number of the search in the build for tuning.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, which is that of the option.
    pub name: &'static str,
    /// What it is in the build that ships.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest.
    pub max: i32,
    value: AtomicI32,
}

impl Parameter {
    /// The parameter with this name; there is none in the build that ships.
    pub fn named(name: &str) -> Option<&'static Parameter> {
        Parameter::all().iter().copied().find(|parameter| parameter.name == name)
    }

    /// Changes the value, for all searches of the process.
    pub fn set(&self, value: i32) {
        self.value.store(value, Ordering::Relaxed);
    }

    /// A line of the input of OpenBench's SPSA: name, type, value, minimum, maximum, `c_end` and `r_end`. At the end of
    /// the run a value is changed by a twentieth of its range, and the rate is the usual one.
    pub fn spsa_line(&self) -> String {
        let Parameter { name, min, max, .. } = self;
        let step = (f64::from(max - min) / 20.0).max(0.5);
        format!("{name}, int, {}, {min}, {max}, {step}, 0.002", self.value.load(Ordering::Relaxed))
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
            /// Those of this build.
            #[cfg(not(feature = "tuning"))]
            pub fn all() -> &'static [&'static Parameter] {
                &[]
            }

            /// Those of this build.
            #[cfg(feature = "tuning")]
            pub fn all() -> &'static [&'static Parameter] {
                static ALL: &[&Parameter] = &[$(&variables::$name),+];
                ALL
            }
        }
    };
}

params! {
    /// Aspiration: the first radius in centipawns.
    aspiration_radius = 10 in 4..=40;
    /// Aspiration: a window wider than this is opened.
    aspiration_limit = 600 in 150..=1200;

    /// Reverse futility pruning: margin above beta in centipawns per ply of depth.
    reverse_futility_margin = 48 in 20..=120;
    /// Razoring: margin below alpha in centipawns per ply of depth.
    razoring_margin = 250 in 120..=450;
    /// Null move: base reduction in plies.
    null_move_reduction = 5 in 2..=8;
    /// Null move: plies of depth for each further ply of reduction.
    null_move_depth_divisor = 4 in 2..=8;
    /// Null move: centipawns above beta for each further ply of reduction, three plies at most.
    null_move_eval_divisor = 200 in 80..=400;
    /// Null move: centipawns that the raw static evaluation must exceed beta by for each ply below
    /// `NULL_MOVE_EVAL_DEPTH`, and may fall short of it for each ply above.
    null_move_eval_margin = 20 in 5..=40;
    /// `ProbCut`: centipawns above beta.
    probcut_margin = 180 in 80..=350;

    /// Futility pruning: margin below alpha in centipawns at depth 0.
    futility_base = 90 in 20..=250;
    /// Futility pruning: further margin in centipawns per ply of depth.
    futility_margin = 80 in 30..=180;
    /// Late-move pruning: moves searched at depth 0.
    late_move_pruning_base = 5 in 1..=12;
    /// Late-move pruning: further moves for the square of the depth, in parts of 96.
    late_move_pruning_slope = 128 in 48..=288;
    /// SEE pruning: centipawns that a quiet move may lose, times the square of the reduced depth.
    see_pruning_quiet = 25 in 8..=60;
    /// SEE pruning: centipawns that a capture may lose per ply of depth.
    see_pruning_noisy = 100 in 40..=220;
    /// SEE pruning: capture history score that allows a capture to lose one more centipawn.
    see_pruning_history = 32 in 12..=96;
    /// History pruning: a quiet move is pruned below minus this history score times the reduced depth.
    history_pruning_margin = 3500 in 1500..=8000;
    /// Delta pruning in quiescence: centipawns that the positional terms may still bring.
    delta_margin = 160 in 50..=350;

    /// Late-move reductions: hundredths of a ply, whatever depth and move count.
    late_move_reduction_base = 150 in 50..=250;
    /// Late-move reductions: what the product of the logarithms of depth and move count is divided by, in hundredths.
    late_move_reduction_divisor = 230 in 140..=380;
    /// Late-move reductions: this history score is worth one ply.
    late_move_reduction_history = 5500 in 2000..=12000;
    /// A reduced move that beats the best value by this margin in centipawns, plus 2 for each ply of depth, is searched
    /// one ply deeper.
    deeper_margin = 40 in 10..=100;

    /// Singular extensions: how much worse the other moves must be for each ply of depth, in parts of 16 of a centipawn.
    singular_margin = 32 in 8..=80;
    /// Singular extensions: centipawns more, by which the other moves must be worse for a second ply.
    double_margin = 20 in 4..=60;

    /// Histories: the bonus of a cutoff for each ply of depth.
    history_bonus = 210 in 80..=400;
    /// Histories: what that bonus is less at any depth.
    history_bonus_offset = 80 in 0..=400;
    /// Histories: the largest bonus.
    history_bonus_max = 2200 in 800..=4000;
    /// Histories: the malus of the quiet moves before that of the cutoff, in hundredths of the bonus.
    history_malus = 75 in 25..=150;
    /// History of the prior move: the bonus for each centipawn by which the evaluation rose.
    prior_move_bonus = 8 in 2..=20;
    /// History of the prior move: the largest bonus or malus for a change of the evaluation.
    prior_move_bonus_max = 800 in 200..=2000;
    /// Correction history: the parts of a centipawn in an entry.
    correction_grain = 32 in 16..=96;
    /// Correction history: an error counts in full when it was found at this depth.
    correction_full_depth = 8 in 3..=16;

    /// Move ordering: the bonus for a queen that leaves the attack of a lesser piece; the same as a malus for one that
    /// enters it.
    queen_in_danger = 18000 in 6000..=32000;
    /// Move ordering: the same for a rook and minor pieces or pawns.
    rook_in_danger = 10500 in 4000..=24000;
    /// Move ordering: the same for a minor piece and pawns.
    minor_in_danger = 6000 in 2000..=16000;
    /// Move ordering: a quiet move with a history score below minus this comes after the captures that lose material:
    /// that has so often not worked that even a sacrifice is a better guess.
    bad_quiet = 6000 in 2000..=16000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_parameters_in_the_build_for_tuning_only() {
        assert_eq!(Parameter::all().is_empty(), !cfg!(feature = "tuning"));
        for parameter in Parameter::all() {
            assert!(Parameter::named(parameter.name).is_some_and(|found| std::ptr::eq(found, *parameter)));
            assert_eq!(parameter.spsa_line().split(", ").count(), 7, "{}", parameter.spsa_line());
        }
    }
}
