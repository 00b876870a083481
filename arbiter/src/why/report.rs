//! Explains in words why a match ended as it did: three sentences, where the points went, and positions.

use super::causes::CauseKind;
use super::explanation::Explanation;
use super::groups::Group;
use super::positions::WeakPosition;
use crate::text::number_text::{counted, in_elo, percent_to, probability, signed, thousands};
use crate::text::{Document, Line, Table, Tone};

const GROUPS: usize = 6;
const POSITIONS: usize = 4;

const TECHNIQUES: usize = 4;

/// The width of the longest bar, in columns.
const BAR: f64 = 12.0;

/// Three sentences: what happened, why, and where.
pub fn sentences(explanation: &Explanation) -> [String; 3] {
    let [new, old] = &explanation.names;
    let (lost, games) = (explanation.lost, explanation.games);
    let verb = if lost >= 0.0 { "behind" } else { "ahead of" };
    let result = format!(
        "{new} is {:.1} points {verb} an even score against {old} in {} ({})",
        lost.abs(),
        counted(games, "game"),
        in_elo(&explanation.elo)
    );
    let result = match (explanation.is_decided(), explanation.has_no_difference()) {
        (false, true) => {
            format!("{result}: by no more than chance, and nothing differs by more than chance.")
        }
        (false, false) => format!("{result}: the result may be chance, but not what follows."),
        (true, _) => format!("{result}."),
    };
    let why = match &explanation.reasons()[..] {
        [] => match explanation.causes.iter().find(|cause| cause.differs) {
            Some(cause) => format!("Nothing that differs speaks against {new}; it {}.", cause.sentence),
            None => {
                "Neither faults, speed, time, depth nor own scores tell the two apart by more than chance."
                    .to_owned()
            }
        },
        [first] => format!("{new} {}.", first.sentence),
        [first, second, ..] => format!("{new} {}; besides, it {}.", first.sentence, second.sentence),
    };
    let weaknesses = explanation.weaknesses();
    let others = weaknesses.iter().filter(|group| group.stands_out).count().saturating_sub(1);
    let place = match weaknesses.first() {
        None => "It loses points in no kind of position by more than chance.".to_owned(),
        Some(group) if group.stands_out => format!(
            "More than its share of the points went in {}, {}: {:.1} by worse moves there ({} of all moves).",
            match others {
                0 => "one place".to_owned(),
                others => format!("{} places, most in one", others + 1),
            },
            group.name,
            group.worse,
            percent_to(group.frequency, 0)
        ),
        Some(_) => "The points went evenly: no kind of position has more than its share.".to_owned(),
    };
    [result, why, place]
}

/// Possible causes that were checked and ruled out.
fn excluded(explanation: &Explanation) -> String {
    let mut parts = Vec::new();
    let compared = explanation.causes.len() + explanation.groups.len();
    if explanation.faults == [0, 0] {
        parts.push("no faults".to_owned());
    } else {
        let [new, old] = explanation.faults;
        let points = signed(explanation.shares.faults, 1);
        parts.push(format!("faults {new}, its opponent {old} ({points} points)"));
    }
    for (kind, name) in [(CauseKind::Speed, "NPS"), (CauseKind::Depth, "depth")] {
        match explanation.causes.iter().find(|cause| cause.kind == kind) {
            None => parts.push(format!("{name} not compared")),
            Some(cause) if cause.differs => parts.push(cause.sentence.clone()),
            Some(cause) => {
                let p = probability(cause.p_value);
                parts.push(format!("no significant difference in {name} ({p} in {compared} comparisons)"));
            }
        }
    }
    let timed: Vec<_> = explanation.causes.iter().filter(|cause| cause.kind == CauseKind::Time).collect();
    if !timed.is_empty() && timed.iter().all(|cause| !cause.differs) {
        parts.push("no significant difference in time per move".to_owned());
    }
    parts.join("; ")
}

