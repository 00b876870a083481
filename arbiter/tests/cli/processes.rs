//! Lists processes and interrupts programs.

use std::process::Child;

/// Asks a program to end, as Ctrl-C does; on Windows as Ctrl-Break does, which can be sent to a single program.
pub fn interrupt(program: &Child) {
    #[cfg(unix)]
    rustix::process::kill_process(rustix::process::Pid::from_child(program), rustix::process::Signal::INT)
        .unwrap();
    #[cfg(windows)]
    system::interrupt(program.id()).unwrap();
}

#[cfg(windows)]
pub use system::Processes;

#[cfg(windows)]
mod system {
    #![expect(unsafe_code, reason = "std has no job objects and sends no interrupts")]

    use std::io;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::process::Child;
    use std::ptr::{null, null_mut};

    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JobObjectBasicProcessIdList, QueryInformationJobObject,
    };
    use windows_sys::Win32::System::Threading::{
        OpenProcess, PROCESS_NAME_WIN32, PROCESS_QUERY_LIMITED_INFORMATION, QueryFullProcessImageNameW,
    };

    /// Programs and everything they start, in a job object.
    pub struct Processes(OwnedHandle);

    impl Default for Processes {
        fn default() -> Processes {
            // SAFETY: the new handle is ours.
            Processes(unsafe { OwnedHandle::from_raw_handle(CreateJobObjectW(null(), null())) })
        }
    }

    impl Processes {
        /// Must be called before the program starts another.
        pub fn add(&self, program: &Child) {
            // SAFETY: both handles are open.
            let is_added =
                unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), program.as_raw_handle()) };
            assert_ne!(is_added, 0, "{}", io::Error::last_os_error());
        }

        /// The number of running processes, not counting console hosts.
        pub fn count(&self) -> usize {
            #[repr(C)]
            struct Ids {
                assigned: u32,
                listed: u32,
                ids: [usize; 256],
            }
            let mut ids = Ids { assigned: 0, listed: 0, ids: [0; 256] };
            let size = size_of::<Ids>() as u32;
            // SAFETY: the call writes at most `size` bytes.
            let is_read = unsafe {
                let place = (&raw mut ids).cast();
                let job = self.0.as_raw_handle();
                QueryInformationJobObject(job, JobObjectBasicProcessIdList, place, size, null_mut())
            };
            assert_ne!(is_read, 0, "{}", io::Error::last_os_error());
            let names = ids.ids[..ids.listed as usize].iter().filter_map(|id| name(*id as u32));
            names.filter(|name| !name.ends_with("conhost.exe")).count()
        }
    }

    /// The path of a process's program; `None` if it has ended.
    fn name(id: u32) -> Option<String> {
        let mut letters = [0; 1024];
        let mut length = letters.len() as u32;
        // SAFETY: the new handle is ours, and the call writes at most as many letters as it says.
        let is_read = unsafe {
            let process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, id);
            if process.is_null() {
                return None;
            }
            let process = OwnedHandle::from_raw_handle(process);
            let process = process.as_raw_handle();
            QueryFullProcessImageNameW(process, PROCESS_NAME_WIN32, letters.as_mut_ptr(), &raw mut length)
        };
        (is_read != 0).then(|| String::from_utf16_lossy(&letters[..length as usize]))
    }

    pub fn interrupt(group: u32) -> io::Result<()> {
        // SAFETY: the call takes numbers.
        let sent = unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, group) };
        if sent == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}
