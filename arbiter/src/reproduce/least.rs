//! Finds a minimal reproducer: leaves out parts of a script and simplifies lines while the fault stays as frequent.

use runner::Termination;
use std::time::Duration;

use uci::{Command, Go, StartPosition};

use super::script::{Script, SentLine};

/// Leaves out and simplifies whatever `comes` does not need. It tries to keep only the last search, then only the last
/// game, and then removes parts by delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
/// Input", 2002). Pauses, earlier moves and limits are simplified last.
pub fn least(script: &Script, comes: &mut impl FnMut(&Script) -> bool) -> Script {
    let mut best = script.clone();
    let settings = best.settings();
    let last = best.parts().len() - 1;
    let game = best.parts().iter().rposition(|part| part[0].word() == "ucinewgame").unwrap_or_default();
    let alone = best.with_parts(|index| index < settings || index == last);
    let one_game = best.with_parts(|index| index < settings || index >= game);
    if !attempt(&mut best, alone, comes) {
        attempt(&mut best, one_game, comes);
    }
    leave_out(&mut best, comes);
    end_sooner(&mut best, comes);
    simplify(&mut best, comes);
    leave_out(&mut best, comes);
    end_sooner(&mut best, comes);
    best
}

/// Drops parts from the end, which are not needed if an earlier search already shows the fault.
fn end_sooner(best: &mut Script, comes: &mut impl FnMut(&Script) -> bool) {
    loop {
        let last = best.parts().len() - 1;
        let candidate = best.with_parts(|index| index != last);
        if !candidate.lines.iter().any(SentLine::is_search) || !attempt(best, candidate, comes) {
            return;
        }
    }
}

/// Accepts a candidate if it differs and still shows the fault.
fn attempt(best: &mut Script, candidate: Script, comes: &mut impl FnMut(&Script) -> bool) -> bool {
    let is_taken = candidate.lines != best.lines && comes(&candidate);
    if is_taken {
        *best = candidate;
    }
    is_taken
}

/// Delta debugging of the parts between the handshake and the last part, in halves, quarters and so on.
fn leave_out(best: &mut Script, comes: &mut impl FnMut(&Script) -> bool) {
    let mut pieces = 2;
    loop {
        let parts = best.parts().len();
        let removable = parts.saturating_sub(2);
        if removable == 0 {
            return;
        }
        let length = removable.div_ceil(pieces);
        // Backwards, so that a removal does not shift the parts still to be tried.
        let mut is_shorter = false;
        for from in (1..=removable).step_by(length).collect::<Vec<_>>().into_iter().rev() {
            let cut = from..(from + length).min(removable + 1);
            let candidate = best.with_parts(|index| !cut.contains(&index));
            is_shorter |= attempt(best, candidate, comes);
        }
        if length == 1 && !is_shorter {
            return;
        }
        pieces = (pieces * 2).min(best.parts().len().max(3) - 2).max(1);
    }
}

/// Returns simpler versions of a line, the simplest first.
type Step<'a> = &'a dyn Fn(&SentLine) -> Vec<SentLine>;

/// Simplifies lines in steps, one kind at a time: first all lines at once, then one by one.
fn simplify(best: &mut Script, comes: &mut impl FnMut(&Script) -> bool) {
    let is_timed = matches!(best.head.fault.kind, Some(Termination::TimeLoss | Termination::Stall));
    let variant = best.head.variant;
    let steps: [Step<'_>; 3] = [
        &|line| {
            vec![
                SentLine { gap: Duration::ZERO, ..line.clone() },
                SentLine { gap: rounded(line.gap), ..line.clone() },
            ]
        },
        &|line| {
            let fen = line.position(variant).map(|board| StartPosition::Fen(board.fen()));
            let text = fen.map(|start| Command::Position { start, moves: Vec::new() }.to_string());
            let is_shorter = |text: &String| line.text.contains(" moves ") && *text != line.text;
            text.filter(is_shorter).map(|text| SentLine { text, ..line.clone() }).into_iter().collect()
        },
        &|line| simpler_searches(line, is_timed),
    ];
    for step in steps {
        let mut all = best.clone();
        for line in &mut all.lines {
            *line = step(line).into_iter().next().unwrap_or_else(|| line.clone());
        }
        if attempt(best, all, comes) {
            continue;
        }
        for index in (0..best.lines.len()).rev() {
            for simpler in step(&best.lines[index]) {
                let mut candidate = best.clone();
                candidate.lines[index] = simpler;
                if attempt(best, candidate, comes) {
                    break;
                }
            }
        }
    }
}

