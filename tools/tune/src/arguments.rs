//! The command line.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Parser;
use tarrasch::eval::feature::{COUNT, GROUPS};

/// Fits the weights of Tarrasch's evaluation to quiet positions of games.
#[derive(Debug, Parser)]
#[command(name = "tune", version)]
pub struct Arguments {
    /// Files of positions, as `arbiter games extract` writes them
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The source file to write; it must not exist yet
    #[arg(long, value_name = "FILE", default_value = "weights.rs")]
    pub out: PathBuf,

    /// Weight of the players' own scores in the target, from 0 to 1; the results of the games have the rest
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    pub lambda: f64,

    /// Maximum number of epochs; it ends sooner when the held-out loss no longer falls
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: u32,

    /// Learning rate of the first step, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 1.0, value_parser = positive)]
    pub learning_rate: f64,

    /// Expected distance of a weight from its start, in centipawns; it limits the change of rare features
    #[arg(long, value_name = "CP", default_value_t = 50.0, value_parser = positive)]
    pub spread: f64,

    /// Threads; the weights are the same for any number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: u16,

    /// Keep the weights of the groups whose names begin with this; may be repeated
    #[arg(long, value_name = "GROUP")]
    pub freeze: Vec<String>,

    /// Seed of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl Arguments {
    /// By the index of a weight: whether `--freeze` keeps it.
    pub fn frozen(&self) -> Result<Vec<bool>> {
        let mut frozen = vec![false; COUNT];
        for name in &self.freeze {
            let mut groups = GROUPS.iter().filter(|group| group.name.starts_with(name)).peekable();
            if groups.peek().is_none() {
                let names: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
                bail!(
                    "--freeze {name}: expected the beginning of the name of a group:\n  {}",
                    names.join("\n  ")
                );
            }
            for group in groups {
                frozen[group.first..group.first + group.len].fill(true);
            }
        }
        Ok(frozen)
    }
}

/// A number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number above 0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(options: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from([&["tune", "a.epd"], options].concat())
    }

    #[test]
    fn groups_are_frozen_by_the_beginning_of_their_names() {
        let group = GROUPS[1];
        let frozen = parse(&["--freeze", group.name]).unwrap().frozen().unwrap();
        let places: Vec<usize> = (0..COUNT).filter(|&place| frozen[place]).collect();
        assert_eq!(places, (group.first..group.first + group.len).collect::<Vec<_>>());
        let message = parse(&["--freeze", "nothing"]).unwrap().frozen().unwrap_err().to_string();
        assert!(
            message.starts_with("--freeze nothing: expected") && message.contains(group.name),
            "{message}"
        );
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        for options in [["--lambda", "1.5"], ["--lambda", "x"], ["--learning-rate", "0"], ["--spread", "NaN"]]
        {
            let message = parse(&options).unwrap_err().to_string();
            assert!(message.contains(options[0]) && message.contains("expected a number"), "{message}");
        }
        assert!(parse(&["--lambda", "0", "--threads", "2"]).is_ok());
    }
}
