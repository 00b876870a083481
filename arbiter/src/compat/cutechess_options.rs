//! The options of cutechess-cli.

use std::fs;
use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use referee::openings::BookFormat;
use runner::BookOrder;

use super::dialect_config::{
    DialectClock, DialectEngine, OpeningOptions, Policy, Tournament, TournamentKind,
};
use super::engine_options::configured;
use super::option_table::{Flag, OptionPlace, flags, option_names};
use super::written_files::say_aside;

const UNKNOWN: &str = "Unknown option";

const WORDS: &[OptionPlace] = &[
    ("-event", "", |t| &mut t.pgn.event_name),
    ("-site", "", |t| &mut t.pgn.site),
    ("-outcomeinterval", "", |t| &mut t.scoreinterval),
    ("-resultformat", "", |t| &mut t.unsaved.result_format),
    ("-epdout", "", |t| &mut t.epd.file),
];

/// The names of the options in cutechess-cli's table.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    option_names(WORDS)
}

/// Options, and the keys that each of them needs.
const NEEDED: [(&str, &[&str]); 4] = [
    ("-draw", &["movenumber", "movecount", "score"]),
    ("-resign", &["movecount", "score"]),
    ("-sprt", &["elo0", "elo1", "alpha", "beta"]),
    ("-openings", &["file"]),
];

impl Tournament {
    pub fn of_cutechess(args: &[String]) -> Result<Tournament> {
        let mut tournament = Tournament::cutechess();
        let flags = flags(args)?;
        // The number of games played from each opening.
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
        if tournament.engines.iter().any(|engine| engine.unsaved.proto.is_none()) {
            bail!("Missing chess protocol: expected proto=uci or proto=xboard for every engine, as in -each");
        }
        for DialectClock { time, fixed_time, increment, moves, infinite, .. } in
            tournament.engines.iter_mut().map(|engine| &mut engine.limit.tc)
        {
            if time == fixed_time && !*infinite {
                bail!(
                    "Invalid or missing time control: expected tc= or st=, and tc=inf beside depth= or nodes="
                );
            }
            if *fixed_time > 0 {
                (*time, *increment, *moves) = (0, 0, 0);
            }
        }
        tournament.settle_pondering();
        tournament.settle_books();
        tournament.settle_games(repeat)?;
        tournament.settle()?;
        Ok(tournament)
    }

    fn take_cutechess(&mut self, flag: &Flag, repeat: &mut u32) -> Result<()> {
        let needed = NEEDED.iter().filter(|(option, _)| *option == flag.name).flat_map(|(_, keys)| *keys);
        for key in needed {
            if !flag.pairs()?.iter().any(|(found, _)| found == key) {
                bail!("{}: expected {key}=VALUE as well", flag.name);
            }
        }
        if matches!(&flag.name[..], "-engine" | "-each") && flag.words.is_empty() {
            bail!("Option \"{}\" needs at least 1 argument(s)", flag.name);
        }
        if self.take_words(flag, WORDS)? {
            // The number 0 switches these rules off.
            self.maxmoves.enabled &= self.maxmoves.move_count > 0;
            self.draw.enabled &= self.draw.move_number > 0;
            self.resign.enabled &= self.resign.move_count > 0;
            if flag.name == "-openings" && self.opening.plies == 0 {
                bail!("-openings plies=0: expected a number above 0");
            }
            self.force_concurrency = true;
            if self.rounds == 0 || self.games == 0 || self.concurrency < 1 {
                bail!("expected a number above 0");
            }
            return Ok(());
        }
        match &flag.name[..] {
            "-engine" => {
                let mut engine = DialectEngine::default();
                take_engine(flag, &mut engine)?;
                self.engines.push(engine);
            }
            "-each" => {}
            "-repeat" if flag.words.is_empty() => *repeat = 2,
            "-repeat" => *repeat = flag.one()?.parse::<NonZeroU32>()?.get(),
            "-tournament" => {
                self.kind = match flag.one()? {
                    "round-robin" => TournamentKind::RoundRobin,
                    "gauntlet" => TournamentKind::Gauntlet,
                    "pyramid" => TournamentKind::Pyramid,
                    other => bail!(
                        "-tournament {other}: expected round-robin, gauntlet or pyramid; \
                         `arbiter match --format knockout` plays a knockout"
                    ),
                }
            }
            "-pgnout" => self.take_pgn_out(flag)?,
            "-bookmode" if matches!(flag.one()?, "ram" | "disk") => {}
            // `-debug` has no value until cutechess-cli 1.3.
            "-debug" if matches!(&flag.words[..], []) || flag.one()? == "all" => self.unsaved.debug = true,
            "-livepgnout" => bail!("-livepgnout: use -outdir DIR, and `arbiter watch DIR` meanwhile"),
            "-tournamentfile" | "-resume" => {
                bail!("{}: use -outdir DIR, and `arbiter resume DIR` afterwards", flag.name)
            }
            "-bookmode" | "-debug" => bail!("expected ram or disk for -bookmode, all for -debug"),
            name => bail!("{UNKNOWN}: \"{name}\""),
        }
        Ok(())
    }

