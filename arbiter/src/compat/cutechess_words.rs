//! The options of cutechess-cli.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use referee::openings::BookFormat;
use stats::{Sprt, SprtModel};

use super::engine_words::Key;
use super::engines_json;
use super::fastchess_words::{clock, variant};
use super::file_words::{book, openings};
use super::output::say_aside;
use super::tournament::{FileOut, Openings, PgnOut, Player, Tournament};
use super::words::{Flag, flags};
use super::words::{draw_rule, resign_rule};

/// How cutechess-cli begins to speak of an option that it does not have.
const UNKNOWN: &str = "Unknown option";

impl Tournament {
    /// Reads a command line of cutechess-cli, without the program's name.
    pub fn of_cutechess(args: &[String]) -> Result<Tournament> {
        let mut tournament = Tournament::cutechess();
        let flags = flags(args)?;
        // How many games an opening is played.
        let mut repeat = 1;
        for (index, flag) in flags.iter().enumerate() {
            if flag.name != "-engine" && flags[..index].iter().any(|earlier| earlier.name == flag.name) {
                bail!("Multiple instances of option \"{}\"", flag.name);
            }
            tournament.take_cutechess(flag, &mut repeat).map_err(|error| refusal(flag, error))?;
        }
        for flag in flags.iter().filter(|flag| flag.name == "-each") {
            for engine in &mut tournament.engines {
                take_engine(flag, engine).map_err(|error| refusal(flag, error))?;
            }
        }
        let policy = flags.iter().filter(|flag| flag.name == "-openings").flat_map(|flag| &flag.words);
        let policy = policy.filter_map(|word| word.strip_prefix("policy=")).next_back();
        tournament.settle_pondering();
        tournament.settle_books()?;
        tournament.settle_games(repeat, policy.unwrap_or("default"))?;
        tournament.settle()?;
        Ok(tournament)
    }

    fn take_cutechess(&mut self, flag: &Flag, repeat: &mut u32) -> Result<()> {
        match &flag.name[..] {
            "-engine" => {
                let mut engine = Player::default();
                take_engine(flag, &mut engine)?;
                self.engines.push(engine);
            }
            "-each" => {}
            "-concurrency" => {
                self.concurrency = flag.number::<u32>()?.into();
                self.force_concurrency = true;
            }
            "-rounds" => self.rounds = flag.number::<NonZeroU32>()?.get(),
            "-games" => self.games = flag.number::<NonZeroU32>()?.get(),
            "-repeat" if flag.words.is_empty() => *repeat = 2,
            "-repeat" => *repeat = flag.number::<NonZeroU32>()?.get(),
            "-noswap" => self.noswap = flag.alone()?,
            "-reverse" => self.reverse = flag.alone()?,
            "-recover" => self.recover = flag.alone()?,
            "-tournament" => match flag.one()? {
                "round-robin" => {}
                "pyramid" => self.pyramid = true,
                "gauntlet" => self.gauntlet = true,
                other => bail!(
                    "-tournament {other}: expected round-robin, gauntlet or pyramid; \
                         `arbiter match --format knockout` plays a knockout"
                ),
            },
            "-seeds" => self.seeds = flag.number()?,
            "-variant" => self.variant = variant(flag)?,
            "-openings" => self.openings = Some(openings(flag)?),
            "-bookmode" if matches!(flag.one()?, "ram" | "disk") => {}
            "-srand" => self.seed = flag.number()?,
            "-sprt" => self.sprt = Some(sprt(flag)?),
            "-draw" => self.draw = Some(draw_rule(flag.with(&["movenumber", "movecount", "score"])?)?),
            "-resign" => self.resign = Some(resign_rule(flag.with(&["movecount", "score"])?)?),
            "-maxmoves" => self.max_moves = Some(flag.number()?).filter(|moves| *moves > 0),
            "-tb" | "-tbpieces" | "-tbignore50" => self.take_tables(flag)?,
            "-event" => flag.one()?.clone_into(&mut self.pgn.event),
            "-site" => flag.one()?.clone_into(&mut self.pgn.site),
            "-ratinginterval" => self.rating_interval = flag.number()?,
            "-outcomeinterval" => self.score_interval = flag.number()?,
            "-resultformat" => flag.one()?.clone_into(&mut self.result_format),
            "-wait" => self.wait = Duration::from_millis(flag.number()?),
            "-pgnout" => pgn_out(flag, &mut self.pgn)?,
            "-epdout" => self.epd = Some(FileOut { file: flag.one()?.into(), append: true }),
            "-clock" => self.clock = clock(flag)?,
            "-outdir" => self.out = Some(flag.one()?.into()),
            // Bare until cutechess-cli 1.3.
            "-debug" if matches!(&flag.words[..], []) || flag.one()? == "all" => self.debug = true,
            "-livepgnout" => bail!("-livepgnout: use -outdir DIR, and `arbiter watch DIR` meanwhile"),
            "-tournamentfile" | "-resume" => {
                bail!("{}: use -outdir DIR, and `arbiter resume DIR` afterwards", flag.name)
            }
            "-bookmode" | "-debug" => bail!("expected ram or disk for -bookmode, all for -debug"),
            name => bail!("{UNKNOWN}: \"{name}\""),
        }
        Ok(())
    }

