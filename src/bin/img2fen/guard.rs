//! Work on one page that may take too long or panic, kept away from the rest of the run.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};

use img2fen::{Error, ErrorKind, Limits};

/// Runs `work` on a thread of its own and waits for it as long as the limits allow.
///
/// No thread can be stopped from outside: one that takes too long is left alone. It ends soon by itself, because the
/// size of pictures is limited and the recognizer looks at the time before each board.
///
/// # Errors
/// Those of `work`, [`ErrorKind::LimitExceeded`] when it takes too long, [`ErrorKind::Decode`] when it panics.
pub fn within<T: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce() -> img2fen::Result<T> + Send + 'static,
) -> img2fen::Result<T> {
    let (sender, receiver) = sync_channel(1);
    let thread = std::thread::Builder::new().name("page".to_owned());
    let started = thread.spawn(move || {
        // Nobody waits any more when it has taken too long.
        let _ = sender.send(work());
    });
    if let Err(error) = started {
        let message = format!("cannot start a thread: {error}");
        return Err(Error::new(ErrorKind::Io, message)
            .with_hint("close other programs, or lower `--jobs`")
            .with_source(error));
    }
    match receiver.recv_timeout(limits.max_time) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => Err(limits.time_exceeded()),
        Err(RecvTimeoutError::Disconnected) => Err(Error::new(
            ErrorKind::Decode,
            "reading it failed by a fault of the program",
        )
        .with_hint("please report it with the file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn limits(max_time: Duration) -> Limits {
        let mut limits = Limits::default();
        limits.max_time = max_time;
        limits
    }

    #[test]
    fn work_within_the_time_gives_its_result() {
        assert_eq!(
            within(&limits(Duration::from_secs(60)), || Ok(7)).unwrap(),
            7
        );
    }

    #[test]
    fn work_that_takes_too_long_is_an_error_with_the_limit_and_its_flag() {
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let error = within(&limits(Duration::from_millis(50)), move || {
            let _ = wait.recv();
            Ok(())
        })
        .unwrap_err();
        drop(release);
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
        assert_eq!(error.to_string(), "takes longer than the limit of 0.05 s");
        assert!(error.hint().unwrap().contains("--timeout"));
    }

    #[test]
    fn a_panic_is_an_error() {
        let error = within::<()>(&limits(Duration::from_secs(60)), || panic!("on purpose"));
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Decode);
    }
}
