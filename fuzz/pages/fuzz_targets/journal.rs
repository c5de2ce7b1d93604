//! Any bytes as a journal: what is whole is found and read back, and a page can be written behind it.

#![no_main]

#[allow(dead_code)]
#[path = "../../../src/bin/img2fen/journal.rs"]
mod journal;

use journal::{Entry, Journal, State};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    std::fs::write(file.path(), bytes).expect("the file can be written");
    let mut journal = Journal::open(file.path()).expect("any bytes can be opened");
    let keys = journal.keys();
    for key in &keys {
        let entry = journal.read(key).expect("a page that is named can be read");
        assert_eq!((&entry.key, Some(entry.state)), (key, journal.state(key)));
    }
    let entry = Entry {
        key: "new".to_owned(),
        state: State::NoBoard,
        boards: Vec::new(),
        cut: 1,
        left_out: 0,
        message: None,
    };
    journal.append(&entry).expect("a page can be written");
    drop(journal);
    let mut journal = Journal::open(file.path()).expect("the journal can be opened again");
    assert_eq!(journal.read("new").expect("the page is there"), entry);
    assert!(keys.iter().all(|key| journal.state(key).is_some()));
});
