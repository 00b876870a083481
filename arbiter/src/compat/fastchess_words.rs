//! The options of fastchess.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use referee::Variant;
use runner::DrawRule;
use runner::process::{ClockKind, nearest_name};
use stats::{Sprt, SprtModel};

use super::config_file;
use super::engine_words::{Key, number_namesakes};
use super::file_words::{book, epd_out, log_out, openings, pgn_out};
use super::tournament::{Form, Openings, Player, Tournament};
use super::words::{Flag, flags};
use super::words::{draw_rule, resign_rule};
use crate::cli::console;

/// How fastchess begins to speak of an option that it does not have.
const UNKNOWN: &str = "Unrecognized option";

/// The options of fastchess 1.8.2, without those that only print something, and ours.
pub(super) const OPTIONS: [&str; 48] = [
    "-engine",
    "-each",
    "-pgnout",
    "-epdout",
    "-openings",
    "-sprt",
    "-draw",
    "-resign",
    "-maxmoves",
    "-tb",
    "-tbpieces",
    "-tbignore50",
    "-tbadjudicate",
    "-autosaveinterval",
    "-log",
    "-config",
    "-report",
    "-output",
    "-concurrency",
    "-crc32",
    "-force-concurrency",
    "-event",
    "-site",
    "-games",
    "-rounds",
    "-wait",
    "-noswap",
    "-reverse",
    "-ratinginterval",
    "-scoreinterval",
    "-srand",
    "-seeds",
    "-recover",
    "-repeat",
    "-variant",
    "-tournament",
    "-quick",
    "-use-affinity",
    "-check-mate-pvs",
    "-show-latency",
    "-debug",
    "-testEnv",
    "-strict",
    "-startup-ms",
    "-ucinewgame-ms",
    "-ping-ms",
    "-outdir",
    "-clock",
];

impl Tournament {
    /// Reads a command line of fastchess, without the program's name.
    pub fn of_fastchess(args: &[String]) -> Result<Tournament> {
        let mut tournament = Tournament::fastchess();
        let flags = flags(args)?;
        for flag in &flags {
            tournament.take(flag).map_err(|error| refusal(flag, flag.words.last(), error))?;
        }
        // Whatever place it has, it is for all engines.
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
        match &flag.name[..] {
            "-engine" => {
                let mut engine = Player::default();
                flag.pairs()?;
                take_engine(flag, &mut engine)?;
                self.engines.push(engine);
            }
            "-each" => drop(flag.pairs()?),
            "-quick" => self.take_quick(flag)?,
            "-concurrency" => self.concurrency = flag.number()?,
            "-force-concurrency" => self.force_concurrency = flag.alone()?,
            "-rounds" => self.rounds = flag.number()?,
            "-games" => self.games = flag.number()?,
            "-repeat" => self.games = if flag.words.is_empty() { 2 } else { flag.number()? },
            "-noswap" => self.noswap = flag.alone()?,
            "-reverse" => self.reverse = flag.alone()?,
            "-tournament" => self.gauntlet = gauntlet(flag)?,
            "-seeds" => self.seeds = flag.number()?,
            "-variant" => self.variant = variant(flag)?,
            "-openings" => self.openings = Some(openings(flag)?),
            "-srand" => self.seed = flag.number()?,
            "-sprt" => self.sprt = Some(sprt(flag)?),
            "-draw" => self.draw = Some(draw_rule(flag)?),
            "-resign" => self.resign = Some(resign_rule(flag)?),
            "-maxmoves" => self.max_moves = Some(flag.number()?),
            "-tb" | "-tbpieces" | "-tbignore50" | "-tbadjudicate" => self.take_tables(flag)?,
            "-recover" => self.recover = flag.alone()?,
            "-strict" => self.strict = flag.alone()?,
            "-testEnv" => self.test_env = flag.alone()?,
            "-check-mate-pvs" => self.check_mate_pvs = flag.alone()?,
            "-use-affinity" => self.affinity = affinity(flag)?,
            "-wait" => self.wait = Duration::from_millis(flag.number()?),
            "-show-latency" => self.show_latency = flag.alone()?,
            _ => return self.take_output(flag),
        }
        Ok(())
    }

