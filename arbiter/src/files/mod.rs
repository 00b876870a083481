//! Files and folders that commands read and write.

mod atomic_file;
pub mod file_record;
pub mod new_file;
pub mod own_seal;
mod state_file;
pub mod suite_files;

pub use atomic_file::{DRAFT, forget_drafts, is_device, write_named, write_whole};
pub use new_file::{NewFile, beside, open_lines};
pub use state_file::StateFile;
