//! A small HTTP server for the pages of this program, in which every request is bounded in size and time.
//!
//! Enters: connections of a listener. Leaves: what the caller's function answers. Each connection has one request; its
//! body is read only when the caller asks for it, so that strangers are refused before they can send one. `httparse`
//! takes the head apart; why no library serves as a whole stands in docs/reliability.md.

use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Bytes of a request line with its headers; browsers send less than 2 KiB.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// Headers of a request; browsers send about 20.
const MAX_HEADERS: usize = 64;
/// Connections at the same time; a browser opens six.
const MAX_CONNECTIONS: usize = 64;
/// Time in which a request must be here.
const MAX_REQUEST_TIME: Duration = Duration::from_secs(10);
/// Time that a client may leave an answer unread.
const MAX_STALL: Duration = Duration::from_secs(30);
/// Bytes and time for what a refused client still sends: a connection closed before would take the answer with it.
const MAX_DRAINED: (u64, Duration) = (1 << 20, Duration::from_secs(1));
/// How often new connections are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A request whose body has not been read.
#[derive(Debug)]
pub struct Request<'stream> {
    /// `GET`, `POST` ...
    pub method: String,
    /// As sent, with the leading `/`.
    pub path: String,
    headers: Vec<(String, String)>,
    stream: &'stream TcpStream,
    /// The beginning of the body, where it came with the head.
    begun: Vec<u8>,
    deadline: Instant,
}

/// A header that a request must not have twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeated;

impl Request<'_> {
    /// The value of a header; its name in any case.
    ///
    /// # Errors
    /// When the request has it twice.
    pub fn header(&self, name: &str) -> Result<Option<&str>, Repeated> {
        let mut found = self
            .headers
            .iter()
            .filter(|(header, _)| header.eq_ignore_ascii_case(name));
        match (found.next(), found.next()) {
            (first, None) => Ok(first.map(|(_, value)| value.as_str())),
            (_, Some(_)) => Err(Repeated),
        }
    }

    /// The body, when it has at most `most` bytes.
    ///
    /// # Errors
    /// The answer to give instead.
    pub fn body(&mut self, most: usize) -> Result<Vec<u8>, Response> {
        let length = match (
            self.header("Content-Length"),
            self.header("Transfer-Encoding"),
        ) {
            (Ok(Some(length)), Ok(None)) => length,
            _ => return Err(Response::text(411, "the length of the request is missing")),
        };
        if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Response::text(
                400,
                "the length of the request is no number",
            ));
        }
        // A number that no machine can hold is larger than any limit.
        let length = length.parse().unwrap_or(usize::MAX);
        if length > most {
            let message = format!("the request is larger than the limit of {} KiB", most >> 10);
            return Err(Response::text(413, &message));
        }
        let mut body = std::mem::take(&mut self.begun);
        while body.len() < length {
            let read = receive(self.stream, &mut body, self.deadline);
            read.map_err(|_| Response::text(408, "the request did not arrive in time"))?;
        }
        body.truncate(length);
        Ok(body)
    }
}

/// What is answered.
#[derive(Debug)]
pub struct Response {
    status: u16,
    kind: &'static str,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Bytes(Cursor<Vec<u8>>),
    File(File, u64),
}

impl Response {
    /// A sentence.
    pub fn text(status: u16, text: &str) -> Self {
        Self::bytes(
            status,
            "text/plain; charset=utf-8",
            text.as_bytes().to_vec(),
        )
    }

    /// Bytes of a kind.
    pub fn bytes(status: u16, kind: &'static str, bytes: Vec<u8>) -> Self {
        let body = Body::Bytes(Cursor::new(bytes));
        Self { status, kind, body }
    }

    /// A file from its current place on, `length` bytes.
    pub fn file(kind: &'static str, file: File, length: u64) -> Self {
        let body = Body::File(file, length);
        Self {
            status: 200,
            kind,
            body,
        }
    }

    fn send(self, mut stream: &TcpStream, headers: &[(&str, &str)]) -> io::Result<()> {
        let (length, mut body): (u64, Box<dyn Read>) = match self.body {
            Body::Bytes(bytes) => (bytes.get_ref().len() as u64, Box::new(bytes)),
            Body::File(file, length) => (length, Box::new(file.take(length))),
        };
        let mut head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {length}\r\nConnection: close\r\n",
            self.status,
            reason(self.status),
            self.kind
        );
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        stream.write_all(head.as_bytes())?;
        io::copy(&mut body, &mut stream)?;
        stream.flush()
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        431 => "Request Header Fields Too Large",
        _ => "Internal Server Error",
    }
}