    /// The options of what is printed and written.
    fn take_output(&mut self, flag: &Flag) -> Result<()> {
        match &flag.name[..] {
            "-event" => self.pgn.event = flag.words.concat(),
            "-site" => self.pgn.site = flag.words.concat(),
            "-ratinginterval" => self.rating_interval = flag.number()?,
            "-scoreinterval" => self.score_interval = flag.number()?,
            "-autosaveinterval" => self.autosave = flag.number()?,
            "-report" => self.penta = only_switch(flag, "penta")?,
            "-crc32" => self.pgn.crc32 = only_switch(flag, "pgn")?,
            "-output" => self.output = form(flag)?,
            "-pgnout" => pgn_out(flag, &mut self.pgn)?,
            "-epdout" => self.epd = Some(epd_out(flag)?),
            "-log" => self.log = Some(log_out(flag)?),
            "-config" => self.take_config(flag)?,
            "-startup-ms" | "-ucinewgame-ms" | "-ping-ms" => {
                let wait = Duration::from_millis(flag.number::<u64>()?.max(1));
                self.ready = self.ready.max(Some(wait));
            }
            "-clock" => self.clock = clock(flag)?,
            "-outdir" => self.out = Some(PathBuf::from(flag.one()?)),
            "-debug" => {
                bail!(
                    "The 'debug' option does not exist in fastchess. Use the 'log' option instead to write all engine \
                     input and output into a text file: -log file=FILE engine=true"
                )
            }
            "--compliance" => bail!("--compliance: use `arbiter check ENGINE`"),
            name => {
                let meant = nearest_name(name, OPTIONS);
                let meant = meant.map_or_else(String::new, |meant| format!(": Did you mean \"{meant}\"?"));
                bail!("{UNKNOWN}: {name} parsing failed.{meant}")
            }
        }
        Ok(())
    }

    /// Checks what goes together, and mends what fastchess mends.
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
        if self.rounds == 0 {
            bail!("-rounds: expected at least 1");
        }
        self.tables.take_if(|rule| rule.folders.is_empty());
        if self.engines.len() > 2 && self.played.take().is_some() {
            console::note(
                "warning: -config: results are dropped for more than 2 engines; all games are played again",
            );
        }
        self.penta &= self.output == Form::Fastchess && self.games == 2;
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        if self.concurrency <= 0 {
            self.concurrency = (cores + self.concurrency).max(1);
        }
        if self.concurrency > cores && !self.force_concurrency {
            bail!(
                "-concurrency {}: expected at most {cores}, the cores of this machine; -force-concurrency overrides it",
                self.concurrency
            );
        }
        let unnamed = |engine: &usize| self.engines[*engine].name.is_empty();
        self.unnamed = (0..self.engines.len()).filter(unnamed).collect();
        self.engines.iter_mut().for_each(Player::settle_name);
        number_namesakes(&mut self.engines);
        self.engines.iter().try_for_each(Player::check)
    }

    fn take_quick(&mut self, flag: &Flag) -> Result<()> {
        for (key, value) in flag.pairs()? {
            match key {
                "cmd" => {
                    let mut engine = Player::default();
                    let tc = Flag { name: flag.name.clone(), words: Vec::new() };
                    engine.set(&tc, "cmd", value)?;
                    engine.set(&tc, "name", value)?;
                    engine.set(&tc, "tc", "10+0.1")?;
                    self.engines.push(engine);
                }
                "book" => {
                    self.openings = Some(Openings { random: true, ..book(Path::new(value)) });
                }
                _ => return Err(flag.unknown(key, value, "cmd or book")),
            }
        }
        let (Some(_), [first, second]) = (&self.openings, &mut self.engines[..]) else {
            bail!("-quick: expected cmd=ENGINE1 cmd=ENGINE2 book=BOOK");
        };
        if first.name == second.name {
            first.name.push('1');
            second.name.push('2');
        }
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        self.games = 2;
        self.rounds = 25_000;
        self.concurrency = (cores - 2).max(1);
        self.recover = true;
        self.draw = Some(DrawRule { from_move: 30, count: 8, score: 8 });
        self.output = Form::Cutechess;
        Ok(())
    }

    /// A state file takes the place of what was read so far; what follows changes it.
    fn take_config(&mut self, flag: &Flag) -> Result<()> {
        let pairs = flag.pairs()?;
        let is_set =
            |name: &str, wanted: &str| pairs.iter().any(|(key, value)| *key == name && *value == wanted);
        for (key, value) in &pairs {
            match *key {
                "file" if is_set("discard", "true") => {}
                "file" => {
                    *self = config_file::read(Path::new(value))?;
                    if is_set("stats", "false") {
                        self.played = None;
                    }
                }
                "outname" => (*value).clone_into(&mut self.config_name),
                "discard" | "stats" => drop(flag.switch(key, value)?),
                _ => return Err(flag.unknown(key, value, "file, outname, discard or stats")),
            }
        }
        Ok(())
    }
}

