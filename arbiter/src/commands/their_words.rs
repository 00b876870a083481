//! Our names for options and commands of other programs.

const LOG: &str =
    "`--log` keeps the log of every game, `--log-game N` of one; that of a game with a fault is in bad/";

/// Options of fastchess and cutechess-cli and keys of their values, without dashes, and what to type instead.
const OPTIONS: &[(&str, &str)] = &[
    ("engine", "an engine is its path: arbiter match ./new ./old"),
    ("cmd", "an engine is its path: arbiter match ./new ./old"),
    ("each", "`--each Hash=16` for UCI options; limits are options of the match, as `--tc 8+0.08`"),
    ("option", "`--each Hash=16` for all engines, ENGINE:Hash=16 for one"),
    ("ssh", "`--on HOST`"),
    ("hosts", "`--on HOST`"),
    ("hash", "`--each Hash=16` for all engines, ENGINE:Hash=16 for one"),
    ("threads", "`--each Threads=2` for all engines, ENGINE:Threads=2 for one"),
    ("st", "`--movetime 1000`, in milliseconds"),
    ("book", "`--openings FILE`"),
    ("rounds", "`--games 2N`: it counts games"),
    ("repeat", "not needed: each opening is played twice; `--games-per-opening 1` plays it once"),
    ("recover", "not needed: an engine that crashes loses that game and is started again"),
    ("seeds", "`--format gauntlet,challengers=N`"),
    ("variant", "`--chess960`"),
    ("srand", "`--seed N`"),
    ("order", "`--order random`"),
    ("elo0", "`--sprt 0,5`, nElo; with `--model logistic` Elo"),
    ("elo1", "`--sprt 0,5`, nElo; with `--model logistic` Elo"),
    ("movenumber", "`--draw move=40,count=8,score=10`"),
    ("movecount", "`count=3`, as in `--resign count=3,score=600` and `--draw move=40,count=8,score=10`"),
    ("tb", "`--syzygy DIR`"),
    ("tbpieces", "`--syzygy-pieces N`"),
    ("tbignore50", "`--syzygy-ignore-50`"),
    ("tbadjudicate", "`--syzygy-results wins`"),
    ("outdir", "`--out DIR`"),
    ("pgnout", "not needed: games.pgn is in the run folder; `--pgn-fields nodes,time` chooses its comments"),
    ("epdout", "not needed: final.epd is in the run folder"),
    ("log", LOG),
    ("debug", LOG),
    ("use-affinity", "`--affinity`, or `--affinity=0-3,8`"),
    ("force-concurrency", "`--concurrency N`"),
    ("tournament", "`--format round-robin`, `gauntlet` or `knockout`"),
    ("config", "not needed: `arbiter resume DIR` continues a run"),
    ("resume", "not needed: `arbiter resume DIR` continues a run"),
    ("tournamentfile", "not needed: `arbiter resume DIR` continues a run"),
    ("autosaveinterval", "not needed: each game is saved when it ends"),
    ("show-latency", "not needed: the summary has it"),
    ("report", "not needed: the summary has Ptnml"),
    ("scoreinterval", "not needed: the score is always shown"),
    ("ratinginterval", "not needed: the Elo is always shown"),
    ("outcomeinterval", "not needed: the outcomes are in the summary"),
    ("resultformat", "`arbiter report DIR --fastchess` prints fastchess's block of results"),
    ("output", "`arbiter report DIR --fastchess` prints fastchess's block of results"),
    ("livepgnout", "`arbiter watch DIR --live-pgn FILE`"),
    ("compliance", "`arbiter check ENGINE`"),
    ("quick", "arbiter match ./new ./old --openings FILE"),
    ("crc32", "`arbiter fastchess` alone prints checksums"),
    ("testEnv", "`arbiter fastchess` alone is started by fishtest"),
];

/// Command names that people try, and the commands that do the job.
const COMMANDS: [(&str, &str); 14] = [
    ("tournament", "match ENGINE… --format round-robin"),
    ("round-robin", "match ENGINE… --format round-robin"),
    ("gauntlet", "match ENGINE… --format gauntlet"),
    ("play-match", "match ENGINE ENGINE"),
    ("test", "match NEW OLD --sprt 0,5"),
    ("elo", "sprt games.pgn"),
    ("ordo", "rate games.pgn"),
    ("ratings", "rate games.pgn"),
    ("spsa", "tune ENGINE --spec FILE"),
    ("compliance", "check ENGINE"),
    ("stop", "control DIR stop"),
    ("pause", "control DIR pause"),
    ("replay", "reproduce RUN GAME"),
    ("book", "openings"),
];

/// What to type for another program's option.
pub fn option(name: &str) -> Option<&'static str> {
    OPTIONS.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours)
}

/// The command to type for another program's command.
pub fn command(name: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::program;
    use crate::compat;

    #[test]
    fn each_option_of_the_dialects_is_ours_or_has_a_word_here() {
        let program = program();
        let ours = program.find_subcommand("match").unwrap();
        let has = |name: &str| {
            let mut all = ours.get_arguments().filter_map(|option| option.get_long_and_visible_aliases());
            all.any(|names| names.contains(&name))
        };
        let names: Vec<String> =
            compat::option_names().map(|name| name.trim_start_matches('-').to_owned()).collect();
        assert!(names.len() > 50);
        for name in names {
            assert!(has(&name) || option(&name).is_some(), "{name}");
        }
        for (theirs, words) in OPTIONS {
            for ours in words.split("`--").skip(1) {
                let end = ours.find(|letter: char| !letter.is_alphanumeric() && letter != '-').unwrap();
                assert!(has(&ours[..end]) || words.contains("arbiter "), "{theirs}: --{ours}");
            }
        }
    }
}
