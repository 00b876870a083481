//! Suites: positions with known answers, and the engines and move generators that are held against them.
//!
//! Perft counts legal moves: [`PerftSuite`] is the data, a [`MoveCounter`] is whoever counts, [`PerftCheck`] holds one
//! against the other, and [`smallest_difference`] finds the position where two counters part; [`CaseMiner`] finds
//! positions that are hard to count. Tactics asks for the best
//! move: [`TacticsSuite`] is the data, [`solve`] asks an engine, [`TacticsResult`] is the judgement. [`examine`] checks
//! how an engine keeps to the protocol. [`make_openings`] makes opening books. [`SpeedReport`] holds the node speeds of
//! engines against each other, and [`ablate`] measures what each technique of one engine saves. [`mine_all`] looks for
//! tactical positions in games, and a [`QuietCollector`] for quiet ones that an evaluation is fitted to. Engines are
//! spoken to in an [`EngineSession`]. A [`GateResult`] is what a build is said to have passed, a [`Baseline`] what it
//! was held against.

mod ablation;
mod engine_counter;
mod engine_session;
mod engine_solver;
mod gate;
mod mining;
mod move_counter;
mod openings;
mod perft_check;
mod perft_difference;
mod perft_suite;
mod protocol;
mod quiet;
mod rule_cases;
mod speed;
mod tactics_comparison;
mod tactics_result;
mod tactics_suite;

pub use ablation::{Ablation, AblationError, AblationOrder, AblationStep, StepGameResults, Toggle};
pub use engine_counter::EngineCounter;
pub use engine_session::{EngineSession, SessionError};
pub use engine_solver::{SolveError, solve, solve_all};
pub use gate::{
    Baseline, BaselineError, BenchRecord, CheckOutcome, GateCheck, GateResult, PerftRecord, SpeedRecord,
    Step, StepResult, StepVerdict, TacticsRecord, UnknownStep,
};
pub use mining::{
    GamePosition, MinedGame, MinedPosition, MinedSuite, MiningError, MiningKind, MiningRecipe, MiningTally,
    Rejection, SourceGame, SourceGameError, Stake, mine_all, mine_game,
};
pub use move_counter::{CountError, MoveCounter, Oracle, OwnCore};
pub use openings::{
    AttemptTally, GameLines, GuidedPlay, MadeOpenings, MakingEnd, MakingPlan, OpeningJudge,
    OpeningJudgeError, OpeningRecipe, OpeningSource, WorkEnd, in_order, make_openings,
};
pub use perft_check::{PerftCheck, PerftCount, PerftMismatch};
pub use perft_difference::{PerftDifference, smallest_difference};
pub use perft_suite::{PerftLineProblem, PerftPosition, PerftSuite, PerftSuiteError};
pub use protocol::{Finding, Outcome, Verdict, examine};
pub use quiet::{
    FinishedGame, GameOutcome, QuietCollector, QuietPosition, QuietRecipe, QuietSieve, QuietTally,
    ScoredMove, Scorers,
};
pub use rule_cases::{
    CaseGroup, CaseMiner, CaseRecipe, CaseSet, HardPosition, HardSuite, HardSuiteError, RuleCase, Scene,
    cases_of, cover,
};
pub use speed::{
    DepthRace, DepthReached, EngineSpeed, HardwareByNode, SpeedComparison, SpeedContest, SpeedError,
    SpeedPair, SpeedPlan, SpeedReport, SpeedSample, SpeedSuite, SpeedSuiteError, compare,
};
pub use tactics_comparison::TacticsComparison;
pub use tactics_result::{Attempt, Solution, TacticsResult};
pub use tactics_suite::{Goal, TacticsPosition, TacticsProblem, TacticsSuite, TacticsSuiteError};
