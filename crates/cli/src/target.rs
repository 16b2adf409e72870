//! The place where a picture goes: judged before time is spent on drawing, written whole or not at all.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::output::shown;
use crate::picture::Format;

/// A file that can be written, as far as can be known before.
pub struct Target {
    /// As it was asked for, for messages.
    asked: PathBuf,
    /// The file itself, where what was asked for is a link.
    file: PathBuf,
    /// Of the file that is there already.
    permissions: Option<Permissions>,
}

impl Target {
    /// Refuses what no picture can be written to, or should be.
    ///
    /// # Errors
    /// [`Failure::Mistake`] when the name does not end in one of `ends`, the folder is missing or cannot be written in, or
    /// something stands there that is not an ordinary file, is read-only, or is a link to nowhere.
    pub fn find(path: &Path, ends: &[&str]) -> Result<Self, Failure> {
        Self::judge(path, ends).map_err(|why| Failure::Mistake(format!("-o {}: {why}", shown(path))))
    }

    fn judge(path: &Path, ends: &[&str]) -> Result<Self, String> {
        if !path.extension().is_some_and(|extension| ends.iter().any(|end| extension.eq_ignore_ascii_case(end))) {
            let ends: Vec<String> = ends.iter().map(|end| format!(".{end}")).collect();
            let ends = match ends.split_last() {
                Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
                _ => ends.concat(),
            };
            return Err(format!("expected a name that ends in {ends}"));
        }
        if path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator(char::from(*last))) {
            return Err("expected the name of a file, not of a folder".to_owned());
        }
        let (file, permissions) = match path.symlink_metadata() {
            Ok(there) if there.is_symlink() => {
                let file = path.canonicalize().map_err(|error| broken_link(path, &error))?;
                let there = file.metadata().map_err(|error| broken_link(path, &error))?;
                (file, Some(there))
            }
            Ok(there) => (path.to_path_buf(), Some(there)),
            Err(error) if error.kind() == ErrorKind::NotFound => (path.to_path_buf(), None),
            Err(error) if error.kind() == ErrorKind::InvalidFilename => return Err("the name is too long".to_owned()),
            // The folder is none, or may not be looked into.
            Err(error) => return Err(no_folder(folder(path)).unwrap_or_else(|| error.to_string())),
        };
        let permissions = permissions.map(|there| replaceable(&file, &there)).transpose()?;
        if let Some(why) = no_folder(folder(&file)) {
            return Err(why);
        }
        let target = Self { asked: path.to_path_buf(), file, permissions };
        match target.beside() {
            Ok(_) => Ok(target),
            Err(error) => Err(cannot_create(folder(&target.file), &error)),
        }
    }

    /// Refuses to write over a file that the picture is made from.
    ///
    /// # Errors
    /// [`Failure::Mistake`] when both are one file.
    pub fn is_not(&self, source: &Path) -> Result<(), Failure> {
        match (self.file.canonicalize(), source.canonicalize()) {
            (Ok(file), Ok(source)) if file == source => {
                Err(Failure::Mistake(format!("-o {}: the scene reads this file", self.name())))
            }
            _ => Ok(()),
        }
    }

    /// A file of a name of its own in the folder.
    fn beside(&self) -> Result<tempfile::NamedTempFile, Error> {
        let mut builder = tempfile::Builder::new();
        builder.suffix(".png");
        // A picture is readable by whoever may read new files here; temporary files are not by themselves.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        builder.tempfile_in(folder(&self.file))
    }

    /// Writes beside the file and moves what was written there when it is whole.
    ///
    /// # Errors
    /// [`Failure::Machine`] when it cannot be written; nothing is left behind then, and what was there stays.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let unfinished = self.begin()?;
        // Not through the temporary file itself, whose errors tell its name.
        unfinished.temporary.as_file().write_all(bytes).map_err(|error| unfinished.failed(&error))?;
        unfinished.finish()
    }

    /// Begins a file beside this one, which it is to become.
    ///
    /// # Errors
    /// [`Failure::Machine`] when none can be made.
    pub fn begin(&self) -> Result<Unfinished, Failure> {
        let cannot = |error: Error| not_written(&self.asked, &cannot_create(folder(&self.file), &error));
        Ok(Unfinished {
            temporary: self.beside().map_err(cannot)?,
            asked: self.asked.clone(),
            file: self.file.clone(),
            permissions: self.permissions.clone(),
        })
    }

    /// What the name says the file is to hold, where that is one picture.
    pub fn format(&self) -> Format {
        Format::of(&self.asked)
    }

    /// The name as it was asked for, safe to print.
    pub fn name(&self) -> String {
        shown(&self.asked)
    }
}