    /// Two engines with the same Polyglot book play its openings. One that is missing is left out, with a warning.
    fn settle_books(&mut self) -> Result<()> {
        for engine in &mut self.engines {
            if let Some(missing) = engine.book.take_if(|book| !book.is_file()) {
                say_aside(&format!("Warning: Can't read opening book file {}", missing.display()));
            }
        }
        let books: Vec<&PathBuf> = self.engines.iter().filter_map(|engine| engine.book.as_ref()).collect();
        let Some(first) = books.first() else { return Ok(()) };
        if self.openings.is_some()
            || books.len() < self.engines.len()
            || books.iter().any(|book| book != first)
        {
            bail!(
                "book={}: expected the same book for every engine, in -each, and no -openings; an engine can have a book \
                 of its own by its option, as in option.BookFile=FILE",
                first.display()
            );
        }
        let plies = self.engines[0].book_depth.map(|moves| 2 * moves);
        let format = Some(BookFormat::Polyglot);
        self.openings = Some(Openings { format, random: true, plies, ..book(first) });
        Ok(())
    }

    /// Where one engine ponders, the others are told not to.
    fn settle_pondering(&mut self) {
        self.ponder = self.engines.iter().any(|engine| engine.ponder);
        if self.ponder {
            self.engines
                .iter_mut()
                .filter(|engine| !engine.ponder)
                .for_each(|engine| engine.set_option("Ponder", "false"));
        }
    }

    /// `-games` counts the games of an encounter, and `-repeat` those from an opening.
    fn settle_games(&mut self, repeat: u32, policy: &str) -> Result<()> {
        let (in_encounter, is_match) = (self.games, self.engines.len() <= 2);
        let games = in_encounter.checked_mul(self.rounds).ok_or_else(|| anyhow!("-games: too many"))?;
        if !in_encounter.is_multiple_of(repeat) {
            say_aside(&format!(
                "Warning: {repeat} opening repetitions vs {in_encounter} games per encounter"
            ));
        }
        let same_opening = match policy {
            "encounter" if is_match => games,
            "encounter" | "round" => in_encounter,
            _ => repeat,
        };
        let is_paired = |count: u32| count.is_multiple_of(2);
        // Pairs, where all games are in pairs of the same opening; otherwise single games.
        let each = if is_paired(same_opening) && is_paired(games) && (is_match || is_paired(in_encounter)) {
            2
        } else {
            1
        };
        if let Some(openings) = &mut self.openings {
            openings.by_round = policy == "round";
            openings.repeat = NonZeroU32::new(same_opening / each).filter(|count| count.get() > 1);
        }
        self.in_one_go = Some(if in_encounter.is_multiple_of(each) { in_encounter / each } else { 1 });
        (self.games, self.rounds) = (each, games / each);
        Ok(())
    }
}

