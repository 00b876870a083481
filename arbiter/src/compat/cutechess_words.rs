//! The options of cutechess-cli.

use anyhow::{Result, anyhow, bail};
use stats::{Sprt, SprtModel};

use super::adjudication_words::{draw_rule, resign_rule};
use super::engine_words::Key;
use super::fastchess_words::variant;
use super::file_words::openings;
use super::tournament::{FileOut, PgnOut, Player, Tournament};
use super::words::{Flag, flags};

impl Tournament {
    /// Reads a command line of cutechess-cli, without the program's name.
    ///
    /// # Errors
    /// An option or a value that cutechess-cli does not have, or one that cannot be done here, with what to use instead.
    pub fn of_cutechess(args: &[String]) -> Result<Tournament> {
        let mut tournament = Tournament::cutechess();
        let flags = flags(args)?;
        let mut repeat = false;
        for flag in &flags {
            tournament.take_cutechess(flag)?;
            repeat |= flag.name == "-repeat";
        }
        for flag in flags.iter().filter(|flag| flag.name == "-each") {
            for engine in &mut tournament.engines {
                take_engine(flag, engine)?;
            }
        }
        tournament.settle_pondering();
        tournament.settle_games(repeat)?;
        tournament.settle()?;
        Ok(tournament)
    }

    fn take_cutechess(&mut self, flag: &Flag) -> Result<()> {
        match &flag.name[..] {
            "-engine" => {
                let mut engine = Player::default();
                take_engine(flag, &mut engine)?;
                self.engines.push(engine);
            }
            "-each" => {}
            "-concurrency" => {
                self.concurrency = flag.number()?;
                self.force_concurrency = true;
            }
            "-rounds" => self.rounds = flag.number()?,
            "-games" => self.games = flag.number()?,
            "-repeat" if flag.words.is_empty() || flag.number::<u32>()? == 2 => {}
            "-repeat" => bail!("-repeat: expected 2 games from each opening"),
            "-noswap" => self.noswap = flag.alone()?,
            "-reverse" => self.reverse = flag.alone()?,
            "-recover" => self.recover = flag.alone()?,
            "-tournament" => {
                self.gauntlet = match flag.one()? {
                    "round-robin" => false,
                    "gauntlet" => true,
                    other => bail!(
                        "-tournament {other}: expected round-robin or gauntlet; `arbiter match --format knockout` plays a knockout"
                    ),
                }
            }
            "-seeds" if flag.number::<u32>()? == 1 => {}
            "-variant" => self.variant = variant(flag)?,
            "-openings" => self.openings = Some(openings(flag)?),
            "-srand" => self.seed = flag.number()?,
            "-sprt" => self.sprt = Some(sprt(flag)?),
            "-draw" => self.draw = Some(draw_rule(flag.with(&["movenumber", "movecount", "score"])?)?),
            "-resign" => self.resign = Some(resign_rule(flag.with(&["movecount", "score"])?)?),
            "-maxmoves" => self.max_moves = Some(flag.number()?).filter(|moves| *moves > 0),
            "-tb" | "-tbpieces" | "-tbignore50" => self.take_tables(flag)?,
            "-event" => self.event = flag.words.concat(),
            "-site" => self.site = flag.words.concat(),
            "-ratinginterval" => self.rating_interval = flag.number()?,
            "-outcomeinterval" => self.score_interval = flag.number()?,
            "-wait" if flag.number::<u64>()? == 0 => {}
            "-pgnout" => self.pgn = Some(pgn_out(flag)?),
            "-epdout" => self.epd = Some(FileOut { file: flag.one()?.into(), append: true }),
            "-outdir" => self.out = Some(flag.one()?.into()),
            "-debug" => {
                bail!("-debug: use -outdir DIR; DIR/bad has the protocol of every game that ended badly")
            }
            "-tournamentfile" | "-resume" => {
                bail!("{}: use -outdir DIR, and `arbiter resume DIR` afterwards", flag.name)
            }
            name => bail!(
                "{name}: no option of cutechess-cli that Arbiter has; `arbiter cutechess -help` lists them"
            ),
        }
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

    /// `-games` counts the games of an encounter, and `-repeat` makes pairs of them.
    fn settle_games(&mut self, repeat: bool) -> Result<()> {
        let games = self.games.checked_mul(self.rounds).ok_or_else(|| anyhow!("-games: too many"))?;
        if repeat && !games.is_multiple_of(2) {
            bail!("-repeat: expected an even number of games, found {games}");
        }
        let each = if repeat { 2 } else { 1 };
        self.in_one_go = Some(if self.games.is_multiple_of(each) { self.games / each } else { 1 });
        (self.games, self.rounds) = (each, games / each);
        Ok(())
    }
}

fn take_engine(flag: &Flag, engine: &mut Player) -> Result<()> {
    for word in &flag.words {
        let Some((key, value)) = word.split_once('=') else {
            match &word[..] {
                "ponder" => engine.ponder = true,
                "trust" | "whitepov" | "debug" => bail!(
                    "{} {word}: Arbiter checks every move and takes scores from the engine's side",
                    flag.name
                ),
                _ => bail!("{} {word}: expected KEY=VALUE", flag.name),
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
            "conf" => bail!(
                "{} conf={value}: expected cmd=COMMAND; Arbiter's own list of engines is `arbiter engines`",
                flag.name
            ),
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
    Sprt::new(elo0, elo1, alpha, beta, SprtModel::Logistic).map_err(|problem| anyhow!("-sprt: {problem}"))
}

/// `FILE [min] [fi]`; unfinished games are never written.
fn pgn_out(flag: &Flag) -> Result<PgnOut> {
    let Some((file, words)) = flag.words.split_first() else { bail!("-pgnout: expected a file") };
    let mut out = PgnOut::to(file.into());
    for word in words {
        match &word[..] {
            "min" => out.min = true,
            "fi" => {}
            other => bail!("-pgnout {other}: expected min or fi"),
        }
    }
    Ok(out)
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
        assert!(games("-games 3 -repeat").is_err());
    }

    #[test]
    fn engines_have_cutechess_words() {
        let tournament = read(TWO).unwrap();
        assert_eq!(tournament.engines[0].args, ["-v", "b c"]);
        assert!(tournament.ponder && tournament.engines.iter().all(|engine| engine.options.is_empty()));
        assert_eq!(tournament.engines[1].name, "b");
        for wrong in [
            "-engine conf=x",
            "-engine cmd=c trust",
            "-tournament knockout",
            "-debug",
            "-resume",
            "-frobnicate",
            "-noswap x",
            "-draw score=1000",
            "-resign movecount=3",
            "-engine cmd=c restart=sometimes",
        ] {
            assert!(read(&format!("{TWO} {wrong}")).is_err(), "{wrong}");
        }
        assert!(
            read(&format!("{TWO} -draw movenumber=1 movecount=2 score=3 -resign movecount=1 score=9"))
                .is_ok()
        );
    }

    #[test]
    fn an_engine_without_the_word_does_not_ponder() {
        let tournament =
            read("-engine cmd=a ponder -engine cmd=b option.Ponder=true -each tc=40/60").unwrap();
        assert!(tournament.ponder && tournament.engines[0].options.is_empty());
        assert_eq!(tournament.engines[1].options[0].to_string(), "Ponder=false");
    }
}
