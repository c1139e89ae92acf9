//! Reading and writing formulas.

use super::formula::{Shape, random, ratio};
use crate::support::random::Random;
use emm::cnf::dimacs::{self, Dialect};
use emm::cnf::{Cnf, Quantifier};
use emm::source::Source;
use std::time::Instant;

fn written(cnf: &Cnf, dialect: Dialect) -> String {
    let mut text = Vec::new();
    dimacs::write(cnf, dialect, ["a comment"], &mut text).expect("a formula that can be written");
    String::from_utf8(text).expect("UTF-8")
}

/// What is noticed about a text, a line each.
fn noticed(text: &str) -> Vec<String> {
    let source = Source::new("f", text);
    let read = dimacs::read(&source);
    let lines: Vec<String> = read.diagnostics.iter().map(|d| d.one_line(&source)).collect();
    let has_error = lines.iter().any(|line| line.contains("error["));
    assert_eq!(read.cnf.is_none(), has_error, "{lines:?}");
    lines
}

fn read(text: &str) -> Cnf {
    dimacs::read(&Source::new("f", text)).cnf.expect("a formula")
}

#[test]
fn reading_what_was_written_gives_the_formula() {
    let mut source = Random::new(1);
    let shape = Shape {
        variables: 12,
        clauses: 20,
        shortest: 1,
        longest: 6,
    };
    let mut quantified = 0;
    for _ in 0..1000 {
        let cnf = random(&mut source, &shape);
        assert_eq!(read(&written(&cnf, Dialect::Sdimacs)), cnf);
        let is_chance = |quantifier: &Quantifier| matches!(quantifier, Quantifier::Chance(_));
        if !cnf.prefix.iter().any(|block| is_chance(&block.quantifier)) {
            quantified += 1;
            let text = written(&cnf, Dialect::Qdimacs);
            assert_eq!(written(&read(&text), Dialect::Qdimacs), text);
        } else {
            let refused = dimacs::write(&cnf, Dialect::Qdimacs, [""; 0], &mut Vec::new());
            assert!(refused.is_err());
        }
    }
    assert!(quantified > 20);
}

#[test]
fn every_mistake_is_named_with_its_line() {
    let mistakes = "\
c prob 1/7 2 0
c prob 1/3 1 0
c prob 3/2 2 0
c prob of winning: not for us
p cnf 4 9
p cnf 4 9
e 1 5 0
r 1/3 2 0
r 1.5 2 0
r 0.5 2 0
r 0
a 3 1 0
a -4 0
a 4
1 2
1 -9 0
2 x 0
2 0 3
hello
e 4 0
%
";
    let expected = "\
f:1:12: error[bad-probability]: variable 2 stands in no chance block
f:2:12: error[bad-probability]: variable 1 stands in no chance block
f:3:8: error[bad-probability]: `3/2` is no probability
f:5:1: error[wrong-count]: the header promises 9 clauses, but there are 4
f:6:1: error[second-header]: a second header
f:7:5: error[unknown-variable]: variable 5 is greater than the number of variables, 4
f:8:3: error[bad-probability]: `1/3` is no probability
f:9:3: error[bad-probability]: `1.5` is no probability
f:9:7: error[quantified-twice]: variable 2 is quantified twice
f:10:7: error[quantified-twice]: variable 2 is quantified twice
f:11:4: error[no-terminator]: the line ends without its 0
f:12:5: error[quantified-twice]: variable 1 is quantified twice
f:13:3: error[malformed-line]: a negative number in a block
f:14:4: error[no-terminator]: the line ends without its 0
f:15:4: error[no-terminator]: the line ends without its 0
f:16:3: error[unknown-variable]: variable 9 is greater than the number of variables, 4
f:17:3: error[malformed-line]: `x` is no number
f:18:5: error[text-after-zero]: text after the 0 that ends the line
f:19:1: error[malformed-line]: a line of no known kind
f:20:1: error[block-after-clause]: a block after the first clause
f:20:3: error[quantified-twice]: variable 4 is quantified twice
f:21:1: error[malformed-line]: a line of no known kind";
    assert_eq!(noticed(mistakes).join("\n"), expected);
}

