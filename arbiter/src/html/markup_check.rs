//! Test helpers that check that pages are well-formed XML, which HTML allows.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    attributes: Vec<(String, String)>,
    is_closed: bool,
}

impl Tag {
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    fn read(text: &str) -> Result<Tag, String> {
        let is_closed = text.ends_with('/');
        let mut rest = text.trim_end_matches('/').trim();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        rest = rest[end..].trim_start();
        let mut attributes = Vec::new();
        while !rest.is_empty() {
            let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
            let key = rest[..end].to_owned();
            rest = &rest[end..];
            let mut value = String::new();
            if let Some(quoted) = rest.strip_prefix("=\"") {
                let end = quoted.find('"').ok_or_else(|| format!("<{text}>: an open quote"))?;
                quoted[..end].clone_into(&mut value);
                rest = &quoted[end + 1..];
            } else if rest.starts_with('=') {
                return Err(format!("<{text}>: a value without quotes"));
            }
            attributes.push((key, value));
            rest = rest.trim_start();
        }
        Ok(Tag { name, attributes, is_closed })
    }
}

const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];

/// The faults of a page, including duplicate anchors and links to missing ones.
pub fn problems(html: &str) -> Vec<String> {
    walk(html).1
}

pub fn tags(html: &str) -> Vec<Tag> {
    walk(html).0
}

fn walk(html: &str) -> (Vec<Tag>, Vec<String>) {
    let (mut tags, mut problems, mut open) = (Vec::new(), Vec::new(), Vec::<String>::new());
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let Some((text, after)) = rest.split_once('>') else {
            problems.push("a tag that has no end".to_owned());
            break;
        };
        rest = after;
        if text.starts_with('!') {
            continue;
        }
        if let Some(name) = text.strip_prefix('/') {
            if open.pop().as_deref() != Some(name) {
                problems.push(format!("</{name}> closes nothing"));
            }
            continue;
        }
        match Tag::read(text) {
            Err(problem) => problems.push(problem),
            Ok(tag) => {
                if matches!(tag.name.as_str(), "script" | "style") {
                    let end = format!("</{}>", tag.name);
                    rest = rest.split_once(&end).map_or("", |(_, after)| after);
                } else if !tag.is_closed && !VOID.contains(&tag.name.as_str()) {
                    open.push(tag.name.clone());
                }
                tags.push(tag);
            }
        }
    }
    problems.extend(open.into_iter().map(|name| format!("<{name}> is never closed")));
    problems.extend(anchor_problems(&tags));
    (tags, problems)
}

fn anchor_problems(tags: &[Tag]) -> Vec<String> {
    let mut ids: Vec<String> = tags.iter().filter_map(|tag| tag.attribute("id")).collect();
    ids.sort_unstable();
    let twice =
        ids.windows(2).filter(|two| two[0] == two[1]).map(|two| format!("id {} is there twice", two[0]));
    // The viewer's script handles links to games.
    let links = tags.iter().filter_map(|tag| tag.attribute("href")?.strip_prefix('#').map(str::to_owned));
    let lost = links.filter(|target| !target.starts_with("game-") && ids.binary_search(target).is_err());
    twice.chain(lost.map(|target| format!("#{target} leads nowhere"))).collect()
}

#[test]
fn what_is_wrong_is_found() {
    for (html, problem) in [
        ("<p>a<b>c</p></b>", "</p> closes nothing"),
        ("<p>", "<p> is never closed"),
        ("<p id=x></p>", "<p id=x>: a value without quotes"),
        ("<a href=\"#x\"></a>", "#x leads nowhere"),
        ("<p id=\"x\"></p><p id=\"x\"></p>", "id x is there twice"),
    ] {
        assert_eq!(problems(html).first().map(String::as_str), Some(problem), "{html}");
    }
    assert_eq!(
        problems("<!DOCTYPE html><br/><p id=\"x\">a</p><style>a > b {}</style>"),
        Vec::<String>::new()
    );
}
