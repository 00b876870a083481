//! What becomes of each mode of the mock engine.

use std::time::Duration;

use runner::Termination::{
    Crash, Disconnect, FailedToStart, IllegalMove, NoHandshake, NoMove, Stall, TimeLoss,
};

use super::case::Expected::{Fine, Loses, LosesSome, NeverStarts, Warning};
use super::case::{Case, by_depth, by_time_per_move, on_the_clock};

/// Both sides can castle for a while.
const CASTLING: &str = "r3k2r/p1pp1p1p/8/8/8/8/P1PP1P1P/R3K2R w KQkq -";

/// Both sides can promote at once.
const PROMOTION: &str = "4k3/P6P/8/8/8/8/p6p/4K3 w - -";

/// The back ranks are weak.
const BACK_RANKS: &str = "r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - -";

/// The table. Every mode is in it.
pub const CASES: &[Case] = &[
    Case::new("well", Fine),
    // The introduction.
    Case::new("well", NeverStarts(FailedToStart, "cannot start /nowhere/engine"))
        .with(|config| config.engines[0].program = "/nowhere/engine".into()),
    Case::new("well", NeverStarts(FailedToStart, "Permission denied"))
        .with(|config| config.engines[0].program = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into()),
    Case::new("exit-at-start", NeverStarts(NoHandshake, "exit code 3")),
    Case::new("slow-start", Fine),
    Case::new("banner", Fine),
    Case::new("complains-at-start", Fine),
    Case::new("brings-child", Fine),
    Case::new("brings-stray", Fine),
    Case::new("no-uciok", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("exit-on-uci", NeverStarts(NoHandshake, "exit code 3")),
    Case::new("crash-on-uci", NeverStarts(NoHandshake, "signal 6")),
    Case::new("stop-on-uci", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("close-output-on-uci", NeverStarts(NoHandshake, "closed its input or its output")),
    Case::new("flood-on-uci", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("endless-line-on-uci", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("option-flood", NeverStarts(NoHandshake, "no uciok")).impatient(),
    Case::new("many-options", Fine),
    Case::new("odd-options", Fine),
    Case::new("binary-introduction", Fine),
    // Getting ready.
    Case::new("never-ready", NeverStarts(Stall, "no readyok")).impatient(),
    Case::new("crash-on-isready", NeverStarts(Crash, "signal 6")),
    Case::new("flood-on-isready", NeverStarts(Stall, "no readyok")).impatient(),
    Case::new("slow-ready", Fine),
    Case::new("twice-ready", Fine),
    Case::new("hang-on-new-game", NeverStarts(Stall, "no readyok")).impatient(),
    Case::new("crash-on-new-game", NeverStarts(Crash, "signal 6")),
    Case::new("slow-new-game", Fine),
    Case::new("exit-between-games", LosesSome(Crash, "exit code 4")),
    Case::new("close-input", Loses(Disconnect, "closed its input or its output")),
    Case::new("close-errors", Fine),
    // Going away during a search.
    Case::new("crash", Loses(Crash, "signal 6")),
    Case::new("segfault", Loses(Crash, "signal 11")),
    Case::new("exit", Loses(Crash, "exit code 7")),
    Case::new("exit-quietly", Loses(Crash, "exit code 0")),
    Case::new("exit-after-move", Loses(Crash, "exit code 5")),
    Case::new("exit-without-line-break", Loses(Crash, "exit code 0")),
    Case::new("leaves-child", Loses(Crash, "exit code 0")),
    Case::new("close-output", Loses(Disconnect, "closed its input or its output")),
    // No answer, or none in time.
    Case::new("hang", Loses(Stall, "no bestmove after")),
    Case::new("hang", Loses(Stall, "no bestmove after")).with(by_depth),
    Case::new("hang", Loses(Stall, "no bestmove after")).with(by_time_per_move),
    Case::new("hang", Loses(Stall, "no bestmove after")).with(on_the_clock),
    Case::new("stop", Loses(Stall, "no bestmove after")),
    Case::new("no-line-break", Loses(Stall, "no bestmove after")),
    Case::new("flood", Loses(Stall, "no bestmove after")),
    Case::new("flood", Loses(Stall, "no bestmove after")).with(on_the_clock),
    Case::new("flood-after-move", Loses(Stall, "no bestmove after")),
    Case::new("flood-errors", Loses(Stall, "no bestmove after")),
    Case::new("endless-line", Loses(Stall, "no bestmove after")),
    Case::new("late", Loses(TimeLoss, "too late")).with(on_the_clock),
    Case::new("late", Loses(TimeLoss, "too late")).with(by_time_per_move),
    Case::new("late", Fine),
    // Answers that are no legal move.
    Case::new("illegal", Loses(IllegalMove, "a1h8")),
    Case::new("other-side", Loses(IllegalMove, "not legal")),
    Case::new("stale-move", LosesSome(IllegalMove, "not legal")),
    Case::new("unreadable", Loses(IllegalMove, "Nf3")),
    Case::new("castling-takes-rook", LosesSome(IllegalMove, "not legal")).from(CASTLING),
    Case::new("castling-in-letters", LosesSome(IllegalMove, "O-O")).from(CASTLING),
    Case::new("promotion-without-piece", LosesSome(IllegalMove, "not legal")).from(PROMOTION),
    Case::new("no-move", Loses(NoMove, "(none)")),
    Case::new("null-move", Loses(NoMove, "0000")),
    Case::new("empty-move", Loses(NoMove, "`bestmove`")),
    // What is told and not punished.
    Case::new("two-moves", Warning("unexpected")),
    Case::new("illegal-line", Warning("after 1 legal moves, move \"a1h8\" is not legal")),
    Case::new("other-move", Warning("but its last PV begins with")),
    Case::new("wrong-mate", Warning("reported mate 3, but its PV mates at ply 1")).from(BACK_RANKS),
    // Odd manners.
    Case::new("carriage-returns", Fine),
    Case::new("binary", Fine),
    Case::new("absurd-numbers", Fine),
    Case::new("byte-by-byte", Fine),
    Case::new("half-lines", Fine),
    Case::new("blanks", Fine),
    Case::new("talkative", Fine),
    Case::new("odd-ponder", Fine),
    Case::new("move-before-go", Fine),
    Case::new("complains", Fine),
    // Leaving.
    Case::new("ignores-quit", Fine),
    Case::new("ignores-signals", Fine),
    Case::new("slow-quit", Fine),
    Case::new("crash-on-quit", Fine),
    Case::new("stop-on-quit", Fine),
];

/// No match takes longer, on however busy a machine: four games that wait for their deadlines take some seconds.
pub const LONGEST_MATCH: Duration = Duration::from_mins(1);