#[test]
fn headers_are_needed_and_checked() {
    let first = |text: &str| noticed(text).first().cloned().unwrap_or_default();
    assert_eq!(first(""), "f: error[no-header]: the text has no header");
    assert_eq!(
        first("1 2 0\n"),
        "f:1:1: error[no-header]: there is no header before the first block or clause"
    );
    assert_eq!(
        first("p cnf 1\n"),
        "f:1:1: error[malformed-line]: a malformed header"
    );
    assert_eq!(
        first("p cnf -1 0\n"),
        "f:1:1: error[malformed-line]: a malformed header"
    );
    assert_eq!(
        first("p cnf 999999999999 0\n"),
        "f:1:1: error[too-large]: 999999999999 variables are more than this text can have"
    );
    assert_eq!(first("p cnf 0 0\n"), "");
}

#[test]
fn a_header_alone_fills_no_memory() {
    for header in [
        "p cnf 100000000 0",
        "p cnf 1000000000 1\n1 0",
        "p cnf 999999999999999999 999999999999999999",
    ] {
        let lines = noticed(&format!("{header}\n"));
        assert!(
            lines.iter().any(|line| line.contains("f:1:1: error[too-large]")),
            "{lines:?}"
        );
        assert!(
            lines.iter().all(|line| !line.contains("unknown-variable")),
            "{lines:?}"
        );
    }
    // More clauses than can be are only a wrong count, and this many variables without use are harmless.
    let lines = noticed("p cnf 1000000 999999999999999999\n");
    let message = "the header promises 999999999999999999 clauses, but there are 0";
    assert_eq!(lines, [format!("f:1:1: error[wrong-count]: {message}")]);
    assert_eq!(read("p cnf 1000000 0\n").variables, 1_000_000);
}

#[test]
fn numbers_are_taken_literally() {
    let first = |text: &str| noticed(text).first().cloned().unwrap_or_default();
    let long = "9".repeat(20_000);
    for (line, word) in [
        ("1 99999999999999999999 0", "99999999999999999999"),
        ("1 -0", "-0"),
        ("1 +2 0", "+2"),
        ("1 --2 0", "--2"),
        ("1 2.0 0", "2.0"),
        ("1 0x2 0", "0x2"),
        ("1 2\u{a0}0", "2\u{a0}0"),
        ("1 -", "-"),
    ] {
        let message = first(&format!("p cnf 2 1\ne 1 2 0\n{line}\n"));
        assert_eq!(
            message,
            format!("f:3:3: error[malformed-line]: `{word}` is no number")
        );
    }
    for probability in [
        "nan",
        "inf",
        "-0.5",
        "1.0000001",
        "1e1",
        "1e-99999",
        "0,5",
        "%50",
        &long,
    ] {
        let message = first(&format!("p cnf 1 0\nr {probability} 1 0\n"));
        assert_eq!(
            message,
            format!("f:2:3: error[bad-probability]: `{probability}` is no probability")
        );
    }
    let start = Instant::now();
    for fraction in [
        "1/0",
        "2/1",
        "1/-2",
        "-1/2",
        "1/2/3",
        ".5/1",
        &format!("1/{long}"),
    ] {
        let message = first(&format!("c prob {fraction} 1 0\np cnf 1 0\nr 0.5 1 0\n"));
        let expected = format!("f:1:8: error[bad-probability]: `{fraction}` is no probability");
        assert_eq!(message, expected);
    }
    assert!(start.elapsed().as_secs() < 5);
    let more = first("p cnf 2 1 0\n1 0\n");
    assert_eq!(more, "f:1:1: error[malformed-line]: a malformed header");
    let late = first("1 0\np cnf 1 1\n");
    assert!(late.starts_with("f:1:1: error[no-header]"), "{late}");
    let comments = "c prob - for people\nc prob .. too\np cnf 1 1\n  p cnf 1 1\n1 0\n";
    assert_eq!(first(comments), "f:4:1: error[second-header]: a second header");
}

