//! A disk that is soon full.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A file system of its own with room for `kibibytes`; unmounted when dropped.
pub(crate) struct TinyDisk {
    folder: TempDir,
}

impl TinyDisk {
    /// None, with a word why, where the user may not mount.
    pub(crate) fn mount(kibibytes: usize) -> Option<Self> {
        let disk = TinyDisk { folder: tempfile::tempdir().unwrap() };
        let options = format!("size={kibibytes}k");
        let output = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(disk.path()).output();
        match output {
            Ok(output) if output.status.success() => Some(disk),
            _ => {
                eprintln!("skipped: only a user who may mount can test a full disk");
                None
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        // Where the mount itself failed there is nothing to undo, and this fails quietly too.
        let _ = Command::new("umount").arg(self.path()).output();
    }
}
