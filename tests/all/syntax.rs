//! Reading and printing: every feature and every diagnostic of both syntaxes, as tables, and the law
//! that printing and reading again changes nothing.

mod diagnostics;
mod law;

use emm::diagnostic::{Diagnostic, any_error};
use emm::source::Source;
use emm::syntax::{Description, Parsed, Syntax, decode, parse, print};
use std::path::Path;
use std::sync::Arc;

const BOTH: [Syntax; 2] = [Syntax::Kif, Syntax::Infix];

fn read(text: &str, syntax: Option<Syntax>) -> Parsed {
    parse(Arc::new(Source::new("t", text)), syntax)
}

fn lines(parsed: &Parsed) -> Vec<String> {
    let line = |d: &Diagnostic| d.one_line(&parsed.description.source);
    parsed.diagnostics.iter().map(line).collect()
}

/// Reads a text that has nothing to complain about and prints it in the other syntax, on one line.
fn translate(text: &str, from: Syntax, to: Syntax) -> String {
    let parsed = read(text, Some(from));
    assert_eq!(lines(&parsed), Vec::<String>::new(), "{text}");
    print(&parsed.description, to)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn kif_reads_what_people_write() {
    let table = [
        ("(role white)", "role(white)."),
        ("(ROLE White)", "role(white)."),
        ("terminal", "terminal."),
        ("(<= (h a))", "h(a)."),
        ("(<= terminal (not open))", "terminal :- not open."),
        ("(a b)(c d) (e f)", "a(b). c(d). e(f)."),
        ("(a b)\r\n(c d)\r\n", "a(b). c(d)."),
        ("(<= (p ?x) (q ?x ?n++))", "p(X) :- q(X,?'n++')."),
        ("(<= (p ?X) (q ?X))", "p(X) :- q(X)."),
        ("(p ++ -1 east-speed 7 1a)", "p('++',-1,'east-speed',7,1a)."),
        ("(++ a b)", "'++'(a,b)."),
        ("(p it's)", "p('it''s')."),
        ("(p ?_ ?_x ?1 ??y)", "p(?_,_X,?1,?'?y')."),
        (
            "(<= (p ?x) (q ?x) (distinct ?x a))",
            "p(X) :- q(X), distinct(X,a).",
        ),
        ("(<= p (not (distinct a b)))", "p :- not distinct(a,b)."),
        ("(<= p (or q (and r (not s))))", "p :- (q | (r, not s))."),
        ("(<= p (or q))", "p :- q."),
        ("(<= p (and (or q)))", "p :- q."),
        ("(<= p (not (not (or q r))))", "p :- not not (q | r)."),
        ("(<= p (NOT q))", "p :- not q."),
        ("(p not (or a b) distinct <=)", "p(not,or(a,b),distinct,'<=')."),
        ("(<= p (q (r s) (f (g ?x))))", "p :- q(r(s),f(g(X)))."),
        ("(zug é)", "zug('é')."),
    ];
    for (kif, infix) in table {
        assert_eq!(translate(kif, Syntax::Kif, Syntax::Infix), infix, "{kif}");
    }
}

#[test]
fn infix_reads_what_people_write() {
    let table = [
        (
            "role(x). role(o). init(step(0)).",
            "(role x) (role o) (init (step 0))",
        ),
        (
            "next(win):- does(x,le), does(random, a).",
            "(<= (next win) (does x le) (does random a))",
        ),
        (
            "terminal:- not true(step(0)). goal(x,100):- true(win).",
            "(<= terminal (not (true (step 0)))) (<= (goal x 100) (true win))",
        ),
        ("p <= q.", "(<= p q)"),
        ("p :- q & ~r", "(<= p q (not r))"),
        ("p :- \\+ r, not(s), not (t)", "(<= p (not r) (not s) (not t))"),
        ("p :- not not q.", "(<= p (not (not q)))"),
        ("p :- not (q, r).", "(<= p (not (and q r)))"),
        ("p :- (q | r).", "(<= p (or q r))"),
        ("p :- (q ; r, s).", "(<= p (or q (and r s)))"),
        ("p :- q, r | s.", "(<= p (or (and q r) s))"),
        ("p :- q, (r, s).", "(<= p q (and r s))"),
        ("p :- (q).", "(<= p q)"),
        (
            "p(X) :- q(X), X != a, a ≠ X, X \\= f(X), distinct(X,b).",
            "(<= (p ?x) (q ?x) (distinct ?x a) (distinct a ?x) (distinct ?x (f ?x)) (distinct ?x b))",
        ),
        ("p :- not X != a.", "(<= p (not (distinct ?x a)))"),
        ("p(X,_y,?z,_,_)", "(p ?x ?_y ?z ?_1 ?_2)"),
        ("p(_,_3). q(_)", "(p ?_4 ?_3) (q ?_4)"),
        ("p(_, X_1).", "(p ?_2 ?x_1)"),
        ("p(-1, 20, a1, nextRank)", "(p -1 20 a1 nextrank)"),
        (
            "p('odd-chars', '++', 'it''s', ?'n++')",
            "(p odd-chars ++ it's ?n++)",
        ),
        ("p(not, or, 'not')", "(p not or not)"),
        (
            "a(x)\nb(y) :- c(z)\nterminal\nd",
            "(a x) (<= (b y) (c z)) terminal d",
        ),
        ("a :-\n b,\n c\n & d\n| e\nf", "(<= a (or (and b c d) e)) f"),
        ("a\n:- b\nc(x,\n  y)\nd", "(<= a b) (c x y) d"),
        ("a :- b &\r\n c\r\nd\r\n", "(<= a b c) d"),
        ("a :- (b\n , c)\nd", "(<= a (and b c)) d"),
    ];
    for (infix, kif) in table {
        assert_eq!(translate(infix, Syntax::Infix, Syntax::Kif), kif, "{infix}");
    }
}

#[test]
fn after_an_error_the_other_clauses_are_still_read() {
    let kif = read("(a ?x b))\n(c ())\n(<= d e\n(f g)\n(h i)", Some(Syntax::Kif));
    assert_eq!(
        print(&kif.description, Syntax::Kif),
        "(a ?x b)\n\n(f g)\n\n(h i)\n"
    );
    let infix = read("a(b.\nc :- d,\n e f\ng :- h.", Some(Syntax::Infix));
    assert_eq!(print(&infix.description, Syntax::Infix), "g :- h.\n");
    assert_eq!(infix.diagnostics.len(), 2);
}

#[test]
fn a_diagnostic_names_its_rule() {
    for (text, syntax) in [
        ("(a b)\n(<= p (or))", Syntax::Kif),
        ("a.\np :- distinct(a).", Syntax::Infix),
    ] {
        let parsed = read(text, Some(syntax));
        let rule = parsed.diagnostics[0].rule.expect("a rule");
        assert_eq!(
            parsed.description.source.slice(rule),
            text.lines().nth(1).unwrap()
        );
    }
}

#[test]
fn the_syntax_is_recognised_by_content() {
    use Syntax::{Infix, Kif};
    let table = [
        ("(role x)", Kif),
        ("; p(x).\n  (role x)", Kif),
        ("% a KIF text with a stray comment\n(role x)", Kif),
        ("terminal (role x)", Kif),
        ("terminal", Kif),
        ("terminal\n(role x)", Kif),
        (") (role x)", Kif),
        ("role(x).", Infix),
        ("% (role x)\nrole(x)", Infix),
        ("/* (role x) */ terminal", Infix),
        ("terminal.", Infix),
        ("terminal :- p", Infix),
        ("terminal\nrole(x)", Infix),
        ("terminal:-p", Infix),
        ("terminal <= p", Infix),
        ("'++'(x)", Infix),
    ];
    for (text, syntax) in table {
        assert_eq!(read(text, None).description.syntax, syntax, "{text}");
    }
}

#[test]
fn comments_stay_with_their_clause() {
    let table = [
        (
            Syntax::Kif,
            ";;; one\n;\n(a b) ; two\n; three\n(<= c ; four\n  d) (e f) ; five\n;six\n",
        ),
        (
            Syntax::Infix,
            "%%% one\n%\na(b). % two\n% three\nc :- % four\n  d. e(f) % five\n%six\n",
        ),
        (
            Syntax::Infix,
            "/* one\n\n*/ a(b) /* two */\n/* three */ c :- /*four*/\n  d. e(f) % five\n%six\n",
        ),
    ];
    for (syntax, text) in table {
        let Description {
            clauses,
            trailing_comments,
            ..
        } = read(text, Some(syntax)).description;
        let comments: Vec<&[String]> = clauses.iter().map(|clause| clause.comments.as_slice()).collect();
        let expected: [&[&str]; 3] = [&["one", "", "two"], &["three", "four"], &["five"]];
        let first: Vec<&String> = comments[0].iter().filter(|line| !line.is_empty()).collect();
        assert_eq!(first, ["one", "two"], "{text}");
        assert_eq!(comments[1..], expected[1..], "{text}");
        assert_eq!(trailing_comments, ["six"], "{text}");
    }
}

#[test]
fn bytes_become_text() {
    let text = |bytes: &[u8]| decode("t", bytes.to_vec()).0.text().to_string();
    assert_eq!(text(b"(a b)"), "(a b)");
    assert_eq!(text(b"\xEF\xBB\xBF(a b)"), "(a b)");
    assert_eq!(text(b"(a \xFF)"), "(a \u{FFFD})");
    let code = |bytes: Vec<u8>| decode("t", bytes).1.first().map(|d| (d.code, d.is_error()));
    assert_eq!(code(b"(a \xFF)".to_vec()), None);
    assert_eq!(code(b"\xFF\xFE(\0".to_vec()), Some(("encoding", true)));
    assert_eq!(code(vec![0; Source::MAX_BYTES + 1]), Some(("too-large", true)));
}

#[test]
fn many_problems_are_cut_short() {
    let errors = read(&"(a ())\n".repeat(1000), None);
    assert_eq!(errors.diagnostics.len(), 51);
    assert_eq!(
        lines(&errors)[50],
        "t: error[too-many]: further problems are not shown"
    );
    let warnings = read(&"(a (f))\n".repeat(60), None);
    assert_eq!(warnings.description.clauses.len(), 60);
    assert_eq!(
        lines(&warnings)[50],
        "t: warning[too-many]: 10 further warnings are not shown"
    );
    let binary: Vec<u8> = (0..1_000_000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    for syntax in [None, Some(Syntax::Kif), Some(Syntax::Infix)] {
        let (source, _) = decode("t", binary.clone());
        let parsed = parse(Arc::new(source), syntax);
        assert!(any_error(&parsed.diagnostics) && parsed.diagnostics.len() <= 102);
    }
}

#[test]
fn hostile_nesting_is_harmless() {
    let n = 100_000;
    let texts = [
        "(".repeat(n),
        ")".repeat(n),
        "(a\n".repeat(n),
        format!("{}{}", "(a ".repeat(n), ")".repeat(n)),
        "a(".repeat(n),
        format!("a :- {}b", "(".repeat(n)),
        format!("a :- {}b", "~".repeat(n)),
        format!("a :- {}b.", "not\n".repeat(n)),
        "'".repeat(n + 1),
        "/*".repeat(n),
    ];
    for text in texts {
        for syntax in BOTH {
            read(&text, Some(syntax));
        }
        assert!(any_error(&read(&text, None).diagnostics), "{}", &text[..10]);
    }
}

#[test]
fn long_rules_are_broken_into_lines() {
    let text = "; c\n(<= (next (cell ?row ?column ?mark)) (true (cell ?row ?column ?mark)) (or (does xplayer (mark ?row ?column ?other)) (does oplayer (mark ?row ?column ?other))))(role x)(role y) ; end\n;last";
    let description = read(text, None).description;
    let kif = "\
; c
(<= (next (cell ?row ?column ?mark))
    (true (cell ?row ?column ?mark))
    (or
        (does xplayer (mark ?row ?column ?other))
        (does oplayer (mark ?row ?column ?other))))

(role x)

; end
(role y)

; last
";
    let infix = "\
% c
next(cell(ROW,COLUMN,MARK)) :-
    true(cell(ROW,COLUMN,MARK)),
    (
        does(xplayer,mark(ROW,COLUMN,OTHER)) |
        does(oplayer,mark(ROW,COLUMN,OTHER))).

role(x).

% end
role(y).

% last
";
    assert_eq!(print(&description, Syntax::Kif), kif);
    assert_eq!(print(&description, Syntax::Infix), infix);
}

/// The law: printing in either syntax and reading again changes nothing.
fn assert_round_trips(description: &Description) {
    for syntax in BOTH {
        let text = print(description, syntax);
        let again = read(&text, Some(syntax));
        assert!(!any_error(&again.diagnostics), "{text}\n{:#?}", lines(&again));
        assert_eq!(again.description, *description, "{text}");
        assert_eq!(print(&again.description, syntax), text);
    }
}

#[test]
fn listings_of_the_literature_are_read_as_they_are_printed() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/seeds");
    if !seeds.is_dir() {
        println!("skipped: ../shared is not there");
        return;
    }
    let table = [
        ("000_2299af4b55efc3fd.txt", "legal(R,A):- input(R,A).", 18),
        ("004_4e572d587d172a15.txt", "init(step(1))", 26),
    ];
    for (file, line, clauses) in table {
        let text = std::fs::read_to_string(seeds.join(file)).expect("a paper");
        let listing = text
            .split("```")
            .find(|block| block.lines().any(|l| l == line))
            .expect("a listing");
        let parsed = read(listing, None);
        assert_eq!(lines(&parsed), Vec::<String>::new(), "{listing}");
        assert_eq!(parsed.description.clauses.len(), clauses, "{listing}");
        assert_round_trips(&parsed.description);
    }
}

#[test]
fn real_games_round_trip() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if !shared.is_dir() {
        println!("skipped: ../shared is not there");
        return;
    }
    let mut games = 0;
    for folder in ["ggp", "paper-gdl", "paper-gdl-qbf"] {
        for entry in std::fs::read_dir(shared.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if !path
                .extension()
                .is_some_and(|extension| extension == "kif" || extension == "gdl")
            {
                continue;
            }
            let (source, problems) =
                decode(&path.display().to_string(), std::fs::read(&path).expect("a file"));
            let parsed = parse(Arc::new(source), None);
            assert!(
                problems.is_empty() && !any_error(&parsed.diagnostics),
                "{:#?}",
                lines(&parsed)
            );
            assert_eq!(parsed.description.syntax, Syntax::Kif);
            assert_round_trips(&parsed.description);
            for syntax in BOTH {
                assert_eq!(
                    read(&print(&parsed.description, syntax), None).description.syntax,
                    syntax
                );
            }
            games += 1;
        }
    }
    assert!(games > 200, "{games} games");
}