    /// Parses `FILE [min] [fi]`; unfinished games are never written.
    fn take_pgn_out(&mut self, flag: &Flag) -> Result<()> {
        let Some((file, words)) = flag.words.split_first() else { bail!("-pgnout: expected a file") };
        self.pgn.file = file.into();
        for word in words {
            match &word[..] {
                "min" => self.pgn.min = true,
                "fi" => {}
                other => bail!("-pgnout {other}: expected min or fi"),
            }
        }
        Ok(())
    }

    /// If all engines have the same Polyglot book, its openings are played; otherwise each engine plays from its own book.
    /// A missing book is ignored with a warning.
    fn settle_books(&mut self) {
        for book in self.engines.iter_mut().map(|engine| &mut engine.unsaved.book) {
            // A Polyglot entry has 16 bytes.
            let size = fs::metadata(&*book).ok().filter(fs::Metadata::is_file).map(|found| found.len());
            if !book.as_os_str().is_empty() && size.is_none_or(|size| size == 0 || size % 16 != 0) {
                if size.is_some() {
                    say_aside(&format!("Warning: Invalid size for opening book {}", book.display()));
                }
                say_aside(&format!("Warning: Can't read opening book file {}", book.display()));
                book.clear();
            }
        }
        let books: Vec<&PathBuf> = self.engines.iter().map(|engine| &engine.unsaved.book).collect();
        let Some(first) = books.iter().find(|book| !book.as_os_str().is_empty()) else { return };
        let depth = self.engines[0].unsaved.book_depth;
        let is_other = |engine: &DialectEngine| engine.unsaved.book_depth != depth;
        if self.opening.is_given()
            || books.iter().any(|book| book != first)
            || self.engines.iter().any(is_other)
        {
            return;
        }
        let plies = depth.map_or(-1, |moves| (moves as i64).saturating_mul(2));
        let (file, format) = ((*first).clone(), Some(BookFormat::Polyglot));
        self.opening = OpeningOptions { file, format, order: BookOrder::Fastchess, plies, start: 1 };
        self.engines.iter_mut().for_each(|engine| engine.unsaved.book.clear());
    }

    fn settle_pondering(&mut self) {
        self.unsaved.ponder = self.engines.iter().any(|engine| engine.unsaved.ponder);
        if self.unsaved.ponder {
            let idle = self.engines.iter_mut().filter(|engine| !engine.unsaved.ponder);
            idle.for_each(|engine| engine.set_option("Ponder", "false"));
        }
    }

    /// Turns `-games`, the games of an encounter, and `-repeat`, the games from an opening, into rounds.
    fn settle_games(&mut self, repeat: u32) -> Result<()> {
        let (in_encounter, is_match) = (self.games, self.engines.len() <= 2);
        let games = in_encounter.checked_mul(self.rounds).ok_or_else(|| anyhow!("-games: too many"))?;
        if !in_encounter.is_multiple_of(repeat) {
            say_aside(&format!(
                "Warning: {repeat} opening repetitions vs {in_encounter} games per encounter"
            ));
        }
        let same_opening = match self.unsaved.policy {
            Policy::Encounter if is_match => games,
            Policy::Encounter | Policy::Round => in_encounter,
            Policy::Repetitions if is_match => repeat,
            Policy::Repetitions => repeat.min(in_encounter),
        };
        let is_paired = |count: u32| count.is_multiple_of(2);
        // Rounds are pairs if all games come in pairs from the same opening; otherwise single games.
        let each = if is_paired(same_opening) && is_paired(games) && (is_match || is_paired(in_encounter)) {
            2
        } else {
            1
        };
        self.unsaved.repeat = NonZeroU32::new(same_opening / each).filter(|count| count.get() > 1);
        self.unsaved.in_one_go =
            Some(if in_encounter.is_multiple_of(each) { in_encounter / each } else { 1 });
        (self.games, self.rounds) = (each, games / each);
        Ok(())
    }
}

fn refusal(flag: &Flag, error: anyhow::Error) -> anyhow::Error {
    let (text, value) = (format!("{error:#}"), flag.words.join(" "));
    if text.starts_with(UNKNOWN) {
        return error;
    }
    anyhow!("Invalid value for option \"{}\": \"{value}\"\n{text}", flag.name)
}

