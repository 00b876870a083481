//! The summary at the end of a run, as aligned text.

use std::fmt;

use super::bracket_text::bracket_text;
use super::tests_text::{tested_elo, tests_text, unit, verdict_words};
use crate::results::ending::label;
use crate::results::{EngineSummary, Latency, PairingSummary, Summary};
use crate::text::number_text::{
    counted, elo, long_time, minus, normalized_elo, percent, signed_three_digits, thousands, three_digits,
};
use crate::text::{Table, Tone};
use runner::{Format, Termination};
use stats::Wdl;

/// The greatest width of tables in columns: that of a usual terminal.
const WIDTH: usize = 80;

/// Opponents in one block of the crosstable.
const OPPONENTS_ABREAST: usize = 7;

/// The summary as text: Elo, faults, search statistics, terminations.
#[derive(Clone, Copy, Debug)]
pub struct SummaryText<'a> {
    summary: &'a Summary,
    colour: bool,
    width: usize,
}

impl<'a> SummaryText<'a> {
    /// The text of a summary, with or without colours.
    pub const fn new(summary: &'a Summary, colour: bool) -> SummaryText<'a> {
        SummaryText { summary, colour, width: WIDTH }
    }

    /// The same with tables for a terminal of so many columns.
    #[must_use]
    pub fn within(self, width: usize) -> SummaryText<'a> {
        SummaryText { width: width.min(WIDTH), ..self }
    }

