//! Files that are written: no one ever half, and in the folder of a batch by one program at a time.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// Files in the making carry this prefix; what a killed run left behind is removed by the next.
const UNFINISHED: &str = ".img2fen-unfinished-";

/// The context of an error that is about the output: nothing can be done until it is writable.
#[derive(Debug, Clone, Copy)]
pub struct Unusable;

impl std::fmt::Display for Unusable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the output cannot be used")
    }
}

/// What to do about an error of the output, as far as the system says what is wrong.
pub fn hint(error: &anyhow::Error) -> Option<&'static str> {
    use io::ErrorKind::{
        AlreadyExists, NotADirectory, NotFound, PermissionDenied, QuotaExceeded,
        ReadOnlyFilesystem, StorageFull,
    };
    if !error.is::<Unusable>() {
        return None;
    }
    let cause = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<io::Error>())?;
    Some(match cause.kind() {
        AlreadyExists | NotADirectory => "a part of the path is a file: name another place",
        NotFound => "make the folder first, or name another place",
        PermissionDenied | ReadOnlyFilesystem => {
            "name a place where you may write, or change its permissions"
        }
        StorageFull | QuotaExceeded => "make room on the disk and give the same command again",
        _ => return None,
    })
}

/// The command that holds a folder; its name stands in the locked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// `img2fen batch`.
    Batch,
    /// `img2fen export`.
    Export,
    /// `img2fen review`, until it is stopped.
    Review,
}

impl Holder {
    const ALL: [Self; 3] = [Self::Batch, Self::Export, Self::Review];

    const fn name(self) -> &'static str {
        match self {
            Self::Batch => "batch",
            Self::Export => "export",
            Self::Review => "review",
        }
    }

    /// Who holds a locked file. Where it cannot be read while it is locked, or is not written yet, nobody knows.
    fn of(lock: &Path) -> Option<Self> {
        let name = fs::read_to_string(lock).ok()?;
        Self::ALL.into_iter().find(|own| own.name() == name)
    }
}

/// An output folder, locked against a second run until it is dropped.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    _lock: File,
}

impl OutputFolder {
    /// Creates the folder where needed, locks it, and tries whether it can be written.
    ///
    /// # Errors
    /// When it cannot be created or written, or another run holds it; checked before any work.
    pub fn open(path: &Path, holder: Holder) -> anyhow::Result<Self> {
        fs::create_dir_all(path)
            .with_context(|| format!("cannot create the folder {}", path.display()))?;
        let name = path.join(".lock");
        let mut lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&name)
            .with_context(|| format!("cannot write to the folder {}", path.display()))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.display();
                match Holder::of(&name) {
                    Some(Holder::Review) => bail!(
                        "a review in the browser holds {path}: stop the `img2fen review` that serves it with Ctrl-C, or \
                         name another folder"
                    ),
                    Some(other) => bail!(
                        "another `img2fen {}` is writing to {path}; wait for it, or name another folder",
                        other.name()
                    ),
                    None => bail!(
                        "another img2fen is writing to {path}; wait for it, or name another folder"
                    ),
                }
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", name.display()));
            }
        }
        check_writable(path)
            .and_then(|()| lock.set_len(0))
            .and_then(|()| lock.write_all(holder.name().as_bytes()))
            .with_context(|| format!("cannot write to the folder {}", path.display()))?;
        for entry in fs::read_dir(path)
            .with_context(|| format!("cannot read the folder {}", path.display()))?
        {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                fs::remove_file(entry.path())
                    .with_context(|| format!("cannot remove {}", entry.path().display()))?;
            }
        }
        Ok(Self {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Holds that files of these names can take their places in the end: what is no file is in the way.
    ///
    /// # Errors
    /// When a folder, or another thing that is no file, has one of the names.
    pub fn check_places<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
        for path in names.into_iter().map(|name| self.file(name)) {
            if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
                bail!(
                    "cannot write {}: something that is no file has this name; move it away, or name another folder",
                    path.display()
                );
            }
        }
        Ok(())
    }

    /// Starts a file that takes its place only once it is whole.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn create(&self, name: &str) -> anyhow::Result<Document> {
        Document::create(&self.file(name))
    }
}

/// Bytes written to try a folder: the documents of the smallest batch have about as many.
const TRIED_BYTES: usize = 64 << 10;

/// Tries whether new files can be written: a lock from an earlier run may be writable in a folder that is not, and a
/// full disk shows only when bytes are written.
fn check_writable(folder: &Path) -> io::Result<()> {
    let mut file = unfinished_in(folder)?;
    file.as_file_mut().write_all(&[0; TRIED_BYTES])?;
    file.as_file().sync_all()
}

/// A file in the making, with the permissions of any new file. Errors do not name it: nobody asked for it.
fn unfinished_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .make_in(folder, |path| {
            File::options().write(true).create_new(true).open(path)
        })
}

/// A file in the making: dropped without [`finish`](Self::finish) it leaves no trace. A device that is there already, or
/// the pipe behind a name such as `/dev/stdout`, is written to as it stands.
#[derive(Debug)]
pub struct Document {
    writer: BufWriter<Place>,
    target: PathBuf,
}

#[derive(Debug)]
enum Place {
    Beside(tempfile::NamedTempFile),
    Device(File),
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(file) => file.as_file_mut().write(bytes),
            Self::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(file) => file.as_file_mut().flush(),
            Self::Device(file) => file.flush(),
        }
    }
}

