//! The options of fastchess.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use jiff::tz::TimeZone;
use referee::openings::BookFormat;
use runner::BookOrder;
use runner::process::nearest_name;
use stats::SprtModel;

use super::dialect_config::{DialectEngine, Draw, Form, NEVER, OpeningOptions, Policy, Tournament};
use super::engine_options::{number_namesakes, split_arguments};
use super::option_table::{Flag, OptionPlace, flags, option_names};
use crate::cli::console;
use crate::options::{SharedArgs, machine};

const UNKNOWN: &str = "Unrecognized option";

const WORDS: &[OptionPlace] = &[
    ("-force-concurrency", "", |t| &mut t.force_concurrency),
    ("-tournament", "", |t| &mut t.kind),
    ("-sprt", "model", |t| &mut t.sprt.model),
    ("-tbadjudicate", "", |t| &mut t.unsaved.table_results),
    ("-strict", "", |t| &mut t.unsaved.strict),
    ("-testEnv", "", |t| &mut t.unsaved.test_env),
    ("-check-mate-pvs", "", |t| &mut t.check_mate_pvs),
    ("-show-latency", "", |t| &mut t.show_latency),
    ("-scoreinterval", "", |t| &mut t.scoreinterval),
    ("-autosaveinterval", "", |t| &mut t.autosaveinterval),
    ("-report", "penta", |t| &mut t.report_penta),
    ("-crc32", "pgn", |t| &mut t.pgn.crc),
    ("-output", "format", |t| &mut t.output),
    ("-epdout", "file", |t| &mut t.epd.file),
    ("-epdout", "append", |t| &mut t.epd.append_file),
    ("-pgnout", "file", |t| &mut t.pgn.file),
    ("-pgnout", "append", |t| &mut t.pgn.append_file),
    ("-pgnout", "nodes", |t| &mut t.pgn.track_nodes),
    ("-pgnout", "seldepth", |t| &mut t.pgn.track_seldepth),
    ("-pgnout", "nps", |t| &mut t.pgn.track_nps),
    ("-pgnout", "hashfull", |t| &mut t.pgn.track_hashfull),
    ("-pgnout", "tbhits", |t| &mut t.pgn.track_tbhits),
    ("-pgnout", "pv", |t| &mut t.pgn.track_pv),
    ("-pgnout", "timeleft", |t| &mut t.pgn.track_timeleft),
    ("-pgnout", "latency", |t| &mut t.pgn.track_latency),
    ("-pgnout", "min", |t| &mut t.pgn.min),
    ("-pgnout", "notation", |t| &mut t.pgn.notation),
    ("-pgnout", "match_line", |t| &mut t.pgn.match_lines),
    ("-log", "file", |t| &mut t.log.file),
    ("-log", "level", |t| &mut t.log.level),
    ("-log", "append", |t| &mut t.log.append_file),
    ("-log", "engine", |t| &mut t.log.engine_coms),
    ("-log", "compress", |t| &mut t.log.compress),
    ("-log", "realtime", |t| &mut t.log.realtime),
];

/// The options that are not in the table, to suggest for a mistyped option.
const OTHERS: [&str; 8] =
    ["-engine", "-each", "-quick", "-repeat", "-use-affinity", "-event", "-site", "-config"];

/// The names of the options that fastchess has here.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    option_names(WORDS).chain(OTHERS)
}

impl Tournament {
    pub fn of_fastchess(args: &[String]) -> Result<Tournament> {
        let mut tournament = Tournament::fastchess();
        let flags = flags(args)?;
        for flag in &flags {
            tournament.take(flag).map_err(|error| refusal(flag, flag.words.last(), error))?;
        }
        // `-each` applies to all engines, wherever it stands.
        for flag in flags.iter().filter(|flag| flag.name == "-each") {
            for engine in &mut tournament.engines {
                let words = flag.words.join(" ");
                take_engine(flag, engine).map_err(|error| refusal(flag, Some(&words), error))?;
            }
        }
        tournament.settle()?;
        Ok(tournament)
    }