fn take_engine(flag: &Flag, engine: &mut DialectEngine) -> Result<()> {
    for word in &flag.words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        if matches!(key, "depth" | "nodes" | "bookdepth") && value == "0" {
            return Err(flag.unknown(key, value, "a number above 0"));
        }
        if key == "st" && value.ends_with('s') {
            bail!("Invalid search time: \"{value}\"");
        }
        if key == "tc" && !value.contains("hg") {
            engine.limit.tc.set(value, true).ok_or_else(|| anyhow!("Invalid time control: \"{value}\""))?;
            continue;
        }
        if engine.set(flag, key, value)? {
            continue;
        }
        let DialectEngine { args, unsaved, .. } = engine;
        match key {
            // UCI engines claim no results.
            "" | "trust" | "debug" => {}
            "ponder" => unsaved.ponder = true,
            "whitepov" => unsaved.white_pov = true,
            "arg" => args.push(value.to_owned()),
            "restart" if matches!(value, "on" | "off" | "auto") => engine.restart = value == "on",
            "conf" => *engine = configured(flag, value)?,
            "stderr" => unsaved.stderr = value.into(),
            "initstr" => unsaved.init.extend(value.split("\\n").map(str::to_owned)),
            "book" => unsaved.book = value.into(),
            "bookdepth" => {
                let depth = value.parse().map_err(|_| flag.unknown(key, value, "a number above 0"))?;
                unsaved.book_depth = Some(depth);
            }
            "tscale" => {
                let scale = value.parse().ok().filter(|scale| (0.01..=100.0).contains(scale));
                let expected = || flag.unknown(key, value, "a factor from 0.01 to 100");
                unsaved.patience = Some(scale.ok_or_else(expected)?);
            }
            _ => bail!("Invalid engine option: \"{key}\""),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::engine_options::limits_text;
    use super::super::option_table::check_lines;
    use super::*;

    fn read(line: &str) -> Result<Tournament> {
        Tournament::of_cutechess(&shlex::split(line).unwrap())
    }

    const TWO: &str = "-engine cmd=a arg=-v 'arg=b c' -engine cmd=b -each proto=uci tc=40/60 ponder";

    #[test]
    fn engines_have_cutechess_words_and_one_without_the_word_does_not_ponder() {
        let tournament = read(TWO).unwrap();
        assert_eq!(tournament.engines[0].args, ["-v", "b c"]);
        assert!(
            tournament.unsaved.ponder && tournament.engines.iter().all(|engine| engine.options.is_empty())
        );
        assert_eq!(tournament.engines[1].name, "b");
        let tournament =
            read("-engine cmd=a ponder -engine cmd=b option.Ponder=true -each tc=40/60 proto=uci").unwrap();
        assert!(tournament.unsaved.ponder && tournament.engines[0].options.is_empty());
        assert_eq!(tournament.engines[1].options[0], ("Ponder".to_owned(), Some("false".to_owned())));
    }

    #[test]
    fn every_option_of_the_manual_is_taken_or_refused_with_another_way() {
        check_lines(include_str!("cutechess_lines.txt"), |line| read(&format!("{TWO} {line}")));
        assert!(read("-engine cmd=a st=0.5 proto=uci -engine cmd=b st=0.5 proto=uci").is_ok());
    }

    #[test]
    fn a_time_control_is_needed_and_read_leniently() {
        let limits = |words: &str| {
            let found = read(&format!("-engine cmd=a -engine cmd=b -each proto=uci {words}"))?;
            Ok::<_, anyhow::Error>(found.engines[0].limit.search_limits())
        };
        for (words, expected) in [
            ("tc=40/1:90+0.5", "40/150+0.5"),
            ("'tc=1 + 0.1'", "1+0.1"),
            ("tc=10+0,1", "10"),
            ("tc=10+-1", "10"),
            ("tc=8+", "8"),
            ("tc=1+0.01s", "1"),
            ("tc=0/0:1+0.01", "1+0.01"),
            ("tc=inf/5+0.1", "5+0.1"),
            ("tc=1:00:00", "1"),
            ("tc=10+1 st=0.5", "0.5/move"),
            ("st=0.5 tc=inf nodes=9", "0.5/move"),
            ("tc=inf depth=3", "3 plies"),
        ] {
            assert_eq!(limits_text(&limits(words).unwrap()), expected, "{words}");
        }
        assert!(limits("tc=inf").unwrap().go().infinite && !limits("tc=inf nodes=9").unwrap().go().infinite);
        for words in ["depth=3", "nodes=9", "tc=5 tc=0", "tc=1s+1", "tc=infinite"] {
            let message = limits(words).unwrap_err().to_string();
            assert!(message.contains("time control"), "{words}: {message}");
        }
    }
}