/// A file that is not whole yet. Dropped, it leaves nothing behind.
pub struct Unfinished {
    temporary: tempfile::NamedTempFile,
    asked: PathBuf,
    file: PathBuf,
    permissions: Option<Permissions>,
}

impl Unfinished {
    /// To write to.
    pub fn file(&self) -> Result<File, Error> {
        self.temporary.as_file().try_clone()
    }

    /// For another program to write to.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// [`Failure::Machine`] when it cannot be written; nothing is left behind then, and what was there stays.
    pub fn finish(self) -> Result<(), Failure> {
        let Self { temporary, asked, file, permissions } = self;
        temporary.as_file().sync_all().map_err(|error| not_written(&asked, &error))?;
        if let Some(permissions) = permissions {
            // Some file systems keep none; the picture counts more.
            _ = temporary.as_file().set_permissions(permissions);
        }
        temporary.persist(file).map_err(|error| not_written(&asked, &error.error))?;
        Ok(())
    }

    /// What to say where writing fails.
    pub fn failed(&self, error: &dyn Display) -> Failure {
        not_written(&self.asked, error)
    }
}

fn not_written(asked: &Path, error: &dyn Display) -> Failure {
    Failure::Machine(format!("{}: not written: {error}", shown(asked)))
}

/// The folder that holds a path.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str() != OsStr::new("") => parent,
        _ => Path::new("."),
    }
}

fn broken_link(path: &Path, error: &Error) -> String {
    match path.read_link() {
        Ok(to) if error.kind() == ErrorKind::NotFound => {
            format!("this is a link to {}, which does not exist", shown(&to))
        }
        _ => format!("this is a link that cannot be followed: {error}"),
    }
}

/// The permissions of a file that may be replaced, or why it may not.
fn replaceable(file: &Path, there: &Metadata) -> Result<Permissions, String> {
    if there.is_dir() {
        return Err("this is a folder".to_owned());
    }
    if !there.is_file() {
        return Err("this is not an ordinary file".to_owned());
    }
    // The system's superuser may write what is marked so too, and to move a file over it needs no right to it at all.
    if there.permissions().readonly() {
        return Err("this file is read-only".to_owned());
    }
    match OpenOptions::new().write(true).open(file) {
        Ok(_) => Ok(there.permissions()),
        Err(error) => Err(match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "this file is read-only".to_owned(),
            _ => format!("this file cannot be written: {error}"),
        }),
    }
}

/// Why a path is not a folder, or nothing where it is one.
fn no_folder(path: &Path) -> Option<String> {
    match path.metadata() {
        Ok(there) if there.is_dir() => None,
        Err(error) if error.kind() == ErrorKind::NotFound => Some(format!("the folder {} does not exist", shown(path))),
        Err(error) if error.kind() == ErrorKind::InvalidFilename => {
            Some(format!("the name of the folder {} is too long", shown(path)))
        }
        Err(error) if error.kind() != ErrorKind::NotADirectory => {
            Some(format!("the folder {} cannot be looked into: {error}", shown(path)))
        }
        _ => Some(format!("{} is not a folder", shown(path))),
    }
}

/// Why no file can be made in a folder; without the file's own name, which nobody chose.
fn cannot_create(folder: &Path, error: &Error) -> String {
    let why = match error.kind() {
        // Folders of the system's own say so to every new file.
        ErrorKind::NotFound => String::new(),
        kind => format!(": {kind}"),
    };
    format!("no file can be made in the folder {}{why}", shown(folder))
}