/// The error of an option in fastchess's words.
fn refusal(flag: &Flag, value: Option<&String>, error: anyhow::Error) -> anyhow::Error {
    let text = format!("{error:#}");
    if text.starts_with(UNKNOWN) {
        return error;
    }
    let (name, value) = (&flag.name, value.unwrap_or(&flag.name));
    anyhow!("Error while reading option \"{name}\" with value \"{value}\"\nReason: {text}")
}

fn take_engine(flag: &Flag, engine: &mut Player) -> Result<()> {
    for (key, value) in flag.pairs()? {
        if let Key::Taken = engine.set(flag, key, value)? {
            continue;
        }
        match key {
            "plies" => engine.limits.depth = Some(flag.value(key, value)?).filter(|plies| *plies > 0),
            "args" => engine.args = split_arguments(value),
            "restart" if value == "on" => engine.restart = true,
            "restart" if value == "off" => engine.restart = false,
            _ => {
                return Err(flag.unknown(
                    key,
                    value,
                    "a setting of an engine, as cmd, name, tc or option.NAME",
                ));
            }
        }
    }
    Ok(())
}

/// Several arguments in one word, as fastchess splits them: at blanks that stand in no quotes. A backslash is itself, and
/// a quote behind one is no quote. A quote that is not closed lasts to the end.
pub(super) fn split_arguments(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut open, mut last) = (None, ' ');
    for letter in text.chars() {
        match (letter, open) {
            (' ', None) => words.push(String::new()),
            ('"' | '\'', None) if last != '\\' => open = Some(letter),
            (quote, Some(opened)) if quote == opened && last != '\\' => open = None,
            _ => words.last_mut().expect("there is a word").push(letter),
        }
        last = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The word that is split into these arguments.
pub(super) fn join_arguments(arguments: &[String]) -> String {
    let quoted = arguments.iter().map(|word| {
        let quote = if word.contains('"') { '\'' } else { '"' };
        if word.contains([' ', '"', '\'']) { format!("{quote}{word}{quote}") } else { word.clone() }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn gauntlet(flag: &Flag) -> Result<bool> {
    match flag.one()? {
        "gauntlet" => Ok(true),
        "roundrobin" => Ok(false),
        other => bail!("-tournament {other}: expected roundrobin or gauntlet"),
    }
}

pub(super) fn variant(flag: &Flag) -> Result<Variant> {
    match flag.one()? {
        "standard" => Ok(Variant::Standard),
        "fischerandom" => Ok(Variant::Chess960),
        other => bail!("-variant {other}: expected standard or fischerandom"),
    }
}

pub(super) fn clock(flag: &Flag) -> Result<ClockKind> {
    match flag.one()? {
        "wall" => Ok(ClockKind::Wall),
        "cpu" => Ok(ClockKind::Cpu),
        other => bail!("-clock {other}: expected wall or cpu"),
    }
}

fn sprt(flag: &Flag) -> Result<Sprt> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 0.0, 0.0, 0.0);
    let mut model = SprtModel::Normalized;
    for (key, value) in flag.pairs()? {
        match key {
            "elo0" => elo0 = flag.value(key, value)?,
            "elo1" => elo1 = flag.value(key, value)?,
            "alpha" => alpha = flag.value(key, value)?,
            "beta" => beta = flag.value(key, value)?,
            "model" => model = sprt_model(flag, value)?,
            _ => return Err(flag.unknown(key, value, "elo0, elo1, alpha, beta or model")),
        }
    }
    Sprt::new(elo0, elo1, alpha, beta, model).map_err(|problem| anyhow!("-sprt: {problem}"))
}

fn sprt_model(flag: &Flag, value: &str) -> Result<SprtModel> {
    match value {
        "normalized" => Ok(SprtModel::Normalized),
        "logistic" => Ok(SprtModel::Logistic),
        _ => Err(flag.unknown("model", value, "normalized or logistic")),
    }
}

fn affinity(flag: &Flag) -> Result<bool> {
    match &flag.words[..] {
        [] => Ok(true),
        [cpus, ..] => bail!(
            "-use-affinity {cpus}: give the cores to the program itself, as in `taskset -c {cpus} arbiter fastchess … -use-affinity`"
        ),
    }
}

fn only_switch(flag: &Flag, name: &str) -> Result<bool> {
    let mut is_set = true;
    for (key, value) in flag.pairs()? {
        if key != name {
            return Err(flag.unknown(key, value, &format!("{name}=true or {name}=false")));
        }
        is_set = flag.switch(key, value)?;
    }
    Ok(is_set)
}

fn form(flag: &Flag) -> Result<Form> {
    match flag.pairs()?[..] {
        [("format", "fastchess")] => Ok(Form::Fastchess),
        [("format", "cutechess")] => Ok(Form::Cutechess),
        _ => bail!("-output: expected format=fastchess or format=cutechess"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Tournament> {
        Tournament::of_fastchess(&shlex::split(line).unwrap())
    }

    const TWO: &str =
        "-engine cmd=a name=new -engine cmd=b name=old nodes=9 -each tc=inf nodes=500 option.Hash=8";

    #[test]
    fn what_holds_for_each_engine_holds_whatever_its_place() {
        let tournament = read(&format!("-each option.Threads=2 {TWO}")).unwrap();
        for engine in &tournament.engines {
            assert_eq!(engine.limits.nodes, Some(500));
            let options: Vec<String> = engine.options.iter().map(ToString::to_string).collect();
            assert_eq!(options, ["Threads=2", "Hash=8"]);
        }
    }

    #[test]
    fn rounds_and_games_are_swapped_back_and_pairs_count_only_where_there_are_pairs() {
        let tournament = read(&format!("{TWO} -games 500 -rounds 2")).unwrap();
        assert_eq!((tournament.rounds, tournament.games, tournament.penta), (500, 2, true));
        let tournament = read(&format!("{TWO} -games 1 -rounds 9")).unwrap();
        assert_eq!((tournament.rounds, tournament.games, tournament.penta), (9, 1, false));
        assert!(!read(&format!("{TWO} -output format=cutechess")).unwrap().penta);
    }

    #[test]
    fn arguments_are_split_as_fastchess_splits_them() {
        for (text, expected) in [
            (r"--net=C:\nets\big.bin -v", &[r"--net=C:\nets\big.bin", "-v"][..]),
            (r#""two words" 'and  these' a"b c""#, &["two words", "and  these", "ab c"]),
            (r#"say \"hi\" "it's" 'open to the end"#, &["say", r#"\"hi\""#, "it's", "open to the end"]),
            ("  a   b ", &["a", "b"]),
            ("a\tb", &["a\tb"]),
        ] {
            assert_eq!(split_arguments(text), expected, "{text}");
            assert_eq!(split_arguments(&join_arguments(&split_arguments(text))), expected, "{text}");
        }
    }

    #[test]
    fn the_longest_wait_counts() {
        let ready = |line: &str| read(&format!("{TWO} {line}")).unwrap().ready;
        assert_eq!(ready(""), None);
        assert_eq!(
            ready("-startup-ms 70000 -ucinewgame-ms 500 -ping-ms 2000"),
            Some(Duration::from_secs(70))
        );
    }

    #[test]
    fn engines_of_the_same_name_in_a_quick_match_are_numbered() {
        let names = |second: &str| {
            let tournament = read(&format!("-quick cmd=a cmd={second} book=x.epd")).unwrap();
            tournament.engines.into_iter().map(|engine| engine.name).collect::<Vec<_>>()
        };
        assert_eq!(names("a"), ["a1", "a2"]);
        assert_eq!(names("b"), ["a", "b"]);
    }

    /// The manual of fastchess 1.8.2 from its first option to its last, each with an example; `-version` and `-help` only
    /// print something.
    #[test]
    fn every_option_of_the_manual_is_taken_or_refused_with_another_way() {
        let taken = [
            "-concurrency 1",
            "-force-concurrency",
            "-rounds 3",
            "-games 2",
            "-games 1",
            "-repeat",
            "-repeat 2",
            "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
            "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic",
            "-tournament roundrobin",
            "-tournament gauntlet",
            "-tournament gauntlet -seeds 2",
            "-variant standard",
            "-variant fischerandom",
            "-noswap",
            "-reverse",
            "-wait 100",
            "-each st=1 timemargin=5 restart=on plies=3",
            "-each args='-a -b' proto=uci dir=. option.Hash=1 tc=40/1:30+1",
            "-draw movenumber=1 movecount=2 score=3",
            "-resign movecount=3 score=600 twosided=true",
            "-maxmoves 9",
            "-tb a:b",
            "-tbpieces 5",
            "-tbignore50",
            "-tbadjudicate WIN_LOSS",
            "-openings file=Cargo.toml format=epd order=random plies=8 start=2 policy=round",
            "-srand 5",
            "-output format=cutechess",
            "-pgnout",
            "-epdout",
            "-epdout file=a append=false",
            "-event A B",
            "-pgnout file=a notation=uci append=false nodes=true seldepth=true nps=true hashfull=true tbhits=true pv=true \
             timeleft=true latency=true min=false match_line=x",
            "-site A",
            "-ratinginterval 0",
            "-scoreinterval 2",
            "-report penta=false",
            "-recover",
            "-autosaveinterval 0",
            "-config file=no/such.json discard=true outname=b stats=false",
            "-crc32 pgn=true",
            "-check-mate-pvs",
            "-show-latency",
            "-testEnv",
            "-strict",
            "-log file=a level=trace append=false compress=false realtime=true",
            "-log file=a engine=true",
            "-use-affinity",
            "-startup-ms 1",
            "-ucinewgame-ms 1",
            "-ping-ms 1",
        ];
        for line in taken {
            read(&format!("{TWO} {line}")).map_err(|error| format!("{line}: {error}")).unwrap();
        }
        for (line, way) in [
            ("-use-affinity 1,3-5", "taskset -c 1,3-5"),
            ("-log file=a compress=true", "compress the file afterwards"),
            ("-debug", "Use the 'log' option instead"),
            ("--compliance a", "arbiter check"),
            ("-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=bayesian", "normalized or logistic"),
            ("-sprt elo0=5 elo1=0 alpha=0.05 beta=0.05", "below"),
            ("-pgnout notation=lan", "san or uci"),
            ("-concurrency 100000", "-force-concurrency"),
            ("-variant atomic", "fischerandom"),
            ("-openings file=no/such.epd", "expected a file"),
            ("-engne", "Unrecognized option: -engne parsing failed.: Did you mean \"-engine\"?"),
            ("-frobnicate", "Unrecognized option: -frobnicate parsing failed."),
            ("-rounds x", "expected a number"),
            ("-draw movecount=0", "Expected a number above 0"),
            ("-resign movecount=0", "Expected a number above 0"),
            ("-recover now", "Reason: Option \"-recover\" does not accept parameters."),
            ("-tbignore50 true", "Option \"-tbignore50\" does not accept parameters."),
            (
                "-log level",
                "with value \"level\"\nReason: Option \"-log\" expects key=value pairs, got \"level\".",
            ),
            ("-each colour=red", "Unrecognized each option \"colour\" with value \"red\"."),
        ] {
            let message = read(&format!("{TWO} {line}")).expect_err(line).to_string();
            assert!(message.contains(way), "{message}");
        }
        assert!(read("-engine cmd=a tc=1").is_err());
        assert!(read("-engine cmd=a -engine cmd=b").unwrap_err().to_string().contains("no limit"));
    }
}
