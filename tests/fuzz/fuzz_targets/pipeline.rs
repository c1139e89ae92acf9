//! Any bytes through decode, parse, check and ground: no panic, no endless work, and what could be
//! read survives printing in either syntax.
//!
//! ```text
//! mkdir -p tests/fuzz/corpus/pipeline && cp games/*.gdl tests/data/bad/* tests/fuzz/corpus/pipeline/
//! cargo +nightly fuzz run --fuzz-dir tests/fuzz pipeline -- -max_total_time=600 -max_len=4096
//! ```
#![no_main]

use emm::check::check;
use emm::diagnostic::any_error;
use emm::ground::{Limits, ground};
use emm::source::Source;
use emm::syntax::{Description, Syntax, decode, parse, print};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use std::time::{Duration, Instant};

fuzz_target!(|bytes: &[u8]| {
    let (source, refused) = decode("fuzz", bytes.to_vec());
    if !refused.is_empty() {
        return;
    }
    let source = Arc::new(source);
    let parsed = parse(source.clone(), None);
    parsed.diagnostics.iter().for_each(|diagnostic| drop(diagnostic.one_line(&source)));
    if any_error(&parsed.diagnostics) {
        return;
    }
    round_trip(&parsed.description);
    let checked = check(&parsed.description);
    checked.diagnostics.iter().for_each(|diagnostic| drop(diagnostic.one_line(&source)));
    if let Some(program) = checked.program {
        let deadline = Some(Instant::now() + Duration::from_secs(2));
        let limits = Limits { max_rules: 5_000, deadline, ..Limits::default() };
        if let Ok(grounded) = ground(&program, &limits) {
            drop(grounded.program.to_string());
        }
    }
});

/// Reading what was printed gives the description again: printing that changes nothing.
fn round_trip(description: &Description) {
    for syntax in [Syntax::Kif, Syntax::Infix] {
        let text = print(description, syntax);
        let again = parse(Arc::new(Source::new("printed", text.clone())), Some(syntax));
        assert!(!any_error(&again.diagnostics), "unreadable:\n{text}");
        assert_eq!(print(&again.description, Syntax::Kif), print(description, Syntax::Kif));
    }
}
