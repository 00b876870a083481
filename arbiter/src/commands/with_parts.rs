//! A command with arguments of its own and subcommands, such as `speed ENGINE…` and `speed cores`.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};

#[derive(Debug)]
pub enum WithParts<Own, Part> {
    Own(Own),
    Part(Part),
}

impl<Own: Args, Part: Subcommand> Args for WithParts<Own, Part> {
    fn augment_args(command: Command) -> Command {
        let command = Part::augment_subcommands(Own::augment_args(command));
        command.args_conflicts_with_subcommands(true).subcommand_negates_reqs(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<Own: Args, Part: Subcommand> FromArgMatches for WithParts<Own, Part> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<WithParts<Own, Part>, Error> {
        Ok(match matches.subcommand_name() {
            Some(_) => WithParts::Part(Part::from_arg_matches(matches)?),
            None => WithParts::Own(Own::from_arg_matches(matches)?),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