/// The error of an option in cutechess-cli's words.
fn refusal(flag: &Flag, error: anyhow::Error) -> anyhow::Error {
    let (text, value) = (format!("{error:#}"), flag.words.join(" "));
    if text.starts_with(UNKNOWN) {
        return error;
    }
    anyhow!("Invalid value for option \"{}\": \"{value}\"\n{text}", flag.name)
}

fn take_engine(flag: &Flag, engine: &mut Player) -> Result<()> {
    for word in &flag.words {
        let Some((key, value)) = word.split_once('=') else {
            match &word[..] {
                "ponder" => engine.ponder = true,
                "whitepov" => engine.white_pov = true,
                // An engine of UCI claims no results.
                "trust" | "debug" => {}
                _ => bail!("Invalid engine option: \"{word}\""),
            }
            continue;
        };
        if let Key::Taken = engine.set(flag, key, value)? {
            continue;
        }
        match key {
            "arg" => engine.args.push(value.to_owned()),
            "restart" if value == "on" => engine.restart = true,
            "restart" if matches!(value, "off" | "auto") => engine.restart = false,
            "conf" => *engine = engines_json::engine(flag, value)?,
            "stderr" => engine.stderr = Some(value.into()),
            "initstr" => engine.init.extend(value.split("\\n").map(str::to_owned)),
            "book" => engine.book = Some(value.into()),
            "bookdepth" => engine.book_depth = Some(flag.value(key, value)?),
            "tscale" => {
                let scale = flag.value(key, value)?;
                let is_known = (0.01..=100.0).contains(&scale);
                engine.patience = Some(scale).filter(|_| is_known);
                if !is_known {
                    return Err(flag.unknown(key, value, "a factor from 0.01 to 100"));
                }
            }
            _ => bail!("Invalid engine option: \"{key}\""),
        }
    }
    Ok(())
}

/// cutechess-cli's test is in logistic Elo.
fn sprt(flag: &Flag) -> Result<Sprt> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 0.0, 0.0, 0.0);
    for (key, value) in flag.pairs()? {
        match key {
            "elo0" => elo0 = flag.value(key, value)?,
            "elo1" => elo1 = flag.value(key, value)?,
            "alpha" => alpha = flag.value(key, value)?,
            "beta" => beta = flag.value(key, value)?,
            _ => return Err(flag.unknown(key, value, "elo0, elo1, alpha or beta")),
        }
    }
    let sprt = Sprt::new(elo0, elo1, alpha, beta, SprtModel::Logistic);
    Ok(sprt.map_err(|problem| anyhow!("-sprt: {problem}"))?.with_bayes_elo())
}

