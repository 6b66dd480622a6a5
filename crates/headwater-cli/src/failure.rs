//! Why a run failed, and with which exit code.

use std::fmt;
use std::io;
use std::process::ExitCode;

use headwater_io::ReadError;
use headwater_io::table::TableError;
use headwater_io::write::WriteError;

/// The end of a run that did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The choices do not go together; exit code 2.
    Usage(String),
    /// The run failed; exit code 1.
    Run(String),
    /// All that was wanted has been said, or nobody reads on: no failure at all.
    Enough,
    /// The user asked to stop; exit code 130, as shells expect.
    Interrupted,
}

impl Failure {
    /// The exit code of an interrupted run.
    pub(crate) const INTERRUPTED: i32 = 130;

    pub(crate) fn run(what: impl fmt::Display) -> Self {
        Failure::Run(what.to_string())
    }

    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Usage(what) => {
                eprintln!("error: {what}\n\nFor more information, try '--help'.");
                ExitCode::from(2)
            }
            Failure::Run(what) => {
                eprintln!("error: {what}");
                ExitCode::FAILURE
            }
            Failure::Enough => ExitCode::SUCCESS,
            Failure::Interrupted => {
                eprintln!("interrupted");
                ExitCode::from(Self::INTERRUPTED as u8)
            }
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        if error.is_broken_pipe() { Failure::Enough } else { Failure::run(error) }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        Failure::run(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Failure::Enough } else { Failure::run(error) }
    }
}

impl From<ReadError<Failure>> for Failure {
    fn from(error: ReadError<Failure>) -> Self {
        match error {
            ReadError::Sink(failure) => failure,
            other => Failure::run(other),
        }
    }
}

/// So that a failure can travel through reading as its sink's error.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(what) | Failure::Run(what) => f.write_str(what),
            Failure::Enough => f.write_str("all that was wanted has been said"),
            Failure::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Failure {}
