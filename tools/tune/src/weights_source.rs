//! The table of weights as the source file that the evaluation is compiled from.

use std::fmt::Write;

use tarrasch::eval::feature::{GROUPS, Group};
use tarrasch::eval::{Score, WEIGHTS_SOURCE};

/// What the head of the file ends with.
const TABLE_BEGINS: &str = "] = [\n";

/// The text of the file with these weights: what stands before its table as it is, then a comment for each group, and
/// its weights in rows.
pub fn weights_source(weights: &[Score]) -> String {
    let head = WEIGHTS_SOURCE.find(TABLE_BEGINS).map_or(0, |at| at + TABLE_BEGINS.len());
    let mut text = WEIGHTS_SOURCE[..head].to_owned();
    for Group { name, first, len, per_row, .. } in GROUPS {
        let _ = writeln!(text, "    // {name}");
        for row in weights[first..first + len].chunks(per_row) {
            let row: Vec<String> = row.iter().map(|s| format!("s({:4}, {:4})", s.mg(), s.eg())).collect();
            let _ = writeln!(text, "    {},", row.join(", "));
        }
    }
    text + "];\n"
}

/// The nearest whole centipawns.
pub fn rounded(weights: &[[f64; 2]]) -> Vec<Score> {
    let whole = |weight: f64| weight.round() as i16;
    weights
        .iter()
        .map(|weight| Score::new(i32::from(whole(weight[0])), i32::from(whole(weight[1]))))
        .collect()
}

#[cfg(test)]
mod tests {
    use tarrasch::eval::{WEIGHTS, feature};

    use super::*;

    /// The pairs of numbers of a table.
    fn pairs(text: &str) -> Vec<(i32, i32)> {
        let table = text.split_once(TABLE_BEGINS).unwrap().1;
        let numbers = table.lines().filter(|line| !line.trim_start().starts_with("//"));
        let pair = |pair: &str| {
            let (mg, eg) = pair.split_once(')').unwrap().0.split_once(',').unwrap();
            (mg.trim().parse().unwrap(), eg.trim().parse().unwrap())
        };
        numbers.flat_map(|line| line.split("s(").skip(1).map(pair)).collect()
    }

    #[test]
    fn the_present_weights_make_the_present_file() {
        assert!(weights_source(&WEIGHTS) == WEIGHTS_SOURCE, "{}", weights_source(&WEIGHTS));
    }

    #[test]
    fn what_is_written_is_read_back_with_the_same_numbers() {
        let weights: Vec<Score> =
            (0..feature::COUNT as i32).map(|place| Score::new(place - 400, 32767 - 7 * place)).collect();
        let text = weights_source(&weights);
        let expected: Vec<(i32, i32)> = weights.iter().map(|weight| (weight.mg(), weight.eg())).collect();
        assert_eq!(pairs(&text), expected);
        for group in GROUPS {
            assert!(text.contains(&format!("    // {}\n    s(", group.name)), "{}", group.name);
        }
    }

    #[test]
    fn weights_are_rounded_to_the_nearest_centipawn() {
        let scores = rounded(&[[1.5, -1.4], [-0.49, 99_999.0]]);
        assert_eq!(scores, [Score::new(2, -1), Score::new(0, 32767)]);
    }
}