    fn take(&mut self, flag: &Flag) -> Result<()> {
        // Resets only the file; event, site and checksum keep what was set before.
        match &flag.name[..] {
            "-pgnout" => self.pgn.file = file_of_now("pgn"),
            "-epdout" => self.epd.file = file_of_now("epd"),
            _ => {}
        }
        if self.take_words(flag, WORDS)? {
            if !matches!(self.unsaved.policy, Policy::Repetitions | Policy::Round) {
                bail!("Unsupported opening book policy.");
            }
            return Ok(());
        }
        match &flag.name[..] {
            "-engine" => {
                let mut engine = DialectEngine::default();
                flag.pairs()?;
                take_engine(flag, &mut engine)?;
                self.engines.push(engine);
            }
            "-each" => drop(flag.pairs()?),
            "-quick" => self.take_quick(flag)?,
            "-repeat" => self.games = flag.words.iter().find_map(|word| word.parse().ok()).unwrap_or(2),
            "-event" => self.pgn.event_name = flag.words.concat(),
            "-site" => self.pgn.site = flag.words.concat(),
            "-use-affinity" => {
                self.affinity = true;
                let cores = flag.words.first().map(|cores| cores.parse()).transpose();
                self.unsaved.cpus = cores.map_err(|_| anyhow!("Bad cpu list."))?;
            }
            "-config" => self.take_config(flag)?,
            "-debug" => {
                bail!(
                    "The 'debug' option does not exist in fastchess. Use the 'log' option instead to write all engine \
                     input and output into a text file: -log file=FILE engine=true"
                )
            }
            "--compliance" => bail!("--compliance: use `arbiter check ENGINE`"),
            name => {
                let shared = SharedArgs::names().into_iter().map(|name| format!("-{name}"));
                let all: Vec<String> = names().map(str::to_owned).chain(shared).collect();
                let meant = nearest_name(name, all.iter().map(String::as_str));
                let meant = meant.map_or_else(String::new, |meant| format!(": Did you mean \"{meant}\"?"));
                bail!("{UNKNOWN}: {name} parsing failed.{meant}")
            }
        }
        Ok(())
    }

    pub(super) fn settle(&mut self) -> Result<()> {
        if self.engines.len() < 2 {
            bail!("-engine: expected at least two engines, found {}", self.engines.len());
        }
        if self.games > 2 {
            std::mem::swap(&mut self.games, &mut self.rounds);
        }
        if !(1..=2).contains(&self.games) {
            bail!("-games: expected 1 or 2 games of each round, found {}", self.games);
        }
        for (is_wrong, refusal) in [
            (self.rounds == 0, "-rounds: expected at least 1"),
            (self.draw.enabled && self.draw.move_count == 0, "-draw movecount: Expected a number above 0"),
            (
                self.resign.enabled && self.resign.move_count == 0,
                "-resign movecount: Expected a number above 0",
            ),
            (self.log.compress, "-log compress=true: expected false; compress the file afterwards"),
        ] {
            if is_wrong {
                bail!(refusal);
            }
        }
        self.sprt_test()?;
        if self.sprt.enabled && self.engines.len() > 2 {
            console::note(&format!(
                "warning: -sprt: it tests two engines; these {} play all games. `arbiter match --base X --sprt` tests each \
                 against one",
                self.engines.len()
            ));
            self.sprt.enabled = false;
        }
        if self.engines.len() > 2 && self.drop_results() {
            console::note(
                "warning: -config: results are dropped for more than 2 engines; all games are played again",
            );
        }
        for interval in [&mut self.ratinginterval, &mut self.scoreinterval] {
            if *interval == 0 {
                *interval = NEVER;
            }
        }
        let is_bayesian = self.sprt.enabled && self.sprt.model == SprtModel::Bayesian;
        self.report_penta &= self.output == Form::Fastchess && self.games == 2 && !is_bayesian;
        let cores = cores();
        if self.concurrency <= 0 {
            self.concurrency = (cores + self.concurrency).max(1);
        }
        if self.concurrency > cores && !self.force_concurrency {
            bail!(
                "-concurrency {}: expected at most {cores}, the cores of this machine; -force-concurrency overrides it",
                self.concurrency
            );
        }
        if !self.variant.is_chess() && !self.unsaved.is_cutechess {
            bail!(
                "-variant {}: fastchess plays standard and fischerandom; cutechess-cli plays others",
                self.variant
            );
        }
        let unnamed = |engine: &usize| self.engines[*engine].name.is_empty();
        self.unsaved.unnamed = (0..self.engines.len()).filter(unnamed).collect();
        for engine in &mut self.engines {
            engine.variant = self.variant;
            engine.settle_name();
        }
        number_namesakes(&mut self.engines);
        self.engines.iter().try_for_each(DialectEngine::check)
    }

    fn take_quick(&mut self, flag: &Flag) -> Result<()> {
        for (key, value) in flag.pairs()? {
            match key {
                "cmd" => {
                    let mut engine = DialectEngine { name: value.to_owned(), ..DialectEngine::default() };
                    let _ = engine.set(flag, "cmd", value)? && engine.set(flag, "tc", "10+0.1")?;
                    self.engines.push(engine);
                }
                "book" => {
                    let format = BookFormat::of_path(Path::new(value));
                    let order = BookOrder::Fastchess;
                    self.opening =
                        OpeningOptions { file: value.into(), format, order, ..self.opening.clone() };
                }
                _ => return Err(flag.unknown(key, value, "cmd or book")),
            }
        }
        let (true, [first, second]) = (self.opening.is_given(), &mut self.engines[..]) else {
            bail!("-quick: expected cmd=ENGINE1 cmd=ENGINE2 book=BOOK");
        };
        if first.name == second.name {
            first.name.push('1');
            second.name.push('2');
        }
        self.games = 2;
        self.rounds = 25_000;
        self.concurrency = (cores() - 2).max(1);
        self.recover = true;
        self.draw = Draw { move_number: 30, move_count: 8, score: 8, enabled: true };
        self.output = Form::Cutechess;
        Ok(())
    }

