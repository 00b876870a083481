//! The site of a list: a page with the ratings, and the page and the games of each run.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::iter;
use std::path::Path;
use std::slice::from_ref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::html;

use super::list_file::{GAMES, ListFile, name_of};
use super::standing::{ListedRun, Standing};
use super::written_runs::{WrittenRun, WrittenRuns};
use crate::files::write_named;
use crate::html::{Page, Section};
use crate::options::machine;
use crate::rating::{RepeatedGames, pgn_results};
use crate::report::page::{RatingRow, RatingTable, RunReport};
use crate::results::RatingList;
use crate::text::number_text::{counted, elo, limits, los, percent, ptnml};
use crate::text::{Table, csv_text};
use runner::EngineConfig;
use runner::untrusted_files::create_anew;
use stats::{EloEstimate, Pentanomial};

/// Writes the site: the list, its ratings as text, CSV and JSON, and for each run its page and its games.
pub fn write_site(title: &str, list: &ListFile, standing: &Standing, out: &Path) -> Result<()> {
    let ratings = standing.ratings()?;
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let (next, known) = (AtomicUsize::new(0), WrittenRuns::read(out));
    let write_runs = || {
        let next = || standing.runs.get(next.fetch_add(1, Ordering::Relaxed));
        let write = |run: &ListedRun| Ok((name_of(&run.folder), write_run(run, out, &known)?));
        iter::from_fn(next).map(write).collect::<Result<Vec<_>>>()
    };
    let written = thread::scope(|scope| {
        let writers: Vec<_> = (0..machine::cores()).map(|_| scope.spawn(write_runs)).collect();
        let written =
            writers.into_iter().map(|writer| writer.join().unwrap_or_else(|_| bail!("a thread panicked")));
        written.collect::<Result<Vec<_>>>()
    })?;
    known.replace(written.into_iter().flatten(), out);
    let met = meetings(standing, ratings);
    let mut document = ratings.document();
    document.gap();
    document.table(meetings_table(&met));
    for (name, text) in [
        ("ratings.txt", document.terminal(false)),
        ("meetings.csv", meetings_csv(&met)?),
        ("ratings.json", serde_json::to_string_pretty(ratings)? + "\n"),
        ("ratings.csv", ratings_csv(ratings)?),
        ("index.html", index(title, list, standing, ratings, &met)),
    ] {
        let file = out.join(name);
        write_named(&file, text).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Writes the page and the games of a run, unless the site has them. Returns their record for the next time.
fn write_run(run: &ListedRun, out: &Path, known: &WrittenRuns) -> Result<Option<WrittenRun>> {
    let games = run.folder.join(GAMES);
    let [page, copy] = ["html", "pgn"].map(|ending| out.join(of_run(run, ending)));
    let as_they_are = || WrittenRun::of(run, &[&page, &copy]);
    let present = as_they_are();
    if known.has(run, present.as_ref()) {
        return Ok(present);
    }
    let report = match run.config {
        Some(_) => RunReport::of_folder(&run.folder)?,
        None => RunReport::of(pgn_results::read(from_ref(&games), None, RepeatedGames::Drop)?),
    };
    report.write(&page)?;
    File::open(&games)
        .and_then(|mut from| io::copy(&mut from, &mut create_anew(&copy)?))
        .with_context(|| games.display().to_string())?;
    Ok(as_they_are())
}

fn of_run(run: &ListedRun, ending: &str) -> String {
    format!("run-{}.{ending}", name_of(&run.folder))
}

/// A row for each player. Infinite numbers are `inf` and `-inf`, unknown values are empty.
fn ratings_csv(ratings: &RatingList) -> csv::Result<String> {
    let rows = ratings.players.iter().map(|player| {
        let (rating, results) = (player.rated.rating, player.rated.results);
        let ends = rating.map(|it| [it.elo, it.lower, it.upper].map(|elo| format!("{elo:.2}")));
        let next = player.cfs_next.map(|los| format!("{:.4}", los.probability()));
        (&player.name, ends.unwrap_or_default(), results.wins, results.draws, results.losses, next)
    });
    csv_text("player,rating,lower,upper,wins,draws,losses,better_than_next", rows)
}

fn index(
    title: &str,
    list: &ListFile,
    standing: &Standing,
    ratings: &RatingList,
    met: &[(&str, &str, Pentanomial)],
) -> String {
    let header = html! {
        p.over { "Rating list" }
        h1 { (title) }
        p.state { (counted(standing.games(), "game")) " between " (counted(ratings.players.len() as u64, "player")) }
    };
    let faults = standing.faults_table();
    let faults = html! {
        @if standing.faults.is_empty() { p { "No engine lost a game by a fault." } } @else { (faults) }
        @for line in standing.remarks(list) { p { (line) } }
    };
    let runs = html! {
        ul {
            @for run in &standing.runs {
                li {
                    a href=(of_run(run, "html")) { "Run " (name_of(&run.folder)) } ", " (counted(run.games.into(), "game"))
                    ", " a href=(of_run(run, "pgn")) { "PGN" }
                }
            }
        }
    };
    let head_to_head = html! {
        (meetings_table(met))
        p { "As " a href="meetings.csv" { "CSV" } "." }
    };
    let versions = versions(list, ratings);
    let versions = (!versions.is_empty()).then(|| {
        let tables = html! { @for table in &versions { (table) } };
        Section::new("versions", "Versions", "Versions over time", &tables)
    });
    let sections = [Section::new("ratings", "Ratings", "Ratings", &ratings_section(list, ratings))];
    let others = [
        Section::new("meetings", "Head to head", "Head to head", &head_to_head),
        Section::new("conditions", "Conditions", "Conditions", &conditions(list)),
        Section::new("faults", "Faults", "Faults", &faults),
        Section::new("runs", "Runs", "Runs and games", &runs),
    ];
    let sections = sections.into_iter().chain(versions).chain(others).collect();
    Page { title, header, sections }.html()
}

fn ratings_section(list: &ListFile, ratings: &RatingList) -> maud::Markup {
    let is_retired = |name: &str| list.retired.iter().any(|retired| retired.engine.name == name);
    let table = |group: Option<usize>| {
        let rows = ratings.players_of(group).enumerate().map(|(place, player)| {
            let better = player.cfs_next.map_or("–".to_owned(), |better| los(better, 1));
            let score = player.score.map_or("–".to_owned(), percent);
            let left = if is_retired(&player.name) { ", retired" } else { "" };
            let name = format!("{}.\u{a0}{}{left}", place + 1, player.name);
            let cells = vec![player.rated.results.games().to_string(), score, better];
            RatingRow::new(name, 0, player.rated.rating, cells)
        });
        let headings = vec!["Elo (95%)", "Games", "Score", "Better than the next"];
        RatingTable { headings, rows: rows.collect(), has_swatches: false }
    };
    let tables = (0..ratings.groups.len()).map(Some).chain([None]).map(table);
    html! {
        p {
            "Relative to the average of the players, or to the anchors; players of different tables cannot be compared. As "
            a href="ratings.txt" { "text" } ", " a href="ratings.csv" { "CSV" } ", " a href="ratings.json" { "JSON" } "."
        }
        @for table in tables.filter(|table| !table.rows.is_empty()) { (table) }
    }
}

/// For each engine with several versions, `NAME@REVISION`, a table of these by the dates of their commits.
fn versions(list: &ListFile, ratings: &RatingList) -> Vec<RatingTable> {
    let table = |versions: BTreeSet<(Timestamp, &str)>| {
        let rows = versions.into_iter().filter_map(|(date, name)| {
            let player = ratings.players.iter().find(|player| player.name == name)?;
            let day = date.to_zoned(TimeZone::system()).date().to_string();
            let cells = vec![player.rated.results.games().to_string(), day];
            Some(RatingRow::new(name.to_owned(), 0, player.rated.rating, cells))
        });
        RatingTable {
            headings: vec!["Elo (95%)", "Games", "Commit"],
            rows: rows.collect(),
            has_swatches: false,
        }
    };
    list.versions().into_values().map(table).filter(|table| table.rows.len() > 1).collect()
}

/// Every two players that met, the better one first, and their pairs.
fn meetings<'s>(standing: &'s Standing, ratings: &RatingList) -> Vec<(&'s str, &'s str, Pentanomial)> {
    let place = |name: &str| ratings.players.iter().position(|player| player.name == name);
    let met = standing.meetings().filter(|(.., pairs)| pairs.pairs() > 0);
    let best_first = met.map(|(one, other, pairs)| {
        if place(one) <= place(other) { (one, other, pairs) } else { (other, one, pairs.reversed()) }
    });
    let mut met: Vec<_> = best_first.collect();
    met.sort_by_key(|(one, other, _)| (place(one), place(other)));
    met
}

/// The meetings, with the difference from these pairs alone.
fn meetings_table(met: &[(&str, &str, Pentanomial)]) -> Table {
    let mut table = Table::new(["Players", "Elo (95%)", "Score", "Ptnml(0-2)"]);
    for (one, other, pairs) in met {
        let score = pairs.score();
        let lead = elo(&EloEstimate::new(&score));
        table.plain([format!("{one} – {other}"), lead, percent(score.mean()), ptnml(pairs)]);
    }
    table
}

/// A row for each two players that met: their pairs by the points of the better player, from 0 to 2.
fn meetings_csv(met: &[(&str, &str, Pentanomial)]) -> csv::Result<String> {
    let rows = met.iter().map(|(one, other, pairs)| (one, other, pairs.counts()));
    csv_text("player,opponent,pairs_0,pairs_0.5,pairs_1,pairs_1.5,pairs_2", rows)
}

fn conditions(list: &ListFile) -> maud::Markup {
    let engine = |engine: &EngineConfig| {
        let options = engine.options.iter().map(ToString::to_string);
        let hash = engine.sha256.iter().map(|hash| format!("SHA-256 {}", hash.get(..16).unwrap_or(hash)));
        let own = engine.limits.iter().map(limits);
        engine.revision.iter().cloned().chain(own).chain(options).chain(hash).collect::<Vec<_>>().join(", ")
    };
    html! {
        p { (list.conditions()) }
        dl.facts { @for it in list.all_engines() { dt { (it.name) } dd { (engine(it)) } } }
    }
}