    /// The result of a match of two engines, one figure per line.
    fn write_match(&self, pairing: &PairingSummary, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] =
            [pairing.first, pairing.second].map(|engine| &self.summary.engines[engine].name);
        let shard = self.summary.shard.map_or_else(String::new, |shard| format!(", shard {shard}"));
        writeln!(f, "  {}", Tone::Strong.paint(&format!("{first} vs {second}{shard}"), self.colour))?;
        let share = self.summary.engines[pairing.first].score;
        let share = share.map(|share| format!(" ({})", percent(share))).unwrap_or_default();
        let mut line = |name: &str, value: &str| writeln!(f, "  {name:<12}  {value}");
        let wdl = &pairing.wdl;
        line(
            "Games",
            &format!(
                "{}: W {}, L {}, D {}, points {}{share}",
                thousands(wdl.games()),
                wdl.wins,
                wdl.losses,
                wdl.draws,
                wdl.points()
            ),
        )?;
        line("Ptnml(0-2)", &ptnml(pairing))?;
        line("Elo (95%)", &tested_elo(pairing))?;
        line("nElo (95%)", &normalized_elo(&pairing.normalized_elo))?;
        line("LOS", &percent(pairing.los.probability()))?;
        if let Some(ratio) = pairing.draw_ratio {
            line("DrawRatio", &percent(ratio))?;
        }
        if let Some(ratio) = pairing.pair_ratio {
            line("PairsRatio", &format!("{ratio:.2}"))?;
        }
        self.write_test(pairing, f)
    }

    fn write_test(&self, pairing: &PairingSummary, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(sprt) = &pairing.sprt else { return Ok(()) };
        let (verdict, tone) = verdict_words(sprt);
        writeln!(
            f,
            "  {:<12}  {:.2} ({:.2}, {:.2}) [{}, {}] {}: {}",
            "LLR",
            sprt.llr,
            sprt.lower,
            sprt.upper,
            sprt.test.elo0(),
            sprt.test.elo1(),
            unit(&sprt.test),
            tone.paint(verdict, self.colour)
        )
    }

    /// The parameters of a run of `arbiter tune`. Those that moved farther than by chance are bold.
    fn tuned(&self) -> String {
        let mut table = Table::new(["", "Start", "Value", "Change", "By chance (95%)"]);
        for parameter in &self.summary.tuned {
            let tone = if parameter.strength() > 1.0 { Tone::Strong } else { Tone::Plain };
            table.row([
                (parameter.name.clone(), tone),
                (three_digits(parameter.from), Tone::Plain),
                (three_digits(parameter.value), tone),
                (minus(&signed_three_digits(parameter.change())), tone),
                (format!("± {}", three_digits(parameter.by_chance)), Tone::Faint),
            ]);
        }
        table.within(self.width).text(self.colour)
    }

    /// Every engine's total score, the best first, and below it the scores vs. each opponent.
    fn crosstable(&self) -> String {
        let (order, columns) = self.table_order();
        let mut table = Table::new(["", "Points", "Games", "W", "D", "L", "Elo vs. opponents"]);
        for (place, &engine) in order.iter().enumerate() {
            let EngineSummary { name, points, games, wdl, elo_vs_opponents, .. } =
                &self.summary.engines[engine];
            let cells = [
                format!("{}. {name}", place + 1),
                format!("{points:.1}"),
                games.to_string(),
                wdl.wins.to_string(),
                wdl.draws.to_string(),
                wdl.losses.to_string(),
                elo(elo_vs_opponents),
            ];
            table.row(cells.map(|cell| (cell, Tone::Plain)));
        }
        let mut text = table.within(self.width).text(self.colour);
        for (block, columns) in columns.chunks(OPPONENTS_ABREAST).enumerate() {
            text.push('\n');
            text += &self.scores_against(&order, columns, block * OPPONENTS_ABREAST);
        }
        text
    }

    /// Every engine's score vs. these opponents, which come after `before` others in the order.
    fn scores_against(&self, order: &[usize], columns: &[usize], before: usize) -> String {
        let places = (before + 1..=before + columns.len()).map(|place| format!("vs {place}"));
        let mut table = Table::new(std::iter::once(String::new()).chain(places));
        for (place, &engine) in order.iter().enumerate() {
            let name = format!("{}. {}", place + 1, self.summary.engines[engine].name);
            let against = columns.iter().map(|&other| self.score_between(engine, other));
            table.row(std::iter::once(name).chain(against).map(|cell| (cell, Tone::Plain)));
        }
        table.within(self.width).text(self.colour)
    }

    /// The engines of the rows, and those of them that have columns. The best come first. In a gauntlet the challengers
    /// come first and only they have columns, because their opponents do not play each other.
    fn table_order(&self) -> (Vec<usize>, Vec<usize>) {
        let mut order = self.summary.by_score();
        let columns = match self.summary.format {
            Format::Gauntlet { challengers } => {
                order.sort_by_key(|&engine| engine >= challengers);
                order.iter().copied().filter(|&engine| engine < challengers).collect()
            }
            Format::RoundRobin | Format::Knockout { .. } => order.clone(),
        };
        (order, columns)
    }

    /// `1.5/2`; a dash on the diagonal, nothing for those that have not met.
    fn score_between(&self, engine: usize, other: usize) -> String {
        let Some(pairing) = self.summary.pairing(engine, other) else { return "-".to_owned() };
        let wdl = if pairing.first == engine { pairing.wdl } else { pairing.wdl.reversed() };
        if wdl.games() == 0 { String::new() } else { format!("{}/{}", wdl.points(), wdl.games()) }
    }

    /// The statistics of each engine. The endings name the other faults.
    fn behaviour(&self) -> String {
        let mut table =
            Table::new(["", "Time losses", "Other faults", "Depth", "NPS", "Latency p50/p99/max"]);
        for engine in &self.summary.engines {
            let count = |count: u64| (count.to_string(), Tone::of_faults(count));
            let known = |text: Option<String>| (text.unwrap_or_else(|| "-".to_owned()), Tone::Plain);
            table.row([
                (engine.name.clone(), Tone::Plain),
                count(engine.faults_of(Termination::TimeLoss)),
                count(engine.other_faults()),
                known(engine.mean_depth.map(|depth| format!("{depth:.1}"))),
                known(engine.nodes_per_second.map(thousands)),
                known(engine.latency.map(in_milliseconds)),
            ]);
        }
        table.within(self.width).text(self.colour)
    }

    /// How the games ended, the most frequent first, with the engines at fault.
    fn write_endings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: Vec<_> = self.summary.terminations.iter().collect();
        kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
        for (&kind, count) in kinds {
            let tone = if kind.is_fault() { Tone::Bad } else { Tone::Plain };
            writeln!(f, "  {count:>6}  {}{}", tone.paint(&label(kind), self.colour), self.offenders(kind))?;
        }
        Ok(())
    }

    /// The number of such faults by engine: `: new 2, old 1`.
    fn offenders(&self, kind: Termination) -> String {
        let engines = self.summary.engines.iter().filter(|engine| engine.faults_of(kind) > 0);
        let counts: Vec<_> =
            engines.map(|engine| format!("{} {}", engine.name, engine.faults_of(kind))).collect();
        if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) }
    }
}

/// `[0, 1, 6, 13, 30]`: pairs by the points that the first engine got from them, from 0 to 2, as fastchess writes them.
pub fn ptnml(pairing: &PairingSummary) -> String {
    format!("{:?}", pairing.pentanomial.counts())
}

/// `0.4/1.2/15.0 ms`.
fn in_milliseconds(Latency { p50, p99, max }: Latency) -> String {
    let [p50, p99, max] = [p50, p99, max].map(|time| time.as_secs_f64() * 1000.0);
    format!("{p50:.1}/{p99:.1}/{max:.1} ms")
}

