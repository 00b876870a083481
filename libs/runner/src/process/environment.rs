//! The part of this process's environment that the programs it starts get.
//!
//! An engine is foreign code: it gets what a program needs to run, and what its manifest or run file names. A build gets
//! everything except what looks like a secret, and so do the engines of `arbiter fastchess` and `arbiter cutechess`, since
//! these programs pass on everything.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use crate::EngineConfig;

/// The variables that a program needs to find its libraries, its language, its folders and its display.
const NEEDED: [&str; 21] = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "TMP", "TEMP",
    "LD_LIBRARY_PATH", "LD_PRELOAD", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "VIRTUAL_ENV",
    "GLIBC_TUNABLES", "NO_COLOR", "LLVM_PROFILE_FILE",
];

/// Prefixes of more such names: locales, folders, threads, graphics cards, sanitizers, language runtimes, and Wine.
const NEEDED_FAMILIES: [&str; 27] = [
    "LC_", "XDG_", "DYLD_", "OMP_", "GOMP_", "KMP_", "MKL_", "OPENBLAS_", "CUDA_", "NVIDIA_", "HIP_",
    "ROCR_", "VK_", "MALLOC_", "ASAN_", "UBSAN_", "TSAN_", "LSAN_", "MSAN_", "RUST_", "PYTHON", "JAVA_",
    "JDK_", "DOTNET_", "MONO_", "CONDA_", "WINE",
];

/// The variables that a program needs on Windows.
const NEEDED_ON_WINDOWS: [&str; 22] = [
    "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "OS", "USERNAME", "USERPROFILE",
    "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "ALLUSERSPROFILE", "PUBLIC",
    "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE", "PROCESSOR_IDENTIFIER",
];

/// Parts of the names of variables that hold secrets: `GH_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `OPENBENCH_PASSWORD`.
const SECRET: [&str; 8] =
    ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "API_KEY", "APIKEY"];
const SECRET_ENDINGS: [&str; 2] = ["_KEY", "_PAT"];

/// The length of the shortest secret that is hidden.
const LEAST_SECRET: usize = 8;

/// The entry of `pass_env` that stands for all variables that do not look like secrets.
pub const ALL: &str = "*";

impl EngineConfig {
    /// The environment of this engine: the variables of this process that it gets, and its own.
    pub fn environment(&self) -> impl Iterator<Item = (OsString, OsString)> {
        let own = self.env.iter().map(|(name, value)| (name.into(), value.into()));
        std::env::vars_os().filter(|(name, _)| self.gets(name)).chain(own)
    }

    fn gets(&self, name: &OsStr) -> bool {
        let is_named = |named: &String| name == OsStr::new(named);
        if self.pass_env.iter().any(is_named) {
            return true;
        }
        // A name that is not valid Unicode is not on the lists.
        let Some(name) = name.to_str().map(str::to_ascii_uppercase) else { return false };
        let is_on = |list: &[&str]| list.contains(&&*name);
        let is_needed = is_on(&NEEDED)
            || NEEDED_FAMILIES.iter().any(|start| name.starts_with(start))
            || cfg!(windows) && is_on(&NEEDED_ON_WINDOWS);
        (is_needed || self.pass_env.iter().any(|named| named == ALL)) && !is_secret(&name)
    }
}

fn is_secret(name: &str) -> bool {
    SECRET.iter().any(|part| name.contains(part)) || SECRET_ENDINGS.iter().any(|end| name.ends_with(end))
}

/// A text with an ellipsis in place of what may be a secret: long words of the command that contain a digit, and the values
/// of variables that look like secrets.
pub(crate) fn hide_secrets(text: &str, command: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let words = command.split(|c| !is_word(c)).filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    let values =
        std::env::vars_os().filter(|(name, _)| is_secret(&name.to_string_lossy().to_ascii_uppercase()));
    let values = values.map(|(_, value)| value.to_string_lossy().into_owned());
    let hidden = words.map(str::to_owned).chain(values).filter(|secret| secret.len() >= LEAST_SECRET);
    hidden.fold(text.to_owned(), |text, secret| text.replace(&secret, "…"))
}

/// Removes what looks like a secret from the environment that a command inherits. Variables set for the command stay.
pub fn without_secrets(command: &mut Command) -> &mut Command {
    let set: Vec<OsString> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
    for (name, _) in std::env::vars_os() {
        if is_secret(&name.to_string_lossy().to_ascii_uppercase()) && !set.contains(&name) {
            command.env_remove(name);
        }
    }
    command
}