/// Depth or nodes instead of time, a time instead of clocks, and round numbers; the simplest first.
fn simpler_searches(line: &SentLine, is_timed: bool) -> Vec<SentLine> {
    let Ok(Command::Go(go)) = line.text.parse() else { return Vec::new() };
    let mut found = Vec::new();
    let has_time = go.wtime.or(go.btime).or(go.movetime).is_some();
    if let Some((depth, nodes)) = line.reached.filter(|_| has_time && !is_timed && !go.ponder) {
        found.push(Go { depth: Some(depth), ..Go::default() });
        found.push(Go { depth: Some(depth + 1), ..Go::default() });
        found.push(Go { nodes: Some(round_up(nodes)), ..Go::default() });
        found.push(Go { nodes: Some(round_up(nodes * 10)), ..Go::default() });
    }
    if has_time {
        let round = |time: Option<Duration>| time.map(rounded);
        let times =
            Go { wtime: round(go.wtime), btime: round(go.btime), movetime: round(go.movetime), ..go.clone() };
        found.push(Go { winc: None, binc: None, movestogo: None, ..times.clone() });
        found.push(Go { winc: round(go.winc), binc: round(go.binc), ..times });
    }
    let lines = found.into_iter().map(|go| SentLine { text: Command::Go(go).to_string(), ..line.clone() });
    lines.filter(|simpler| simpler.text != line.text).collect()
}

/// Rounds to one significant digit.
fn rounded(time: Duration) -> Duration {
    let millis = time.as_millis() as u64;
    let unit = 10_u64.pow(millis.max(1).ilog10());
    Duration::from_millis((millis + unit / 2) / unit * unit)
}

/// Rounds up to the next larger number with one significant digit.
fn round_up(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(1).ilog10());
    (number / unit + 1) * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::script::tests::script;

    fn texts(script: &Script) -> Vec<&str> {
        script.lines.iter().map(|line| line.text.as_str()).collect()
    }

    fn long_script() -> Script {
        let mut lines = vec!["uci".to_owned()];
        lines.extend((0..6).map(|number| format!("setoption name O{number} value {number}")));
        lines.push("isready".to_owned());
        for game in 0..3 {
            lines.extend(["ucinewgame".to_owned(), "isready".to_owned()]);
            let mut moves = String::new();
            for step in 0..20 {
                lines.push(format!("position startpos moves g1f3 g8f6{moves}"));
                lines.push(format!("go wtime {} btime 7777 winc 13", 9000 - game * 1000 - step));
                moves += if step % 2 == 0 { " f3g1 f6g8" } else { " g1f3 g8f6" };
            }
        }
        let mut script = script(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        for line in &mut script.lines {
            line.gap = Duration::from_millis(17);
            line.reached = line.is_search().then_some((9, 1234));
        }
        script
    }

    #[test]
    fn what_a_fault_needs_of_an_earlier_game_stays_and_nothing_else() {
        let needed = |script: &Script| {
            let texts = texts(script);
            let stale = texts.iter().position(|text| text.contains("wtime 8990 "));
            let option = texts.contains(&"setoption name O3 value 3");
            let paused = script.lines.last().is_some_and(|line| !line.gap.is_zero());
            option
                && paused
                && stale.is_some_and(|at| at + 1 < texts.len())
                && texts[texts.len() - 1].contains("btime 7777")
        };
        let mut start = long_script();
        start.head.fault.kind = Some(Termination::TimeLoss);
        let mut tried = 0;
        let found = least(&start, &mut |script| {
            tried += 1;
            needed(script)
        });
        let lines = texts(&found);
        assert!(lines.len() == 6 && lines[1] == "setoption name O3 value 3", "{lines:?}");
        assert_eq!(found.lines[5].gap, Duration::from_millis(20));
        assert!(tried < 150, "{tried}");
    }

    #[test]
    fn numbers_become_round() {
        let texts = |text: &str, reached| {
            let line = SentLine { reached, ..SentLine::new(text) };
            simpler_searches(&line, false).into_iter().map(|line| line.text).collect::<Vec<_>>()
        };
        assert_eq!(
            texts("go wtime 12345 btime 999 winc 10", Some((9, 1234))),
            [
                "go depth 9",
                "go depth 10",
                "go nodes 2000",
                "go nodes 20000",
                "go wtime 10000 btime 1000",
                "go wtime 10000 btime 1000 winc 10"
            ]
        );
        assert!(texts("go nodes 500", Some((3, 500))).is_empty());
        assert_eq!(texts("go movetime 100", None), Vec::<String>::new());
    }
}