impl fmt::Display for SummaryText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { games, abandoned, after_decision, warnings, duration, pairings, .. } = self.summary;
        match &pairings[..] {
            _ if !self.summary.tuned.is_empty() => f.write_str(&self.tuned())?,
            [pairing] => self.write_match(pairing, f)?,
            _ if self.summary.has_several_tests() => {
                f.write_str(&tests_text(self.summary, self.width, self.colour))?;
            }
            _ => f.write_str(&self.crosstable())?,
        }
        if !self.summary.bracket.is_empty() {
            write!(f, "\n{}", bracket_text(self.summary, self.colour))?;
        }
        writeln!(f, "\n{}", self.behaviour())?;
        self.write_endings(f)?;
        write!(f, "  {} in {}", counted(*games, "game"), long_time(*duration))?;
        if *abandoned > 0 {
            write!(f, ", {abandoned} abandoned")?;
        }
        if *warnings > 0 {
            write!(f, ", {}", counted(*warnings, "warning"))?;
        }
        let Wdl { wins, draws, losses } = *after_decision;
        if after_decision.games() > 0 {
            let games = counted(after_decision.games(), "game");
            write!(
                f,
                "\n  {games} finished after the SPRT had stopped, not counted: W {wins}, L {losses}, D {draws}"
            )?;
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{config, lost_by, round_robin, two_engine_match};
    use crate::text::wrapped::wrapped;
    use referee::Side;
    use runner::GameRecord;

    fn text(names: &[&str], with_test: bool, games: &[GameRecord]) -> String {
        SummaryText::new(&Summary::new(&config(names, with_test), games), false).to_string()
    }

    #[test]
    fn no_games() {
        insta::assert_snapshot!(text(&["new", "old"], true, &[]));
    }

    #[test]
    fn one_game() {
        insta::assert_snapshot!(text(&["new", "old"], false, &two_engine_match("w")));
    }

    #[test]
    fn a_match_of_two_with_faults() {
        let mut games = two_engine_match("wdwwldddwdwwlddd");
        games.push(lost_by(16, (0, 1), Side::Black, Termination::TimeLoss));
        games.push(lost_by(17, (1, 0), Side::White, Termination::IllegalMove));
        insta::assert_snapshot!(text(&["new", "old"], true, &games));
    }

    #[test]
    fn games_in_flight_when_the_test_decided_are_reported_apart() {
        let mut games = two_engine_match("wdwwwd");
        let decided = text(&["new", "old"], true, &games[..4]);
        games[4..].iter_mut().for_each(|game| game.after_decision = true);
        let all = text(&["new", "old"], true, &games);
        let score = |text: &str| text.split("\n\n").next().unwrap().to_owned();
        assert_eq!(score(&all), score(&decided));
        let apart =
            "6 games in 59 s\n  2 games finished after the SPRT had stopped, not counted: W 1, L 0, D 1\n";
        assert!(all.ends_with(apart), "{all}");
    }

    #[test]
    fn four_engines() {
        insta::assert_snapshot!(text(&["tarrasch", "glaurung", "gnuchess", "seed"], false, &round_robin()));
    }

    #[test]
    fn tables_fit_into_eighty_columns_however_long_the_names() {
        let names = [
            "tarrasch@0123456789abcdef",
            "a-very-long-name-of-an-engine-that-somebody-built-last-night",
            "gnuchess-6.2.9-with-its-own-book",
            "seed",
        ];
        let fits = |text: &str| text.lines().all(|line| console::measure_text_width(line) <= 80);
        let four = text(&names, false, &round_robin());
        assert!(fits(&four) && four.contains('…'), "{four}");
        let two = text(&names[..2], true, &two_engine_match("wdwwldddwd"));
        assert!(two.lines().skip(1).all(fits) && two.contains("vs a-very-long-name"), "{two}");
        let many: Vec<String> = (1..=20).map(|engine| format!("engine-number-{engine}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(fits(&text(&many, false, &[])), "{}", text(&many, false, &[]));
    }

    #[test]
    fn a_narrow_terminal_breaks_no_number() {
        let names = ["tarrasch", "glaurung", "gnuchess", "seed"];
        let summary = Summary::new(&config(&names, false), &round_robin());
        let whole = SummaryText::new(&summary, false).to_string();
        let narrow = wrapped(&SummaryText::new(&summary, false).within(60).to_string(), 60);
        assert!(narrow.lines().all(|line| console::measure_text_width(line) <= 60), "{narrow}");
        assert!(whole.split_whitespace().all(|word| narrow.contains(word)), "{narrow}");
    }

    #[test]
    fn a_gauntlet_has_columns_for_the_challengers_alone() {
        let mut config = config(&["seed", "tarrasch", "glaurung"], false);
        config.format = Format::Gauntlet { challengers: 1 };
        let games = round_robin().into_iter().take(4).collect::<Vec<_>>();
        insta::assert_snapshot!(SummaryText::new(&Summary::new(&config, &games), false).to_string());
    }

    #[test]
    fn colour_changes_nothing_but_the_colour() {
        let summary = Summary::new(&config(&["new", "old"], true), &two_engine_match("wdlw"));
        let painted = SummaryText::new(&summary, true).to_string();
        assert!(painted.contains('\u{1b}'));
        assert_eq!(console::strip_ansi_codes(&painted), SummaryText::new(&summary, false).to_string());
    }
}