impl Document {
    /// Starts a file beside its place.
    ///
    /// # Errors
    /// When the folder cannot be written, or the place is a pipe of the file system.
    pub fn create(target: &Path) -> anyhow::Result<Self> {
        if is_named_pipe(target) {
            bail!(
                "cannot write {}: it is a pipe, and opening it may wait for ever; name a file, or use standard output",
                target.display()
            );
        }
        // Behind a link the file is replaced, not the link.
        let target = if target.is_symlink() {
            &fs::canonicalize(target).unwrap_or_else(|_| target.to_owned())
        } else {
            target
        };
        let is_device = |found: fs::Metadata| !found.is_file() && !found.is_dir();
        let place = if fs::metadata(target).is_ok_and(is_device) {
            File::options().write(true).open(target).map(Place::Device)
        } else {
            let folder = target.parent();
            let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
            unfinished_in(folder.unwrap_or(Path::new("."))).map(Place::Beside)
        };
        let place = place.with_context(|| format!("cannot write {}", target.display()))?;
        Ok(Self {
            writer: BufWriter::with_capacity(1 << 18, place),
            target: target.to_owned(),
        })
    }

    /// Puts the file in its place, replacing what was there.
    ///
    /// # Errors
    /// When the disk is full or the place cannot be written; the old file is still there then.
    pub fn finish(self) -> anyhow::Result<()> {
        let target = self.target;
        let write = || format!("cannot write {}", target.display());
        let place = self
            .writer
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .with_context(write)?;
        if let Place::Beside(file) = place {
            file.as_file().sync_all().with_context(write)?;
            file.persist(&target)
                .map_err(|error| error.error)
                .with_context(write)?;
        }
        Ok(())
    }
}

/// Whether a name stands for a pipe of the file system, which can be opened only once somebody reads it. A pipe between
/// programs has no name of its own.
pub fn is_named_pipe(target: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let is_pipe = fs::metadata(target).is_ok_and(|found| found.file_type().is_fifo());
        is_pipe && fs::canonicalize(target).is_ok()
    }
    #[cfg(not(unix))]
    {
        let _ = target;
        false
    }
}

/// Writes a whole file, replacing what was there.
///
/// # Errors
/// When it cannot be written; the error says that the output is not usable.
pub fn write_file(target: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let mut document = Document::create(target)?;
        document
            .write_all(bytes)
            .with_context(|| format!("cannot write {}", target.display()))?;
        document.finish()
    };
    write().context(Unusable)
}

impl Write for Document {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let output = OutputFolder::open(folder.path(), Holder::Batch).unwrap();
        let mut document = output.create("a.txt").unwrap();
        document.write_all(b"half").unwrap();
        drop(document);
        assert!(!output.file("a.txt").exists());
        let mut document = output.create("a.txt").unwrap();
        document.write_all(b"whole").unwrap();
        document.finish().unwrap();
        assert_eq!(fs::read_to_string(output.file("a.txt")).unwrap(), "whole");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        write_file(Path::new("/dev/null"), b"whole").unwrap();
        assert!(
            fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );
    }

    #[test]
    fn an_error_of_the_output_comes_with_the_cure_of_its_cause() {
        for (kind, words) in [
            (io::ErrorKind::AlreadyExists, "is a file"),
            (io::ErrorKind::NotADirectory, "is a file"),
            (io::ErrorKind::NotFound, "make the folder"),
            (io::ErrorKind::PermissionDenied, "where you may write"),
            (io::ErrorKind::ReadOnlyFilesystem, "where you may write"),
            (io::ErrorKind::StorageFull, "make room on the disk"),
            (io::ErrorKind::QuotaExceeded, "make room on the disk"),
        ] {
            let of_input = anyhow::Error::new(io::Error::from(kind)).context("cannot write");
            assert_eq!(hint(&of_input), None);
            let said = hint(&of_input.context(Unusable)).unwrap();
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn a_folder_is_no_place_for_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_file(folder.path(), b"x").unwrap_err();
        assert!(error.is::<Unusable>());
        assert!(folder.path().is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn an_error_names_the_file_that_was_asked_for_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("missing/a.txt");
        let said = format!("{:#}", write_file(&target, b"x").unwrap_err());
        assert_eq!(
            said,
            format!(
                "the output cannot be used: cannot write {}: No such file or directory (os error 2)",
                target.display()
            )
        );
    }

    // A locked file cannot be read on Windows.
    #[cfg(unix)]
    #[test]
    fn a_folder_belongs_to_one_run_and_leftovers_go() {
        let folder = tempfile::tempdir().unwrap();
        let leftover = folder.path().join(format!("{UNFINISHED}x"));
        fs::write(&leftover, "half").unwrap();
        let first = OutputFolder::open(folder.path(), Holder::Batch).unwrap();
        assert!(!leftover.exists());
        drop(first);
        let path = folder.path().display();
        for (holder, words) in [
            (
                Holder::Review,
                format!(
                    "a review in the browser holds {path}: stop the `img2fen review` that serves it with Ctrl-C, or \
                     name another folder"
                ),
            ),
            (
                Holder::Batch,
                format!(
                    "another `img2fen batch` is writing to {path}; wait for it, or name another folder"
                ),
            ),
            (
                Holder::Export,
                format!(
                    "another `img2fen export` is writing to {path}; wait for it, or name another folder"
                ),
            ),
        ] {
            let held = OutputFolder::open(folder.path(), holder).unwrap();
            for other in Holder::ALL {
                let error = OutputFolder::open(folder.path(), other).unwrap_err();
                assert_eq!(error.to_string(), words);
            }
            drop(held);
        }
        // As an earlier version has it.
        let held = OutputFolder::open(folder.path(), Holder::Batch).unwrap();
        fs::write(folder.path().join(".lock"), "").unwrap();
        let error = OutputFolder::open(folder.path(), Holder::Batch).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("another img2fen is writing to {path}; wait for it, or name another folder")
        );
        drop(held);
    }
}
