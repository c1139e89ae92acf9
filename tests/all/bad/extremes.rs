//! Inputs that are too large to be kept as files.

use super::outcome;
use emm::source::Source;
use emm::syntax::decode;
use std::thread;
use std::time::{Duration, Instant};

/// A game to which something extreme is added.
const GAME: &str =
    "(role x)\n(init a)\n(legal x m)\n(<= (next b) (true a))\n(<= terminal (true b))\n(goal x 100)\n";

/// Stack of a thread that reads hostile input: an eighth of what threads usually have.
const SMALL_STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { 1 << 18 };

/// The outcome, computed with a small stack and in bounded time.
fn on_a_small_stack(text: String, bound: Duration) -> String {
    let start = Instant::now();
    let work = move || outcome("t", text.into_bytes());
    let thread = thread::Builder::new()
        .stack_size(SMALL_STACK)
        .spawn(work)
        .expect("a thread");
    let found = thread.join().expect("no panic");
    assert!(start.elapsed() < bound, "{:?}", start.elapsed());
    found
}

#[test]
fn deep_nesting_is_refused_whatever_the_stack() {
    const DEPTH: usize = 100_000;
    let (open, close) = ("(".repeat(DEPTH), ")".repeat(DEPTH));
    let nested = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(DEPTH), close.repeat(DEPTH))
    };
    let texts = [
        open.clone(),
        close.clone(),
        format!("{open}{close}"),
        nested("(p ", "", ")"),
        format!("(<= p {})", nested("(not ", "q", ")")),
        format!("(<= p {})", nested("(or q (and r ", "s", "))")),
        format!("{}.", nested("p(", "a", ")")),
        format!("p :- {}.", nested("(", "q", ")")),
        format!("p :- {}q.", "not ".repeat(DEPTH)),
        format!("p :- {}q.", "~".repeat(DEPTH)),
        format!("p :- {}.", nested("(q | ", "r", ")")),
        format!("p('{}", "(".repeat(DEPTH)),
    ];
    for text in texts {
        let start = text[..20].to_string();
        let found = on_a_small_stack(text, Duration::from_secs(20));
        assert!(found.ends_with("refused by parse\n"), "{start}: {found}");
    }
}

#[test]
fn wide_rules_need_no_stack() {
    let many = |part: &dyn Fn(usize) -> String| (0..30_000).map(part).collect::<String>();
    let texts = [
        format!("{GAME}(<= (next c) {})\n", many(&|n| format!(" (true (f {n}))"))),
        format!("{GAME}(d a)\n(<= (next c) {})\n", many(&|_| " (d a)".into())),
        format!(
            "{GAME}(d a)\n(<= (next c) {})\n",
            many(&|n| format!(" (d ?x{n})"))
        ),
        format!(
            "{GAME}(<= (next c) {})\n",
            many(&|n| format!(" (not (true (f {n})))"))
        ),
        format!(
            "{GAME}{}(<= (next c) {})\n",
            many(&|n| format!("(init (f {n}))\n")),
            many(&|n| format!(" (true (f {n}))"))
        ),
        format!("{GAME}(init (f {}))\n", many(&|n| format!(" {n}"))),
        format!(
            "{GAME}(<= (next c) (or {}))\n",
            many(&|n| format!(" (true (f {n}))"))
        ),
        format!("{GAME}{}", many(&|n| format!("(<= (p{}) (p{n}))\n", n + 1))),
        format!("{GAME}{}", many(&|n| format!("(<= (p {}) (p {n}))\n", n + 1))),
    ];
    for text in texts {
        let end = text[text.len() - 40..].to_string();
        let found = on_a_small_stack(text, Duration::from_secs(60));
        let is_answered = ["accepted\n", "refused by check\n"]
            .iter()
            .any(|end| found.ends_with(end));
        assert!(
            is_answered,
            "{end}: {}",
            found.chars().rev().take(400).collect::<String>()
        );
    }
}

#[test]
fn a_text_beyond_all_bounds_is_refused_unread() {
    let (source, refused) = decode("t", vec![0; Source::MAX_BYTES + 1]);
    let lines: Vec<String> = refused
        .iter()
        .map(|diagnostic| diagnostic.one_line(&source))
        .collect();
    let expected =
        "t: error[too-large]: the text has 1073741825 bytes, more than the 1073741824 that can be read";
    assert_eq!(lines, [expected]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn twenty_megabytes_take_bounded_time() {
    const SIZE: usize = 20_000_000;
    let repeated = |part: &str| part.repeat(SIZE / part.len());
    let texts = [
        (repeated("\0"), "refused by parse\n"),
        (repeated("("), "refused by parse\n"),
        (repeated("x"), "refused by check\n"),
        (repeated("; a comment\n"), "refused by parse\n"),
        (format!("{GAME}{}", repeated("\n")), "accepted\n"),
        (
            format!(
                "{GAME}{}",
                repeated("(wall 1 2 3 here is one long fact with many arguments of no use at all)\n")
            ),
            "accepted\n",
        ),
    ];
    for (text, expected) in texts {
        let start = text[..20].to_string();
        let found = on_a_small_stack(text, Duration::from_secs(15));
        assert!(
            found.ends_with(expected),
            "{start:?}: {}",
            found.chars().take(400).collect::<String>()
        );
    }
}
