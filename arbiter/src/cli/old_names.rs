//! Names that commands and options had before. They work for one more version, with a note on standard error.

use std::ffi::OsString;

use clap::Command;

/// Commands: the old name and the new one. An entry counts where the new command exists and the old one does not.
const COMMANDS: [(&str, &str); 2] = [("positions", "extract"), ("thin", "select")];

/// Options: the old name and the new one. An entry counts in commands that have the new option and not the old one.
const OPTIONS: [(&str, &str); 8] = [
    // Matches: match, run, play, history, bisect, ablate.
    ("margin", "timemargin"),
    ("max-moves", "maxmoves"),
    // openings make, check, select and convert.
    ("band", "eval-range"),
    ("choices", "multipv"),
    ("least", "min-lines"),
    // mine.
    ("level", "equal"),
    ("men", "endgame-pieces"),
    // bisect.
    ("slower", "max-slowdown"),
];

/// The arguments of `program`, its own name first, with new names in place of old ones. Calls `note` with the old and the
/// new name for each replacement.
pub fn replace(
    args: impl IntoIterator<Item = OsString>,
    program: &Command,
    mut note: impl FnMut(&str, &str),
) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    let (mut command, mut path) = (program, program.get_name().to_owned());
    for arg in args.iter_mut().skip(1) {
        let Some(text) = arg.to_str() else { continue };
        if text == "--" {
            break;
        }
        if let Some(option) = text.strip_prefix("--") {
            let (name, value) =
                option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
            if let Some(new) = new_name(&OPTIONS, name, |name| has_option(command, name)) {
                note(&format!("--{name}"), &format!("--{new}"));
                *arg = value.map_or(format!("--{new}"), |value| format!("--{new}={value}")).into();
            }
        } else if command.has_subcommands() && text != "help" {
            let name = new_name(&COMMANDS, text, |name| command.find_subcommand(name).is_some());
            let Some(next) = command.find_subcommand(name.unwrap_or(text)) else { break };
            if let Some(name) = name {
                note(&format!("{path} {text}"), &format!("{path} {name}"));
                *arg = name.into();
            }
            command = next;
            path = format!("{path} {}", next.get_name());
        }
    }
    args
}

/// The new name where only that is known.
fn new_name(
    names: &[(&str, &'static str)],
    name: &str,
    is_known: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    let (_, new) = names.iter().find(|(old, _)| *old == name)?;
    (is_known(new) && !is_known(name)).then_some(*new)
}

fn has_option(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|option| option.get_long() == Some(name))
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    /// The line with its replacements, followed by a note `(old > new)` for each.
    fn replaced(line: &str) -> String {
        let option = |name: &'static str| Arg::new(name).long(name);
        let program = Command::new("arbiter")
            .subcommand(
                Command::new("openings")
                    .subcommand(Command::new("select").arg(option("eval-range")).arg(Arg::new("file"))),
            )
            .subcommand(Command::new("extract"))
            .subcommand(
                Command::new("other").arg(option("level")).arg(option("equal")).arg(option("maxmoves")),
            );
        let mut notes = Vec::new();
        let args = replace(line.split(' ').map(OsString::from), &program, |old, new| {
            notes.push(format!("({old} > {new})"));
        });
        let args = args.into_iter().map(|arg| arg.into_string().unwrap());
        args.chain(notes).collect::<Vec<String>>().join(" ")
    }

    #[test]
    fn old_names_become_new_ones_with_a_note() {
        assert_eq!(
            replaced("arbiter positions a.pgn"),
            "arbiter extract a.pgn (arbiter positions > arbiter extract)"
        );
        assert_eq!(
            replaced("arbiter help positions"),
            "arbiter help extract (arbiter positions > arbiter extract)"
        );
        assert_eq!(
            replaced("arbiter openings thin thin --band 0..60"),
            "arbiter openings select thin --eval-range 0..60 \
             (arbiter openings thin > arbiter openings select) (--band > --eval-range)"
        );
        assert_eq!(
            replaced("arbiter other --max-moves=9"),
            "arbiter other --maxmoves=9 (--max-moves > --maxmoves)"
        );
    }

    #[test]
    fn what_is_no_old_name_stays() {
        for line in [
            "arbiter openings select a --eval-range 0..60",
            "arbiter other --level 5 --band 1",
            "arbiter extract --max-moves 5",
            "arbiter openings select -- --band",
            "arbiter nothing positions --band",
            "arbiter",
        ] {
            assert_eq!(replaced(line), line);
        }
    }
}