    /// A state file replaces the settings read so far; later options change them.
    fn take_config(&mut self, flag: &Flag) -> Result<()> {
        let pairs = flag.pairs()?;
        let is_set =
            |name: &str, wanted: &str| pairs.iter().any(|(key, value)| *key == name && *value == wanted);
        for (key, value) in &pairs {
            match *key {
                "file" if is_set("discard", "true") => {}
                "file" => {
                    *self = Tournament::of_file(Path::new(value))?;
                    if is_set("stats", "false") {
                        self.drop_results();
                    }
                }
                "outname" => (*value).clone_into(&mut self.config_name),
                "discard" | "stats" if matches!(*value, "true" | "false") => {}
                _ => return Err(flag.unknown(key, value, "file, outname, discard or stats")),
            }
        }
        Ok(())
    }
}

impl OpeningOptions {
    pub(super) fn is_given(&self) -> bool {
        !self.file.as_os_str().is_empty()
    }

    /// Checks the book, and derives its format from its name if none is set.
    pub(super) fn check(&mut self) -> Result<()> {
        self.format = self.format.or(BookFormat::of_path(&self.file));
        if self.start == 0 {
            bail!("-openings start=0: expected at least 1");
        }
        if !self.file.is_file() {
            bail!("-openings file={}: expected a file, found none", self.file.display());
        }
        Ok(())
    }
}

fn cores() -> i64 {
    machine::cores() as i64
}

/// The name that fastchess gives to a file without one: it contains the current time.
fn file_of_now(extension: &str) -> PathBuf {
    PathBuf::from(format!(
        "fastchess_{}.{extension}",
        runner::now().to_zoned(TimeZone::system()).strftime("%Y%m%d_%H%M%S")
    ))
}

fn refusal(flag: &Flag, value: Option<&String>, error: anyhow::Error) -> anyhow::Error {
    let text = format!("{error:#}");
    if text.starts_with(UNKNOWN) {
        return error;
    }
    let (name, value) = (&flag.name, value.unwrap_or(&flag.name));
    anyhow!("Error while reading option \"{name}\" with value \"{value}\"\nReason: {text}")
}

fn take_engine(flag: &Flag, engine: &mut DialectEngine) -> Result<()> {
    for (key, value) in flag.pairs()? {
        match key {
            "plies" => drop(engine.set(flag, "depth", value)?),
            "args" => engine.args = split_arguments(value),
            "restart" if matches!(value, "on" | "off") => engine.restart = value == "on",
            _ if engine.set(flag, key, value)? => {}
            _ => {
                let expected = "a setting of an engine, as cmd, name, tc or option.NAME";
                return Err(flag.unknown(key, value, expected));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::option_table::check_lines;
    use super::*;

    fn read(line: &str) -> Result<Tournament> {
        Tournament::of_fastchess(&shlex::split(line).unwrap())
    }

    const TWO: &str =
        "-engine cmd=a name=new -engine cmd=b name=old nodes=9 -each tc=inf nodes=500 option.Hash=8";

    #[test]
    fn rounds_and_games_are_swapped_back_and_pairs_count_only_where_there_are_pairs() {
        let tournament = read(&format!("{TWO} -games 500 -rounds 2")).unwrap();
        assert_eq!((tournament.rounds, tournament.games, tournament.report_penta), (500, 2, true));
        let tournament = read(&format!("{TWO} -games 1 -rounds 9")).unwrap();
        assert_eq!((tournament.rounds, tournament.games, tournament.report_penta), (9, 1, false));
        assert!(!read(&format!("{TWO} -output format=cutechess")).unwrap().report_penta);
    }

    #[test]
    fn every_option_of_the_manual_is_taken_or_refused_with_another_way() {
        check_lines(include_str!("fastchess_lines.txt"), |line| read(&format!("{TWO} {line}")));
        assert!(read("-engine cmd=a tc=1").is_err());
        assert!(read("engine -recover").unwrap_err().to_string().contains("expected an option"));
        assert!(read("-engine cmd=a -engine cmd=b").unwrap_err().to_string().contains("no limit"));
    }
}
