//! The opening tree (the classes `StartTree` and `treeNode`): common moves, and the reply to each.

use std::fs;

use referee::{Referee, Variant};
use uci::UciMove;

/// The shipped tree, built in so that it is found from any folder.
const SHIPPED: &str = include_str!("../start_tree.txt");
const SHIPPED_NAME: &str = "thomartin.txt";

/// Blanks of indentation per half-move.
const INDENT: usize = 2;

/// The moves of a position, each with the moves that may follow.
#[derive(Debug, Default, PartialEq, Eq)]
struct TreeNode {
    children: Vec<(String, TreeNode)>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct StartTree(TreeNode);

impl StartTree {
    pub fn shipped() -> StartTree {
        StartTree::parse(SHIPPED_NAME, SHIPPED).expect("the tree that ships is sound, as a test shows")
    }

    /// Reads a tree from a file; an error names the problem and the line.
    pub fn load(file: &str) -> Result<StartTree, String> {
        let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        StartTree::parse(file, &text)
    }

    /// Reads the text of a tree; the referee checks every move. Empty lines and lines with `#` are comments.
    pub fn parse(file: &str, text: &str) -> Result<StartTree, String> {
        let mut root = TreeNode::default();
        // The games up to the last line and to each move before it.
        let mut games = vec![Referee::new(Variant::Standard)];
        for (index, text) in text.lines().map(str::trim_end).enumerate() {
            let found = text.trim_start();
            if found.is_empty() || found.starts_with('#') {
                continue;
            }
            let wrong = |reason: &str| format!("{file}:{}: {reason}", index + 1);
            let blanks = text.len() - found.len();
            let level = blanks / INDENT;
            if !blanks.is_multiple_of(INDENT) || level >= games.len() {
                let expected = "two blanks for each level, at most one level below the line above";
                return Err(wrong(&format!("expected {expected}")));
            }
            games.truncate(level + 1);
            let mut game = games[level].clone();
            game.play(found).map_err(|error| wrong(&error.to_string()))?;
            games.push(game);
            if !root.add(level, found) {
                return Err(wrong(&format!("expected each move once, found `{found}` again")));
            }
        }
        if root.children.is_empty() {
            return Err(format!("{file}: expected moves, found none"));
        }
        Ok(StartTree(root))
    }

    /// The reply to a game from the start position: the first move below its last one.
    pub fn reply(&self, game: &[UciMove]) -> Option<UciMove> {
        let mut node = &self.0;
        for mv in game {
            node = node.child(mv.as_str())?;
        }
        node.children.first()?.0.parse().ok()
    }
}

impl TreeNode {
    /// Adds a move below the last one of the level above; false if it exists already.
    fn add(&mut self, level: usize, mv: &str) -> bool {
        if level > 0 {
            return self.children.last_mut().is_some_and(|(_, child)| child.add(level - 1, mv));
        }
        let is_new = self.child(mv).is_none();
        if is_new {
            self.children.push((mv.to_owned(), TreeNode::default()));
        }
        is_new
    }

    fn child(&self, mv: &str) -> Option<&TreeNode> {
        self.children.iter().find(|(found, _)| found == mv).map(|(_, child)| child)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(tree: &StartTree, game: &str) -> Option<String> {
        let game: Vec<UciMove> = game.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        tree.reply(&game).map(|mv| mv.to_string())
    }

    #[test]
    fn the_tree_that_ships_is_legal_and_knows_every_first_move() {
        let tree = StartTree::parse(SHIPPED_NAME, SHIPPED).unwrap();
        for mv in Referee::new(Variant::Standard).legal_moves() {
            assert!(reply(&tree, &mv).is_some(), "1.{mv}");
        }
    }

    #[test]
    fn the_first_move_below_is_the_reply_and_the_others_are_known() {
        let tree = StartTree::parse("test", "e2e4\n  e7e5\n    g1f3\n  c7c5\nd2d4\n").unwrap();
        assert_eq!(reply(&tree, "e2e4").as_deref(), Some("e7e5"));
        assert_eq!(reply(&tree, "e2e4 e7e5").as_deref(), Some("g1f3"));
        assert_eq!(reply(&tree, "e2e4 c7c5"), None);
        assert_eq!(reply(&tree, "c2c4"), None);
    }

    #[test]
    fn a_mistake_is_told_with_its_file_and_line() {
        let cases = [
            ("e2e4\n  e2e5\n", "test:2: move"),
            ("e2e4\n    e7e5\n", "test:2: expected two blanks"),
            ("e2e4\n e7e5\n", "test:2: expected two blanks"),
            ("  e2e4\n", "test:1: expected two blanks"),
            ("e2e4\nd2d4\ne2e4\n", "test:3: expected each move once"),
            ("e4\n", "test:1: move"),
            ("# nothing\n", "test: expected moves"),
        ];
        for (text, expected) in cases {
            let error = StartTree::parse("test", text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(StartTree::load("/no/such/tree").unwrap_err().starts_with("/no/such/tree: "));
    }
}
