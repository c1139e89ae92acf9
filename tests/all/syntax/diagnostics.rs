//! Every diagnostic: its place, code and message.

use super::{lines, read};
use emm::syntax::Syntax;

#[test]
fn every_problem_has_its_code_place_and_message() {
    use Syntax::{Infix, Kif};
    let deep = format!("{}{}", "(p ".repeat(203), ")".repeat(203));
    let deep_infix = format!("{}a{}.", "p(".repeat(201), ")".repeat(201));
    let deep_not = format!("p :- {}a.", "not ".repeat(201));
    let deep_implicit = format!("p :- {}a{}.", "(b | c, ".repeat(150), ")".repeat(150));
    let table: &[(Syntax, &str, &[&str])] = &[
        (Kif, "", &["t: error[empty]: the text has no rules or facts"]),
        (
            Kif,
            " ; only\n",
            &["t: error[empty]: the text has no rules or facts"],
        ),
        (
            Infix,
            "% only\n/* this */",
            &["t: error[empty]: the text has no rules or facts"],
        ),
        (
            Kif,
            "(a b))\n(c d)",
            &["t:1:6: error[unbalanced-parenthesis]: this parenthesis closes nothing"],
        ),
        (
            Infix,
            "a(b)).\nc(d).",
            &["t:1:5: error[unbalanced-parenthesis]: this parenthesis closes nothing"],
        ),
        (
            Kif,
            "(a b)\n(c d\n(e f)\n(g h)",
            &["t:2:1: error[unclosed-parenthesis]: this parenthesis is not closed"],
        ),
        (
            Kif,
            "(<= a (b c)\n  (<= d e)",
            &["t:1:1: error[unclosed-parenthesis]: this parenthesis is not closed"],
        ),
        (
            Infix,
            "a(b, c\nd(e).\n",
            &["t:1:2: error[unclosed-parenthesis]: this parenthesis is not closed"],
        ),
        (
            Infix,
            "a :- (b, c.\nd(e).\n",
            &["t:1:6: error[unclosed-parenthesis]: this parenthesis is not closed"],
        ),
        (
            Kif,
            "(<= p ())",
            &["t:1:7: error[empty-list]: `()` means nothing"],
        ),
        (
            Kif,
            "((a) b)",
            &["t:1:2: error[missing-name]: a list must begin with a name, not with another list"],
        ),
        (
            Kif,
            "(a ?)",
            &["t:1:4: error[missing-name]: `?` alone is not a variable"],
        ),
        (
            Kif,
            "(<=)",
            &["t:1:1: error[missing-head]: this rule has no head"],
        ),
        (
            Infix,
            "a.\n:- b.",
            &["t:2:1: error[missing-head]: this rule has no head"],
        ),
        (
            Kif,
            "(<= (?x a) (?y b) ?z (q (?f a)))",
            &[
                "t:1:6: error[variable-as-predicate]: the variable `?x` cannot be a predicate",
                "t:1:13: error[variable-as-predicate]: the variable `?y` cannot be a predicate",
                "t:1:19: error[variable-as-predicate]: the variable `?z` cannot be a predicate",
                "t:1:26: error[variable-as-function]: the variable `?f` cannot be a function",
            ],
        ),
        (
            Infix,
            "X :- a.\np :- Y.\np(F(a)).\nq.",
            &[
                "t:1:1: error[variable-as-predicate]: the variable `X` cannot be a predicate",
                "t:2:6: error[variable-as-predicate]: the variable `Y` cannot be a predicate",
                "t:3:3: error[variable-as-function]: the variable `F` cannot be a function",
            ],
        ),
        (
            Kif,
            "(1 a)\n-2",
            &[
                "t:1:2: error[number-as-predicate]: the number `1` cannot be a predicate",
                "t:2:1: error[number-as-predicate]: the number `-2` cannot be a predicate",
            ],
        ),
        (
            Infix,
            "p :- 1(a).",
            &["t:1:6: error[number-as-predicate]: the number `1` cannot be a predicate"],
        ),
        (
            Kif,
            "(not a)\n(<= (distinct a b) c)\n<=\n(<= p or)",
            &[
                "t:1:2: error[reserved-word]: `not` cannot be a predicate here",
                "t:2:6: error[reserved-word]: `distinct` cannot be a predicate here",
                "t:3:1: error[reserved-word]: `<=` cannot be a predicate here",
                "t:4:7: error[reserved-word]: `or` cannot be a predicate here",
            ],
        ),
        (
            Infix,
            "p :- or(a,b).\n~p.\nnot q.\np('<='(a)).\n'not'(a).",
            &[
                "t:1:6: error[reserved-word]: `or` cannot be a predicate here",
                "t:2:1: error[reserved-word]: a clause cannot begin with a negation",
                "t:3:1: error[reserved-word]: a clause cannot begin with a negation",
                "t:4:3: error[reserved-word]: `<=` cannot be a function",
                "t:5:1: error[reserved-word]: `not` cannot be a predicate here",
            ],
        ),
        (
            Kif,
            "(<= p (or) (and) (not) (not a b) (distinct a))",
            &[
                "t:1:7: error[arity]: `or` takes at least one argument, not 0",
                "t:1:12: error[arity]: `and` takes at least one argument, not 0",
                "t:1:18: error[arity]: `not` takes exactly one argument, not 0",
                "t:1:24: error[arity]: `not` takes exactly one argument, not 2",
                "t:1:34: error[arity]: `distinct` takes exactly two arguments, not 1",
            ],
        ),
        (
            Infix,
            "p :- distinct(X,Y,Z).",
            &["t:1:6: error[arity]: `distinct` takes exactly two arguments, not 3"],
        ),
        (
            Infix,
            "p(T+1) :- q.\nr :- s t.\nu, v.\np :- q,, r.\np(a & b).\nw",
            &[
                "t:1:4: error[unexpected-token]: unexpected `+`",
                "t:2:8: error[unexpected-token]: unexpected `t`",
                "t:3:2: error[unexpected-token]: unexpected `,`",
                "t:4:8: error[unexpected-token]: unexpected `,`",
                "t:5:5: error[unexpected-token]: unexpected `&`",
            ],
        ),
        (
            Infix,
            "p :- a(,\n  b),\n  c\nq :- \"s\"",
            &[
                "t:1:8: error[unexpected-token]: unexpected `,`",
                "t:4:6: error[unexpected-token]: unexpected `\"`",
            ],
        ),
        (
            Infix,
            "p :- q,",
            &["t:1:8: error[unexpected-end]: the text ends where a name should follow"],
        ),
        (
            Infix,
            "p. /* no end",
            &["t:1:4: error[unclosed-comment]: this comment does not end"],
        ),
        (
            Infix,
            "p('a b).\nq('a b').\nr('').\ns('?x').\nt('a(').",
            &[
                "t:1:3: error[unclosed-quote]: this quoted name does not end",
                "t:2:3: error[bad-quoted-name]: this quoted name could not be written in KIF",
                "t:3:3: error[bad-quoted-name]: this quoted name could not be written in KIF",
                "t:4:3: error[bad-quoted-name]: this quoted name could not be written in KIF",
                "t:5:3: error[bad-quoted-name]: this quoted name could not be written in KIF",
            ],
        ),
        (
            Kif,
            &deep,
            &["t:1:604: error[nested-too-deep]: this is nested deeper than 200 levels"],
        ),
        (
            Infix,
            &deep_infix,
            &["t:1:402: error[nested-too-deep]: this is nested deeper than 200 levels"],
        ),
        (
            Infix,
            &deep_not,
            &["t:1:806: error[nested-too-deep]: this is nested deeper than 200 levels"],
        ),
        (
            Infix,
            &deep_implicit,
            &["t:1:1: error[nested-too-deep]: this is nested deeper than 200 levels"],
        ),
        (
            Kif,
            "(a b\0\u{1}c) ; \0 fine\n(\u{FFFD} d)",
            &[
                "t:1:5: error[control-character]: the invisible character U+0000 cannot be part of a description",
                "t:2:2: error[encoding]: these bytes are not UTF-8 text",
            ],
        ),
        (
            Infix,
            "a(b\u{200B}c). % \0 fine\n\u{FFFD}d.",
            &[
                "t:1:4: error[control-character]: the invisible character U+200B cannot be part of a description",
                "t:2:1: error[encoding]: these bytes are not UTF-8 text",
            ],
        ),
        (
            Kif,
            "(a b) ; caf\u{FFFD}",
            &["t:1:12: warning[encoding]: this comment is not UTF-8 text"],
        ),
        (
            Infix,
            "a(b). % caf\u{FFFD}",
            &["t:1:12: warning[encoding]: this comment is not UTF-8 text"],
        ),
        (
            Kif,
            "(<= (open2) (p (f)))",
            &[
                "t:1:5: warning[nullary-parentheses]: `(open2)` is read as `open2`",
                "t:1:16: warning[nullary-parentheses]: `(f)` is read as `f`",
            ],
        ),
        (
            Infix,
            "open2() :- p(f()).",
            &[
                "t:1:1: warning[nullary-parentheses]: `open2()` is read as `open2`",
                "t:1:14: warning[nullary-parentheses]: `f()` is read as `f`",
            ],
        ),
        (
            Kif,
            "(p nextRank)\n(p nextrank)\n(p NEXTRANK)",
            &[
                "t:2:4: warning[case-variants]: `nextRank` and `nextrank` are the same symbol: GDL ignores case",
            ],
        ),
        (
            Infix,
            "p(aB).\np(ab) :- q(Xy,XY,Xy).\np :- q(XY).",
            &[
                "t:2:3: warning[case-variants]: `aB` and `ab` are the same symbol: GDL ignores case",
                "t:2:15: warning[case-variants]: `Xy` and `XY` are the same variable: GDL ignores case",
            ],
        ),
        (
            Kif,
            "tic tac toe\n(role x)",
            &[
                "t:1:5: warning[bare-words]: the word `tac` outside parentheses is read as a fact",
                "t:1:9: warning[bare-words]: the word `toe` outside parentheses is read as a fact",
            ],
        ),
    ];
    for (syntax, text, expected) in table {
        let parsed = read(text, Some(*syntax));
        assert_eq!(lines(&parsed), *expected, "{text}");
        assert!(parsed.diagnostics.iter().all(|d| !d.hint.is_empty()), "{text}");
    }
}