fn groups_table(explanation: &Explanation, most: usize) -> Option<Table> {
    let groups = explanation.weaknesses();
    if groups.is_empty() {
        return None;
    }
    let most_lost = groups.iter().map(|group| group.worse).fold(0.0, f64::max);
    let headings = ["Where", "Points", "95%", "", "Share", "Of moves", "Cost/100", "Opponent"];
    let mut table = Table::new(headings).left(&[3, 4]);
    for group in groups.into_iter().take(most) {
        let Group { name, worse, interval, frequency, cost, stands_out, .. } = group;
        let bar = "█".repeat((BAR * worse / most_lost).round().max(1.0) as usize);
        let tone = if *stands_out { Tone::Strong } else { Tone::Plain };
        table.row([
            ((*name).to_owned(), tone),
            (signed(-worse, 1), tone),
            (format!("{} to {}", signed(-interval[1], 1), signed(-interval[0], 1)), Tone::Faint),
            (bar, Tone::Bad),
            (if *stands_out { "more" } else { "" }.to_owned(), Tone::Plain),
            (percent_to(*frequency, 0), Tone::Plain),
            (format!("{:.2}", cost[0]), Tone::Plain),
            (format!("{:.2}", cost[1]), Tone::Plain),
        ]);
    }
    Some(table)
}

/// The report for a terminal, in about twenty lines; if `is_whole`, it lists every difference.
pub fn document(explanation: &Explanation, is_whole: bool) -> Document {
    let mut document = Document::default();
    if !is_whole {
        document.lines(sentences(explanation));
        document.gap();
    }
    let shares = explanation.shares;
    let parts = [("moves", shares.moves), ("faults", shares.faults), ("adjudication", shares.adjudication)];
    let parts = parts.iter().filter(|(name, points)| *name == "moves" || points.abs() >= 0.05);
    let parts: Vec<String> = parts.map(|(name, points)| format!("{name} {}", signed(-points, 1))).collect();
    document.line(Line::from("Checked first: ").and(excluded(explanation), Tone::Plain));
    document.line(format!("Where the points went: {}", parts.join(", ")));
    let reasons = explanation.reasons();
    if reasons.len() > 2 {
        let most = if is_whole { usize::MAX } else { 3 };
        document.lines(reasons.iter().skip(2).take(most).map(|cause| format!("Also: {}", cause.sentence)));
    }
    document.gap();
    if let Some(table) = groups_table(explanation, if is_whole { usize::MAX } else { GROUPS }) {
        document.table(table);
        document.gap();
    }
    document.lines(techniques(&explanation.positions));
    if !is_whole {
        document.lines(explanation.positions.iter().take(POSITIONS).map(position_line));
        let referee = &explanation.referee;
        document.line(Line::default().and(
            format!(
                "{} of {} games; {} looked at each position with {} nodes, and at {} with {}",
                referee.games[0],
                referee.games[1],
                referee.name,
                thousands(referee.nodes),
                thousands(referee.deep),
                thousands(referee.deep_nodes)
            ),
            Tone::Faint,
        ));
    }
    document
}

/// The techniques without which most errors disappear, with the number of trials that erred.
fn techniques(positions: &[WeakPosition]) -> Option<String> {
    let erred: Vec<_> =
        positions.iter().flat_map(|position| &position.trials).filter(|trial| trial.errs).collect();
    let mut mended: Vec<(&String, usize)> = Vec::new();
    for technique in erred.iter().flat_map(|trial| &trial.mended_by) {
        match mended.iter_mut().find(|(known, _)| *known == technique) {
            Some((_, count)) => *count += 1,
            None => mended.push((technique, 1)),
        }
    }
    mended.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let told = mended.iter().take(TECHNIQUES).map(|(technique, count)| format!("{technique} {count}"));
    let told = told.collect::<Vec<_>>().join(", ");
    (!told.is_empty()).then(|| format!("Of {} searches that err, so many do not with {told}", erred.len()))
}

fn position_line(position: &WeakPosition) -> String {
    let WeakPosition { game, number, played, best, cost, fen, .. } = position;
    let best = best.first().map_or("", String::as_str);
    format!("game {game}, {number} {} costs {cost:.2}, {best} is right: {fen}", played[0])
}
