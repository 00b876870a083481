//! The schemas of our JSON formats, generated from the types that are written, and a validator for them.

use std::{env, fs};

use arbiter::games::wdl::WdlReport;
use arbiter::openings::rating::BookRatings;
use arbiter::rating::sprt::SprtReport;
use arbiter::report::exports::ResultsJson;
use arbiter::results::RatingList;
use arbiter::results::adjudication::AdjudicationReport;
use arbiter::why::Explanation;
use runner::FinishReason;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

fn path(name: &str) -> String {
    format!("{}/docs/{name}.schema.json", concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

pub fn named(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path(name)).unwrap()).unwrap()
}

/// With `UPDATE_SCHEMAS` in the environment, the committed schemas are regenerated.
#[test]
fn the_committed_schemas_are_those_of_the_types() {
    fn is_current<T: JsonSchema>(name: &str, title: &str) {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let mut schema = generator.into_root_schema_for::<T>();
        schema.insert("title".to_owned(), json!(title));
        let text = serde_json::to_string_pretty(&schema).unwrap().replace("`None`", "null") + "\n";
        if env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::write(path(name), &text).unwrap();
        }
        let committed = fs::read_to_string(path(name)).unwrap();
        assert!(
            committed == text,
            "docs/{name}.schema.json: UPDATE_SCHEMAS=1 cargo test schemas makes it anew"
        );
    }
    is_current::<AdjudicationReport>("adjudication", "arbiter sprt adjudication --json");
    is_current::<BookRatings>("openings-rate", "arbiter openings rate --json");
    is_current::<RatingList>("rate", "arbiter rate --json");
    is_current::<SprtReport>("sprt", "arbiter sprt --json");
    is_current::<WdlReport>("wdl", "arbiter wdl --json");
    is_current::<ResultsJson>("report", "arbiter report --json");
    is_current::<Explanation>("why", "arbiter why --json");
}

/// The ways in which a value violates a schema. Panics at an unknown keyword, so that nothing goes unchecked.
pub fn problems(value: &Value, schema: &Value) -> Vec<String> {
    problems_at(value, schema, schema, "")
}

/// The violations of a rule by a part of a value, for the subset of JSON Schema that our schemas use.
fn problems_at(value: &Value, rule: &Value, root: &Value, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    let said =
        |is_so: bool, what: &str| if is_so { vec![] } else { vec![format!("{at}: {what}, found {value}")] };
    for (keyword, argument) in rule.as_object().unwrap() {
        found.extend(match keyword.as_str() {
            "$schema"
            | "$defs"
            | "title"
            | "description"
            | "required"
            | "additionalProperties"
            | "format"
            | "default" => Vec::new(),
            "$ref" => {
                let name = argument.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                problems_at(value, &root["$defs"][name], root, at)
            }
            "const" => said(value == argument, "expected a constant"),
            "enum" => said(argument.as_array().unwrap().contains(value), "expected one of a list"),
            "minimum" => said(value.is_null() || value.as_f64() >= argument.as_f64(), "expected more"),
            "maximum" => said(value.is_null() || value.as_f64() <= argument.as_f64(), "expected less"),
            "type" => {
                let types = argument.as_array().cloned().unwrap_or_else(|| vec![argument.clone()]);
                said(
                    types.iter().any(|name| has_type(value, name.as_str().unwrap())),
                    "expected another type",
                )
            }
            "anyOf" | "oneOf" => {
                let fits = |rule: &Value| problems_at(value, rule, root, at).is_empty();
                said(argument.as_array().unwrap().iter().any(fits), "expected something else")
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items
                    .flat_map(|(index, item)| problems_at(item, argument, root, &format!("{at}/{index}")))
                    .collect()
            }
            "minItems" | "maxItems" => {
                said(value.as_array().map(|list| list.len() as u64) == argument.as_u64(), "expected as many")
            }
            "propertyNames" => {
                let names = value.as_object().into_iter().flat_map(|fields| fields.keys());
                names
                    .flat_map(|name| problems_at(&json!(name), argument, root, &format!("{at}/{name}")))
                    .collect()
            }
            "properties" => field_problems(value, rule, root, at),
            other => panic!("{at}: the schema uses `{other}`, which this test does not know"),
        });
    }
    found
}

fn field_problems(value: &Value, rule: &Value, root: &Value, at: &str) -> Vec<String> {
    let Some(fields) = value.as_object() else { return Vec::new() };
    let required = rule["required"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap());
    let missing = required.filter(|name| !fields.contains_key(*name));
    let mut found: Vec<String> = missing.map(|name| format!("{at}: no `{name}`")).collect();
    for (name, field) in fields {
        match &rule["properties"][name] {
            Value::Null if rule["additionalProperties"] == json!(false) => {
                found.push(format!("{at}: `{name}` is not in the schema"));
            }
            Value::Null => {}
            known => found.extend(problems_at(field, known, root, &format!("{at}/{name}"))),
        }
    }
    found
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("`{other}` is no type"),
    }
}

#[test]
fn the_check_of_a_schema_checks_and_every_reason_to_end_is_in_it() {
    let schema = named("report");
    for reason in [FinishReason::GaveUp, FinishReason::GamesMissing] {
        let value = serde_json::to_value(reason).unwrap();
        assert_eq!(problems(&value, &schema["$defs"]["FinishReason"]), [""; 0]);
    }
    let broken = json!({ "kind": "gave_down" });
    assert_eq!(problems(&broken, &schema["$defs"]["FinishReason"]).len(), 1, "the check does not check");
}