/// `FILE [min] [fi]`; unfinished games are never written.
fn pgn_out(flag: &Flag, out: &mut PgnOut) -> Result<()> {
    let Some((file, words)) = flag.words.split_first() else { bail!("-pgnout: expected a file") };
    out.file = file.into();
    for word in words {
        match &word[..] {
            "min" => out.min = true,
            "fi" => {}
            other => bail!("-pgnout {other}: expected min or fi"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Tournament> {
        Tournament::of_cutechess(&shlex::split(line).unwrap())
    }

    const TWO: &str = "-engine cmd=a arg=-v 'arg=b c' -engine cmd=b -each proto=uci tc=40/60 ponder";

    #[test]
    fn games_of_an_encounter_become_rounds() {
        let games = |line: &str| read(&format!("{TWO} {line}")).map(|found| (found.rounds, found.games));
        assert_eq!(games("-games 2 -rounds 50 -repeat").unwrap(), (50, 2));
        assert_eq!(games("-games 7").unwrap(), (7, 1));
        assert_eq!(games("-games 5 -rounds 2 -repeat").unwrap(), (5, 2));
        assert_eq!(games("-games 3 -repeat").unwrap(), (3, 1));
        let repeat = |line: &str| {
            let line = format!("{TWO} -openings file=Cargo.toml format=epd {line}");
            read(&line).unwrap().openings.unwrap().repeat.map_or(1, NonZeroU32::get)
        };
        assert_eq!(
            (repeat("-games 3 -repeat"), repeat("-games 2 -repeat"), repeat("-games 4 -repeat 4")),
            (2, 1, 2)
        );
    }

    #[test]
    fn engines_have_cutechess_words() {
        let tournament = read(TWO).unwrap();
        assert_eq!(tournament.engines[0].args, ["-v", "b c"]);
        assert!(tournament.ponder && tournament.engines.iter().all(|engine| engine.options.is_empty()));
        assert_eq!(tournament.engines[1].name, "b");
    }

    /// The manual of cutechess-cli 1.5.1 from its first option to its last; `-version`, `-help` and `-engines` only print
    /// something.
    #[test]
    fn every_option_of_the_manual_is_taken_or_refused_with_another_way() {
        let taken = [
            "-concurrency 1000",
            "-variant standard",
            "-variant fischerandom",
            "-resign movecount=1 score=9 twosided=true",
            "-draw movenumber=1 movecount=2 score=3",
            "-maxmoves 0",
            "-tb a;b",
            "-tbpieces 5",
            "-tbignore50",
            "-tournament round-robin",
            "-tournament gauntlet -seeds 2",
            "-tournament pyramid",
            "-event A",
            "-games 3",
            "-rounds 5",
            "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
            "-ratinginterval 2",
            "-outcomeinterval 2",
            "-debug",
            "-debug all",
            "-openings file=Cargo.toml format=pgn order=random plies=8 start=3 policy=encounter",
            "-openings file=Cargo.toml format=epd policy=round",
            "-bookmode ram",
            "-bookmode disk",
            "-pgnout a min fi",
            "-epdout a",
            "-recover",
            "-repeat",
            "-repeat 1",
            "-repeat 3",
            "-noswap",
            "-reverse",
            "-site A",
            "-srand 5",
            "-wait 10",
            "-resultformat per-color",
            "-engine cmd=c name=C dir=. stderr=e proto=uci tc=0/0:1+0.01",
            "-engine cmd=c arg=-v initstr=a\\nb restart=auto trust whitepov ponder debug tscale=2 depth=3 nodes=5",
            "-engine cmd=c option.Hash=1 timemargin=9 book=no/such.bin bookdepth=4 tc=inf",
        ];
        for line in taken {
            read(&format!("{TWO} {line}")).map_err(|error| format!("{line}: {error}")).unwrap();
        }
        assert!(read("-engine cmd=a st=0.5 -engine cmd=b st=0.5").is_ok());
        for (line, way) in [
            ("-engine conf=no-such-engine", "engines.json"),
            ("-engine cmd=c book=Cargo.toml", "option.BookFile"),
            ("-engine cmd=c proto=xboard", "polyglot"),
            ("-engine cmd=c colour=red", "Invalid engine option: \"colour\""),
            ("-engine cmd=c tscale=0", "factor"),
            ("-engine cmd=c restart=sometimes", "restart"),
            ("-tournament knockout", "arbiter match --format knockout"),
            ("-variant atomic", "fischerandom"),
            ("-bookmode tape", "ram or disk"),
            ("-debug some", "all"),
            ("-resume", "arbiter resume"),
            ("-livepgnout a", "arbiter watch"),
            ("-frobnicate", "Unknown option: \"-frobnicate\""),
            ("-games 0", "Invalid value for option \"-games\": \"0\""),
            ("-noswap x", "Invalid value for option \"-noswap\": \"x\""),
            ("-draw score=1000", "movenumber"),
            ("-resign movecount=3", "score"),
            ("-site a -site b", "Multiple instances of option \"-site\""),
        ] {
            let message = read(&format!("{TWO} {line}")).expect_err(line).to_string();
            assert!(message.contains(way), "{line}: {message}");
        }
    }

    #[test]
    fn an_engine_without_the_word_does_not_ponder() {
        let tournament =
            read("-engine cmd=a ponder -engine cmd=b option.Ponder=true -each tc=40/60").unwrap();
        assert!(tournament.ponder && tournament.engines[0].options.is_empty());
        assert_eq!(tournament.engines[1].options[0].to_string(), "Ponder=false");
    }
}
