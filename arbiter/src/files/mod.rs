//! Files and folders that commands read and write.

pub mod new_file;
pub mod new_folder;
pub mod recorded_path;
pub mod sha256;
mod state_file;
pub mod suite_files;
mod suite_text;
mod whole_file;

pub use new_file::NewFile;
pub use state_file::StateFile;
pub use whole_file::{DRAFT, forget_drafts, is_device, write_named, write_whole};
