//! Suites: positions with known answers, and the engines and move generators that are held against them.
//!
//! Perft counts legal moves: [`PerftSuite`] is the data, a [`MoveCounter`] is whoever counts, [`PerftCheck`] holds one
//! against the other, and [`smallest_difference`] finds the position where two counters part; [`CaseMiner`] finds
//! positions that are hard to count. Tactics asks for the best
//! move: [`TacticsSuite`] is the data, [`solve`] asks an engine, [`TacticsResult`] is the judgement. [`examine`] checks
//! how an engine keeps to the protocol. [`OpeningMaker`] makes opening suites. [`SpeedReport`] holds the node speeds of
//! engines against each other, and [`ablate`] measures what each technique of one engine saves. Engines are spoken to
//! in an [`EngineSession`].

mod ablation;
mod balanced_openings;
mod engine_counter;
mod engine_session;
mod engine_solver;
mod move_counter;
mod perft_check;
mod perft_difference;
mod perft_suite;
mod protocol;
mod rule_cases;
mod speed;
mod tactics_comparison;
mod tactics_result;
mod tactics_suite;

pub use ablation::{AblationError, AblationOrder, AblationStep, Toggle, ablate};
pub use balanced_openings::{BalancedOpening, OpeningMaker, OpeningMakerError, OpeningRecipe};
pub use engine_counter::EngineCounter;
pub use engine_session::{EngineSession, SessionError};
pub use engine_solver::{SolveError, solve, solve_all};
pub use move_counter::{CountError, MoveCounter, Oracle, OwnCore};
pub use perft_check::{PerftCheck, PerftCount, PerftMismatch};
pub use perft_difference::{PerftDifference, smallest_difference};
pub use perft_suite::{PerftLineProblem, PerftPosition, PerftSuite, PerftSuiteError};
pub use protocol::{Finding, Outcome, Verdict, examine};
pub use rule_cases::{
    CaseGroup, CaseMiner, CaseSet, HardSuite, HardSuiteError, MinedPosition, MiningRecipe, RuleCase, Scene,
    cases_of, cover,
};
pub use speed::{
    EngineSpeed, SpeedComparison, SpeedContest, SpeedError, SpeedPlan, SpeedReport, SpeedSample, SpeedSuite,
    SpeedSuiteError, compare,
};
pub use tactics_comparison::TacticsComparison;
pub use tactics_result::{Attempt, Solution, TacticsResult};
pub use tactics_suite::{Goal, TacticsPosition, TacticsProblem, TacticsSuite, TacticsSuiteError};
