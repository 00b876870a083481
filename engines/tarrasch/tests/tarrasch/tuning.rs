//! The parameters of the search as options, in the build for tuning (`--features tuning`).

use super::command_line::{lines, refusal};

/// The node count of a bench after some commands.
fn bench_after(commands: &[&str], depth: u32) -> String {
    let mut found = lines(&[commands, &[&format!("bench {depth}")]].concat()).into_iter();
    found.find(|line| line.starts_with("Nodes searched")).unwrap()
}

#[test]
fn parameters_are_options_that_change_the_search() {
    let options = lines(&["uci"]);
    let spsa = lines(&["spsa"]);
    assert!(spsa.len() > 40, "{spsa:?}");
    // The reduction of a null move takes a shallow search to its end, whatever is added to it: hence several depths.
    let usual = [6, 9, 11].map(|depth| (depth, bench_after(&[], depth)));
    let mut defaults = Vec::new();
    for line in &spsa {
        let fields: Vec<&str> = line.split(", ").collect();
        let [name, "int", value, min, max, c_end, "0.002"] = fields[..] else { panic!("{line}") };
        assert!(c_end.parse::<f64>().unwrap() >= 0.5, "{line}");
        let option = format!("option name {name} type spin default {value} min {min} max {max}");
        assert!(options.contains(&option), "{option}");
        let set = |value: &str| format!("setoption name {name} value {value}");
        let changes_bench = || {
            usual.iter().any(|(depth, nodes)| {
                [min, max].into_iter().any(|value| bench_after(&[&set(value)], *depth) != *nodes)
            })
        };
        // A bench has no clock.
        assert!(name.starts_with("time_") || changes_bench(), "{name} has no effect on the bench");
        defaults.push(set(value));
    }
    let defaults: Vec<&str> = defaults.iter().map(String::as_str).collect();
    assert_eq!(bench_after(&defaults, 9), usual[1].1);
}

#[test]
fn the_input_of_spsa_has_the_values_that_are_set() {
    let set = lines(&["setoption name futility_margin value 77", "spsa"]);
    assert!(set.iter().any(|line| line.starts_with("futility_margin, int, 77, ")), "{set:?}");
    assert!(refusal(&["setoption name futility_margin value 5000"]).contains("range"));
}
