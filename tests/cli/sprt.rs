//! `arbiter sprt`: what results say, wherever they come from.

use crate::workbench::Workbench;

/// What the command says with these arguments, and ends with this code.
fn sprt(bench: &Workbench, args: &[&str], code: i32) -> String {
    bench.run(&[&["sprt"], args].concat()).expect_code(code).stdout()
}

fn assert_has(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "expected `{word}` in:\n{text}");
    }
}

#[test]
fn the_exit_code_is_the_verdict_of_the_test() {
    let bench = Workbench::new();
    let accepted = sprt(&bench, &["--ptnml", "199,1517,3095,1685,234", "--sprt", "0,3", "--beta", "0.1"], 0);
    assert_has(
        &accepted,
        &["+6.14 ± 3.55", "+10.16 ± 5.87", "99.97%", "LLR           2.89 in (-2.25, 2.89)", "H1"],
    );
    let rejected =
        sprt(&bench, &["--wdl", "21404,40708,29184", "--sprt", "0.5,2.5", "--model", "logistic"], 1);
    assert_has(&rejected, &["for Elo [0.5, 2.5]: H0 accepted"]);
    assert_has(&sprt(&bench, &["--wdl", "1,2,3", "--sprt", "-3,0"], 3), &["undecided"]);
    assert!(!sprt(&bench, &["--wdl", "1,2,3"], 0).contains("LLR"));
}

#[test]
fn counts_are_taken_as_other_programs_print_them() {
    let bench = Workbench::new();
    let plain = sprt(&bench, &["--ptnml", "1,2,3,4,5"], 0);
    assert_eq!(sprt(&bench, &["--ptnml", "[1, 2, 3, 4, 5]"], 0), plain);
}

#[test]
fn json_has_every_figure() {
    let bench = Workbench::new();
    let text = sprt(&bench, &["--ptnml", "0,0,0,0,9", "--sprt", "0,5", "--json"], 3);
    let report: arbiter::report::SprtReport = serde_json::from_str(&text).unwrap();
    assert_eq!((report.schema, report.games, report.pair_ratio), (1, 18, None));
    assert!(report.elo.upper.value().is_infinite() && report.elo.lower.value() > 0.0);
    assert!(report.sprt.unwrap().llr.value() > 0.0);
}
