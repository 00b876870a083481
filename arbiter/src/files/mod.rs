//! Files and folders that commands read and write.

mod named_file;
pub mod new_file;
pub mod new_folder;
pub mod recorded_path;
pub mod sha256;
pub mod state_file;
pub mod suite_files;
mod suite_text;
mod whole_file;

pub use named_file::{is_device, write_named};
pub use new_file::NewFile;
pub use whole_file::{DRAFT, forget_drafts, write_whole};