#[test]
fn line_ends_and_blanks_do_not_matter() {
    let text = "c a comment\np cnf 3 2\nr 0.25 1 0\ne 2 3 0\n1 -2 0\n2 3 0\n";
    let cnf = read(text);
    for other in [
        text.replace('\n', "\r\n"),
        text.replace(' ', "\t  "),
        text.replace('\n', " \n\n"),
        text.trim_end().to_string(),
    ] {
        assert_eq!(read(&other), cnf, "{other:?}");
    }
    assert_eq!(noticed(""), noticed("\r\n \n\t\n"));
    assert!(noticed("c only comments\nc\n")[0].contains("error[no-header]"));
    let old = noticed(&text.replace('\n', "\r"));
    assert_eq!(old.len(), 1, "one comment: {old:?}");
    // What a line of a chance block says is checked on that line, also behind CRLF.
    let wrong = noticed("p cnf 1 1\r\nr 2 1 0\r\n1 0\r\n");
    assert_eq!(wrong, ["f:2:3: error[bad-probability]: `2` is no probability"]);
}

#[test]
fn a_variable_in_no_block_is_outermost_existential() {
    let text = "p cnf 3 1\na 1 0\n1 2 -2 0\n";
    assert_eq!(
        noticed(text),
        ["f:3:3: warning[not-quantified]: variable 2 stands in no block"]
    );
    let outermost = &read(text).prefix[0];
    assert_eq!(outermost.quantifier, Quantifier::Exists);
    assert_eq!(outermost.variables.len(), 2);
}

#[test]
fn comments_give_exact_probabilities_that_agree_with_the_decimal() {
    let text = |comment: &str| format!("p cnf 3 0\nr 0.333 1 2 0\nr .5 3 0\n{comment}\n");
    let probabilities = |cnf: &Cnf| -> Vec<_> {
        let blocks = cnf.prefix.iter();
        blocks
            .map(|block| (block.quantifier.clone(), block.variables.len()))
            .collect()
    };
    let chance = |numerator, denominator| Quantifier::Chance(ratio(numerator, denominator));
    assert_eq!(
        probabilities(&read(&text("c"))),
        [(chance(333, 1000), 2), (chance(1, 2), 1)]
    );
    assert_eq!(
        probabilities(&read(&text("c prob 1/3 2 0"))),
        [(chance(333, 1000), 1), (chance(1, 3), 1), (chance(1, 2), 1)]
    );
    assert_eq!(
        noticed(&text("c prob 1/4 2 0")),
        ["f:4:12: error[bad-probability]: the block of variable 2 gives it another probability"]
    );
    assert_eq!(
        noticed(&text("c prob 1/3 2 2 0")),
        ["f:4:14: error[bad-probability]: the probability of variable 2 is given twice"]
    );
}

#[test]
fn a_hundred_thousand_mistakes_are_summed_up() {
    let text = format!("p cnf 1 100000\n{}", "1 2 0\n".repeat(100_000));
    let lines = noticed(&text);
    assert_eq!(lines.len(), 22);
    assert_eq!(
        lines[21],
        "f: error[too-many]: 99980 further problems `unknown-variable` are not shown"
    );
}

#[test]
fn a_million_clauses_are_read_in_seconds() {
    let clauses = (0..1_000_000usize).map(|n| format!("{} -{} {} 0\n", n % 999 + 1, n % 99 + 1, n % 9 + 1));
    let text = format!("p cnf 999 1000000\n{}", clauses.collect::<String>());
    let start = Instant::now();
    assert_eq!(read(&text).clauses.len(), 1_000_000);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}
