//! The protocols that engines speak.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::InvalidInput;

/// The protocols, by the names that other programs use for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProtocolName {
    /// The Universal Chess Interface. An engine that answers as one of xboard's is asked again in that protocol.
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol of xboard and `WinBoard`, also called CECP.
    Xboard,
}

impl FromStr for ProtocolName {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<ProtocolName, InvalidInput> {
        match text {
            "uci" => Ok(ProtocolName::Uci),
            "xboard" => Ok(ProtocolName::Xboard),
            other => Err(InvalidInput(format!("proto: expected uci or xboard, found `{other}`"))),
        }
    }
}
