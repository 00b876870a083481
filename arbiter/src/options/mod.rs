//! Options that several commands share.

mod adjudication;
pub mod books;
mod ladder;
pub mod machine;
mod playing_args;
mod run_programs;
mod sequential_test;
mod shards;
mod shared;
mod step_games;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

pub use adjudication::{AdjudicationArgs, OF_SPRT as ADJUDICATION_OF_SPRT};
pub use books::OpeningArgs;
pub use ladder::{Rungs, time_of_an_engine, times};
pub use playing_args::{CLOCKS, ConclusionArgs, MoveLimitArgs, PlayingArgs};
pub use run_programs::RunProgramsArgs;
pub use sequential_test::{PlayedTestArgs, SequentialTestArgs};
pub use shards::ShardArgs;
pub use shared::SharedArgs;
pub use step_games::StepGamesArgs;

/// A parser of one of these words, each with its help (empty for none) and what it stands for.
pub fn one_of<T: Clone + Send + Sync + 'static, const N: usize>(
    words: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let shown = words
        .each_ref()
        .map(|(word, help, _)| PossibleValue::new(*word).help(Some(*help).filter(|help| !help.is_empty())));
    // Only these words get here.
    let meaning =
        move |typed: String| words.iter().find(|(word, ..)| *word == typed).unwrap_or(&words[0]).2.clone();
    PossibleValuesParser::from(shown).map(meaning)
}