/// Answers requests, each on a thread of its own, until none has come for the time `idle`.
///
/// `headers` go with every answer.
///
/// # Errors
/// When the listener fails.
pub fn serve(
    listener: &TcpListener,
    idle: Duration,
    headers: &[(&str, &str)],
    answer: impl Fn(&mut Request<'_>) -> Response + Sync,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let open = AtomicUsize::new(0);
    let last = Mutex::new(Instant::now());
    std::thread::scope(|scope| {
        loop {
            let quiet_for = last.lock().map_or(Duration::ZERO, |last| last.elapsed());
            match listener.accept() {
                Ok((stream, _)) => {
                    let connection = Connection::new(&open);
                    if let Ok(mut last) = last.lock() {
                        *last = Instant::now();
                    }
                    if connection.is_allowed {
                        let answer = &answer;
                        scope.spawn(move || {
                            let _connection = connection;
                            // A client that went away needs no answer.
                            let _ = converse(&stream, headers, answer);
                        });
                    }
                }
                Err(_) if quiet_for > idle => return Ok(()),
                // No connection waits, or one went away, or the system is out of handles for a while.
                Err(_) => std::thread::sleep(LOOK_EVERY),
            }
        }
    })
}

/// One of the connections at the same time, until it is dropped.
struct Connection<'open> {
    open: &'open AtomicUsize,
    is_allowed: bool,
}

impl<'open> Connection<'open> {
    fn new(open: &'open AtomicUsize) -> Self {
        let is_allowed = open.fetch_add(1, Ordering::SeqCst) < MAX_CONNECTIONS;
        Self { open, is_allowed }
    }
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}

fn converse(
    stream: &TcpStream,
    headers: &[(&str, &str)],
    answer: impl Fn(&mut Request<'_>) -> Response,
) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(MAX_STALL))?;
    let response = match receive_head(stream, Instant::now() + MAX_REQUEST_TIME) {
        Ok(mut request) => answer(&mut request),
        Err(response) => response,
    };
    response.send(stream, headers)?;
    stream.shutdown(Shutdown::Write)?;
    let (bytes, time) = MAX_DRAINED;
    let (deadline, mut drained) = (Instant::now() + time, Vec::new());
    let mut total = 0;
    while total < bytes && receive(stream, &mut drained, deadline).is_ok() {
        total += drained.len() as u64;
        drained.clear();
    }
    Ok(())
}

/// Appends what has arrived to `bytes`, at least one byte.
fn receive(mut stream: &TcpStream, bytes: &mut Vec<u8>, deadline: Instant) -> io::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut buffer = [0; 4096];
    match stream.read(&mut buffer)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        length => {
            bytes.extend(&buffer[..length]);
            Ok(())
        }
    }
}

