//! Configurations as users write them and as runs record them.

use super::*;

const BY_HAND: &str = r#"
    games = 200
    concurrency = 2
    [limits]
    clock = "10+0.1"
    [book]
    path = "balanced.epd"
    seed = 7
    [adjudication]
    draw = "move=40,count=8,score=10"
    [[engine]]
    name = "new"
    program = "target/release/tarrasch"
    options = ["Hash=16", "Clear Hash"]
    [[engine]]
    name = "old"
    program = "/opt/old/tarrasch"
    limits = { nodes = 5000 }
"#;

#[test]
fn what_a_user_writes_is_what_a_run_records_and_an_unknown_name_is_an_error_that_says_where() {
    let config: RunConfig = toml::from_str(BY_HAND).unwrap();
    assert_eq!(config.limits_of(1).nodes, Some(5000));
    assert_eq!(config.engines[0].options[0].value.as_deref(), Some("16"));
    let recorded = toml::to_string(&config).unwrap();
    assert_eq!(toml::from_str::<RunConfig>(&recorded).unwrap(), config);
    let text = BY_HAND.replace("seed = 7", "sead = 7");
    let message = toml::from_str::<RunConfig>(&text).unwrap_err().to_string();
    assert!(message.contains("sead") && message.contains("line 8"), "{message}");
}

#[test]
fn what_a_user_leaves_out_is_what_a_new_configuration_has() {
    let text = "games = 2\n[book]\npath = 'a.epd'\n[[engine]]\nname = 'new'\nprogram = 'x'\n";
    let engine = EngineConfig { name: "new".to_owned(), program: "x".into(), ..EngineConfig::default() };
    let config = RunConfig::of(2, BookConfig::of("a.epd"), vec![engine]);
    assert_eq!(toml::from_str::<RunConfig>(text).unwrap(), config);
}

#[test]
fn a_seed_that_toml_has_no_integer_for_is_a_text() {
    let mut config: RunConfig = toml::from_str(BY_HAND).unwrap();
    config.book.seed = u64::MAX;
    let recorded = toml::to_string(&config).unwrap();
    assert!(recorded.contains("seed = \"18446744073709551615\""), "{recorded}");
    assert_eq!(toml::from_str::<RunConfig>(&recorded).unwrap(), config);
    for wrong in ["-1", "'x'", "1.5"] {
        let text = BY_HAND.replace("seed = 7", &format!("seed = {wrong}"));
        let message = toml::from_str::<RunConfig>(&text).unwrap_err().to_string();
        assert!(message.contains("a whole number from 0 to 2^64 - 1"), "{message}");
    }
}