fn receive_head(stream: &TcpStream, deadline: Instant) -> Result<Request<'_>, Response> {
    let mut bytes = Vec::new();
    loop {
        if let Some(head) = parse_head(&bytes)? {
            return Ok(Request {
                method: head.method,
                path: head.path,
                headers: head.headers,
                stream,
                begun: bytes.split_off(head.length),
                deadline,
            });
        }
        if bytes.len() > MAX_HEAD_BYTES {
            let message = format!(
                "the head of the request is larger than the limit of {} KiB",
                MAX_HEAD_BYTES >> 10
            );
            return Err(Response::text(431, &message));
        }
        receive(stream, &mut bytes, deadline)
            .map_err(|_| Response::text(408, "the request did not arrive in time"))?;
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Head {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    /// Bytes up to the body.
    length: usize,
}

/// The head at the beginning of these bytes; `None` while its end is missing.
fn parse_head(bytes: &[u8]) -> Result<Option<Head>, Response> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            let message = format!("the request has more than the limit of {MAX_HEADERS} headers");
            return Err(Response::text(431, &message));
        }
        Err(_) => return Err(Response::text(400, "the request is not HTTP/1.1")),
    };
    let text = |header: &httparse::Header<'_>| {
        let value = String::from_utf8_lossy(header.value);
        (header.name.to_owned(), value.into_owned())
    };
    Ok(Some(Head {
        method: request.method.unwrap_or_default().to_owned(),
        path: request.path.unwrap_or_default().to_owned(),
        headers: request.headers.iter().map(text).collect(),
        length,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_method_path_and_headers() {
        let bytes = b"GET /a/ HTTP/1.1\r\nHost: b:1\r\nempty:\r\n\r\nbody";
        let head = Head {
            method: "GET".into(),
            path: "/a/".into(),
            headers: [("Host", "b:1"), ("empty", "")]
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
                .to_vec(),
            length: 39,
        };
        assert_eq!(parse_head(bytes).unwrap(), Some(head));
        for length in 0..39 {
            assert_eq!(parse_head(&bytes[..length]).unwrap(), None, "{length}");
        }
    }

    #[test]
    fn what_is_no_head_is_refused() {
        for wrong in [
            "GET /\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET / a HTTP/1.1\r\n\r\n",
            " / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\n: no name\r\n\r\n",
            "GET / HTTP/1.1\r\na: b\r\n folded: c\r\n\r\n",
            "GET / HTTP/1.1\r\nspace before : c\r\n\r\n",
            "GET / HTTP/1.1\r\nnul: \0\r\n\r\n",
            "\x16\x03\x01",
        ] {
            assert_eq!(
                answer_to(wrong.as_bytes()),
                "the request is not HTTP/1.1",
                "{wrong}"
            );
        }
    }

    #[test]
    fn as_many_headers_as_the_limit_are_read_and_one_more_is_refused() {
        let with_headers = |count: usize| {
            let more = "x: y\r\n".repeat(count - 1);
            format!("GET / HTTP/1.1\r\nContent-Length: 0\r\n{more}\r\n")
        };
        assert_eq!(answer_to(with_headers(MAX_HEADERS).as_bytes()), "0");
        assert_eq!(
            answer_to(with_headers(MAX_HEADERS + 1).as_bytes()),
            "the request has more than the limit of 64 headers"
        );
    }

    /// What a server that answers with the body's length says to these bytes.
    fn answer_to(bytes: &[u8]) -> String {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let _ = converse(&server, &[], |request| match request.body(1024) {
                    Ok(body) => Response::text(200, &body.len().to_string()),
                    Err(response) => response,
                });
            });
            let _ = client.write_all(bytes);
            let mut answer = String::new();
            let _ = client.read_to_string(&mut answer);
            answer.split("\r\n\r\n").last().unwrap().to_owned()
        })
    }

    #[test]
    fn heads_and_bodies_just_over_their_limits_are_refused_and_just_under_are_read() {
        let with_body = |length: usize| {
            [
                format!("POST / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n").into_bytes(),
                vec![b'x'; length],
            ]
            .concat()
        };
        assert_eq!(answer_to(&with_body(1024)), "1024");
        assert_eq!(
            answer_to(&with_body(1025)),
            "the request is larger than the limit of 1 KiB"
        );
        let with_head = |length: usize| {
            let head = "GET / HTTP/1.1\r\nContent-Length: 0\r\nx: ";
            format!("{head}{}\r\n\r\n", "y".repeat(length - head.len()))
        };
        assert_eq!(answer_to(with_head(MAX_HEAD_BYTES).as_bytes()), "0");
        // The rest of the last 4 KiB that arrive together is let through.
        assert_eq!(
            answer_to(with_head(MAX_HEAD_BYTES + 8192).as_bytes()),
            "the head of the request is larger than the limit of 16 KiB"
        );
    }

    #[test]
    fn a_length_that_no_machine_can_hold_is_refused() {
        for length in ["18446744073709551615", "99999999999999999999999"] {
            let request = format!("POST / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n");
            assert_eq!(
                answer_to(request.as_bytes()),
                "the request is larger than the limit of 1 KiB"
            );
        }
        for length in ["-1", "+1", "1 ", "0x10", ""] {
            let request = format!("POST / HTTP/1.1\r\nContent-Length: {length};\r\n\r\n");
            assert_eq!(
                answer_to(request.as_bytes()),
                "the length of the request is no number"
            );
        }
        let twice = b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab";
        assert_eq!(answer_to(twice), "the length of the request is missing");
    }
}
